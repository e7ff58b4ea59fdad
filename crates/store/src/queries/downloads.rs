//! Documents on their way to whoever may download them.

use crate::error::Error;
use crate::tx::Tx;
use domain::{CompanyId, DocumentId, FileName, FolioId, Timestamp};

/// What a download needs to know of a document.
#[derive(Debug, Clone)]
pub struct DocumentFile {
    /// The folio it belongs to.
    pub folio: FolioId,
    /// What it is called.
    pub name: FileName,
    /// SHA-256 of its bytes.
    pub sha256: [u8; 32],
    /// How many bytes it has.
    pub size: u64,
    /// When its bytes last changed.
    pub modified_at: Timestamp,
}

/// What came of looking for a document.
#[derive(Debug, Clone)]
pub enum Download {
    /// The company's own.
    Own(DocumentFile),
    /// Of a folio that was dropped, or of none.
    Missing,
    /// Another company's.
    Foreign,
}

impl Tx<'_> {
    /// Looks for a document of the company.
    pub fn download(&mut self, company: CompanyId, id: DocumentId) -> Result<Download, Error> {
        let sql = "SELECT f.id, d.name, d.sha256, d.size, d.created_at
                   FROM documents d JOIN folios f ON f.seq = d.folio
                   WHERE d.id = $1 AND f.company = $2 AND f.dropped = 0";
        let own = self.query_one(sql, &[(&id).into(), company.0.into()], |row| {
            Ok(DocumentFile {
                folio: row.get(0)?,
                name: FileName::stored(row.get(1)?),
                sha256: row.get(2)?,
                size: row.get(3)?,
                modified_at: row.get(4)?,
            })
        })?;
        if let Some(own) = own {
            return Ok(Download::Own(own));
        }
        let sql = "SELECT f.seq FROM documents d JOIN folios f ON f.seq = d.folio
                   WHERE d.id = $1 AND f.company <> $2";
        let foreign = self.query_one(sql, &[(&id).into(), company.0.into()], |row| row.get::<i64>(0))?;
        Ok(if foreign.is_some() {
            Download::Foreign
        } else {
            Download::Missing
        })
    }
}
