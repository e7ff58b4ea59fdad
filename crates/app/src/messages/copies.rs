//! Copies of signed documents that leave with a message. They are read when the message is written, so that the outbox stays small.

use crate::{App, Error};
use bytes::Bytes;
use domain::{Causes, CompanyId, DocumentId, FileName};
use sha2::{Digest, Sha256};
use store::DocumentLookup;

/// A document as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentCopy {
    /// What it is called.
    pub name: FileName,
    /// All of it.
    pub bytes: Bytes,
}

impl App {
    /// These documents of the company, of up to so many bytes together. None of them where one is dropped, erased, lost, damaged
    /// or too large: then the message has the link alone. The caller asks for a few.
    pub async fn document_copies(
        &self,
        company: CompanyId,
        documents: &[DocumentId],
        max_bytes: u64,
    ) -> Option<Vec<DocumentCopy>> {
        let (mut copies, mut left) = (Vec::with_capacity(documents.len()), max_bytes);
        for id in documents {
            match self.document_copy(company, *id, left).await {
                Ok(Some(copy)) => {
                    left = left.saturating_sub(copy.bytes.len() as u64);
                    copies.push(copy);
                }
                Ok(None) => return None,
                Err(error) => {
                    tracing::warn!(document = %id, error = %Causes(&error), "a document is not attached");
                    return None;
                }
            }
        }
        Some(copies)
    }

    async fn document_copy(
        &self,
        company: CompanyId,
        id: DocumentId,
        max_bytes: u64,
    ) -> Result<Option<DocumentCopy>, Error> {
        let found = self.store.read(move |tx| tx.find_document(company, id)).await?;
        let DocumentLookup::Own(file) = found else {
            return Ok(None);
        };
        if file.size > max_bytes {
            return Ok(None);
        }
        let bytes = self.document_bytes(&file, 0..file.size).await?.bytes().await?;
        let sha256: [u8; 32] = Sha256::digest(&bytes).into();
        if sha256 != file.sha256 {
            return Err(Error::DocumentUnavailable);
        }
        let name = file.name;
        Ok(Some(DocumentCopy { name, bytes }))
    }
}
