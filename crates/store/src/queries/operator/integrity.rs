//! What shows whether everything is there: every event in its chain, every document with what was appended to it. For the operator: no company.

use crate::error::Error;
use crate::queries::folios::documents::{AppendedBlob, SentFile, appended_blob, sent_file};
use crate::rows::{DocumentPlace, FolioRow};
use crate::tx::Tx;
use crate::value::{Param, Row, sql_int};
use domain::{CompanyId, FolioId, HistoryHead};
use std::collections::HashMap;

/// An event, and the end that its folio claims for its history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventFacts<'a> {
    /// The folio.
    pub folio: FolioId,
    /// Where its history ends.
    pub end: HistoryHead,
    /// Its place in the history; nothing when there is no event at all.
    pub number: Option<i64>,
    /// Its body.
    pub body: &'a str,
    /// The personal values beside it.
    pub personal: &'a str,
    /// Its hash.
    pub hash: [u8; 32],
    /// The MAC that authenticates it.
    pub mac: Option<&'a [u8]>,
}

/// A document with its increments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentFacts {
    /// Where it is.
    pub place: DocumentPlace,
    /// Its folio, or its template.
    pub folio: FolioId,
    /// The hash of the uploaded document.
    pub sha256: [u8; 32],
    /// How long that is.
    pub size: u64,
    /// What was sent, where the document is a repaired copy of that.
    pub sent: Option<SentFile>,
    /// The hash and the length of all of it, once something was appended.
    pub current: Option<([u8; 32], u64)>,
    /// The blob with the first increments, once they were moved.
    pub appended: Option<AppendedBlob>,
    /// The number of increments that are rows, according to the document's signing state: a waiting sheet, and those of
    /// acts.
    pub increment_rows: i64,
    /// These increments, in order.
    pub increments: Vec<Vec<u8>>,
}

impl Tx<'_> {
    /// Folios with numbers below that one, the newest first: their numbers, companies and identifiers.
    pub fn folios_before(
        &mut self,
        before: FolioRow,
        limit: i64,
    ) -> Result<Vec<(FolioRow, CompanyId, FolioId)>, Error> {
        let sql = "SELECT seq, company, id FROM folios WHERE seq < $1 ORDER BY seq DESC LIMIT $2";
        self.query(sql, &[before.into(), limit.into()], |row| {
            Ok((row.get("seq")?, CompanyId(row.get("company")?), row.get("id")?))
        })
    }

    /// Hands over every event, folio after folio, each history in order.
    pub fn each_event<E: From<Error>>(
        &mut self,
        mut take: impl FnMut(EventFacts<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let sql =
            "SELECT f.id AS folio, f.history_length, f.history_hash, e.number, e.body, e.personal, e.hash,
                       e.mac FROM folios f LEFT JOIN events e ON e.folio = f.seq ORDER BY f.seq, e.number";
        self.each(sql, |row| {
            let hash: Option<[u8; 32]> = row.get("hash")?;
            take(EventFacts {
                folio: row.get("folio")?,
                end: HistoryHead {
                    length: row.get("history_length")?,
                    hash: row.get("history_hash")?,
                },
                number: row.get("number")?,
                body: row.maybe_text("body")?.unwrap_or_default(),
                personal: row.maybe_text("personal")?.unwrap_or_default(),
                hash: hash.unwrap_or_default(),
                mac: row.maybe_bytes("mac")?,
            })
        })
    }

    /// The next documents after a position, with their increments. Those of templates come first: they stand in the folio 0, by
    /// their row numbers, and name their template.
    pub fn documents_after(&mut self, after: DocumentPlace, limit: i64) -> Result<Vec<DocumentFacts>, Error> {
        let sql = "SELECT CAST(0 AS BIGINT) AS folio, seq AS position, template AS folio_id, sha256, size,
                       CAST(NULL AS BYTEA) AS sent_sha256, CAST(NULL AS BIGINT) AS sent_size,
                       CAST(NULL AS BYTEA) AS current_sha256, CAST(NULL AS BIGINT) AS current_size,
                       CAST(NULL AS BYTEA) AS appended_sha256, CAST(NULL AS BIGINT) AS appended_size,
                       CAST(NULL AS BIGINT) AS appended_number, CAST(0 AS BIGINT) AS increment_rows
                   FROM template_documents WHERE seq > $1 ORDER BY seq LIMIT $2";
        let mut documents = Vec::new();
        if after.folio == FolioRow::ZERO {
            documents = self.query(sql, &[after.position.into(), limit.into()], document_facts)?;
        }
        let limit = limit - sql_int(documents.len())?;
        if limit <= 0 {
            return Ok(documents);
        }
        let sql =
            "SELECT d.folio, d.position, f.id AS folio_id, d.sha256, d.size, d.sent_sha256, d.sent_size,
                       d.current_sha256, d.current_size, d.appended_sha256, d.appended_size, d.appended_number,
                       COALESCE(t.increments - COALESCE(d.appended_number, -t.sheet), 0) AS increment_rows
                   FROM documents d JOIN folios f ON f.seq = d.folio
                       LEFT JOIN signing_states t ON t.folio = d.folio AND t.position = d.position
                   WHERE (d.folio, d.position) > ($1, $2) AND d.erased = 0
                   ORDER BY d.folio, d.position LIMIT $3";
        let params = [after.folio.into(), after.position.into(), limit.into()];
        documents.extend(self.query(sql, &params, document_facts)?);
        let indexes: HashMap<DocumentPlace, usize> = documents
            .iter()
            .enumerate()
            .map(|(at, document)| (document.place, at))
            .collect();
        let mut folios: Vec<FolioRow> = documents.iter().map(|document| document.place.folio).collect();
        folios.dedup();
        let sql = "SELECT folio, position, bytes FROM increments WHERE folio IN ({list})
                   ORDER BY folio, position, number";
        let folios = folios.iter().map(|folio| Param::from(*folio));
        let increments = self.query_in(sql, &[], folios, |row| {
            Ok((document_place(row)?, row.get::<Vec<u8>>("bytes")?))
        })?;
        for (place, bytes) in increments {
            // Those of a folio's other documents come with the next page, or came with the one before.
            if let Some(at) = indexes.get(&place) {
                documents[*at].increments.push(bytes);
            }
        }
        Ok(documents)
    }
}

/// Where a row's document is.
pub(crate) fn document_place(row: &Row<'_>) -> Result<DocumentPlace, Error> {
    Ok(DocumentPlace {
        folio: row.get("folio")?,
        position: row.get("position")?,
    })
}

fn document_facts(row: &Row<'_>) -> Result<DocumentFacts, Error> {
    let (sha256, size): (Option<[u8; 32]>, Option<u64>) =
        (row.get("current_sha256")?, row.get("current_size")?);
    Ok(DocumentFacts {
        place: document_place(row)?,
        folio: row.get("folio_id")?,
        sha256: row.get("sha256")?,
        size: row.get("size")?,
        sent: sent_file(row)?,
        current: sha256.zip(size),
        appended: appended_blob(row)?,
        increment_rows: row.get("increment_rows")?,
        increments: Vec::new(),
    })
}
