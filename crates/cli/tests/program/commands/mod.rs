//! The operator's commands, and what they print and change.

mod backup;
mod bounce;
mod certificate;
mod doctor;
mod first_start;
mod instances;
mod keys;
mod master_key;
mod monitoring;
mod outbox;
mod revoke;
mod rotate;
mod settings;
mod start;
mod token;
mod users;
mod verify;

use crate::support::Installation;

#[test]
fn help_says_what_there_is() {
    let installation = Installation::new();
    assert_eq!(installation.ok(&["--help"]), include_str!("help.txt"));
    assert_eq!(installation.ok(&["help"]), include_str!("help.txt"));
    for (command, words) in [
        ("serve", "Run the service"),
        ("company", "List the companies' names"),
        ("key", "Revoke a key, from now on and everywhere"),
        ("user", "Let a person sign in again"),
        ("outbox", "List messages that were given up"),
        ("bounce", "what a mail server reports"),
        ("backup", "Put the master key into it as well"),
        ("inspect", "Hash every document in the storage"),
        ("restore", "The directory"),
        ("storage", "Make the storage this installation's"),
        ("rotate", "Seal everything again under another master key"),
        ("revoke", "Its SHA-256, or its serial number"),
        ("reseal", "All that are due"),
        ("migrate", "Bring the database up to this program's schema"),
        ("config", "Name every problem of the settings"),
        ("doctor", "Try each part of the installation"),
        ("verify", "The root certificates to trust (DER or PEM)"),
        ("mcp", "FIRMEZA_API_KEY is the key to act with"),
    ] {
        let help = installation.ok(&[command, "--help"]);
        assert!(help.contains(words), "{help}");
    }
    let help = installation.ok(&["key", "add", "--help"]);
    for option in ["--company <COMPANY>", "--expires <DATE>", "--label <TEXT>"] {
        assert!(help.contains(option), "{help}");
    }
    assert!(!installation.data().exists(), "asking for help makes nothing");
}

#[test]
fn what_is_not_a_command_is_refused() {
    let installation = Installation::new();
    for wrong in [
        ["sevre"].as_slice(),
        &["key"],
        &["key", "add"],
        &["serve", "--fast"],
    ] {
        let ended = installation.run(wrong);
        assert_eq!(ended.code, Some(2), "{wrong:?}: {ended:?}");
        assert!(ended.stderr.contains("Usage:"), "{ended:?}");
    }
    assert!(!installation.data().exists());
}

#[test]
fn companies_are_added_once_and_listed_in_order() {
    let installation = Installation::new();
    assert_eq!(installation.ok(&["company", "list"]), "");
    installation.ok(&["company", "add", "Zapatería Ñandú"]);
    installation.ok(&["company", "add", "Abogados & Cía"]);
    let again = installation.run(&["company", "add", "Abogados & Cía"]);
    assert_eq!(again.code, Some(1), "{again:?}");
    assert!(again.stderr.contains("already"), "{again:?}");
    let nameless = installation.run(&["company", "add", "  "]);
    assert_eq!(nameless.code, Some(1), "{nameless:?}");
    assert_eq!(
        installation.ok(&["company", "list"]),
        "Zapatería Ñandú\nAbogados & Cía\n"
    );
}

#[test]
fn migrate_says_where_the_database_is() {
    let installation = Installation::new();
    let said = installation.ok(&["migrate"]);
    assert!(
        said.contains(&format!("at migration {},", store::LATEST_VERSION)),
        "{said}"
    );
    assert_eq!(installation.ok(&["migrate"]), said, "and may be asked again");
}

#[test]
fn a_database_of_a_newer_program_is_refused_and_left_alone() {
    let installation = Installation::new();
    installation.ok(&["migrate"]);
    let store::Settings::Sqlite(path) = installation.sqlite() else {
        unreachable!("an installation's default")
    };
    let newer = "INSERT INTO migrations (version, name) VALUES (9999, 'of the future')";
    rusqlite::Connection::open(path)
        .unwrap()
        .execute(newer, [])
        .unwrap();
    for command in ["migrate", "serve"] {
        let refused = installation.run(&[command]);
        assert_eq!(refused.code, Some(1), "{refused:?}");
        assert!(refused.stderr.contains("use a newer program"), "{refused:?}");
    }
}
