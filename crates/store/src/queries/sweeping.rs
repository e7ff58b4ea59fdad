//! Removing blobs that no document names, without ever removing one that a create is about to name.
//!
//! A blob is doomed first and removed much later. Whoever brings its bytes again in between takes the mark
//! away; once its removal has begun, the row says so and the create tries again.

use crate::dialect::Kind::{Bytes, Int};
use crate::error::Error;
use crate::tx::Tx;
use domain::Timestamp;

impl Tx<'_> {
    /// Dooms those of these blobs that no document names.
    pub fn doom_orphans(&mut self, blobs: &[[u8; 32]], at: Timestamp) -> Result<usize, Error> {
        let sql = "SELECT DISTINCT sha256 FROM documents WHERE sha256 IN ({list})";
        let named: Vec<[u8; 32]> = self.query_in(sql, &[], blobs.iter().map(Into::into), |row| row.get(0))?;
        let orphans: Vec<_> = blobs.iter().filter(|blob| !named.contains(blob)).collect();
        let params: Vec<_> = orphans.iter().flat_map(|blob| [(*blob).into(), at.into()]).collect();
        if orphans.is_empty() {
            return Ok(0);
        }
        let rows = self.dialect().rows(&[Bytes, Int], orphans.len(), 1);
        let sql = format!("INSERT INTO doomed_blobs (sha256, doomed_at) VALUES {rows} ON CONFLICT DO NOTHING");
        self.execute(&sql, &params)?;
        Ok(orphans.len())
    }

    /// Takes doomed blobs that are still named by no document for removal, at most `limit`, and pardons the
    /// others. What is returned must be removed, and then [`Tx::forget_doomed`].
    pub fn begin_removal(&mut self, doomed_before: Timestamp, limit: i64) -> Result<Vec<[u8; 32]>, Error> {
        let pardon = "DELETE FROM doomed_blobs WHERE removing = 0
                      AND EXISTS (SELECT 1 FROM documents d WHERE d.sha256 = doomed_blobs.sha256)";
        self.execute(pardon, &[])?;
        let skip = self.dialect().for_update_skip_locked();
        let sql = format!(
            "UPDATE doomed_blobs SET removing = 1 WHERE sha256 IN (
                 SELECT sha256 FROM doomed_blobs WHERE doomed_at < $1 ORDER BY doomed_at LIMIT $2{skip})
             RETURNING sha256"
        );
        self.query(&sql, &[doomed_before.into(), limit.into()], |row| row.get(0))
    }

    /// Forgets the marks of blobs that are gone.
    pub fn forget_doomed(&mut self, blobs: &[[u8; 32]]) -> Result<(), Error> {
        let sql = "DELETE FROM doomed_blobs WHERE sha256 IN ({list}) RETURNING sha256";
        self.query_in(sql, &[], blobs.iter().map(Into::into), |_| Ok(())).map(drop)
    }

    /// Takes the marks off blobs that a create names. False when one of them is being removed: the create must
    /// store its bytes again and try again.
    pub fn pardon_blobs(&mut self, blobs: &[[u8; 32]]) -> Result<bool, Error> {
        let lock = self.dialect().for_update();
        let sql = format!("SELECT removing FROM doomed_blobs WHERE sha256 IN ({{list}}){lock}");
        let marks = self.query_in(&sql, &[], blobs.iter().map(Into::into), |row| row.get::<bool>(0))?;
        if marks.is_empty() {
            return Ok(true);
        }
        if marks.contains(&true) {
            return Ok(false);
        }
        self.forget_doomed(blobs)?;
        Ok(true)
    }
}
