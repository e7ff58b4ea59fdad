//! A server that is demoted where it stands, and a standby that takes its place.

use crate::support::{Installation, Order, wait_for};
use parts::Postgres;

#[test]
fn creates_follow_a_failover_and_readiness_needs_a_write() {
    let primary = Postgres::start().unwrap();
    primary.create_database("moved").unwrap();
    let standby = Postgres::standby_of(&primary).unwrap();
    let url = format!(
        "postgres://test@127.0.0.1:{},127.0.0.1:{}/moved",
        primary.port(),
        standby.port()
    );
    let installation = Installation::new().with("FIRMEZA_DATABASE_URL", url);
    let _server = installation.serve();
    let client = installation.client();
    let before = client.created(&Order::small());
    let is_ready = || parts::answers(installation.port, "/ready");
    assert!(is_ready());
    let behind = "SELECT COUNT(*) FROM pg_stat_replication WHERE replay_lsn < pg_current_wal_lsn()";
    wait_for("the standby", || primary.query(behind).unwrap().trim() == "0");

    // Its connections stay, and it answers reads.
    primary.set("default_transaction_read_only", "on").unwrap();
    wait_for("the service to miss a server that takes writes", || !is_ready());
    standby.promote().unwrap();
    wait_for("the service to find the new primary", is_ready);

    let after: Vec<_> = (0..10).map(|_| client.created(&Order::small())).collect();
    for folio in after.iter().chain([&before]) {
        assert_eq!(client.read(folio).status, 200);
    }
}
