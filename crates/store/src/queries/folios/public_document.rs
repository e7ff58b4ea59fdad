//! The public facts about a document. A person with a copy has its identifier, and may know whether it is genuine.

use crate::error::Error;
use crate::tx::Tx;
use domain::{DocumentId, FolioState, Timestamp};

/// A document's state and hashes, without personal data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicDocument {
    /// The state of its folio.
    pub state: FolioState,
    /// When it came.
    pub created_at: Timestamp,
    /// When something was appended to it last.
    pub changed_at: Option<Timestamp>,
    /// SHA-256 of the bytes that were sent.
    pub original: [u8; 32],
    /// SHA-256 of its bytes now.
    pub current: [u8; 32],
}

impl Tx<'_> {
    /// Finds a document of any company, unless its folio was dropped.
    pub fn public_document(&mut self, id: DocumentId) -> Result<Option<PublicDocument>, Error> {
        let sql = "SELECT f.state, d.created_at, d.changed_at, d.sha256,
                       COALESCE(d.current_sha256, d.sha256) AS current_sha256
                   FROM documents d JOIN folios f ON f.seq = d.folio WHERE d.id = $1 AND f.dropped = 0";
        self.query_one(sql, &[(&id).into()], |row| {
            Ok(PublicDocument {
                state: row.get("state")?,
                created_at: row.get("created_at")?,
                changed_at: row.get("changed_at")?,
                original: row.get("sha256")?,
                current: row.get("current_sha256")?,
            })
        })
    }
}
