//! Signed folios whose documents wait to be extended for the long term.

use crate::dialect::Kind::Int;
use crate::error::Error;
use crate::tx::Tx;
use crate::value::{Param, Rows};
use domain::{CompanyId, FolioId, Timestamp};

/// A folio whose documents are to be extended, leased to whoever reads this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extension {
    /// The folio's number in the database.
    pub folio: i64,
    /// Its identifier.
    pub id: FolioId,
    /// Whose it is.
    pub company: CompanyId,
    /// How often it was tried in vain.
    pub attempts: i64,
}

impl Tx<'_> {
    /// Has the documents of these folios extended from that time on.
    pub fn plan_extensions(&mut self, folios: &[i64], due: Timestamp) -> Result<(), Error> {
        let mut params = Rows::new();
        for folio in folios {
            params.push([(*folio).into(), due.into()]);
        }
        self.insert_rows(
            "INSERT INTO extensions (folio, due_at) VALUES",
            &[Int, Int],
            &params,
        )
    }

    /// Has the documents of those of these folios that are complete extended at once; which those are. The operator's:
    /// no company asks.
    pub fn hasten_extensions(&mut self, folios: &[FolioId], now: Timestamp) -> Result<Vec<FolioId>, Error> {
        let sql =
            "SELECT e.folio, f.id FROM extensions e JOIN folios f ON f.seq = e.folio WHERE f.id IN ({list})";
        let found = self.query_in(sql, &[], folios.iter().map(Param::from), |row| {
            Ok((row.get::<i64>(0)?, row.get::<FolioId>(1)?))
        })?;
        let sql = "UPDATE extensions SET due_at = $1 WHERE folio IN ({list}) RETURNING folio";
        let seqs = found.iter().map(|(seq, _)| Param::from(*seq));
        self.query_in(sql, &[now.into()], seqs, |_| Ok(()))?;
        Ok(found.into_iter().map(|(_, id)| id).collect())
    }

    /// What came of extending these folios since: those that still wait, with the reason why. The operator's: no
    /// company asks.
    pub fn unextended(
        &mut self,
        folios: &[FolioId],
        now: Timestamp,
    ) -> Result<Vec<(FolioId, Option<String>)>, Error> {
        let sql = "SELECT f.id, e.last_error FROM extensions e JOIN folios f ON f.seq = e.folio
                   WHERE (e.due_at <= $1 OR e.attempts > 0) AND f.id IN ({list})";
        self.query_in(sql, &[now.into()], folios.iter().map(Param::from), |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
    }

    /// Leases folios that are due, at most so many.
    pub fn lease_extensions(
        &mut self,
        now: Timestamp,
        until: Timestamp,
        most: i64,
    ) -> Result<Vec<Extension>, Error> {
        let lock = self.dialect().for_update_skip_locked();
        let sql = format!(
            "SELECT folio FROM extensions WHERE due_at <= $1 AND (leased_until IS NULL OR leased_until <= $1)
             ORDER BY due_at LIMIT $2{lock}"
        );
        let folios: Vec<i64> = self.query(&sql, &[now.into(), most.into()], |row| row.get(0))?;
        let seqs = folios.iter().map(|seq| Param::from(*seq));
        let sql = "UPDATE extensions SET leased_until = $1 WHERE folio IN ({list}) RETURNING folio";
        self.query_in(sql, &[until.into()], seqs.clone(), |_| Ok(()))?;
        let sql =
            "SELECT f.seq, f.id, f.company, e.attempts FROM extensions e JOIN folios f ON f.seq = e.folio
                   WHERE f.seq IN ({list}) ORDER BY e.due_at";
        self.query_in(sql, &[], seqs, |row| {
            Ok(Extension {
                folio: row.get(0)?,
                id: row.get(1)?,
                company: CompanyId(row.get(2)?),
                attempts: row.get(3)?,
            })
        })
    }

    /// The documents were extended: again at that time.
    pub fn settle_extension(&mut self, folio: i64, next: Timestamp) -> Result<(), Error> {
        let sql = "UPDATE extensions SET due_at = $1, leased_until = NULL, attempts = 0, last_error = NULL
                   WHERE folio = $2";
        self.execute(sql, &[next.into(), folio.into()]).map(drop)
    }

    /// The documents could not be extended: tried again at that time.
    pub fn postpone_extension(&mut self, folio: i64, next: Timestamp, why: &str) -> Result<(), Error> {
        let sql = "UPDATE extensions SET due_at = $1, leased_until = NULL, attempts = attempts + 1,
                   last_error = $2 WHERE folio = $3";
        self.execute(sql, &[next.into(), why.into(), folio.into()])
            .map(drop)
    }
}
