//! Leases of rows, and the instances that hold them.
//!
//! A lease ends at its time, or when the heartbeat of its instance ends. Both are judged by the database's clock: the
//! clocks of the instances need not agree. A time that lies farther ahead than it can have been set was written before
//! the clock went back, and counts as past.

use crate::error::Error;
use crate::rows::FolioRow;
use crate::tx::Tx;
use crate::value::{Param, Row, only_column};
use domain::{CompanyId, FolioId, InstanceId, Timestamp};
use std::time::Duration;

/// How long after a heartbeat its instance counts as running.
pub const HEARTBEAT_LIFETIME: Duration = Duration::from_secs(8);
/// The longest time from one heartbeat to the end of its instance: that of an instance that is starting.
pub const MAX_HEARTBEAT_LIFETIME: Duration = Duration::from_mins(1);
/// No lease is longer.
pub const MAX_LEASE: Duration = Duration::from_mins(20);

/// A lease that is about to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// Who takes it.
    pub by: InstanceId,
    /// What the database's clock shows.
    pub now: Timestamp,
    /// When it ends.
    pub until: Timestamp,
    /// Instances whose heartbeat ended before are dead.
    pub dead_before: Timestamp,
}

impl Lease {
    /// A lease of that length, [`MAX_LEASE`] at the most, that takes over what dead instances hold.
    pub fn new(by: InstanceId, now: Timestamp, length: Duration) -> Self {
        Self {
            by,
            now,
            until: now.after(length.min(MAX_LEASE)),
            dead_before: now,
        }
    }

    /// The same, but no instance is taken for dead.
    #[must_use]
    pub fn without_takeover(self) -> Self {
        Self {
            dead_before: Timestamp::from_micros(0),
            ..self
        }
    }

    /// The values of [`held`].
    pub(crate) fn clock_params(&self) -> [Param<'_>; 3] {
        [self.now.into(), (&self.by).into(), self.dead_before.into()]
    }
}

/// A queue whose folios are leased to workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FolioQueue {
    /// Signed folios whose documents are to be extended.
    Extensions,
    /// Finished folios whose increments are to be moved to the document storage.
    IncrementMoves,
}

impl FolioQueue {
    const fn table(self) -> &'static str {
        match self {
            Self::Extensions => "extensions",
            Self::IncrementMoves => "increment_moves",
        }
    }
}

/// A folio of a queue, leased to one worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeasedFolio {
    /// The folio's number in the database.
    pub folio: FolioRow,
    /// Its identifier.
    pub id: FolioId,
    /// Whose it is.
    pub company: CompanyId,
    /// How many attempts failed.
    pub attempts: i64,
    /// Who leased it.
    pub leased_by: InstanceId,
    /// When the lease ends. Both identify the lease: what the worker did, or its failure, is stored only while it is the same.
    pub leased_until: Timestamp,
}

impl LeasedFolio {
    pub(crate) fn read(row: &Row<'_>, lease: &Lease) -> Result<Self, Error> {
        Ok(Self {
            folio: row.get("folio")?,
            id: row.get("id")?,
            company: CompanyId(row.get("company")?),
            attempts: row.get("attempts")?,
            leased_by: lease.by,
            leased_until: lease.until,
        })
    }
}

/// Whether the row `row` is leased. The three values of [`Lease::clock_params`] begin at the placeholder `first`.
pub(crate) fn held(row: &str, first: usize) -> String {
    let (now, by, dead_before) = (first, first + 1, first + 2);
    let (max_lease, max_life) = (MAX_LEASE.as_micros(), MAX_HEARTBEAT_LIFETIME.as_micros());
    format!(
        "({row}.leased_until IS NOT NULL AND {row}.leased_until > ${now} AND {row}.leased_until - {max_lease} <= ${now}
             AND ({row}.leased_by IS NULL OR {row}.leased_by = ${by} OR {row}.leased_by IN (
                 SELECT id FROM instances WHERE alive_until > ${dead_before} AND alive_until - {max_life} <= ${now})))"
    )
}

impl Tx<'_> {
    /// What the database's clock shows. On `SQLite` it is the time since the machine started, which all processes share
    /// and which no administrator sets.
    pub fn database_clock(&mut self) -> Result<Timestamp, Error> {
        if let Some(clock) = self.simulated_clock() {
            return Ok(clock);
        }
        let Some(sql) = self.dialect().server_clock() else {
            return Ok(since_boot());
        };
        let clock = self.query_one(sql, &[], only_column)?;
        clock.ok_or(Error::Corrupt("answer"))
    }

    /// Notes that the instance runs until that time of the database's clock, or longer if it says so again.
    pub fn beat(&mut self, instance: InstanceId, until: Timestamp) -> Result<(), Error> {
        let sql = "INSERT INTO instances (id, alive_until) VALUES ($1, $2)
                   ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until";
        self.execute(sql, &[(&instance).into(), until.into()]).map(drop)
    }

    /// Notes that the instance has ended: what it holds is free.
    pub fn end_instance(&mut self, instance: InstanceId) -> Result<(), Error> {
        let sql = "DELETE FROM instances WHERE id = $1";
        self.execute(sql, &[(&instance).into()]).map(drop)
    }

    /// Forgets instances that died, once nothing can be theirs.
    pub fn forget_dead_instances(&mut self, now: Timestamp) -> Result<u64, Error> {
        let sql = "DELETE FROM instances WHERE alive_until < $1 OR alive_until > $2";
        let (long_dead, ahead) = (now.before(MAX_LEASE), now.after(MAX_LEASE));
        self.execute(sql, &[long_dead.into(), ahead.into()])
    }

    /// A worker could not do its work on the folio: tried again at that time. Whether the lease was still the caller's: where
    /// another took the folio over, or settled it, nothing is changed.
    pub fn postpone_folio(
        &mut self,
        queue: FolioQueue,
        leased: &LeasedFolio,
        now: Timestamp,
        next: Timestamp,
        why: &str,
    ) -> Result<bool, Error> {
        let table = queue.table();
        let sql = format!(
            "UPDATE {table} SET due_at = $1, due_set_at = $2, leased_until = NULL, leased_by = NULL,
                 attempts = attempts + 1, last_error = $3
             WHERE folio = $4 AND leased_until = $5 AND leased_by = $6"
        );
        let params = [
            next.into(),
            now.into(),
            why.into(),
            leased.folio.into(),
            leased.leased_until.into(),
            (&leased.leased_by).into(),
        ];
        Ok(self.execute(&sql, &params)? > 0)
    }

    /// How many instances run. Until the transaction ends, no other can start.
    pub fn lock_running_instances(&mut self) -> Result<u64, Error> {
        if let Some(lock) = self.dialect().lock_instances() {
            self.batch(lock)?;
        }
        let now = self.database_clock()?;
        let sql = "SELECT COUNT(*) FROM instances WHERE alive_until > $1 AND alive_until <= $2";
        let params = [now.into(), now.after(MAX_HEARTBEAT_LIFETIME).into()];
        let running = self.query_one(sql, &params, only_column::<i64>)?;
        Ok(running.and_then(|count| count.try_into().ok()).unwrap_or(0))
    }
}

fn since_boot() -> Timestamp {
    let since = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    Timestamp::from_micros(since.tv_sec * 1_000_000 + since.tv_nsec / 1_000)
}
