//! Documents for download.

use crate::dialect::ColumnType::{Bytes, Int};
use crate::error::Error;
use crate::rows::FolioRow;
use crate::tx::Tx;
use crate::value::{Row, Rows, sql_int};
use domain::{CompanyId, DocumentId, DocumentIndex, FileName, FolioId, Timestamp};

/// The parts of a document that a download needs.
#[derive(Debug, Clone)]
pub struct DocumentFile {
    /// The folio it belongs to.
    pub folio: FolioId,
    /// Its name.
    pub name: FileName,
    /// SHA-256 of the bytes before the increments: those that were sent, or those of the repaired copy.
    pub original: [u8; 32],
    /// How many these are.
    pub original_size: u64,
    /// The blob with the first increments that acts appended, once they were moved.
    pub appended: Option<AppendedBlob>,
    /// The increments after those, in order.
    pub increments: Vec<Vec<u8>>,
    /// SHA-256 of its bytes.
    pub sha256: [u8; 32],
    /// How many bytes it has.
    pub size: u64,
    /// When its bytes last changed.
    pub modified_at: Timestamp,
    /// What was sent, where the document is a repaired copy of that.
    pub sent: Option<SentFile>,
}

/// A file as it was sent, of which a repaired copy is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SentFile {
    /// SHA-256 of its bytes.
    pub sha256: [u8; 32],
    /// How many bytes it has.
    pub size: u64,
}

/// A blob with increments of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AppendedBlob {
    /// SHA-256 of its bytes.
    pub sha256: [u8; 32],
    /// How many bytes it has.
    pub size: u64,
    /// The number of its last increment.
    pub number: i64,
}

impl DocumentFile {
    /// What was sent, until an act appends something.
    #[must_use]
    pub fn as_sent(self) -> Self {
        match self.sent {
            Some(SentFile { sha256, size }) if self.sha256 == self.original => Self {
                original: sha256,
                original_size: size,
                sha256,
                size,
                ..self
            },
            _ => self,
        }
    }
}

/// What an identifier is to the company.
#[derive(Debug, Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "each is looked at once, and most are the company's own"
)]
pub enum DocumentLookup {
    /// The company's own.
    Own(DocumentFile),
    /// No document has it, or its folio was dropped.
    Unknown,
    /// Another company's.
    Foreign,
}

/// From the columns `sent_sha256` and `sent_size`.
pub(crate) fn sent_file(row: &Row<'_>) -> Result<Option<SentFile>, Error> {
    let (sha256, size): (Option<[u8; 32]>, Option<u64>) = (row.get("sent_sha256")?, row.get("sent_size")?);
    Ok(sha256.zip(size).map(|(sha256, size)| SentFile { sha256, size }))
}

/// From the columns `appended_sha256`, `appended_size` and `appended_number`.
pub(crate) fn appended_blob(row: &Row<'_>) -> Result<Option<AppendedBlob>, Error> {
    let Some(sha256) = row.get("appended_sha256")? else {
        return Ok(None);
    };
    let (Some(size), Some(number)) = (row.get("appended_size")?, row.get("appended_number")?) else {
        return Err(Error::Corrupt("appended blob"));
    };
    Ok(Some(AppendedBlob { sha256, size, number }))
}

impl Tx<'_> {
    /// Notes what was sent of documents that were repaired.
    pub fn set_sent_files(&mut self, sent: &[(DocumentId, SentFile)]) -> Result<(), Error> {
        if sent.is_empty() {
            return Ok(());
        }
        let mut rows = Rows::new();
        for (document, file) in sent {
            rows.push([document.into(), (&file.sha256).into(), sql_int(file.size)?.into()]);
        }
        self.run_rows(
            "UPDATE documents SET sent_sha256 = c.column2, sent_size = c.column3 FROM (VALUES {rows}) AS c
             WHERE documents.id = c.column1",
            &[Bytes, Bytes, Int],
            &rows,
        )
    }

    /// Looks for a document of the company.
    pub fn find_document(&mut self, company: CompanyId, id: DocumentId) -> Result<DocumentLookup, Error> {
        if let Some(own) = self.document_file(company, id, "f.dropped = 0")? {
            return Ok(DocumentLookup::Own(own));
        }
        let sql = "SELECT f.seq FROM documents d JOIN folios f ON f.seq = d.folio
                   WHERE d.id = $1 AND f.company <> $2";
        let foreign = self.query_one(sql, &[(&id).into(), company.0.into()], |_| Ok(()))?;
        Ok(if foreign.is_some() {
            DocumentLookup::Foreign
        } else {
            DocumentLookup::Unknown
        })
    }

    /// A document of the company of which that is true besides, with its increments.
    pub(crate) fn document_file(
        &mut self,
        company: CompanyId,
        id: DocumentId,
        condition: &'static str,
    ) -> Result<Option<DocumentFile>, Error> {
        let sql = format!(
            "SELECT f.id AS folio_id, d.name, d.sha256, d.size, d.created_at, d.current_sha256, d.current_size,
                 d.changed_at, d.folio, d.position, d.sent_sha256, d.sent_size, d.appended_sha256,
                 d.appended_size, d.appended_number FROM documents d JOIN folios f ON f.seq = d.folio
             WHERE d.id = $1 AND f.company = $2 AND {condition}"
        );
        let own = self.query_one(&sql, &[(&id).into(), company.0.into()], |row| {
            let (original, original_size) = (row.get("sha256")?, row.get("size")?);
            let changed_at: Option<Timestamp> = row.get("changed_at")?;
            let file = DocumentFile {
                folio: row.get("folio_id")?,
                name: FileName::stored(row.get("name")?),
                original,
                original_size,
                appended: appended_blob(row)?,
                increments: Vec::new(),
                sha256: row.get::<Option<_>>("current_sha256")?.unwrap_or(original),
                size: row.get::<Option<_>>("current_size")?.unwrap_or(original_size),
                modified_at: changed_at.unwrap_or(row.get("created_at")?),
                sent: sent_file(row)?,
            };
            let place: (FolioRow, DocumentIndex) = (row.get("folio")?, row.get("position")?);
            Ok((file, changed_at.map(|_| place)))
        })?;
        let Some((mut own, changed)) = own else {
            return Ok(None);
        };
        if let Some((folio, position)) = changed {
            own.increments = self.increments(folio, position)?;
        }
        Ok(Some(own))
    }
}
