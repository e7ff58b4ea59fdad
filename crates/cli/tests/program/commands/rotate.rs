//! `firmeza rotate`, `firmeza reseal` and `firmeza company rename`.

use crate::support::{Client, HttpResponse, Installation, Order, Request, done, wait_for};
use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::time::Instant;

/// The address of a folio's pages, below the installation's own.
fn link(client: &Client, order: &Order) -> String {
    let created = done(&client.create(order));
    let url = url::Url::parse(created["data"]["signProcessUrl"].as_str().unwrap()).unwrap();
    format!("{}?{}", url.path(), url.query().unwrap())
}

fn open(client: &Client, link: &str) -> HttpResponse {
    client.send(Request::get(link))
}

#[test]
fn links_outlive_the_master_key_unless_they_are_ended() {
    let installation = Installation::new();
    let server = installation.serve();
    let client = installation.client();
    let link = link(&client, &Order::small());
    assert_eq!(open(&client, &link).status, 200);
    let broken = link.replace("f=", "f=AAAA");
    let stranger = open(&client, &broken).status;
    assert_ne!(stranger, 200);
    server.stop();

    let path = installation.data().join("master.key");
    let old = fs::read_to_string(&path).unwrap();
    let said = installation.ok(&["rotate", "master-key"]);
    assert!(said.contains("Links that were sent still open"), "{said}");
    assert_ne!(fs::read_to_string(&path).unwrap(), old);
    let server = installation.serve();
    assert_eq!(open(&client, &link).status, 200);
    let newer = self::link(&client, &Order::small());
    assert!(installation.ok(&["doctor"]).contains("opens what is sealed"));
    server.stop();

    // A second rotation keeps what the first kept; the old key opens nothing.
    installation.ok(&["rotate", "master-key"]);
    let server = installation.serve();
    assert_eq!(open(&client, &link).status, 200);
    assert_eq!(open(&client, &newer).status, 200);
    server.stop();
    installation.ok(&["rotate", "master-key", "--end-links"]);
    let server = installation.serve();
    assert_eq!(open(&client, &link).status, stranger);
    let newest = self::link(&client, &Order::small());
    assert_eq!(open(&client, &newest).status, 200);
    drop(server);
    let with_old = installation.with("FIRMEZA_MASTER_KEY", old);
    let refused = with_old.run(&["serve"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("is the master key the right one?"),
        "{refused:?}"
    );
    let advised = with_old.run(&["doctor"]);
    assert!(advised.stdout.contains("FAIL  master key"), "{advised:?}");
}

#[test]
fn a_key_that_is_set_is_replaced_by_one_that_is_given() {
    let [old, new] = ["1a", "2b"].map(|pair| pair.repeat(32));
    let installation = Installation::new().with("FIRMEZA_MASTER_KEY", &old);
    installation.serve().stop();
    let refused = installation.run(&["rotate", "master-key"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("--key-stdin"), "{refused:?}");
    let mut command = installation.command();
    command
        .args(["rotate", "master-key", "--key-stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(new.as_bytes()).unwrap();
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stdout).unwrap();
    assert!(ended.status.success() && !said.contains(&new), "{said}");
    assert_eq!(installation.run(&["serve"]).code, Some(1));
    drop(installation.with("FIRMEZA_MASTER_KEY", new).serve());
}

#[test]
fn no_key_is_rotated_while_an_instance_runs() {
    let installation = Installation::new();
    let server = installation.serve();
    let keys = || {
        let files = fs::read_dir(installation.data()).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let keys: Vec<String> = names.filter(|name| name.starts_with("master")).collect();
        (
            keys,
            fs::read_to_string(installation.data().join("master.key")).unwrap(),
        )
    };
    let before = keys();
    let refused = installation.run(&["rotate", "master-key"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("stop every instance"), "{refused:?}");
    assert_eq!(keys(), before);
    assert!(installation.ok(&["doctor"]).contains("opens what is sealed"));
    server.stop();
    installation.ok(&["rotate", "master-key"]);
    assert_ne!(keys(), before);
}

#[test]
fn a_rotation_that_was_killed_before_its_key_was_in_place_is_finished_by_the_next_start() {
    let installation = Installation::new();
    installation.serve().stop();
    let (path, next) = (
        installation.data().join("master.key"),
        installation.data().join("master.key.new"),
    );
    let old = fs::read_to_string(&path).unwrap();
    installation.ok(&["rotate", "master-key"]);
    let new = fs::read_to_string(&path).unwrap();
    // Everything is sealed with the new key, and the file has the old one.
    fs::rename(&path, &next).unwrap();
    fs::write(&path, &old).unwrap();
    let said = installation.run(&["doctor"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    let words = format!(
        "FAIL  master key: a rotation was killed: the key of this database is in {}",
        next.display()
    );
    assert!(said.stdout.contains(&words), "{said:?}");
    assert!(said.stdout.contains("start the service"), "{said:?}");
    installation.serve().stop();
    assert_eq!(fs::read_to_string(&path).unwrap(), new);
    assert!(!next.exists());

    // Nothing is sealed with the next key yet.
    fs::write(&next, "5e".repeat(32)).unwrap();
    assert!(installation.ok(&["doctor"]).contains("opens what is sealed"));
    installation.serve().stop();
    assert_eq!(fs::read_to_string(&path).unwrap(), new);
    installation.ok(&["rotate", "master-key"]);
    assert!(!next.exists());
    installation.serve().stop();
}

#[test]
fn a_rotation_killed_at_any_instant_leaves_an_installation_that_opens() {
    const INSTANTS: u32 = 12;
    let installation = Installation::new();
    installation.serve().stop();
    let begun = Instant::now();
    installation.ok(&["rotate", "master-key"]);
    let whole = begun.elapsed();
    for instant in 1..=INSTANTS {
        let mut rotation = installation.command();
        rotation.args(["rotate", "master-key"]).stdout(Stdio::null());
        let mut rotation = rotation.spawn().unwrap();
        // Any instant will do, as long as it is another one each time.
        std::thread::sleep(whole * instant / INSTANTS);
        rotation.kill().unwrap();
        rotation.wait().unwrap();
        installation.ok(&["inspect"]);
        assert!(installation.ok(&["doctor"]).contains("opens what is sealed"));
    }
    installation.serve().stop();
}

#[test]
fn a_new_authority_is_taken_up_by_those_that_run() {
    let installation = Installation::new();
    let server = installation.serve();
    let client = installation.client();
    let status = |list: &str| client.send(Request::get(&format!("/authority/{list}"))).status;
    let root = client.send(Request::get("/authority/root.crt")).body;
    assert_eq!((status("issuer.crl"), status("issuer-2.crl")), (200, 404));
    installation.ok(&["rotate", "authority"]);
    wait_for("the new issuer", || status("issuer-2.crl") == 200);
    assert_eq!(status("issuer.crl"), 200, "the old one's list goes on");
    assert_eq!(client.send(Request::get("/authority/root.crt")).body, root);
    for strange in [
        "issuer-1.crl",
        "issuer-3.crl",
        "issuer-.crl",
        "issuer",
        "master.key",
    ] {
        assert_eq!(status(strange), 404, "{strange}");
    }
    assert!(!installation.ok(&["doctor"]).contains("FAIL"));
    drop(server);
}

#[test]
fn what_is_not_signed_is_not_resealed() {
    let installation = Installation::new();
    let server = installation.serve();
    let folio = installation.client().created(&Order::small());
    let said = installation.run(&["reseal", &folio]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stdout.contains("not signed by everybody"), "{said:?}");
    let said = installation.run(&["reseal", "--all-due"]);
    assert_eq!(said.code, Some(1), "nothing was due: {said:?}");
    assert!(said.stdout.contains("Folios tried: 0"), "{said:?}");
    drop(server);
}

#[test]
fn a_company_gets_another_name() {
    let installation = Installation::new();
    installation.ok(&["company", "add", "Acme"]);
    installation.ok(&["company", "add", "Otra"]);
    installation.ok(&["company", "rename", "Acme", "Acme Ñandú"]);
    assert_eq!(installation.ok(&["company", "list"]), "Acme Ñandú\nOtra\n");
    for (from, to, why) in [("Acme", "X", "no company"), ("Otra", "Acme Ñandú", "already")] {
        let refused = installation.run(&["company", "rename", from, to]);
        assert_eq!(refused.code, Some(1), "{refused:?}");
        assert!(refused.stderr.contains(why), "{refused:?}");
    }
}
