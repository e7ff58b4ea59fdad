//! Starting on what is there already.

use crate::support::{Installation, Order, PostgresDatabase, Server, done, wait_for};
use postgres::{Client, NoTls};
use std::time::Duration;

#[test]
fn a_start_on_an_existing_database_costs_little() {
    let installation = Installation::new();
    let server = installation.serve();
    let client = installation.client();
    let folios: Vec<_> = (0..20).map(|_| client.created(&Order::small())).collect();
    server.kill();

    let server = installation.serve();
    done(&client.read(&folios[0]));
    let cpu = server.cpu();
    println!("cold start to the first answer: {cpu:?} of CPU");
    // Not optimised, the program has no figure to keep; but work that grows with the database would show.
    let most = if cfg!(debug_assertions) { 3000 } else { 200 };
    assert!(cpu < Duration::from_millis(most), "{cpu:?}");
}

#[test]
fn a_port_that_is_taken_is_said_and_nothing_else_happens() {
    let installation = Installation::new();
    let _server = installation.serve();
    let second = installation.run(&["serve"]);
    assert_eq!(second.code, Some(1), "{second:?}");
    assert!(
        second
            .stderr
            .contains(&format!("127.0.0.1:{}", installation.port)),
        "{second:?}"
    );
}

#[test]
fn a_start_that_waits_for_another_instances_migration_can_be_stopped() {
    let database = PostgresDatabase::new();
    let installation = Installation::new().with("FIRMEZA_DATABASE_URL", database.url());
    installation.ok(&["migrate"]);
    let mut other = Client::connect(&database.url(), NoTls).unwrap();
    other.batch_execute("BEGIN; LOCK TABLE migrations").unwrap();
    let server = Server::start(&installation, installation.command());
    let waits = "SELECT 1 FROM pg_locks WHERE relation = 'migrations'::regclass AND NOT granted";
    wait_for("the start to wait", || {
        !other.query(waits, &[]).unwrap().is_empty()
    });
    server.terminate();
    let ended = server.end();
    assert_eq!(ended.code(), Some(0), "{ended}");
}
