//! Which installation a database belongs to, and the newest folio it has.

use crate::error::Error;
use crate::tx::Tx;
use crate::value::only_column;
use domain::FolioId;

impl Tx<'_> {
    /// The installation's number; the given one where the database had none.
    pub fn installation_id(&mut self, new: &[u8; 16]) -> Result<[u8; 16], Error> {
        let sql = "INSERT INTO installation (one, id) VALUES (1, $1) ON CONFLICT DO NOTHING";
        self.execute(sql, &[new.as_slice().into()])?;
        let id = self.query_one("SELECT id FROM installation", &[], only_column)?;
        id.ok_or(Error::Corrupt("installation"))
    }

    /// The folio that was created last, by any company.
    pub fn newest_folio(&mut self) -> Result<Option<FolioId>, Error> {
        self.query_one(
            "SELECT id FROM folios WHERE seq = (SELECT MAX(seq) FROM folios)",
            &[],
            only_column,
        )
    }

    /// Whether the database has that folio, of any company.
    pub fn has_folio(&mut self, id: FolioId) -> Result<bool, Error> {
        let sql = "SELECT COUNT(*) FROM folios WHERE id = $1";
        let found = self.query_one(sql, &[(&id).into()], only_column::<i64>)?;
        Ok(found.is_some_and(|found| found > 0))
    }
}
