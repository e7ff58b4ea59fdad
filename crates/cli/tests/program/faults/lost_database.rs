//! A database that goes away, and comes back.

use super::{Subject, assert_all_fail};
use crate::support::{
    COMPANY, Client, Installation, Order, PostgresDatabase, Relay, STALL_TIMEOUT, Server, check_integrity,
    wait_for,
};
use std::time::Duration;

struct ByRelay {
    relay: Relay,
    installation: Installation,
    client: Client,
    server: Server,
    database: PostgresDatabase,
    /// The port at which operators ask.
    metrics: u16,
}

impl ByRelay {
    fn new() -> Self {
        let database = PostgresDatabase::new();
        let relay = Relay::to(database.port());
        let metrics = parts::free_port().unwrap();
        let installation = Installation::new()
            .with("FIRMEZA_DATABASE_URL", database.url_by(relay.port))
            .with("FIRMEZA_METRICS_LISTEN", format!("127.0.0.1:{metrics}"));
        let server = installation.serve();
        let client = installation.client();
        Self {
            relay,
            installation,
            client,
            server,
            database,
            metrics,
        }
    }

    fn assert_lost(&self, subject: &Subject, limit: Duration) {
        assert_all_fail(&self.client, subject.operations(), limit);
        assert!(!parts::answers(self.installation.port, "/ready"));
        assert!(parts::answers(self.installation.port, "/health"));
        assert!(parts::answers(self.metrics, "/metrics"));
    }

    fn assert_back(&self, subject: &Subject) {
        self.relay.mend();
        wait_for("the service to find its database", || {
            parts::answers(self.installation.port, "/ready")
        });
        subject.assert_readable(&self.client);
        for (request, _) in subject.operations() {
            let answer = self.client.send(request);
            assert_eq!(answer.status, 200, "{}", answer.text());
        }
        self.client.created(&Order::small());
        check_integrity(
            &self.database.settings(),
            COMPANY,
            &self.installation.documents(),
            0,
        );
    }
}

#[test]
fn a_lost_database_connection_is_reported_at_once_and_reopened() {
    let by = ByRelay::new();
    let subject = Subject::new(&by.client);
    by.relay.cut();
    by.assert_lost(&subject, Duration::from_secs(5));
    by.assert_back(&subject);
}

#[test]
fn a_silent_database_is_reported_in_time_and_found_again() {
    let by = ByRelay::new();
    let subject = Subject::new(&by.client);
    by.relay.go_dead();
    by.assert_lost(&subject, Duration::from_secs(25));
    by.assert_back(&subject);
}

#[test]
fn a_stop_does_not_wait_forever_for_a_silent_database() {
    let by = ByRelay::new();
    let subject = Subject::new(&by.client);
    by.relay.go_dead();
    std::thread::scope(|scope| {
        scope.spawn(|| assert_all_fail(&by.client, vec![subject.read()], STALL_TIMEOUT));
        wait_for("the database to be missed", || {
            !parts::answers(by.installation.port, "/ready")
        });
        by.server.terminate();
    });
    let status = by.server.end();
    assert!(status.success(), "{status}");
}
