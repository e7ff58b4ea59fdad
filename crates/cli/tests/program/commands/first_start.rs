//! The first start of a sandbox, as a newcomer meets it.

use crate::support::{Client, Connection, Ended, Installation, Request, Server, done, folio_id, wait_for};
use std::process::Command;

/// What it prints to be pasted.
fn to_paste(printed: &str) -> String {
    let from = printed
        .find("curl ")
        .unwrap_or_else(|| panic!("no curl: {printed}"));
    let (line, _) = printed[from..].split_once("\n\n").unwrap();
    line.to_owned()
}

/// Runs the printed line in a shell in another directory.
fn paste(line: &str) -> Ended {
    Ended::of(
        &Command::new("bash")
            .args(["-c", line])
            .current_dir("/")
            .output()
            .unwrap(),
    )
}

fn welcome(server: &mut Server) -> String {
    wait_for("the welcome", || server.printed().contains("/docs"));
    server.printed()
}

#[test]
fn the_printed_line_creates_a_folio_and_is_printed_once() {
    // With the defaults, everything is in a directory below the one where the program was started.
    let installation = Installation::new().with("FIRMEZA_DATA_DIR", "");
    let mut server = installation.serve();
    let printed = welcome(&mut server);
    let pasted = paste(&to_paste(&printed));
    assert!(pasted.success, "{pasted:?}");
    let answer: serde_json::Value =
        serde_json::from_str(&pasted.stdout).unwrap_or_else(|_| panic!("{pasted:?}"));
    assert_eq!(answer["success"], true, "{answer}");

    let key = printed
        .split_whitespace()
        .find(|word| word.starts_with("firmeza_"))
        .unwrap();
    let client = Client::new(installation.port, key);
    let detail = done(&client.read(&folio_id(&answer)));
    assert_eq!(detail["data"]["folioData"]["name"], "Mi primer folio");
    assert_eq!(installation.ok(&["company", "list"]), "Demo\n");

    server.kill();
    let server = installation.serve();
    let printed = server.printed();
    assert!(
        !printed.contains("firmeza_") && !printed.contains("curl"),
        "{printed}"
    );
    done(&client.read(&folio_id(&answer)));
}

#[test]
fn the_printed_password_opens_the_panel() {
    let installation = Installation::new();
    let mut server = installation.serve();
    let printed = welcome(&mut server);
    let (_, panel) = printed
        .split_once("/panel\n")
        .unwrap_or_else(|| panic!("{printed}"));
    let mut lines = panel.lines().map(str::trim);
    let (email, password) = (lines.next().unwrap(), lines.next().unwrap());
    let enter = |password: &str| {
        let form = format!("email={}&password={password}", email.replace('@', "%40"));
        let headers = [
            ("content-type", "application/x-www-form-urlencoded"),
            ("sec-fetch-site", "same-origin"),
        ];
        let request = Request::new("POST", "/panel/sign-in", &headers, form.into_bytes());
        Connection::open(installation.port)
            .unwrap()
            .send(&request)
            .unwrap()
    };
    assert_eq!(enter("no-es-esta-clave").status, 422);
    let entered = enter(password);
    assert_eq!(entered.status, 303, "{}", entered.text());
    let cookie = entered.header("set-cookie").unwrap();
    assert!(cookie.starts_with("firmeza_panel="), "{cookie}");
}

#[test]
fn the_printed_line_works_from_a_directory_with_a_difficult_name() {
    let installation = Installation::new();
    let difficult = installation.directory().join("l'año; \"100%\", $HOME\\x");
    let installation = installation.with("FIRMEZA_DATA_DIR", difficult);
    let mut server = installation.serve();
    let pasted = paste(&to_paste(&welcome(&mut server)));
    assert!(pasted.stdout.contains("\"success\":true"), "{pasted:?}");
}

#[test]
fn a_sandbox_with_a_public_address_warns_and_opens_its_mailbox_to_its_token() {
    let installation = Installation::new().with("FIRMEZA_BASE_URL", "https://firma.example.com");
    let mailbox = |query: &str| {
        let request = Request::get(&format!("/mailbox.json{query}"));
        Connection::open(installation.port)
            .unwrap()
            .send(&request)
            .unwrap()
            .status
    };
    let mut tokens = Vec::new();
    for _ in 0..2 {
        let server = installation.serve();
        wait_for("the warning with the token", || {
            let printed = server.printed();
            let (_, after) = printed.split_once("Keep this address").unwrap_or_default();
            after.lines().count() == 2 && after.ends_with('\n')
        });
        let printed = server.printed();
        assert!(printed.contains("WARNING: this is a sandbox"), "{printed}");
        let logged = server.logged();
        assert!(
            logged.contains("this is a sandbox at a public address"),
            "{logged}"
        );
        let (_, rest) = printed.rsplit_once("https://firma.example.com/mailbox").unwrap();
        let query = rest.lines().next().unwrap().to_owned();
        assert_eq!(mailbox(""), 403);
        assert_eq!(mailbox("?token=0"), 403);
        assert_eq!(mailbox(&query), 200);
        tokens.push(query);
    }
    assert_eq!(tokens[0], tokens[1], "a restart keeps the token");

    let installation = installation.with("FIRMEZA_BASE_URL", "");
    let server = installation.serve();
    wait_for("the start", || server.printed().contains("listens at"));
    assert!(!server.printed().contains("WARNING"), "{}", server.printed());
}
