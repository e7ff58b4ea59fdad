//! The audit log of a company: acts of its users and of the operator, and sign-ins.

use crate::error::Error;
use crate::rows::AuditRow;
use crate::tx::Tx;
use crate::value::sql_int;
use crate::value::{Param, Row};
use domain::{CompanyId, Timestamp};

/// One act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// Its number; newer ones have higher numbers.
    pub seq: AuditRow,
    /// When; of acts that share a row, the first.
    pub at: Timestamp,
    /// Who, by address or as the operator.
    pub who: String,
    /// The network address; `None` for an act at the command line, and for a row of many addresses.
    pub address: Option<String>,
    /// The act, by its stored word.
    pub what: String,
    /// The object of the act: a user, a folio, a key and so on.
    pub detail: String,
    /// How many times.
    pub times: i64,
}

impl AuditEntry {
    /// The position of this act; the next page begins after it.
    pub const fn position(&self) -> AuditPosition {
        AuditPosition {
            at: self.at,
            seq: self.seq,
        }
    }
}

/// A position in the audit, which is in the order of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct AuditPosition {
    /// When the act was.
    pub at: Timestamp,
    /// Its number.
    pub seq: AuditRow,
}

/// Which acts are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ActFilter {
    /// Of one user, by address, or of the operator.
    pub who: Option<String>,
    /// Of one kind, by its word.
    pub what: Option<String>,
    /// From this time on.
    pub from: Option<Timestamp>,
    /// Before this time.
    pub until: Option<Timestamp>,
}

macro_rules! columns {
    () => {
        "seq, at, who, address, what, detail, times"
    };
}

/// The list of acts with that condition besides.
macro_rules! listed {
    ($condition:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            " FROM audit WHERE company = $1 AND (at, seq) < ($2, $3) AND at >= $4",
            $condition,
            " ORDER BY at DESC, seq DESC LIMIT $5"
        )
    };
}

impl Tx<'_> {
    /// Writes an act down; its number is given to it here.
    pub fn record_act(&mut self, company: CompanyId, act: &AuditEntry) -> Result<(), Error> {
        let sql = "INSERT INTO audit (company, at, who, address, what, detail, times)
                   VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let params = [
            company.0.into(),
            act.at.into(),
            (&act.who).into(),
            act.address.as_deref().into(),
            (&act.what).into(),
            (&act.detail).into(),
            act.times.into(),
        ];
        self.execute(sql, &params).map(drop)
    }

    /// Counts an act in the row of an earlier one.
    pub fn count_act(&mut self, act: AuditRow) -> Result<(), Error> {
        let sql = "UPDATE audit SET times = times + 1 WHERE seq = $1";
        self.execute(sql, &[act.into()]).map(drop)
    }

    /// The company's acts before that position, newest first.
    pub fn acts_before(
        &mut self,
        company: CompanyId,
        filter: &ActFilter,
        before: Option<AuditPosition>,
        limit: usize,
    ) -> Result<Vec<AuditEntry>, Error> {
        let newest = AuditPosition {
            at: Timestamp::from_micros(i64::MAX),
            seq: AuditRow::MAX,
        };
        // No act has the number 0: this position is after all acts before the time.
        let until = filter.until.map(|at| AuditPosition {
            at,
            seq: AuditRow::ZERO,
        });
        let before = before.unwrap_or(newest).min(until.unwrap_or(newest));
        let from = filter.from.unwrap_or(Timestamp::from_micros(i64::MIN));
        let mut params: Vec<Param<'_>> = vec![
            company.0.into(),
            before.at.into(),
            before.seq.into(),
            from.into(),
            sql_int(limit)?.into(),
        ];
        let wanted = [filter.who.as_deref(), filter.what.as_deref()];
        params.extend(wanted.into_iter().flatten().map(Param::from));
        let sql = match wanted {
            [None, None] => listed!(""),
            [Some(_), None] => listed!(" AND who = $6"),
            [None, Some(_)] => listed!(" AND what = $6"),
            [Some(_), Some(_)] => listed!(" AND who = $6 AND what = $7"),
        };
        self.query(sql, &params, read)
    }

    /// The newest of the company's acts of these kinds since that time.
    pub fn last_act_of(
        &mut self,
        company: CompanyId,
        kinds: &[&str],
        since: Timestamp,
    ) -> Result<Option<AuditEntry>, Error> {
        let sql = concat!(
            "SELECT ",
            columns!(),
            " FROM audit WHERE company = $1 AND at > $2 AND what IN ({list})"
        );
        let of_kinds = kinds.iter().map(|kind| Param::from(*kind));
        let found = self.query_in(sql, &[company.0.into(), since.into()], of_kinds, read)?;
        Ok(found.into_iter().max_by_key(|act| act.seq))
    }

    /// Forgets those among the oldest acts, up to a limit, that were done before that time. Returns how many.
    pub fn delete_old_acts(&mut self, before: Timestamp, limit: usize) -> Result<u64, Error> {
        // By number, which needs no index on the time alone.
        let sql = "DELETE FROM audit WHERE seq IN (
                       SELECT seq FROM (SELECT seq, at FROM audit ORDER BY seq LIMIT $2) AS oldest WHERE at < $1)";
        self.execute(sql, &[before.into(), sql_int(limit)?.into()])
    }
}

fn read(row: &Row<'_>) -> Result<AuditEntry, Error> {
    Ok(AuditEntry {
        seq: row.get("seq")?,
        at: row.get("at")?,
        who: row.get("who")?,
        address: row.get("address")?,
        what: row.get("what")?,
        detail: row.get("detail")?,
        times: row.get("times")?,
    })
}
