//! Removal of blobs that no document names, without a race against a create that is about to name one.
//!
//! An orphan is marked first and removed much later. A create that stores the same bytes in between deletes
//! the mark. From the start of the removal until [`CLOCK_MARGIN`] after it, the create fails instead and is retried. If the
//! sweeper dies, its claim ends after [`REMOVAL_LEASE`].
//!
//! All times are the database's. On `SQLite` that clock starts again with the machine: a time in the future was written before
//! the start.

use crate::dialect::ColumnType::{Bytes, Int};
use crate::error::Error;
use crate::tx::Tx;
use crate::value::{only_column, sql_int};
use domain::Timestamp;
use std::collections::HashSet;
use std::time::Duration;

/// How exactly it is known when a create began to store a blob, and a small step of the database's clock.
const CLOCK_MARGIN: Duration = Duration::from_mins(1);
/// How long a sweeper's claim lasts; after that the blobs are claimed again, or kept by a create. If the sweeper dies meanwhile,
/// creates that bring the same bytes are refused for so long.
const REMOVAL_LEASE: Duration = Duration::from_mins(20);

impl Tx<'_> {
    /// Marks those of these blobs that no document names, of a folio, of a draft or of a template.
    pub fn mark_orphans(&mut self, blobs: &[[u8; 32]], at: Timestamp) -> Result<usize, Error> {
        let named = self.blobs_named(blobs, false)?;
        let orphans: Vec<_> = blobs.iter().filter(|blob| !named.contains(*blob)).collect();
        let params: Vec<_> = orphans
            .iter()
            .flat_map(|blob| [(*blob).into(), at.into()])
            .collect();
        if orphans.is_empty() {
            return Ok(0);
        }
        let rows = self.dialect().rows(&[Bytes, Int], orphans.len(), 1);
        let sql =
            format!("INSERT INTO orphaned_blobs (sha256, orphaned_at) VALUES {rows} ON CONFLICT DO NOTHING");
        self.execute(&sql, &params)?;
        Ok(orphans.len())
    }

    /// How many of these blobs were named by documents that were erased, whose draft is gone, or that name another now, and
    /// by no other.
    pub fn erased_blobs(&mut self, blobs: &[[u8; 32]]) -> Result<usize, Error> {
        let (mut erased, kept) = (self.blobs_named(blobs, true)?, self.blobs_named(blobs, false)?);
        let sql = "SELECT replaced_sha256 FROM documents WHERE replaced_sha256 IN ({list})";
        erased.extend(self.query_in::<[u8; 32]>(sql, &[], blobs.iter().map(Into::into), only_column)?);
        Ok(erased.difference(&kept).count())
    }

    /// Those of these blobs that documents name, as they are signed or as they were sent, for what was appended to them, or as
    /// they are in a draft or in a template.
    fn blobs_named(&mut self, blobs: &[[u8; 32]], erased: bool) -> Result<HashSet<[u8; 32]>, Error> {
        let list = || blobs.iter().map(Into::into);
        let sql = "SELECT sha256 FROM documents WHERE sha256 IN ({list}) AND erased = $1";
        let mut named: HashSet<_> = self
            .query_in(sql, &[erased.into()], list(), only_column)?
            .into_iter()
            .collect();
        for sql in [
            "SELECT sent_sha256 FROM documents WHERE sent_sha256 IN ({list}) AND erased = $1",
            "SELECT appended_sha256 FROM documents WHERE appended_sha256 IN ({list}) AND erased = $1",
        ] {
            named.extend(self.query_in::<[u8; 32]>(sql, &[erased.into()], list(), only_column)?);
        }
        let released = if erased { "IS NOT NULL" } else { "IS NULL" };
        let sql = format!(
            "SELECT sha256 FROM draft_documents WHERE sha256 IN ({{list}}) AND released_at {released}"
        );
        named.extend(self.query_in::<[u8; 32]>(&sql, &[], list(), only_column)?);
        if !erased {
            let sql = "SELECT sha256 FROM template_documents WHERE sha256 IN ({list})";
            named.extend(self.query_in::<[u8; 32]>(sql, &[], list(), only_column)?);
        }
        Ok(named)
    }

    /// Claims up to `limit` marked blobs that no document names, and deletes the marks of the others. The
    /// caller removes the claimed blobs while [`Tx::may_still_remove`] says so, and reports them with [`Tx::mark_removed`]; the
    /// others are claimed again later. Claims nothing during a backup.
    pub fn claim_for_removal(
        &mut self,
        at: Timestamp,
        orphaned_before: Timestamp,
        limit: usize,
    ) -> Result<Vec<[u8; 32]>, Error> {
        if self.is_held(at)? {
            return Ok(Vec::new());
        }
        // A row that a create has locked is unmarked by that create, or claimed next time.
        let skip = self.dialect().for_update_skip_locked();
        let (abandoned, ahead) = (at.before(REMOVAL_LEASE), at.after(CLOCK_MARGIN));
        // Only rows that are taken are compared with documents: there may be very many marks, and on SQLite no other writer comes
        // meanwhile. The limit is in the text: PostgreSQL plans for a few rows then, and reads the index.
        let take = format!(
            "UPDATE orphaned_blobs SET removing = $1 WHERE sha256 IN (
                 SELECT b.sha256 FROM orphaned_blobs b
                 WHERE (b.orphaned_at < $2 OR b.orphaned_at > $4) AND b.removed_at IS NULL
                     AND (b.removing = 0 OR b.removing <= $3 OR b.removing > $4)
                 ORDER BY b.orphaned_at LIMIT {limit}{skip})
             RETURNING sha256"
        );
        let params = [at.into(), orphaned_before.into(), abandoned.into(), ahead.into()];
        let mut claimed: Vec<[u8; 32]> = self.query(&take, &params, only_column)?;
        let named = self.blobs_named(&claimed, false)?;
        let sql = "DELETE FROM orphaned_blobs WHERE sha256 IN ({list}) RETURNING sha256";
        self.query_in(sql, &[], named.iter().map(Into::into), |_| Ok(()))?;
        claimed.retain(|blob| !named.contains(blob));
        Ok(claimed)
    }

    /// Whether blobs that were claimed at that time may still be removed. Half of the claim is left for the removals that begin
    /// now. Asked again and again: a machine that was suspended does not know for how long.
    pub fn may_still_remove(&mut self, claimed_at: Timestamp) -> Result<bool, Error> {
        let now = self.database_clock()?;
        // After the clock went back, another sweeper may have taken this claim.
        Ok(claimed_at <= now && now < claimed_at.after(REMOVAL_LEASE / 2))
    }

    /// Notes that blobs are gone that were claimed at that time. Without effect on blobs that another sweeper has claimed
    /// since: it may still remove them.
    pub fn mark_removed(
        &mut self,
        blobs: &[[u8; 32]],
        claimed_at: Timestamp,
        at: Timestamp,
    ) -> Result<(), Error> {
        let sql = "UPDATE orphaned_blobs SET removed_at = $1 WHERE removing = $2 AND sha256 IN ({list}) RETURNING sha256";
        let fixed = [at.into(), claimed_at.into()];
        self.query_in(sql, &fixed, blobs.iter().map(Into::into), |_| Ok(()))
            .map(drop)
    }

    /// Deletes the notes of blobs that went before a time, up to `max`. Returns how many. Bytes that were stored again since,
    /// and that no row names, can be marked again.
    pub fn forget_removed(&mut self, at: Timestamp, before: Timestamp, max: usize) -> Result<u64, Error> {
        let sql = "DELETE FROM orphaned_blobs WHERE sha256 IN (
                       SELECT sha256 FROM orphaned_blobs WHERE removed_at < $1 OR removed_at > $2 LIMIT $3)";
        let ahead = at.after(CLOCK_MARGIN);
        self.execute(sql, &[before.into(), ahead.into(), sql_int(max)?.into()])
    }

    /// Deletes the marks of blobs that a create names, and began to store so long ago. False when one of
    /// them was or may have been removed since: the create must store it again.
    pub fn keep_blobs(&mut self, blobs: &[[u8; 32]], storing_for: Duration) -> Result<bool, Error> {
        let marks = self.marks(blobs)?;
        if marks.is_empty() {
            return Ok(true);
        }
        let stored_at = self.database_clock()?.before(storing_for);
        self.unmark_unless_removed(blobs, &marks, stored_at)
    }

    /// The same for blobs that were stored at that time.
    pub fn keep_blobs_stored_at(&mut self, blobs: &[[u8; 32]], stored_at: Timestamp) -> Result<bool, Error> {
        let marks = self.marks(blobs)?;
        self.unmark_unless_removed(blobs, &marks, stored_at)
    }

    /// When blobs that are marked were claimed, or zero, and when they were removed. Locked.
    fn marks(&mut self, blobs: &[[u8; 32]]) -> Result<Vec<(Timestamp, Option<Timestamp>)>, Error> {
        let sql = "SELECT removing, removed_at FROM orphaned_blobs WHERE sha256 IN ({list})
                   ORDER BY sha256{lock}";
        self.query_in(sql, &[], blobs.iter().map(Into::into), |row| {
            Ok((row.get("removing")?, row.get("removed_at")?))
        })
    }

    fn unmark_unless_removed(
        &mut self,
        blobs: &[[u8; 32]],
        marks: &[(Timestamp, Option<Timestamp>)],
        stored_at: Timestamp,
    ) -> Result<bool, Error> {
        let unsure = |(claimed_at, removed_at): &(Timestamp, Option<Timestamp>)| {
            let (begun, ended) = match removed_at {
                Some(at) => (*at, *at),
                None => (*claimed_at, claimed_at.after(REMOVAL_LEASE)),
            };
            // A removal time in the future is from before the machine started.
            claimed_at.as_micros() != 0
                && stored_at < ended.after(CLOCK_MARGIN)
                && begun < stored_at.after(REMOVAL_LEASE)
        };
        if marks.iter().any(unsure) {
            return Ok(false);
        }
        let sql = "DELETE FROM orphaned_blobs WHERE sha256 IN ({list}) RETURNING sha256";
        self.query_in(sql, &[], blobs.iter().map(Into::into), |_| Ok(()))?;
        Ok(true)
    }
}
