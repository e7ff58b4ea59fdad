//! API keys: shown once, listed without their secrets, revoked at once.

use crate::support::{COMPANY, Client, Installation, Order, last_line, wait_for};

fn add(installation: &Installation, more: &[&str]) -> String {
    let mut words = vec!["key", "add", "--company", COMPANY];
    words.extend(more);
    last_line(&installation.ok(&words))
}

/// The lines of the list with keys, in columns.
fn list(installation: &Installation) -> Vec<Vec<String>> {
    let text = installation.ok(&["key", "list", "--company", COMPANY]);
    let columns = |line: &str| {
        let columns = line
            .split("  ")
            .map(str::trim)
            .filter(|column| !column.is_empty());
        columns.map(str::to_owned).collect()
    };
    text.lines().skip(1).map(columns).collect()
}

#[test]
fn a_key_is_the_last_line_and_opens_the_service() {
    let installation = Installation::new();
    let _server = installation.serve();
    let first = installation.key();
    let labelled = add(&installation, &["--label", "sistema de nómina"]);
    let lasting = add(&installation, &["--expires", "2199-12-31"]);
    let expired = add(&installation, &["--expires", "2020-01-31"]);
    let expired_by_the_second = add(&installation, &["--expires", "2020-01-31T12:00:00Z"]);
    for (key, status) in [
        (&first, 200),
        (&labelled, 200),
        (&lasting, 200),
        (&expired, 403),
        (&expired_by_the_second, 403),
    ] {
        assert!(key.starts_with("firmeza_") && key.len() == 57, "{key:?}");
        let client = Client::new(installation.port, key);
        assert_eq!(client.create(&Order::small()).status, status);
    }
}

#[test]
fn a_key_is_admitted_to_what_it_has_permissions_for() {
    let installation = Installation::new();
    let _server = installation.serve();
    installation.key();
    for (permissions, status) in [
        ("create", 200),
        ("create, read", 200),
        ("read,download,act,evidence", 403),
    ] {
        let key = add(&installation, &["--permissions", permissions]);
        let client = Client::new(installation.port, &key);
        assert_eq!(client.create(&Order::small()).status, status, "{permissions}");
    }
    for wrong in ["", "write", "create,"] {
        let ended = installation.run(&["key", "add", "--company", COMPANY, "--permissions", wrong]);
        assert_eq!(ended.code, Some(2), "{wrong:?}: {ended:?}");
        assert!(ended.stderr.contains("--permissions"), "{wrong:?}: {ended:?}");
    }
    assert_eq!(list(&installation).len(), 4);
}

#[test]
fn the_list_tells_everything_but_the_secret() {
    let installation = Installation::new();
    let server = installation.serve();
    let key = installation.key();
    let some = ["--permissions", "evidence,read"];
    add(
        &installation,
        &[&["--label", "nómina", "--expires", "2199-12-31"], &some[..]].concat(),
    );
    Client::new(installation.port, &key).created(&Order::small());
    server.terminate();
    assert!(server.end().success());

    let listed = list(&installation);
    assert_eq!(listed.len(), 2, "{listed:?}");
    let [_, hint, made, expires, used, revoked, permissions] = listed[0].as_slice() else {
        panic!("{listed:?}")
    };
    assert_eq!(*hint, format!("{}…{}", &key[..12], &key[53..]));
    assert_eq!((expires.as_str(), revoked.as_str()), ("-", "-"));
    assert_eq!(permissions, "create,read,download,act,evidence");
    assert_eq!(
        (made.len(), used.len()),
        (19, 19),
        "an orderly stop notes the last use"
    );
    assert_eq!(listed[1][3], "2200-01-01 00:00:00");
    assert_eq!(listed[1][4..], ["-", "-", "read,evidence", "nómina"]);
    let shown = installation.ok(&["key", "list", "--company", COMPANY]);
    assert!(
        !shown.contains(&key[..13]) && !shown.contains(&key[52..]),
        "{shown}"
    );
}

#[test]
fn a_revoked_key_is_refused_from_that_moment() {
    let installation = Installation::new();
    let _server = installation.serve();
    let (by_itself, by_its_id) = (installation.key(), installation.key());
    let clients = [&by_itself, &by_its_id].map(|key| Client::new(installation.port, key));
    for client in &clients {
        client.created(&Order::small());
    }

    let said = installation.ok(&["key", "revoke", &by_itself]);
    assert_eq!(said, "Revoked.\n");
    assert_eq!(clients[0].create(&Order::small()).status, 403);
    assert_eq!(clients[1].create(&Order::small()).status, 200);

    let id = list(&installation).pop().unwrap().remove(0);
    installation.ok(&["key", "revoke", &id]);
    assert_eq!(clients[1].create(&Order::small()).status, 403);
    assert_eq!(
        installation.ok(&["key", "revoke", &id]),
        "It was revoked before.\n"
    );
    let revoked = |line: &Vec<String>| line[5].len() == 19;
    assert!(list(&installation).iter().all(revoked));
}

#[test]
fn what_cannot_be_done_with_a_key_is_said() {
    let installation = Installation::new();
    let key = installation.key();
    let mistyped = format!("{}x", &key[..56]);
    let revoke = |what| vec!["key", "revoke", what];
    let add = |company, expires| vec!["key", "add", "--company", company, "--expires", expires];
    let label = |label| vec!["key", "add", "--company", COMPANY, "--label", label];
    let long = "x".repeat(101);
    for (command, complaint) in [
        (revoke("00000000000000000000000000000000"), "there is no such key"),
        (revoke(&mistyped), "there is no such key"),
        (revoke("primera"), "there is no such key"),
        (add("Nadie", "2199-12-31"), "there is no company called Nadie"),
        (add(COMPANY, "mañana"), "--expires mañana"),
        (
            add(COMPANY, "2199-12-31 12:00:00"),
            "--expires 2199-12-31 12:00:00",
        ),
        (label("dos\nlíneas"), "--label"),
        (label(&long), "--label"),
        (
            vec!["key", "list", "--company", "Nadie"],
            "there is no company called Nadie",
        ),
    ] {
        let ended = installation.run(&command);
        assert_eq!(ended.code, Some(1), "{command:?}: {ended:?}");
        assert!(ended.stderr.contains(complaint), "{command:?}: {ended:?}");
    }
    assert_eq!(list(&installation).len(), 1);
}

#[test]
fn commands_work_while_the_server_writes() {
    let installation = Installation::new();
    let _server = installation.serve();
    let client = installation.client();
    std::thread::scope(|scope| {
        let commands = scope.spawn(|| {
            for number in 0..5 {
                installation.ok(&["company", "add", &format!("Empresa {number}")]);
                installation.key();
            }
            installation.ok(&["migrate"]);
            installation.ok(&["doctor"]);
        });
        let mut created = 0;
        wait_for("the commands to end", || {
            client.created(&Order::small());
            created += 1;
            commands.is_finished()
        });
        assert!(created > 1);
    });
}
