//! `PostgreSQL`: threads with a blocking connection each, one transaction per body.
//!
//! A lost connection is reopened before the next body, never during one: a body runs once.

use super::postgres_session::Session;
use super::queued_tx::{Job, refuse};
use super::{Timeouts, spawn};
use crate::dialect::Dialect;
use crate::error::Error;
use crate::history_key::HistoryKey;
use crate::migrate;
use crate::tx::Tx;
use crossbeam_channel::Receiver;
use postgres::Config;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio_postgres_rustls::MakeRustlsConnect;

const READER_THREADS: usize = 4;
const WRITER_THREADS: usize = 8;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long sent data may stay unacknowledged, and how long an idle connection goes without a keepalive.
const TCP_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a transaction may be left alone before the server ends it.
const IDLE_IN_TRANSACTION_TIMEOUT: Duration = Duration::from_mins(1);

/// The settings of a session for reads or for writes, and how each of its transactions begins.
#[derive(Debug, Clone, Copy)]
struct SessionKind {
    settings: &'static str,
    begin: &'static str,
}

/// Every query has one good plan: planning it again for each value would cost more than running it.
const READ_SESSION: SessionKind = SessionKind {
    settings: "SET plan_cache_mode = force_generic_plan",
    begin: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
};

const WRITE_SESSION: SessionKind = SessionKind {
    settings: "",
    begin: "BEGIN",
};

/// Told to commit a transaction in which a statement failed, the server rolls it back and reports no error. The
/// query before it does.
pub(super) const CHECKED_COMMIT: &str = "SELECT 1; COMMIT";

pub(super) fn start(
    url: &str,
    history_key: Option<&HistoryKey>,
    timeouts: Timeouts,
    reads: &Receiver<Job>,
    writes: &Receiver<Job>,
) -> Result<Vec<JoinHandle<()>>, Error> {
    migrate(url, migrate::LATEST_VERSION)?;
    let server = Arc::new(Server::new(url)?.with_timeouts(timeouts));
    let mut threads = Vec::new();
    for (jobs, count, kind) in [
        (reads, READER_THREADS, READ_SESSION),
        (writes, WRITER_THREADS, WRITE_SESSION),
    ] {
        for _ in 0..count {
            let (server, jobs, key) = (server.clone(), jobs.clone(), history_key.cloned());
            threads.push(spawn("store-postgres", move || {
                run_worker(&server, &jobs, kind, key.as_ref());
            })?);
        }
    }
    Ok(threads)
}

/// Brings the database up to a migration.
pub(super) fn migrate(url: &str, version: i64) -> Result<(), Error> {
    let server = Server::new(url)?;
    let mut session = server.connect()?;
    // Waits for another instance's migration without a timeout.
    session.batch("BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")?;
    migrate::run(&mut Tx::postgres(&mut session), Dialect::Postgres, version)?;
    session.batch("COMMIT")
}

fn run_worker(server: &Server, jobs: &Receiver<Job>, kind: SessionKind, history_key: Option<&HistoryKey>) {
    let mut session = None;
    for mut job in jobs {
        let open = match begin_transaction(server, &mut session, kind) {
            Ok(open) => open,
            Err(error) => {
                refuse(job, error);
                continue;
            }
        };
        let keep = job.run(Ok(&mut Tx::postgres(open).with_history_key(history_key)));
        let ended = open.batch(if keep { CHECKED_COMMIT } else { "ROLLBACK" });
        if ended.is_err() {
            session = None;
        }
        job.reply(ended);
    }
}

/// Begins a transaction on the session, or on a new one if its connection was lost.
fn begin_transaction<'s>(
    server: &Server,
    slot: &'s mut Option<Session>,
    kind: SessionKind,
) -> Result<&'s mut Session, Error> {
    if let Some(session) = slot
        && session.batch(kind.begin).is_err()
    {
        *slot = None;
    }
    if slot.is_none() {
        let mut session = server.connect()?;
        session.batch(kind.settings)?;
        session.batch(kind.begin)?;
        *slot = Some(session);
    }
    slot.as_mut().ok_or(Error::Closed)
}

pub(super) struct Server {
    config: Config,
    tls: MakeRustlsConnect,
    timeouts: Timeouts,
}

impl Server {
    pub(super) fn new(url: &str) -> Result<Self, Error> {
        let (url, root) = take_root_certificate(url);
        let mut config: Config = url
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
        match root {
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
        })
    }

    fn with_timeouts(self, timeouts: Timeouts) -> Self {
        Self { timeouts, ..self }
    }

    pub(super) fn connect(&self) -> Result<Session, Error> {
        let mut client = self.config.connect(self.tls.clone())?;
        // Every statement and every lock has a timeout.
        client.batch_execute(&format!(
            "SET statement_timeout = {}; SET lock_timeout = {}; SET idle_in_transaction_session_timeout = {}",
            self.timeouts.statement.as_millis(),
            self.timeouts.lock.as_millis(),
            IDLE_IN_TRANSACTION_TIMEOUT.as_millis(),
        ))?;
        Ok(Session::new(client))
    }
}

/// Takes `sslrootcert=PATH` out of the address: the driver does not know it. Nor does it know the
/// `verify-*` modes; the certificate and its name are always verified here.
fn take_root_certificate(url: &str) -> (String, Option<String>) {
    let Some((base, query)) = url.split_once('?') else {
        return (url.to_owned(), None);
    };
    let (root, rest): (Vec<_>, Vec<_>) = query
        .split('&')
        .map(|pair| match pair {
            "sslmode=verify-ca" | "sslmode=verify-full" => "sslmode=require",
            other => other,
        })
        .partition(|pair| pair.starts_with("sslrootcert="));
    let path = root
        .first()
        .and_then(|pair| pair.split_once('='))
        .map(|(_, path)| path.to_owned());
    let url = if rest.is_empty() {
        base.to_owned()
    } else {
        format!("{base}?{}", rest.join("&"))
    };
    (url, path)
}

#[cfg(test)]
mod tests {
    use super::take_root_certificate;

    #[test]
    fn the_root_certificate_is_taken_out_of_the_address() {
        let (url, root) = take_root_certificate("postgres://h/d?sslmode=require&sslrootcert=/ca.pem");
        assert_eq!(
            (url.as_str(), root.as_deref()),
            ("postgres://h/d?sslmode=require", Some("/ca.pem"))
        );
        let (url, root) = take_root_certificate("postgres://h/d?sslrootcert=/ca.pem&sslmode=verify-full");
        assert_eq!(
            (url.as_str(), root.as_deref()),
            ("postgres://h/d?sslmode=require", Some("/ca.pem"))
        );
        assert_eq!(
            take_root_certificate("postgres://h/d"),
            ("postgres://h/d".to_owned(), None)
        );
    }
}
