//! Signed folios whose documents wait to be extended for the long term.

use crate::dialect::ColumnType::Int;
use crate::error::Error;
use crate::rows::FolioRow;
use crate::tx::Tx;
use crate::value::{Param, Rows, only_column};
use domain::{CompanyId, FolioId, Timestamp};

/// A folio whose documents are to be extended, leased to one worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extension {
    /// The folio's number in the database.
    pub folio: FolioRow,
    /// Its identifier.
    pub id: FolioId,
    /// Whose it is.
    pub company: CompanyId,
    /// How many attempts failed.
    pub attempts: i64,
    /// When the lease ends. It also identifies the lease: a failure is stored only while it is the same.
    pub leased_until: Timestamp,
}

impl Tx<'_> {
    /// Has the documents of these folios extended from that time on.
    pub fn plan_extensions(&mut self, folios: &[FolioRow], due: Timestamp) -> Result<(), Error> {
        let mut params = Rows::new();
        for folio in folios {
            params.push([(*folio).into(), due.into()]);
        }
        self.run_rows(
            "INSERT INTO extensions (folio, due_at) VALUES",
            &[Int, Int],
            &params,
        )
    }

    /// Makes the extension of those of these folios that have one planned due now; returns which these are. For the
    /// operator: of all companies.
    pub fn hasten_extensions(&mut self, folios: &[FolioId], now: Timestamp) -> Result<Vec<FolioId>, Error> {
        let sql =
            "SELECT e.folio, f.id FROM extensions e JOIN folios f ON f.seq = e.folio WHERE f.id IN ({list})";
        let found = self.query_in(sql, &[], folios.iter().map(Param::from), |row| {
            Ok((row.get::<FolioRow>("folio")?, row.get::<FolioId>("id")?))
        })?;
        let sql = "UPDATE extensions SET due_at = $1 WHERE folio IN ({list}) RETURNING folio";
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

    /// Leases the folio that has been due for longest.
    pub fn lease_extension(&mut self, now: Timestamp, until: Timestamp) -> Result<Option<Extension>, Error> {
        let lock = self.dialect().for_update_skip_locked();
        let sql = format!(
            "SELECT folio FROM extensions WHERE due_at <= $1 AND (leased_until IS NULL OR leased_until <= $1)
             ORDER BY due_at LIMIT 1{lock}"
        );
        let Some(folio) = self.query_one(&sql, &[now.into()], only_column::<FolioRow>)? else {
            return Ok(None);
        };
        let sql = "UPDATE extensions SET leased_until = $1 WHERE folio = $2";
        self.execute(sql, &[until.into(), folio.into()])?;
        let sql =
            "SELECT e.folio, f.id, f.company, e.attempts FROM extensions e JOIN folios f ON f.seq = e.folio
                   WHERE e.folio = $1";
        self.query_one(sql, &[folio.into()], |row| {
            Ok(Extension {
                folio: row.get("folio")?,
                id: row.get("id")?,
                company: CompanyId(row.get("company")?),
                attempts: row.get("attempts")?,
                leased_until: until,
            })
        })
    }

    /// The documents were extended: again at that time.
    pub fn settle_extension(&mut self, folio: FolioRow, next: Timestamp) -> Result<(), Error> {
        let sql = "UPDATE extensions SET due_at = $1, leased_until = NULL, attempts = 0, last_error = NULL
                   WHERE folio = $2";
        self.execute(sql, &[next.into(), folio.into()]).map(drop)
    }

    /// The documents could not be extended: tried again at that time. Whether the lease was still the caller's: where
    /// another took the folio over, or settled it, nothing is changed.
    pub fn postpone_extension(
        &mut self,
        leased: &Extension,
        next: Timestamp,
        why: &str,
    ) -> Result<bool, Error> {
        let sql = "UPDATE extensions SET due_at = $1, leased_until = NULL, attempts = attempts + 1,
                   last_error = $2 WHERE folio = $3 AND leased_until = $4";
        let (folio, until) = (leased.folio, leased.leased_until);
        let changed = self.execute(sql, &[next.into(), why.into(), folio.into(), until.into()])?;
        Ok(changed > 0)
    }
}
