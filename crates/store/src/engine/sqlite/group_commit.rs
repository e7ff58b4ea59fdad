//! Group commit: the writer thread runs all queued bodies in one transaction, commits once, and replies to
//! all callers, so that many transactions share one disk sync. A body that fails is rolled back without the
//! others.

use super::checkpoint::{IDLE_BEFORE_CHECKPOINT, checkpoint_wal};
use crate::engine::queued_tx::{Job, refuse};
use crate::error::Error;
use crate::history_key::HistoryKey;
use crate::tx::Tx;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use rusqlite::Connection;
use std::time::Duration;

/// The largest group.
const MAX_GROUP_COMMIT: usize = 256;
/// How long the writer thread waits for more bodies if few are queued and the last group had more than one:
/// every commit costs a disk sync. A single client waits once, because its next group has one body.
const GROUP_COMMIT_DELAY: Duration = Duration::from_micros(500);
/// The size from which a group is not delayed.
const GROUP_COMMIT_MIN: usize = 3;

/// Runs the queued bodies until the queue is closed.
pub(super) fn run_writer(connection: &Connection, history_key: Option<&HistoryKey>, jobs: &Receiver<Job>) {
    let mut tx = Tx::sqlite(connection).with_history_key(history_key);
    // An earlier process may have left a WAL behind.
    let mut checkpointed = false;
    let mut last_group_shared = false;
    loop {
        let next = if checkpointed {
            jobs.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            jobs.recv_timeout(IDLE_BEFORE_CHECKPOINT)
        };
        let first = match next {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout) => {
                last_group_shared = false;
                checkpointed = checkpoint_wal(connection);
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return,
        };
        checkpointed = false;
        if last_group_shared && 1 + jobs.len() < GROUP_COMMIT_MIN {
            std::thread::sleep(GROUP_COMMIT_DELAY);
        }
        if let Err(error) = tx.control("BEGIN IMMEDIATE") {
            // Another process holds the database. The queued jobs have waited as long, and fail at once
            // instead of one timeout after the other.
            let reason = describe(&error);
            refuse(first, error);
            for job in jobs.try_iter().take(MAX_GROUP_COMMIT) {
                refuse(job, Error::Unavailable(reason.clone().into()));
            }
            continue;
        }
        let mut group: Vec<ExecutedTx> = Vec::new();
        for mut job in std::iter::once(first)
            .chain(jobs.try_iter())
            .take(MAX_GROUP_COMMIT)
        {
            let keep = run_in_group(&mut tx, &mut group, &mut job);
            let retryable = job.is_retryable();
            group.push(ExecutedTx { job, keep, retryable });
            if tx.is_over() {
                break;
            }
        }
        last_group_shared = group.len() > 1;
        commit_group(&mut tx, group);
    }
}

/// A job whose body has been run.
struct ExecutedTx {
    job: Job,
    /// Whether its writes should be committed.
    keep: bool,
    /// Whether the body may be run once more.
    retryable: bool,
}

/// Runs a body in the group's transaction, so that it can be undone without the others; returns whether to
/// commit its writes. A savepoint copies every page that the body changes, for a failure that is rare: if
/// all earlier bodies are retryable, they are run again instead, once.
fn run_in_group(tx: &mut Tx<'_>, group: &mut [ExecutedTx], job: &mut Job) -> bool {
    if group.iter().any(|executed| executed.keep && !executed.retryable) {
        return in_savepoint(tx, job);
    }
    let before = tx.rows_changed();
    let keep = job.run(Ok(&mut *tx));
    if !keep && !tx.is_over() && tx.rows_changed() != before {
        rerun_group(tx, group);
    }
    keep
}

/// Rolls the group back, and runs the successful bodies again.
fn rerun_group(tx: &mut Tx<'_>, group: &mut [ExecutedTx]) {
    let anew = tx
        .control("ROLLBACK")
        .and_then(|()| tx.control("BEGIN IMMEDIATE"));
    if let Err(error) = anew {
        tracing::error!(%error, "a transaction could not be begun anew");
        roll_back(tx);
    }
    for executed in group.iter_mut().filter(|executed| executed.keep) {
        if tx.is_over() {
            return;
        }
        executed.retryable = false;
        executed.keep = in_savepoint(tx, &mut executed.job);
    }
}

fn in_savepoint(tx: &mut Tx<'_>, job: &mut Job) -> bool {
    let keep = match tx.control("SAVEPOINT act") {
        Ok(()) => job.run(Ok(&mut *tx)),
        Err(error) => job.run(Err(error)),
    };
    if !tx.is_over() {
        let undone = if keep {
            Ok(())
        } else {
            tx.control("ROLLBACK TO act")
        };
        if let Err(error) = undone.and_then(|()| tx.control("RELEASE act")) {
            tracing::error!(%error, "a savepoint could not be closed; the group is rolled back");
            roll_back(tx);
        }
    }
    keep
}

/// Commits the group and replies to every caller. A full disk may have ended the transaction before.
fn commit_group(tx: &mut Tx<'_>, group: Vec<ExecutedTx>) {
    let wrote = group.iter().any(|executed| executed.keep);
    let committed = if tx.is_over() {
        Err("the transaction was rolled back by the engine".to_owned())
    } else if wrote {
        tx.control("COMMIT").map_err(|error| describe(&error))
    } else {
        tx.control("ROLLBACK").map_err(|error| describe(&error))
    };
    if let Err(reason) = &committed {
        tracing::error!(
            reason,
            transactions = group.len(),
            "a group of transactions could not be committed"
        );
        roll_back(tx);
    }
    for executed in group {
        executed.job.reply(
            committed
                .clone()
                .map_err(|reason| Error::Unavailable(reason.into())),
        );
    }
}

fn roll_back(tx: &mut Tx<'_>) {
    if !tx.is_over()
        && let Err(error) = tx.control("ROLLBACK")
    {
        tracing::error!(%error, "a transaction could not be rolled back");
    }
}

fn describe(error: &Error) -> String {
    let source = std::error::Error::source(error)
        .map(ToString::to_string)
        .unwrap_or_default();
    format!("{error}: {source}")
}
