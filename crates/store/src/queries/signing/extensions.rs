//! Signed folios whose documents wait to be extended for the long term.

use crate::dialect::ColumnType::Int;
use crate::error::Error;
use crate::queries::due_times::DueTimes;
use crate::queries::leases::{Lease, LeasedFolio, held};
use crate::rows::FolioRow;
use crate::tx::Tx;
use crate::value::{Param, Rows, only_column};
use domain::{FolioId, Timestamp};

impl Tx<'_> {
    /// Has the documents of these folios extended from that time on.
    pub fn plan_extensions(&mut self, folios: &[FolioRow], due: Timestamp) -> Result<(), Error> {
        let mut params = Rows::new();
        for folio in folios {
            params.push([(*folio).into(), due.into(), due.into()]);
        }
        self.run_rows(
            "INSERT INTO extensions (folio, due_at, due_set_at) VALUES",
            &[Int, Int, Int],
            &params,
        )
    }

    /// Makes the extension of those of these folios that have one planned due now, and forgets why it failed; returns
    /// which these are. For the operator: of all companies.
    pub fn hasten_extensions(&mut self, folios: &[FolioId], now: Timestamp) -> Result<Vec<FolioId>, Error> {
        let sql =
            "SELECT e.folio, f.id FROM extensions e JOIN folios f ON f.seq = e.folio WHERE f.id IN ({list})";
        let found = self.query_in(sql, &[], folios.iter().map(Param::from), |row| {
            Ok((row.get::<FolioRow>("folio")?, row.get::<FolioId>("id")?))
        })?;
        let sql =
            "UPDATE extensions SET due_at = $1, due_set_at = $1, last_error = NULL WHERE folio IN ({list})
                   RETURNING folio";
        let seqs = found.iter().map(|(seq, _)| Param::from(*seq));
        self.query_in(sql, &[now.into()], seqs, |_| Ok(()))?;
        Ok(found.into_iter().map(|(_, id)| id).collect())
    }

    /// Those of these folios that still wait to be extended, with the last error. For the operator: of all companies.
    pub fn unextended(
        &mut self,
        folios: &[FolioId],
        now: Timestamp,
    ) -> Result<Vec<(FolioId, Option<String>)>, Error> {
        let sql = "SELECT f.id, e.last_error FROM extensions e JOIN folios f ON f.seq = e.folio
                   WHERE (e.due_at <= $1 OR e.attempts > 0) AND f.id IN ({list})";
        self.query_in(sql, &[now.into()], folios.iter().map(Param::from), |row| {
            Ok((row.get("id")?, row.get("last_error")?))
        })
    }

    /// How many folios are due to be extended, leased or not. For the operator: of all companies.
    pub fn due_extensions(&mut self, now: Timestamp) -> Result<i64, Error> {
        let sql = "SELECT COUNT(*) FROM extensions WHERE due_at <= $1";
        let due = self.query_one(sql, &[now.into()], only_column)?;
        due.ok_or(Error::Corrupt("answer"))
    }

    /// Leases the folio that has been due for longest.
    pub fn lease_extension(
        &mut self,
        due: impl Into<DueTimes>,
        lease: &Lease,
    ) -> Result<Option<LeasedFolio>, Error> {
        let DueTimes { from, now } = due.into();
        let lock = self.dialect().for_update_skip_locked();
        let held = held("e", 2);
        let sql = format!(
            "SELECT e.folio FROM extensions e WHERE e.due_at <= $1 AND e.due_at >= $5 AND NOT {held}
             ORDER BY e.due_at LIMIT 1{lock}"
        );
        let [clock, by, dead_before] = lease.clock_params();
        let params = [now.into(), clock, by, dead_before, from.into()];
        let Some(folio) = self.query_one(&sql, &params, only_column::<FolioRow>)? else {
            return Ok(None);
        };
        let sql = "UPDATE extensions SET leased_until = $1, leased_by = $2 WHERE folio = $3";
        self.execute(sql, &[lease.until.into(), by, folio.into()])?;
        let sql =
            "SELECT e.folio, f.id, f.company, e.attempts FROM extensions e JOIN folios f ON f.seq = e.folio
                   WHERE e.folio = $1";
        self.query_one(sql, &[folio.into()], |row| LeasedFolio::read(row, lease))
    }

    /// The documents were extended: again at that time.
    pub fn settle_extension(&mut self, folio: FolioRow, next: Timestamp) -> Result<(), Error> {
        let sql =
            "UPDATE extensions SET due_at = $1, due_set_at = NULL, leased_until = NULL, leased_by = NULL,
                       attempts = 0, last_error = NULL WHERE folio = $2";
        self.execute(sql, &[next.into(), folio.into()]).map(drop)
    }
}
