//! What a killed instance was sending is sent by another, soon.

use crate::support::{
    Client, Installation, MailServer, Order, PostgresDatabase, Recipients, sign_all, texts, time_stamping,
    wait_for,
};
use std::net::TcpListener;
use std::time::{Duration, Instant};

/// How long the work of a dead instance may lie: 15 seconds, 9 in practice, and the rest for a busy machine. Its lease alone
/// would last two minutes.
const TAKEOVER: Duration = Duration::from_mins(1);

/// Waits until the mail server has as many messages, and says how long that took.
fn sent_within(mail_server: &MailServer, count: usize, since: Instant) {
    wait_for("another instance to send them", || mail_server.taken() >= count);
    let took = since.elapsed();
    println!("taken over after {took:?}");
    assert!(took < TAKEOVER, "{took:?}");
    assert_eq!(mail_server.taken(), count);
}

/// Creates a folio whose invitations the server tells to a mail server that does not answer. Returns how many they are.
fn begin_sending(client: &Client, database: &store::Settings, mail_server: &MailServer) -> usize {
    let order = Order::small();
    client.created(&order);
    let count = order.signers.len();
    wait_for("all messages to be on their way", || {
        mail_server.ignored() >= count
    });
    let leased = texts(database, "SELECT seq FROM outbox WHERE leased_by IS NOT NULL");
    assert_eq!(leased.len(), count);
    mail_server.set(Recipients::Accepted);
    count
}

#[test]
fn a_killed_instances_messages_are_sent_by_the_other() {
    let database = PostgresDatabase::new();
    let mail_server = MailServer::start(Recipients::Ignored);
    let installations = [(), ()].map(|()| {
        Installation::new()
            .with("FIRMEZA_DATABASE_URL", database.url())
            .with("FIRMEZA_SMTP_URL", mail_server.url())
            .with("FIRMEZA_MASTER_KEY", "fedcba9876543210".repeat(4))
    });
    let documents = format!(
        "file:{}",
        installations[0].directory().join("documents").display()
    );
    let [one, two] = installations.map(|installation| installation.with("FIRMEZA_BLOBS_URL", &documents));
    let first = one.serve();
    let count = begin_sending(&one.client(), &database.settings(), &mail_server);
    let second = two.serve();
    assert_eq!(mail_server.taken(), 0, "the first one is at it");
    let killed = Instant::now();
    first.kill();
    sent_within(&mail_server, count, killed);
    drop(second);
}

#[test]
fn a_killed_programs_messages_are_sent_when_it_starts_again() {
    let mail_server = MailServer::start(Recipients::Ignored);
    let installation = Installation::new().with("FIRMEZA_SMTP_URL", mail_server.url());
    let server = installation.serve();
    let count = begin_sending(&installation.client(), &installation.sqlite(), &mail_server);
    let killed = Instant::now();
    server.kill();
    let again = installation.serve();
    sent_within(&mail_server, count, killed);
    drop(again);
}

/// What an instance left that was killed while it waited for a timestamp.
struct KilledExtender {
    database: PostgresDatabase,
    /// It has the documents.
    _killed: Installation,
    /// The settings of another instance, whose timestamp authority answers.
    other: Installation,
    folio: String,
}

impl KilledExtender {
    fn new() -> Self {
        let database = PostgresDatabase::new();
        // It takes requests, and answers none.
        let silent = TcpListener::bind("127.0.0.1:0").unwrap();
        let (answering, root) = time_stamping(0);
        let asked = format!("http://{}/tsa", silent.local_addr().unwrap());
        let installations = [asked, answering].map(|authority| {
            let installation = Installation::new();
            let roots = installation.directory().join("authority.der");
            std::fs::write(&roots, &root).unwrap();
            installation
                .with("FIRMEZA_DATABASE_URL", database.url())
                .with("FIRMEZA_MASTER_KEY", "fedcba9876543210".repeat(4))
                .with("FIRMEZA_TSA_URL", authority)
                .with("FIRMEZA_TSA_ROOTS", roots)
        });
        let documents = format!(
            "file:{}",
            installations[0].directory().join("documents").display()
        );
        let [one, other] =
            installations.map(|installation| installation.with("FIRMEZA_BLOBS_URL", &documents));
        let server = one.serve();
        let client = one.client();
        let folio = client.created(&Order::small());
        sign_all(&client, &folio);
        let this = Self {
            database,
            _killed: one,
            other,
            folio,
        };
        wait_for("the instance to be at it", || this.held() == 1);
        server.kill();
        assert_eq!(this.held(), 1, "the dead one holds it");
        this
    }

    fn rows(&self, condition: &str) -> usize {
        let sql = format!("SELECT folio FROM extensions WHERE {condition}");
        texts(&self.database.settings(), &sql).len()
    }

    fn held(&self) -> usize {
        self.rows("leased_by IS NOT NULL")
    }

    fn is_extended(&self) -> bool {
        self.rows("due_set_at IS NULL AND leased_by IS NULL") == 1
    }

    /// How often that stands in histories.
    fn extensions(&self) -> usize {
        let extended = "SELECT number FROM events WHERE body LIKE '%extended%'";
        texts(&self.database.settings(), extended).len()
    }
}

#[test]
fn a_killed_instances_extension_is_taken_over_by_the_other() {
    let killed = KilledExtender::new();
    let second = killed.other.serve();
    wait_for("the second instance to extend the documents", || {
        killed.is_extended()
    });
    assert_eq!(killed.extensions(), 1);
    drop(second);
}

#[test]
fn reseal_frees_what_a_killed_instance_holds() {
    let killed = KilledExtender::new();
    let said = killed.other.ok(&["reseal", &killed.folio]);
    assert!(said.contains(&format!("{}  done", killed.folio)), "{said}");
    assert!(killed.is_extended());
    assert_eq!(killed.extensions(), 1);
}
