//! The parts of a folio's evidence besides the folio itself.

use crate::error::Error;
use crate::rows::FolioRow;
use crate::tx::Tx;
use crate::value::Row;
use crate::value::sql_int;
use domain::event::ChainedEvent;
use domain::{Channel, CompanyId, DocumentId, FolioId, ReturnKind, SignerIndex, Template, Timestamp};

/// A document as it is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentVersion {
    /// Which.
    pub id: DocumentId,
    /// SHA-256 of its bytes.
    pub sha256: [u8; 32],
    /// How many bytes it has.
    pub size: u64,
    /// When something was appended to it last.
    pub changed_at: Option<Timestamp>,
}

/// An event as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// The event.
    pub event: ChainedEvent,
    /// The MAC that authenticates it.
    pub mac: Option<Vec<u8>>,
}

/// A message and its outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedMessage {
    /// Which text it carries.
    pub template: Template,
    /// How it travels.
    pub channel: Channel,
    /// Where to.
    pub recipient: String,
    /// The signer it concerns, by index in the folio.
    pub signer: SignerIndex,
    /// `waiting`, `sent`, `dead`, or `superseded`: no longer wanted, and not sent.
    pub state: String,
    /// How often it was tried.
    pub attempts: i64,
    /// When it was written.
    pub created_at: Timestamp,
    /// When it left.
    pub sent_at: Option<Timestamp>,
    /// The error of the receiving server.
    pub last_error: Option<String>,
    /// What was reported of it after it had left.
    pub returned: Option<ReturnKind>,
}

impl Tx<'_> {
    /// The documents of a folio of the company as they are now, in order.
    pub fn document_versions(
        &mut self,
        company: CompanyId,
        folio: FolioId,
    ) -> Result<Vec<DocumentVersion>, Error> {
        let sql = "SELECT d.id, COALESCE(d.current_sha256, d.sha256) AS sha256, COALESCE(d.current_size, d.size) AS size,
                       d.changed_at
                   FROM documents d JOIN folios f ON f.seq = d.folio
                   WHERE f.company = $1 AND f.id = $2 ORDER BY d.position";
        self.query(sql, &[company.0.into(), (&folio).into()], version)
    }

    /// The documents of these folios, which the caller has locked, as they are now, in order; each with its folio's
    /// number.
    pub fn current_versions(
        &mut self,
        folios: &[FolioRow],
    ) -> Result<Vec<(FolioRow, DocumentVersion)>, Error> {
        let sql =
            "SELECT id, COALESCE(current_sha256, sha256) AS sha256, COALESCE(current_size, size) AS size,
                       changed_at, folio
                   FROM documents WHERE folio IN ({list}) ORDER BY folio, position";
        let folios = folios.iter().map(|seq| (*seq).into());
        self.query_in(sql, &[], folios, |row| Ok((row.get("folio")?, version(row)?)))
    }

    /// At most so many events of a folio of the company, from a number on.
    pub fn history_from(
        &mut self,
        company: CompanyId,
        folio: FolioId,
        first: i64,
        max: usize,
    ) -> Result<Vec<StoredEvent>, Error> {
        let sql = "SELECT e.number, e.body, e.personal, e.hash, e.mac FROM events e JOIN folios f ON f.seq = e.folio
                   WHERE f.company = $1 AND f.id = $2 AND e.number >= $3 ORDER BY e.number LIMIT $4";
        let params = [
            company.0.into(),
            (&folio).into(),
            first.into(),
            sql_int(max)?.into(),
        ];
        self.query(sql, &params, |row| {
            Ok(StoredEvent {
                event: chained(row)?,
                mac: row.get("mac")?,
            })
        })
    }

    /// The last messages of a folio of the company, at most so many, oldest first.
    pub fn message_log(
        &mut self,
        company: CompanyId,
        folio: FolioId,
        max: usize,
    ) -> Result<Vec<LoggedMessage>, Error> {
        // A message about several folios keeps its values until all of them are erased.
        let sql = "SELECT o.template, o.channel, CASE WHEN m.erased_at IS NULL THEN o.recipient ELSE '' END AS recipient,
                       m.signer, o.state, o.attempts, o.created_at, o.sent_at,
                       CASE WHEN m.erased_at IS NULL THEN o.last_error END AS last_error, o.returned
                   FROM (SELECT o.seq AS message, o.signer, f.erased_at FROM outbox o JOIN folios f ON f.seq = o.folio
                           WHERE f.company = $1 AND f.id = $2
                       UNION ALL SELECT x.message, x.signer, f.erased_at
                           FROM outbox_folios x JOIN folios f ON f.seq = x.folio
                           WHERE f.company = $1 AND f.id = $2) AS m
                       JOIN outbox o ON o.seq = m.message ORDER BY o.seq DESC LIMIT $3";
        let params = [company.0.into(), (&folio).into(), sql_int(max)?.into()];
        let mut rows = self.query(sql, &params, |row| {
            Ok(LoggedMessage {
                template: row.get("template")?,
                channel: row.get("channel")?,
                recipient: row.get("recipient")?,
                signer: row.get("signer")?,
                state: row.get("state")?,
                attempts: row.get("attempts")?,
                created_at: row.get("created_at")?,
                sent_at: row.get("sent_at")?,
                last_error: row.get("last_error")?,
                returned: row.get("returned")?,
            })
        })?;
        rows.reverse();
        Ok(rows)
    }
}

/// The event in the columns `number`, `body`, `personal` and `hash`.
pub(crate) fn chained(row: &Row<'_>) -> Result<ChainedEvent, Error> {
    Ok(ChainedEvent {
        number: row.get("number")?,
        body: row.get("body")?,
        personal: row.get("personal")?,
        hash: row.get("hash")?,
    })
}

fn version(row: &Row<'_>) -> Result<DocumentVersion, Error> {
    Ok(DocumentVersion {
        id: row.get("id")?,
        sha256: row.get("sha256")?,
        size: row.get("size")?,
        changed_at: row.get("changed_at")?,
    })
}
