//! Resends to each signer, for the anti-spam limit.

use crate::dialect::ColumnType::Int;
use crate::error::Error;
use crate::rows::FolioRow;
use crate::tx::Tx;
use crate::value::Rows;
use crate::value::sql_int;
use domain::{SignerIndex, Timestamp};

/// One resend to one signer of a folio.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResendCount {
    /// The signer's index.
    pub signer: SignerIndex,
    /// When.
    pub at: Timestamp,
}

impl Tx<'_> {
    /// The resends of a folio since that time, oldest first. The folio is one the caller has locked.
    pub fn resends_since(&mut self, folio: FolioRow, since: Timestamp) -> Result<Vec<ResendCount>, Error> {
        let sql = "SELECT signer, at FROM resends WHERE folio = $1 AND at > $2 ORDER BY at";
        self.query(sql, &[folio.into(), since.into()], |row| {
            Ok(ResendCount {
                signer: row.get("signer")?,
                at: row.get("at")?,
            })
        })
    }

    /// Counts a resend to each of these signers, and forgets those that no rule looks at any more.
    pub fn count_resends(
        &mut self,
        folio: FolioRow,
        signers: &[SignerIndex],
        at: Timestamp,
        delete_before: Timestamp,
    ) -> Result<(), Error> {
        let sql = "DELETE FROM resends WHERE folio = $1 AND at <= $2";
        self.execute(sql, &[folio.into(), delete_before.into()])?;
        let mut params = Rows::new();
        for signer in signers {
            params.push([folio.into(), sql_int(signer.0)?.into(), at.into()]);
        }
        self.run_rows(
            "INSERT INTO resends (folio, signer, at) VALUES",
            &[Int, Int, Int],
            &params,
        )
    }

    /// Forgets resends that no rule looks at any more, up to `max`. Returns how many.
    pub fn delete_old_resends(&mut self, before: Timestamp, max: usize) -> Result<u64, Error> {
        let sql =
            "DELETE FROM resends WHERE seq IN (SELECT seq FROM resends WHERE at < $1 ORDER BY at LIMIT $2)";
        self.execute(sql, &[before.into(), sql_int(max)?.into()])
    }
}
