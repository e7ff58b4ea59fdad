//! Removing blobs that no document names, without ever removing one that a create is about to name.
//!
//! A blob is doomed first and removed much later. Whoever brings its bytes again in between takes the mark
//! away; from the beginning of its removal until a while after, the row says so and the create is put off.

use super::folios::number;
use crate::dialect::Kind::{Bytes, Int};
use crate::error::Error;
use crate::tx::Tx;
use domain::Timestamp;
use std::time::Duration;

/// How far apart the clocks of two instances may be.
const CLOCKS_DIFFER: Duration = Duration::from_mins(1);
/// How long the removal of what was taken for it may last; then it is taken to have died.
pub const REMOVAL: Duration = Duration::from_hours(1);

impl Tx<'_> {
    /// Dooms those of these blobs that no document names.
    pub fn doom_orphans(&mut self, blobs: &[[u8; 32]], at: Timestamp) -> Result<usize, Error> {
        let sql = "SELECT DISTINCT sha256 FROM documents WHERE sha256 IN ({list})";
        let named: Vec<[u8; 32]> = self.query_in(sql, &[], blobs.iter().map(Into::into), |row| row.get(0))?;
        let orphans: Vec<_> = blobs.iter().filter(|blob| !named.contains(blob)).collect();
        let params: Vec<_> = orphans
            .iter()
            .flat_map(|blob| [(*blob).into(), at.into()])
            .collect();
        if orphans.is_empty() {
            return Ok(0);
        }
        let rows = self.dialect().rows(&[Bytes, Int], orphans.len(), 1);
        let sql =
            format!("INSERT INTO doomed_blobs (sha256, doomed_at) VALUES {rows} ON CONFLICT DO NOTHING");
        self.execute(&sql, &params)?;
        Ok(orphans.len())
    }

    /// Takes doomed blobs that are still named by no document for removal, at most `limit`, and pardons the
    /// others. What is returned is the caller's alone, to be removed within [`REMOVAL`] and then
    /// [`Tx::note_removed`]; what is not noted is taken again afterwards. Nothing, while a backup is being taken.
    pub fn begin_removal(
        &mut self,
        at: Timestamp,
        doomed_before: Timestamp,
        limit: usize,
    ) -> Result<Vec<[u8; 32]>, Error> {
        if self.is_held(at)? {
            return Ok(Vec::new());
        }
        // What a create holds locked is pardoned by that create, or is left for the next time.
        let skip = self.dialect().for_update_skip_locked();
        let named = "EXISTS (SELECT 1 FROM documents d WHERE d.sha256 = b.sha256)";
        let abandoned = at.before(REMOVAL);
        let pardon = format!(
            "DELETE FROM doomed_blobs WHERE sha256 IN (
                 SELECT b.sha256 FROM doomed_blobs b WHERE b.removing <= $1 AND {named}{skip})"
        );
        self.execute(&pardon, &[abandoned.into()])?;
        let take = format!(
            "UPDATE doomed_blobs SET removing = $1 WHERE sha256 IN (
                 SELECT b.sha256 FROM doomed_blobs b
                 WHERE b.doomed_at < $2 AND b.removed_at IS NULL AND b.removing <= $3 AND NOT {named}
                 ORDER BY b.doomed_at LIMIT $4{skip})
             RETURNING sha256"
        );
        let params = [
            at.into(),
            doomed_before.into(),
            abandoned.into(),
            number(limit)?.into(),
        ];
        self.query(&take, &params, |row| row.get(0))
    }

    /// Notes that blobs are gone, and forgets those that went before `forget_before`.
    pub fn note_removed(
        &mut self,
        blobs: &[[u8; 32]],
        at: Timestamp,
        forget_before: Timestamp,
    ) -> Result<(), Error> {
        let sql = "UPDATE doomed_blobs SET removed_at = $1 WHERE sha256 IN ({list}) RETURNING sha256";
        self.query_in(sql, &[at.into()], blobs.iter().map(Into::into), |_| Ok(()))?;
        self.execute(
            "DELETE FROM doomed_blobs WHERE removed_at < $1",
            &[forget_before.into()],
        )
        .map(drop)
    }

    /// Takes the marks off blobs that a create names, whose bytes it began to store at that time. False when one
    /// of them was removed meanwhile, or perhaps was: the create must begin again.
    pub fn pardon_blobs(&mut self, blobs: &[[u8; 32]], stored_at: Timestamp) -> Result<bool, Error> {
        let sql = "SELECT removing, removed_at FROM doomed_blobs WHERE sha256 IN ({list})
                   ORDER BY sha256{lock}";
        let marks = self.query_in(sql, &[], blobs.iter().map(Into::into), |row| {
            Ok((row.get::<bool>(0)?, row.get::<Option<Timestamp>>(1)?))
        })?;
        if marks.is_empty() {
            return Ok(true);
        }
        let unsure = |(removing, removed_at): &(bool, Option<Timestamp>)| {
            *removing && removed_at.is_none_or(|at| stored_at < at.after(CLOCKS_DIFFER))
        };
        if marks.iter().any(unsure) {
            return Ok(false);
        }
        let sql = "DELETE FROM doomed_blobs WHERE sha256 IN ({list}) RETURNING sha256";
        self.query_in(sql, &[], blobs.iter().map(Into::into), |_| Ok(()))?;
        Ok(true)
    }
}
