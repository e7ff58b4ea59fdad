//! Messages that came back after they had left.

use crate::error::Error;
use crate::queries::enum_columns;
use crate::rows::MessageRow;
use crate::tx::Tx;
use domain::{Channel, CompanyId, FolioId, ReturnKind, SignerIndex, Template};

/// A message that a report may be about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedMessage {
    /// Whose it is.
    pub company: CompanyId,
    /// The folio it concerns.
    pub folio: FolioId,
    /// The signer it concerns.
    pub signer: SignerIndex,
    /// The other folios that it is about, with the signer's place in each.
    pub others: Vec<(FolioId, SignerIndex)>,
    /// What it was about.
    pub template: Template,
    /// How it travelled.
    pub channel: Channel,
    /// Where to.
    pub recipient: String,
}

impl Tx<'_> {
    /// The message with that number, of any company: the report tells whose it is.
    pub fn reported_message(&mut self, seq: MessageRow) -> Result<Option<ReportedMessage>, Error> {
        let sql = "SELECT o.company, f.id AS folio, o.signer, o.template, o.channel, o.recipient
                   FROM outbox o JOIN folios f ON f.seq = o.folio WHERE o.seq = $1";
        let found = self.query_one(sql, &[seq.into()], |row| {
            Ok(ReportedMessage {
                company: CompanyId(row.get("company")?),
                folio: row.get("folio")?,
                signer: row.get("signer")?,
                others: Vec::new(),
                template: row.get("template")?,
                channel: row.get("channel")?,
                recipient: row.get("recipient")?,
            })
        })?;
        let Some(mut found) = found else {
            return Ok(None);
        };
        let sql = "SELECT f.id, x.signer FROM outbox_folios x JOIN folios f ON f.seq = x.folio
                   WHERE x.message = $1 AND f.company = $2 ORDER BY x.position";
        found.others = self.query(sql, &[seq.into(), found.company.0.into()], |row| {
            Ok((row.get("id")?, row.get("signer")?))
        })?;
        Ok(Some(found))
    }

    /// Notes that a message of the company came back; false if that was noted before.
    pub fn mark_returned(
        &mut self,
        company: CompanyId,
        seq: MessageRow,
        kind: ReturnKind,
    ) -> Result<bool, Error> {
        let sql = "UPDATE outbox SET returned = $1 WHERE company = $2 AND seq = $3 AND returned IS NULL";
        let params = [
            enum_columns::return_kind(kind).into(),
            company.0.into(),
            seq.into(),
        ];
        Ok(self.execute(sql, &params)? > 0)
    }
}
