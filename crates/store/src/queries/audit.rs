//! What administrators and supervisors did to the company's own things.

use super::folios::number;
use crate::error::Error;
use crate::tx::Tx;
use domain::{CompanyId, Timestamp};

/// One act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRow {
    /// Its number; newer ones have higher numbers.
    pub seq: i64,
    /// When.
    pub at: Timestamp,
    /// Who, by address or as the operator.
    pub who: String,
    /// From where, when a network was between.
    pub address: Option<String>,
    /// What, by a word.
    pub what: String,
    /// To whom or what.
    pub detail: String,
}

impl Tx<'_> {
    /// Writes an act down; its number is given to it here.
    pub fn note_act(&mut self, company: CompanyId, act: &AuditRow) -> Result<(), Error> {
        let sql =
            "INSERT INTO audit (company, at, who, address, what, detail) VALUES ($1, $2, $3, $4, $5, $6)";
        let params = [
            company.0.into(),
            act.at.into(),
            (&act.who).into(),
            act.address.as_deref().into(),
            (&act.what).into(),
            (&act.detail).into(),
        ];
        self.execute(sql, &params).map(drop)
    }

    /// The company's acts before the one with that number, newest first.
    pub fn acts_before(
        &mut self,
        company: CompanyId,
        before: Option<i64>,
        limit: usize,
    ) -> Result<Vec<AuditRow>, Error> {
        let sql = "SELECT seq, at, who, address, what, detail FROM audit
                   WHERE company = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3";
        let before = before.unwrap_or(i64::MAX);
        let params = [company.0.into(), before.into(), number(limit)?.into()];
        self.query(sql, &params, |row| {
            Ok(AuditRow {
                seq: row.get(0)?,
                at: row.get(1)?,
                who: row.get(2)?,
                address: row.get(3)?,
                what: row.get(4)?,
                detail: row.get(5)?,
            })
        })
    }
}
