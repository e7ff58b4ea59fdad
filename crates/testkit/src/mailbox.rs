//! What people received.

use crate::app::TestApp;
use crate::stack::open_sqlite;
use crate::wait::until;
use domain::Timestamp;
use postgres::NoTls;
use store::{Mail, Settings};

impl TestApp {
    /// Makes every waiting message a dead letter, as if its recipient had been refused.
    pub async fn give_up(&self) {
        let now = Timestamp::from_micros(i64::MAX / 2);
        let heartbeat = self.app().heartbeat.clone();
        let given_up = self.app().store.write(move |tx| {
            let lease = heartbeat.lease(tx, std::time::Duration::ZERO)?;
            let taken = tx.take_messages(now, &lease, 9, 9)?;
            let settled = taken.iter().map(|leased| store::SettledMessage {
                seq: leased.seq,
                attempt: leased.attempt,
                recipient: leased.recipient.clone(),
                outcome: store::SendOutcome::Dead {
                    reason: "550 no such user".to_owned(),
                },
                events: Vec::new(),
            });
            tx.settle_messages(&settled.collect::<Vec<_>>())
        });
        given_up
            .await
            .unwrap_or_else(|error: store::Error| panic!("{error}"));
    }

    /// Everything in the built-in mailbox, newest first.
    pub async fn mailbox(&self) -> Vec<Mail> {
        let mails = self.app().store.read(|tx| tx.mailbox(store::MailRow::ZERO, 500));
        mails.await.unwrap()
    }

    /// Messages that still carry a secret.
    pub async fn secrets_kept(&self) -> i64 {
        self.count("SELECT COUNT(*) FROM outbox WHERE secret IS NOT NULL")
            .await
    }

    /// Account emails that still carry a secret.
    pub async fn account_email_secrets(&self) -> i64 {
        self.count("SELECT COUNT(*) FROM account_emails WHERE secret IS NOT NULL")
            .await
    }

    /// Messages that an instance has taken and not settled.
    pub async fn leases_held(&self) -> i64 {
        self.count("SELECT COUNT(*) FROM outbox WHERE state = 'waiting' AND leased_until IS NOT NULL")
            .await
    }

    /// Account emails that an instance has taken and not settled.
    pub async fn account_email_leases(&self) -> i64 {
        self.count("SELECT COUNT(*) FROM account_emails WHERE state = 'waiting' AND leased_until IS NOT NULL")
            .await
    }

    /// Webhook events that an instance has taken and not settled.
    pub async fn webhook_leases(&self) -> i64 {
        self.count(
            "SELECT COUNT(*) FROM webhook_deliveries WHERE state = 'waiting' AND leased_until IS NOT NULL",
        )
        .await
    }

    async fn count(&self, sql: &'static str) -> i64 {
        self.on_stack(|stack| match &stack.database {
            Settings::Sqlite(path) => {
                let connection = open_sqlite(path);
                connection.query_row(sql, [], |row| row.get(0)).unwrap()
            }
            Settings::Postgres(url) => {
                let mut client = postgres::Client::connect(url, NoTls).unwrap();
                client.query_one(sql, &[]).unwrap().get(0)
            }
        })
        .await
    }

    /// The newest message to that address whose subject or text contains the words, once it is there.
    pub async fn mail_to(&self, recipient: &str, words: &str) -> Mail {
        let fits = |mail: &Mail| {
            mail.recipient == recipient && (mail.subject.contains(words) || mail.text.contains(words))
        };
        until(&format!("a message to {recipient} with {words:?}"), async || {
            self.mailbox().await.into_iter().find(fits)
        })
        .await
    }
}
