//! A synchronous standby that is missing: commits are done, and are not confirmed.

use crate::support::{Installation, Order, done, folio_id, texts, wait_for};
use parts::Postgres;

#[test]
fn a_commit_that_is_not_confirmed_is_said_to_be_so_and_can_be_repeated() {
    let server = Postgres::start().unwrap();
    let url = server.create_database("alone").unwrap();
    let installation = Installation::new().with("FIRMEZA_DATABASE_URL", url.clone());
    let _server = installation.serve();
    let client = installation.client();
    let order = Order {
        key: Some("una sola vez".to_owned()),
        ..Order::small()
    };
    server.set("synchronous_standby_names", "none").unwrap();
    wait_for("the server to miss its standby", || {
        server.query("SHOW synchronous_standby_names").unwrap().trim() == "none"
    });

    let unconfirmed = client.create(&order);
    assert_eq!(unconfirmed.status, 503, "{}", unconfirmed.text());
    let message = unconfirmed.json()["message"].as_str().unwrap().to_owned();
    assert!(
        message.contains("confirmar") && message.contains("Idempotency-Key"),
        "{message}"
    );
    assert!(unconfirmed.header("retry-after").is_some());
    assert!(!parts::answers(installation.port, "/ready"));
    // The first is still there: this one waits for it, and does nothing.
    let waited = client.create(&order);
    assert_eq!(waited.status, 503, "{}", waited.text());

    server.set("synchronous_standby_names", "").unwrap();
    let mut repeated = None;
    wait_for("the repeated create", || {
        let answer = client.create(&order);
        let is_done = answer.status == 200;
        repeated = Some(answer);
        is_done
    });
    let folio = folio_id(&done(&repeated.unwrap()));
    assert_eq!(client.read(&folio).status, 200);
    let folios = texts(&store::Settings::Postgres(url), "SELECT COUNT(*) FROM folios");
    assert_eq!(folios, ["1"]);
    wait_for("readiness", || parts::answers(installation.port, "/ready"));
}
