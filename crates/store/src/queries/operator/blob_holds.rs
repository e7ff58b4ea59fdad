//! Holds on blobs: while one exists, no blob is removed. A backup takes one; `doctor` and readiness use one to
//! probe writes.

use crate::error::Error;
use crate::tx::Tx;
use crate::value::only_column;
use domain::Timestamp;

impl Tx<'_> {
    /// Has no blob removed before that time, or longer than before.
    pub fn hold_blobs(&mut self, id: &[u8; 16], until: Timestamp) -> Result<(), Error> {
        let sql = "INSERT INTO blob_holds (id, until) VALUES ($1, $2)
                   ON CONFLICT (id) DO UPDATE SET until = excluded.until";
        self.execute(sql, &[id.as_slice().into(), until.into()]).map(drop)
    }

    /// Ends a hold, and forgets those that ended by themselves.
    pub fn release_blobs(&mut self, id: &[u8; 16], now: Timestamp) -> Result<(), Error> {
        let sql = "DELETE FROM blob_holds WHERE id = $1 OR until <= $2";
        self.execute(sql, &[id.as_slice().into(), now.into()]).map(drop)
    }

    pub(crate) fn is_held(&mut self, now: Timestamp) -> Result<bool, Error> {
        let sql = "SELECT COUNT(*) FROM blob_holds WHERE until > $1";
        let held = self.query_one(sql, &[now.into()], only_column::<i64>);
        held.map(|held| held.is_some_and(|held| held > 0))
    }

    /// Writes one row, the same for all instances, which holds nothing. Its value is another each time: `SQLite` does not
    /// write a row that stays as it is. No index changes, so `PostgreSQL` needs no vacuum to use its place again.
    pub fn prove_write(&mut self, now: Timestamp) -> Result<(), Error> {
        let long_ago = Timestamp::from_micros(now.as_micros() % 1_000_000);
        self.hold_blobs(&[0; 16], long_ago)
    }

    /// Writes a row and deletes it again; returns the time of the database's clock.
    pub fn probe_write(&mut self, id: &[u8; 16]) -> Result<Timestamp, Error> {
        let long_ago = Timestamp::from_micros(0);
        self.hold_blobs(id, long_ago)?;
        self.release_blobs(id, long_ago)?;
        self.database_time()
    }
}
