//! The listener for operators' tools.

use crate::support::{Connection, HttpResponse, Installation, Order, Request, wait_for};
use std::net::TcpListener;

fn ask(port: u16, path: &str) -> HttpResponse {
    let mut connection = Connection::open(port).unwrap();
    connection.send(&Request::get(path)).unwrap()
}

#[test]
fn metrics_and_health_have_a_port_of_their_own() {
    let port = parts::free_port().unwrap();
    let installation = Installation::new().with("FIRMEZA_METRICS_LISTEN", format!("127.0.0.1:{port}"));
    let _server = installation.serve();
    let metrics = ask(port, "/metrics");
    assert_eq!(metrics.status, 200);
    assert!(metrics.text().contains("firmeza_request_seconds_count"));
    wait_for("the database to answer", || {
        ask(port, "/ready").json()["parts"]["database"] == "up"
    });
    assert_eq!(ask(installation.port, "/metrics").status, 404);
    wait_for("every part to answer", || {
        ask(installation.port, "/ready").text() == r#"{"status":"up"}"#
    });
    assert_eq!(ask(installation.port, "/health").text(), r#"{"status":"up"}"#);
}

#[test]
fn an_instance_that_stops_says_so_before_it_refuses_connections() {
    // It is killed at the end of the test, long before.
    let installation = Installation::new().with("FIRMEZA_LAME_DUCK_SECONDS", "3600");
    let server = installation.serve();
    let client = installation.client();
    server.terminate();
    wait_for("the announcement", || {
        let ready = ask(installation.port, "/ready");
        (ready.status, ready.text().as_str()) == (503, r#"{"status":"stopping"}"#)
    });
    client.created(&Order::small());
    assert_eq!(ask(installation.port, "/health").status, 200);
}

#[test]
fn a_port_that_was_asked_for_must_be_free_and_the_usual_one_need_not() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let asked_for = Installation::new().with("FIRMEZA_METRICS_LISTEN", &address);
    let refused = asked_for.run(&["serve"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stderr.contains(&address), "{refused:?}");

    // Taken now, by this test or by another program before it.
    let _usual = TcpListener::bind("127.0.0.1:9464");
    let installation = Installation::new().with("FIRMEZA_METRICS_LISTEN", "");
    let server = installation.serve();
    let logged = server.logged();
    assert!(
        logged.contains("there are no metrics") && logged.contains("FIRMEZA_METRICS_LISTEN"),
        "{logged}"
    );
}
