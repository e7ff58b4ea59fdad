//! How sessions with the server are opened.

use super::address::Address;
use super::session::Session;
use crate::engine::Timeouts;
use crate::error::Error;
use postgres::Config;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio_postgres_rustls::MakeRustlsConnect;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long sent data may stay unacknowledged, and how long an idle connection goes without a keepalive.
const TCP_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a transaction may be left alone before the server ends it.
const IDLE_IN_TRANSACTION_TIMEOUT: Duration = Duration::from_mins(1);

/// The settings of a session for reads or for writes, and how each of its transactions begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct SessionKind {
    pub(super) writes: bool,
    settings: &'static str,
    begin: &'static str,
}

/// Every query has one good plan: planning it again for each value would cost more than running it.
pub(super) const READ_SESSION: SessionKind = SessionKind {
    writes: false,
    settings: "SET plan_cache_mode = force_generic_plan",
    begin: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
};

/// The isolation is named: an administrator may have chosen another as the default of the role or the database.
pub(super) const WRITE_SESSION: SessionKind = SessionKind {
    writes: true,
    settings: "",
    begin: "BEGIN ISOLATION LEVEL READ COMMITTED",
};

pub(in crate::engine) struct Server {
    config: Config,
    tls: MakeRustlsConnect,
    timeouts: Timeouts,
    pooled: bool,
    epoch: AtomicU64,
}

impl Server {
    pub(in crate::engine) fn new(url: &str) -> Result<Self, Error> {
        let address = Address::parse(url)?;
        let mut config: Config = address
            .url
            .parse()
            .map_err(|error| Error::Settings(format!("database address: {error}")))?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(TCP_TIMEOUT);
            config
                .keepalives_idle(TCP_TIMEOUT)
                .keepalives_interval(TCP_TIMEOUT / 2);
            config.keepalives_retries(2);
        }
        config.application_name("firmeza");
        let mut roots = rustls::RootCertStore::empty();
        match address.root_certificate {
            Some(path) => {
                let unreadable = |error| Error::Settings(format!("sslrootcert {path}: {error}"));
                for certificate in CertificateDer::pem_file_iter(&path).map_err(unreadable)? {
                    let certificate = certificate.map_err(unreadable)?;
                    roots
                        .add(certificate)
                        .map_err(|error| Error::Settings(format!("sslrootcert {path}: {error}")))?;
                }
            }
            None => {
                roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            }
        }
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| Error::Settings(error.to_string()))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self {
            config,
            tls: MakeRustlsConnect::new(tls),
            timeouts: Timeouts::default(),
            pooled: address.pooled,
            epoch: AtomicU64::new(0),
        })
    }

    pub(super) fn with_timeouts(self, timeouts: Timeouts) -> Self {
        Self { timeouts, ..self }
    }

    /// Opens a session for one transaction, whose beginning says how long it may wait.
    pub(in crate::engine) fn connect(&self) -> Result<Session, Error> {
        let epoch = self.epoch();
        let client = self.config.connect(self.tls.clone())?;
        Ok(Session::new(client, epoch, self.pooled))
    }

    /// Lets the statements of a session outside of transactions take their time, as an index does that is built while others
    /// write. Behind a pooler a session has no settings of its own.
    pub(super) fn end_timeouts(&self, session: &mut Session) -> Result<(), Error> {
        if self.pooled {
            return Ok(());
        }
        session.batch("SET statement_timeout = 0; SET lock_timeout = 0")
    }

    /// Opens a session for many transactions.
    pub(super) fn connect_for(&self, kind: SessionKind) -> Result<Session, Error> {
        let mut session = self.connect()?;
        if !self.pooled {
            session.batch(&format!("{}; {}", self.limits("SET"), kind.settings))?;
        }
        Ok(session)
    }

    /// How a transaction begins. Behind a pooler a session has no settings of its own: the connection to the server is
    /// another instance's afterwards.
    pub(super) fn begin(&self, kind: SessionKind) -> String {
        if self.pooled {
            format!("{}; {}", kind.begin, self.limits("SET LOCAL"))
        } else {
            kind.begin.to_owned()
        }
    }

    /// Every statement and every lock has a timeout.
    fn limits(&self, set: &str) -> String {
        format!(
            "{set} statement_timeout = {}; {set} lock_timeout = {}; {set} idle_in_transaction_session_timeout = {}",
            self.timeouts.statement.as_millis(),
            self.timeouts.lock.as_millis(),
            IDLE_IN_TRANSACTION_TIMEOUT.as_millis(),
        )
    }

    /// Sessions of an earlier epoch are not used again.
    pub(super) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }

    /// Has every session closed before its next transaction: the server that they speak to takes no writes any more.
    pub(super) fn end_epoch(&self, epoch: u64) {
        // Only one of those who notice it together ends it.
        let _ = self
            .epoch
            .compare_exchange(epoch, epoch + 1, Ordering::AcqRel, Ordering::Acquire);
    }
}
