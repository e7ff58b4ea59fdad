//! When the queue of writes stays empty, the writer thread checkpoints the WAL: a read that must search the
//! WAL as well costs half as much again.

use rusqlite::Connection;
use std::time::Duration;

/// How long the queue is empty before the WAL is checkpointed.
pub(super) const IDLE_BEFORE_CHECKPOINT: Duration = Duration::from_millis(500);
/// Pages of the WAL at which it is checkpointed under load: a page that many transactions changed is then
/// written to the database file once for all of them.
pub(super) const WAL_CHECKPOINT_PAGES: i64 = 4_000;
/// The WAL file is cut to this size when it is written from the beginning again: a little more than it needs under load. A long
/// read, such as a backup, lets it grow beyond that.
pub(super) const WAL_KEPT_BYTES: i64 = 20 << 20;

/// Checkpoints the WAL as far as open read transactions allow; returns whether it is complete.
pub(super) fn checkpoint_wal(connection: &Connection) -> bool {
    let checkpointed = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
        Ok(row.get::<_, i64>("log")? == row.get::<_, i64>("checkpointed")?)
    });
    checkpointed.unwrap_or_else(|error| {
        tracing::warn!(%error, "the WAL could not be checkpointed");
        true
    })
}
