//! Users of the panel: added with a password that is never printed, disabled, and enabled again.

use crate::support::{COMPANY, Ended, Installation};
use std::io::Write;
use std::process::Stdio;

const EMAIL: &str = "luisa@example.com";
const PASSWORD: &str = "tres tristes tigres";

/// Runs a command with that on its standard input.
fn typed(installation: &Installation, arguments: &[&str], input: &str) -> Ended {
    let mut child = installation
        .command()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that is refused at once reads nothing.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    Ended::of(&child.wait_with_output().unwrap())
}

fn add(installation: &Installation, email: &str, role: &str, password: &str) -> Ended {
    let words = [
        "user",
        "add",
        "--company",
        COMPANY,
        "--email",
        email,
        "--role",
        role,
        "--password-stdin",
    ];
    typed(installation, &words, password)
}

#[test]
fn a_person_is_added_once_and_no_password_is_printed() {
    let installation = Installation::new();
    installation.ok(&["company", "add", COMPANY]);
    let added = add(
        &installation,
        "Luisa@Example.com",
        "administrator",
        &format!("{PASSWORD}\n"),
    );
    assert!(added.success, "{added:?}");
    assert!(!format!("{added:?}").contains(PASSWORD));
    for (email, role, password, said) in [
        (EMAIL, "reader", PASSWORD, "already"),
        ("nobody", "reader", PASSWORD, "address"),
        ("a@example.com", "reader", "corta", "at least 10 characters"),
        ("a@example.com", "reader", "", "at least 10 characters"),
        ("a@example.com", "reader", "qwerty12345", "common words"),
        ("a@example.com", "reader", "Colombia2026", "common words"),
        ("a@example.com", "reader", "abcabcabcabc", "pattern"),
        (
            "paula.ruiz@example.com",
            "reader",
            "Paula.Ruiz26",
            "from the address",
        ),
    ] {
        let refused = add(&installation, email, role, password);
        assert_eq!(refused.code, Some(1), "{refused:?}");
        assert!(refused.stderr.contains(said), "{refused:?}");
    }
    let refused = add(&installation, "a@example.com", "king", PASSWORD);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    let listed = installation.ok(&["user", "list", "--company", COMPANY]);
    assert_eq!(listed.lines().count(), 2, "{listed}");
    assert!(
        listed.contains("administrator") && listed.contains(EMAIL),
        "{listed}"
    );
    assert!(!listed.contains("argon2"), "{listed}");
}

#[test]
fn a_person_is_stopped_and_let_in_again() {
    let installation = Installation::new();
    installation.ok(&["company", "add", COMPANY]);
    assert!(add(&installation, EMAIL, "reader", PASSWORD).success);
    installation.ok(&["user", "disable", "--email", EMAIL]);
    let row = || {
        let listed = installation.ok(&["user", "list", "--company", COMPANY]);
        listed
            .lines()
            .last()
            .unwrap()
            .split("  ")
            .filter(|column| !column.trim().is_empty())
            .count()
    };
    let dashes = || {
        let listed = installation.ok(&["user", "list", "--company", COMPANY]);
        listed.lines().last().unwrap().matches("- ").count()
    };
    assert_eq!((row(), dashes()), (6, 1), "disabled, and never signed in");
    installation.ok(&["user", "enable", "--email", EMAIL]);
    assert_eq!((row(), dashes()), (6, 2));
    let words = ["user", "password", "--email", EMAIL, "--password-stdin"];
    let changed = typed(&installation, &words, "otra frase bien larga\n");
    assert!(changed.success, "{changed:?}");
    let weak = typed(&installation, &words, "Contraseña2026\n");
    assert_eq!(weak.code, Some(1), "{weak:?}");
    assert!(weak.stderr.contains("common words"), "{weak:?}");
    let none = installation.run(&["user", "remove-second-factor", "--email", EMAIL]);
    assert!(
        !none.success && none.stderr.contains("has no second factor"),
        "{none:?}"
    );
    let unknown = installation.run(&["user", "disable", "--email", "nobody@example.com"]);
    assert_eq!(unknown.code, Some(1), "{unknown:?}");
    assert!(unknown.stderr.contains("there is nobody"), "{unknown:?}");
}
