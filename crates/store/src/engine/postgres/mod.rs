//! `PostgreSQL`: threads with a blocking connection each, one transaction per body.
//!
//! A lost connection is reopened before the next body. A body that the server rolled back because of a deadlock or conflict, or
//! because it takes no writes any more, is run again if it is retryable. No body is run again whose commit may have been done.

mod address;
mod server;
pub(crate) mod session;

pub(super) use server::Server;

use super::queued_tx::{Job, refuse};
use super::{Options, spawn};
use crate::error::Error;
use crate::history_key::HistoryKey;
use crate::migrate::{self, Migration};
use crate::tx::Tx;
use crate::value::only_column;
use crossbeam_channel::Receiver;
use server::{READ_SESSION, SessionKind, WRITE_SESSION};
use session::{RollbackCause, Session};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// The pauses before a body is run again. Of two transactions that met, the other has ended by then.
const RETRY_PAUSES: [Duration; 6] = [
    Duration::from_millis(1),
    Duration::from_millis(5),
    Duration::from_millis(20),
    Duration::from_millis(80),
    Duration::from_millis(200),
    Duration::from_millis(500),
];

/// An arbitrary advisory lock, the same in every instance.
const MIGRATION_LOCK: i64 = 0x0046_6972_6d65_7a61;
/// How long an instance waits before it asks for the lock again.
const MIGRATION_LOCK_PAUSE: Duration = Duration::from_millis(100);

pub(super) fn start(
    url: &str,
    history_key: Option<&HistoryKey>,
    options: Options,
    reads: &Receiver<Job>,
    writes: &Receiver<Job>,
    urgents: &Receiver<Job>,
) -> Result<Vec<JoinHandle<()>>, Error> {
    migrate(url, migrate::MIGRATIONS, migrate::LATEST_VERSION)?;
    let server = Arc::new(Server::new(url)?.with_timeouts(options.timeouts));
    let mut threads = Vec::new();
    for (jobs, count, kind) in [
        (reads, options.pool.readers, READ_SESSION),
        (writes, options.pool.writers, WRITE_SESSION),
        (urgents, 1, WRITE_SESSION),
    ] {
        for _ in 0..count.max(1) {
            let (server, jobs, key) = (server.clone(), jobs.clone(), history_key.cloned());
            threads.push(spawn("store-postgres", move || {
                run_worker(&server, &jobs, kind, key.as_ref());
            })?);
        }
    }
    Ok(threads)
}

/// Brings the database up to a migration.
pub(super) fn migrate(url: &str, migrations: &[Migration], version: i64) -> Result<(), Error> {
    let server = Server::new(url)?;
    let mut session = server.connect()?;
    if migrate::is_applied(&mut Tx::postgres(&mut session), migrations, version)? {
        return Ok(());
    }
    server.end_timeouts(&mut session)?;
    let mut lock = server.connect()?;
    wait_for_migration_lock(&mut lock)?;
    migrate::run(&mut Tx::postgres(&mut session), migrations, version)?;
    lock.batch("ROLLBACK")
}

/// Waits without a timeout until no other instance migrates. The lock is that of a transaction, so that it works behind a
/// pooler, too. It is asked for again and again: a statement that waits keeps a snapshot open, and an index that the other
/// instance builds would wait for its end.
fn wait_for_migration_lock(session: &mut Session) -> Result<(), Error> {
    loop {
        session.begin(
            "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = 0",
        )?;
        let sql = "SELECT CAST(CAST(pg_try_advisory_xact_lock($1) AS INT) AS BIGINT) AS locked";
        let mut tx = Tx::postgres(session);
        if tx.query_one(sql, &[MIGRATION_LOCK.into()], only_column::<bool>)? == Some(true) {
            // The answer of the query keeps its snapshot until the next statement.
            return tx.batch("SELECT 1");
        }
        session.batch("ROLLBACK")?;
        std::thread::sleep(MIGRATION_LOCK_PAUSE);
    }
}

fn run_worker(server: &Server, jobs: &Receiver<Job>, kind: SessionKind, history_key: Option<&HistoryKey>) {
    let begin = server.begin(kind);
    let mut session = None;
    for mut job in jobs {
        let mut pauses = RETRY_PAUSES.iter();
        loop {
            let open = match begin_transaction(server, &mut session, kind, &begin) {
                Ok(open) => open,
                Err(error) => {
                    refuse(job, error);
                    break;
                }
            };
            let keep = job.run(Ok(&mut Tx::postgres(open).with_history_key(history_key)));
            let ended = if keep {
                open.commit()
            } else {
                open.batch("ROLLBACK")
            };
            let rollback_cause = open.rollback_cause().filter(|_| !keep || ended.is_err());
            if rollback_cause == Some(RollbackCause::ReadOnly) && kind.writes {
                server.end_epoch(open.epoch);
            }
            if ended.is_err() {
                session = None;
            }
            let may_repeat = rollback_cause.is_some() && job.is_retryable();
            let Some(pause) = pauses.next().filter(|_| may_repeat) else {
                job.reply(ended);
                break;
            };
            std::thread::sleep(*pause);
        }
    }
}

/// Begins a transaction on the session, or on a new one if its connection was lost or its epoch is over.
fn begin_transaction<'s>(
    server: &Server,
    slot: &'s mut Option<Session>,
    kind: SessionKind,
    begin: &str,
) -> Result<&'s mut Session, Error> {
    if let Some(session) = slot
        && (session.epoch != server.epoch() || session.begin(begin).is_err())
    {
        *slot = None;
    }
    if slot.is_none() {
        let mut session = server.connect_for(kind)?;
        session.begin(begin)?;
        *slot = Some(session);
    }
    slot.as_mut().ok_or(Error::Closed)
}
