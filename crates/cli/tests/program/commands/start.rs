//! Starting on what is there already.

use crate::support::{Installation, Order, done};
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
