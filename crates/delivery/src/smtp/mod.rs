//! Email by SMTP, over a few connections that are kept open. A failure names the stage of the conversation.
//!
//! A refusal of the recipient or of the message itself is for good. Anything before that (no connection, no TLS,
//! a password that is not taken, a sender that is not) is the installation's trouble, and may pass.

mod connection;
mod message;
mod settings;

pub use message::EmailMessage;
pub use settings::{BadSmtpUrl, Security, SmtpSettings};

use crate::Failure;
use app::messages::SendFailure;
use connection::Connection;
use lettre::message::Mailbox;
use lettre::transport::smtp::client::{Certificate, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// How long a connection may lie idle before it is not trusted any more.
const IDLE_TIMEOUT: Duration = Duration::from_secs(20);
/// Connections that are kept.
const MAX_IDLE_CONNECTIONS: usize = 16;
/// Messages over one connection: servers like to see it end.
const MAX_MESSAGES_PER_CONNECTION: usize = 50;
/// How long connecting, with TLS and authentication, may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

/// The transport to a mail server.
pub struct Smtp {
    settings: SmtpSettings,
    tls: Option<TlsParameters>,
    hello: ClientId,
    sender: Mailbox,
    idle: Mutex<Vec<(Instant, Connection)>>,
}

impl std::fmt::Debug for Smtp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Smtp")
            .field("host", &self.settings.host)
            .field("port", &self.settings.port)
            .field("security", &self.settings.security)
            .finish_non_exhaustive()
    }
}

impl Smtp {
    /// The transport to that server, for messages from that sender. `host` is what this service calls itself.
    pub fn new(settings: SmtpSettings, sender: Mailbox, host: &str) -> Result<Self, BadSmtpUrl> {
        let tls = match settings.security {
            Security::None => None,
            Security::StartTls | Security::Implicit => Some(tls(&settings)?),
        };
        // A name without a dot is no name out there.
        let hello = if host.contains('.') && host.parse::<std::net::IpAddr>().is_err() {
            ClientId::Domain(host.to_owned())
        } else {
            ClientId::default()
        };
        Ok(Self {
            settings,
            tls,
            hello,
            sender,
            idle: Mutex::default(),
        })
    }

    /// Connects, encrypts and authenticates as for a message, and describes the connection.
    pub async fn check(&self) -> Result<String, Failure> {
        let mut connection = self.connect().await?;
        let said = connection.describe();
        connection.quit().await;
        Ok(said)
    }

    /// Sends an email; what the server answered when it took it.
    pub async fn send(&self, message: &EmailMessage<'_>) -> Result<String, Failure> {
        let ready = message.write(&self.sender)?;
        if let Some(mut connection) = self.take_idle() {
            // A server may have hung up meanwhile, which shows at the first command and has lost nothing.
            if connection.begin(&ready).await.is_ok() {
                return self.finish(connection, &ready).await;
            }
        }
        let mut connection = self.connect().await?;
        connection.begin(&ready).await?;
        self.finish(connection, &ready).await
    }

    async fn finish(&self, mut connection: Connection, ready: &message::Ready) -> Result<String, Failure> {
        let outcome = connection.finish(ready).await;
        match &outcome {
            Ok(_) if connection.sent < MAX_MESSAGES_PER_CONNECTION => self.keep(connection),
            _ => connection.quit().await,
        }
        outcome
    }

    async fn connect(&self) -> Result<Connection, Failure> {
        let connecting = Connection::open(&self.settings, self.tls.as_ref(), &self.hello);
        match tokio::time::timeout(CONNECT_TIMEOUT, connecting).await {
            Ok(connected) => connected,
            Err(_) => Err(Failure::transient(SendFailure::ServerLate)),
        }
    }

    fn take_idle(&self) -> Option<Connection> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|(since, _)| since.elapsed() < IDLE_TIMEOUT);
        idle.pop().map(|(_, connection)| connection)
    }

    fn keep(&self, connection: Connection) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MAX_IDLE_CONNECTIONS {
            idle.push((Instant::now(), connection));
        }
    }
}

fn tls(settings: &SmtpSettings) -> Result<TlsParameters, BadSmtpUrl> {
    let mut builder = TlsParameters::builder(settings.host.clone());
    if let Some(root) = &settings.root {
        builder = builder.add_root_certificate(Certificate::from_pem(root).map_err(BadSmtpUrl::Tls)?);
    }
    builder.build_rustls().map_err(BadSmtpUrl::Tls)
}
