//! Which instance sweeps the storage of documents, and what came of the last sweep. For the operator: no company.

use crate::error::Error;
use crate::queries::leases::{Lease, held};
use crate::tx::Tx;
use crate::value::only_column;
use domain::{InstanceId, Timestamp};
use std::time::Duration;

impl Tx<'_> {
    /// Leases the sweep, if the last one ended at least so long ago. False while another instance is at it, or another task of
    /// this one.
    pub fn claim_sweep(&mut self, lease: &Lease, interval: Duration) -> Result<bool, Error> {
        // An end that is still to come was noted before the clock went back.
        let sql = format!(
            "UPDATE sweep SET leased_until = $1, leased_by = $3
             WHERE NOT {} AND (ended_at IS NULL OR ended_at <= $5 OR ended_at > $2)",
            held("sweep", 2)
        );
        let [clock, by, dead_before] = lease.clock_params();
        let due = lease.now.before(interval);
        let params = [lease.until.into(), clock, by, dead_before, due.into()];
        Ok(self.execute(&sql, &params)? > 0)
    }

    /// Renews the lease of the sweep; false if another instance took it over.
    pub fn renew_sweep(&mut self, lease: &Lease) -> Result<bool, Error> {
        let sql = "UPDATE sweep SET leased_until = $1 WHERE leased_by = $2";
        Ok(self.execute(sql, &[lease.until.into(), (&lease.by).into()])? > 0)
    }

    /// Notes that a sweep of the instance ended, and whether it refused to remove anything. Ends the lease, if it is the
    /// instance's.
    pub fn note_sweep(&mut self, by: InstanceId, at: Timestamp, refused: bool) -> Result<(), Error> {
        let sql = "UPDATE sweep SET ended_at = $1, refused = $2";
        self.execute(sql, &[at.into(), refused.into()])?;
        let sql = "UPDATE sweep SET leased_until = NULL, leased_by = NULL WHERE leased_by = $1";
        self.execute(sql, &[(&by).into()]).map(drop)
    }

    /// Whether the last sweep refused to remove anything.
    pub(crate) fn sweep_refused(&mut self) -> Result<bool, Error> {
        let refused = self.query_one("SELECT refused FROM sweep", &[], only_column)?;
        refused.ok_or(Error::Corrupt("sweep"))
    }
}
