//! Every part starts, works, and leaves nothing behind.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use parts::{End, Guard, Nginx, NodeModules, Postgres, S3, Scratch, Venv};

#[test]
fn postgres_serves_survives_a_crash_and_leaves_nothing() {
    let mut postgres = Postgres::start_durable().unwrap();
    let url = postgres.create_database("folios").unwrap();
    assert!(url.ends_with("/folios"));
    let data = postgres.query("SHOW data_directory").unwrap();
    let directory = Path::new(data.trim()).parent().unwrap();
    let first = postgres.id().unwrap();

    postgres
        .query("CREATE TABLE kept (n INT); INSERT INTO kept VALUES (7)")
        .unwrap();
    postgres.stop_immediate().unwrap();
    assert!(postgres.query("SELECT 1").is_err());
    postgres.start_again().unwrap();
    assert_eq!(postgres.query("SELECT n FROM kept").unwrap().trim(), "7");

    let second = postgres.id().unwrap();
    drop(postgres);
    assert!(!runs(first) && !runs(second));
    assert!(!directory.exists());
}

#[test]
fn postgres_forgoes_disk_syncs_unless_asked() {
    let postgres = Postgres::start().unwrap();
    assert_eq!(postgres.query("SHOW fsync").unwrap().trim(), "off");
}

#[test]
fn s3_stores_what_it_is_sent_and_refuses_a_wrong_key() {
    let s3 = S3::start().unwrap();
    let object = format!("{}/a/b", s3.bucket());
    s3.request("PUT", &object, &["--data-binary", "hello"]).unwrap();
    assert_eq!(s3.request("GET", &object, &[]).unwrap(), "hello");
    assert_eq!(s3.request("GET", &object, &["--range", "1-2"]).unwrap(), "el");
    assert!(
        s3.request("GET", &object, &["--user", "FIRMEZATEST:wrong"])
            .is_err()
    );
    let endpoint = s3.endpoint();
    assert!(s3.env().contains(&("AWS_ENDPOINT_URL", endpoint)));
}

#[test]
fn nginx_serves_a_directory() {
    let scratch = Scratch::new().unwrap();
    fs::write(scratch.directory().join("file"), "contents").unwrap();
    let nginx = Nginx::serve(scratch.directory()).unwrap();
    let body = parts::run(Command::new("curl").args(["-sSf", &format!("{}/file", nginx.url())])).unwrap();
    assert_eq!(body, "contents");
}

#[test]
fn a_python_environment_holds_its_pinned_packages() {
    let venv = Venv::of(&parts::SCHEMATHESIS).unwrap();
    let version = parts::run(Command::new(venv.program("st")).arg("--version")).unwrap();
    assert!(version.contains("version 4."), "{version}");
    parts::run(Command::new(venv.program("pip")).arg("check")).unwrap();
}

#[test]
fn node_finds_its_pinned_packages() {
    let modules = NodeModules::of(&parts::PDFJS).unwrap();
    let script = "console.log(require('@napi-rs/canvas/package.json').version, \
                  require('pdfjs-dist/package.json').version)";
    let mut node = Command::new(modules.node());
    let versions = parts::run(node.args(["-e", script]).env("NODE_PATH", modules.directory())).unwrap();
    assert_eq!(versions.trim(), "1.1.0 6.5.438");
}

#[test]
fn a_server_that_ends_early_shows_its_log() {
    let mut scratch = Scratch::new().unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", "echo no such luck; exit 3"]);
    scratch.start("broken", &mut command, End::KillGroup).unwrap();
    let refused = scratch.wait_until("broken", || false).unwrap_err();
    assert!(refused.to_string().contains("no such luck"), "{refused}");
}

/// Runs only as the victim of the next test: starts a server, says where, and never ends.
#[test]
fn victim() {
    if std::env::var_os("PARTS_VICTIM").is_none() {
        return;
    }
    let mut scratch = Scratch::new().unwrap();
    scratch
        .start("sleep", Command::new("sleep").arg("1000"), End::KillGroup)
        .unwrap();
    println!(
        "\nvictim {} {}",
        scratch.id("sleep").unwrap(),
        scratch.directory().display()
    );
    loop {
        thread::park();
    }
}

#[test]
fn a_killed_process_takes_its_servers_and_their_directory_along() {
    let mut guard = Guard::new(None).unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "victim", "--nocapture"])
        .env("PARTS_VICTIM", "1")
        .stdout(Stdio::piped());
    let mut victim = guard.spawn(&mut command, End::KillGroup).unwrap();
    let said = BufReader::new(victim.stdout.take().unwrap());
    let line = said
        .lines()
        .map(Result::unwrap)
        .find(|line| line.starts_with("victim "))
        .unwrap();
    let (id, directory) = line.trim_start_matches("victim ").split_once(' ').unwrap();
    let (id, directory) = (id.parse().unwrap(), Path::new(directory));
    assert!(runs(id) && directory.exists());

    victim.kill().unwrap();
    victim.wait().unwrap();
    guard.forget(&victim).unwrap();
    let started = Instant::now();
    while runs(id) || directory.exists() {
        assert!(
            started.elapsed() < Duration::from_mins(2),
            "something is left of {line}"
        );
        thread::sleep(Duration::from_millis(20));
    }
}

/// Whether a process runs; one that has ended but was not waited for does not.
fn runs(id: u32) -> bool {
    fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}
