//! Drafts: forms of new folios that a panel user has not sent yet, with the documents chosen so far.
//!
//! What is in the form's fields is the page's own matter. Documents are kept as they were sent, once they are known to be fit,
//! and are inspected again when the folio is made.

use crate::folios::create::UploadedDocument;
use crate::panel::User;
use crate::shared::error::{Unfit, UnfitDocument};
use crate::{App, Caller, Error, IdempotentResult};
use blobs::BlobId;
use domain::{DraftId, FileName, FolioId, limits};
use futures_util::StreamExt;
use store::{DraftDocumentRow, DraftFile, StoredDraft};
use tokio::time::Instant;

/// What is saved of a form.
#[derive(Debug, Clone)]
pub struct DraftChange {
    /// Which draft.
    pub id: DraftId,
    /// The fields.
    pub form: String,
    /// A document to take out.
    pub remove: Option<DraftDocumentRow>,
    /// The bytes that all its documents together may have.
    pub max_bytes: u64,
}

impl App {
    /// The user's drafts, the last first, without their documents.
    pub async fn drafts(&self, user: &User) -> Result<Vec<StoredDraft>, Error> {
        let (company, user) = (user.company, user.seq);
        let drafts = self.store.read(move |tx| tx.drafts(company, user)).await?;
        Ok(drafts)
    }

    /// A draft of the user with its documents.
    pub async fn draft(&self, user: &User, id: DraftId) -> Result<Option<StoredDraft>, Error> {
        let (company, user) = (user.company, user.seq);
        let draft = self.store.read(move |tx| tx.draft(company, user, id)).await?;
        Ok(draft)
    }

    /// Saves a draft, and with it those of the documents that can be signed; the others are returned. The oldest draft
    /// beyond the limit is deleted.
    pub async fn save_draft(
        &self,
        caller: Caller,
        user: &User,
        change: DraftChange,
        documents: Vec<UploadedDocument>,
    ) -> Result<Vec<UnfitDocument>, Error> {
        let (now, person) = (self.clock.now(), user.seq);
        let kept = self.draft(user, change.id).await?;
        let kept = kept.map_or_else(Vec::new, |draft| draft.files);
        let begun = Instant::now();
        let (limits, max, max_bytes) = (self.policy.pdf.clone(), self.policy.documents, change.max_bytes);
        let stored = self.blobs.persist_with(move || {
            let (mut pending, mut unfit) = (Vec::new(), Vec::new());
            let (mut count, mut bytes) = (kept.len(), kept.iter().map(|file| file.size).sum::<u64>());
            let mut files: Vec<DraftFile> = Vec::new();
            for document in documents {
                let (name, blob) = match document.into_sent(&limits) {
                    Ok(fit) => fit,
                    Err(document) => {
                        unfit.push(document);
                        continue;
                    }
                };
                let sha256 = *blob.id().as_bytes();
                // A page that saves by itself may send a file that it has sent already.
                if has_file(kept.iter().chain(&files), &name, &sha256) {
                    continue;
                }
                if count >= max {
                    unfit.push(UnfitDocument {
                        name,
                        why: Unfit::TooMany { max },
                    });
                } else if bytes + blob.len() > max_bytes {
                    unfit.push(UnfitDocument {
                        name,
                        why: Unfit::TooLargeTogether { max: max_bytes },
                    });
                } else {
                    (count, bytes) = (count + 1, bytes + blob.len());
                    files.push(DraftFile {
                        row: DraftDocumentRow::ZERO,
                        name,
                        sha256,
                        size: blob.len(),
                    });
                    pending.push(blob);
                }
            }
            Ok::<_, Error>((pending, (files, unfit)))
        });
        let (files, unfit) = stored.await??;
        let saved = self.write_idempotent(caller, None, move |tx, caller| {
            let hashes: Vec<[u8; 32]> = files.iter().map(|file| file.sha256).collect();
            if !tx.keep_blobs(&hashes, begun.elapsed())? {
                return Err(Error::Overloaded);
            }
            if !tx.save_draft(caller.company, person, change.id, &change.form, now)? {
                return Err(Error::NotFound);
            }
            tx.add_draft_files(change.id, &files)?;
            if let Some(row) = change.remove {
                tx.release_draft_file(change.id, row, now)?;
            }
            tx.delete_drafts_beyond(caller.company, person, limits::DRAFTS, now)?;
            Ok(())
        });
        match saved.await? {
            IdempotentResult::Fresh(()) | IdempotentResult::Replayed(_) => Ok(unfit),
        }
    }

    /// Deletes a draft. False where the user has none of that identifier.
    pub async fn discard_draft(&self, caller: Caller, user: &User, id: DraftId) -> Result<bool, Error> {
        let (now, person) = (self.clock.now(), user.seq);
        let deleted = self.write_idempotent(caller, None, move |tx, caller| {
            Ok(tx.delete_draft(caller.company, person, id, now)?)
        });
        Ok(matches!(deleted.await?, IdempotentResult::Fresh(true)))
    }

    /// Notes the folio that was made of a draft, and deletes what was typed.
    pub async fn finish_draft(&self, user: &User, id: DraftId, folio: FolioId) -> Result<(), Error> {
        let (now, company, user) = (self.clock.now(), user.company, user.seq);
        let finished = self
            .store
            .write_retryable(move |tx| tx.finish_draft(company, user, id, folio, now));
        Ok(finished.await?)
    }

    /// The documents of a draft or of a template, as if they had been uploaded with the form.
    pub async fn stored_uploads(&self, files: &[DraftFile]) -> Result<Vec<UploadedDocument>, Error> {
        let mut uploads = Vec::with_capacity(files.len());
        for file in files {
            let mut upload = self.start_upload(&uploads).with_size_hint(Some(file.size));
            let blob = BlobId::from_bytes(file.sha256);
            let mut bytes = self.blobs.read_checked(blob, file.size, 0..file.size).await?;
            while let Some(chunk) = bytes.next().await {
                upload.push(chunk?).await?;
            }
            uploads.push(upload.finish(file.name.clone()).await?);
        }
        Ok(uploads)
    }
}

fn has_file<'f>(files: impl IntoIterator<Item = &'f DraftFile>, name: &FileName, sha256: &[u8; 32]) -> bool {
    files
        .into_iter()
        .any(|file| file.name == *name && file.sha256 == *sha256)
}
