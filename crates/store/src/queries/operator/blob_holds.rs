//! Holds on blobs: while one exists, no blob is removed. A backup takes one; `doctor` and readiness use one to
//! probe writes.

use crate::error::Error;
use crate::tx::Tx;
use crate::value::only_column;
use domain::Timestamp;
use domain::limits::MAX_CLOCK_SKEW;
use std::time::Duration;

/// How long a hold lasts unless it is renewed.
pub const HOLD_DURATION: Duration = Duration::from_hours(1);

impl Tx<'_> {
    /// Keeps all blobs from removal for [`HOLD_DURATION`]; extends an earlier hold. `now` is the database's time here and
    /// below: clocks of instances may differ.
    pub fn hold_blobs(&mut self, id: &[u8; 16], now: Timestamp) -> Result<(), Error> {
        self.hold_until(id, now.after(HOLD_DURATION))
    }

    fn hold_until(&mut self, id: &[u8; 16], until: Timestamp) -> Result<(), Error> {
        let sql = "INSERT INTO blob_holds (id, until) VALUES ($1, $2)
                   ON CONFLICT (id) DO UPDATE SET until = excluded.until";
        self.execute(sql, &[id.as_slice().into(), until.into()]).map(drop)
    }

    /// Ends a hold, and forgets those that ended by themselves.
    pub fn release_blobs(&mut self, id: &[u8; 16], now: Timestamp) -> Result<(), Error> {
        let sql = "DELETE FROM blob_holds WHERE id = $1 OR until <= $2 OR until > $3";
        let params = [id.as_slice().into(), now.into(), latest_end(now).into()];
        self.execute(sql, &params).map(drop)
    }

    pub(crate) fn is_held(&mut self, now: Timestamp) -> Result<bool, Error> {
        let sql = "SELECT COUNT(*) FROM blob_holds WHERE until > $1 AND until <= $2";
        let params = [now.into(), latest_end(now).into()];
        let held = self.query_one(sql, &params, only_column::<i64>);
        held.map(|held| held.is_some_and(|held| held > 0))
    }

    /// Writes one row, the same for all instances, which holds nothing. Its value is another each time: `SQLite` does not
    /// write a row that stays as it is. No index changes, so `PostgreSQL` needs no vacuum to use its place again.
    pub fn prove_write(&mut self, now: Timestamp) -> Result<(), Error> {
        let long_ago = Timestamp::from_micros(now.as_micros() % 1_000_000);
        self.hold_until(&[0; 16], long_ago)
    }

    /// Writes a row and deletes it again; returns the time of the database's clock.
    pub fn probe_write(&mut self, id: &[u8; 16]) -> Result<Timestamp, Error> {
        let long_ago = Timestamp::from_micros(0);
        self.hold_until(id, long_ago)?;
        let sql = "DELETE FROM blob_holds WHERE id = $1";
        self.execute(sql, &[id.as_slice().into()])?;
        self.database_time()
    }
}

/// A hold that ends later was given before the database's clock went back, and counts as past. A small step ends none.
fn latest_end(now: Timestamp) -> Timestamp {
    now.after(HOLD_DURATION).after(MAX_CLOCK_SKEW)
}
