//! Documents for download.

use crate::error::Error;
use crate::rows::FolioRow;
use crate::tx::Tx;
use domain::{CompanyId, DocumentId, DocumentIndex, FileName, FolioId, Timestamp};

/// The parts of a document that a download needs.
#[derive(Debug, Clone)]
pub struct DocumentFile {
    /// The folio it belongs to.
    pub folio: FolioId,
    /// Its name.
    pub name: FileName,
    /// SHA-256 of the bytes that were sent.
    pub original: [u8; 32],
    /// How many bytes were sent.
    pub original_size: u64,
    /// The increments that acts appended, in order.
    pub increments: Vec<Vec<u8>>,
    /// SHA-256 of its bytes.
    pub sha256: [u8; 32],
    /// How many bytes it has.
    pub size: u64,
    /// When its bytes last changed.
    pub modified_at: Timestamp,
}

/// What an identifier is to the company.
#[derive(Debug, Clone)]
pub enum DocumentLookup {
    /// The company's own.
    Own(DocumentFile),
    /// No document has it, or its folio was dropped.
    Unknown,
    /// Another company's.
    Foreign,
}

impl Tx<'_> {
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
                 d.changed_at, d.folio, d.position FROM documents d JOIN folios f ON f.seq = d.folio
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
                increments: Vec::new(),
                sha256: row.get::<Option<_>>("current_sha256")?.unwrap_or(original),
                size: row.get::<Option<_>>("current_size")?.unwrap_or(original_size),
                modified_at: changed_at.unwrap_or(row.get("created_at")?),
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
