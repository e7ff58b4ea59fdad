//! Creates a folio: documents are uploaded, inspected and made durable before a row names them.

use crate::shared::blocking::run_blocking;
use crate::shared::error::{Unfit, UnfitDocument};
use crate::shared::idempotency::{Idempotent, IdempotentResult};
use crate::shared::secrets::SystemRandom;
use crate::{App, Caller, Error, Who};
use blobs::{PendingBlob, Sha256, Upload};
use bytes::Bytes;
use domain::{
    DocumentIndex, FileName, Folio, FolioId, FolioMessage, FolioName, Language, NewDocument, NewFolio,
    NewSigner, Repair, RepairKind,
};
use domain::{ReturnUrl, SignatureType, Timestamp};
use pades::accept::{Accepted, Repaired, accept};
use pdf::Limits;
use pdf::inspect::{Refused, looks_signed};
use sha2::Digest;
use store::{SentFile, Tx};
use tokio::time::Instant;

/// Bytes of small documents that one request may hold in memory; its other documents go to temporary files,
/// however small they are. Many slow requests may be open at the same time.
const MAX_IN_MEMORY_BYTES: u64 = 512 * 1024;

/// A document that is being uploaded.
#[derive(Debug)]
pub struct DocumentUpload {
    upload: Option<Upload>,
    size: u64,
    max: u64,
    /// The limit of all documents together, if this one passed it.
    passed_together: Option<u64>,
    pdf: Limits,
}

/// A complete upload, fit to be signed or not.
#[derive(Debug)]
pub struct UploadedDocument {
    /// What it is called.
    pub name: FileName,
    /// SHA-256 of its bytes, where all of them were read.
    pub sha256: Option<[u8; 32]>,
    inspection: Inspection,
}

#[derive(Debug)]
enum Inspection {
    /// A document in memory is inspected later: a request that is refused for another reason costs no
    /// inspection.
    Pending(PendingBlob, Box<Sha256>),
    Done(Result<FitDocument, Unfit>),
}

impl UploadedDocument {
    /// The same, inspected.
    fn inspected(self, limits: &Limits) -> Result<Self, UnfitDocument> {
        match self.inspection.finish(limits) {
            Ok(fit) => Ok(Self {
                inspection: Inspection::Done(Ok(fit)),
                ..self
            }),
            Err(why) => Err(UnfitDocument { name: self.name, why }),
        }
    }

    /// The file as it was sent, of a document that can be signed.
    pub(super) fn into_sent(self, limits: &Limits) -> Result<(FileName, PendingBlob), UnfitDocument> {
        match self.inspection.finish(limits) {
            Ok(fit) => Ok((self.name, fit.sent.unwrap_or(fit.pending))),
            Err(why) => Err(UnfitDocument { name: self.name, why }),
        }
    }

    /// How much of it is held in memory.
    fn in_memory_bytes(&self) -> u64 {
        match &self.inspection {
            Inspection::Pending(pending, _) => pending.in_memory().len() as u64,
            Inspection::Done(_) => 0,
        }
    }
}

/// A document that can be signed.
#[derive(Debug)]
struct FitDocument {
    /// What is signed.
    pending: PendingBlob,
    /// What was sent, where that is a repaired copy of it.
    sent: Option<PendingBlob>,
    inspected: InspectedDocument,
}

impl FitDocument {
    fn new(uploaded: PendingBlob, copy: Option<PendingBlob>, inspected: InspectedDocument) -> Self {
        let (pending, sent) = match copy {
            Some(copy) => (copy, Some(uploaded)),
            None => (uploaded, None),
        };
        Self {
            pending,
            sent,
            inspected,
        }
    }
}

/// What is known of a document that can be signed.
#[derive(Debug)]
struct InspectedDocument {
    pages: u32,
    /// The state from which the first increment is made.
    prepared: Vec<u8>,
    repair: Option<Repair>,
}

/// Inspects a PDF. Returns the copy that is signed in its place too, if it had to be repaired.
fn inspect_document(
    bytes: &[u8],
    hash: &Sha256,
    limits: &Limits,
) -> Result<(InspectedDocument, Option<Vec<u8>>), Unfit> {
    let Accepted {
        pages,
        prepared,
        repaired,
    } = accept(bytes, hash, limits).map_err(|refused| Unfit::Refused {
        refused,
        signed: looks_signed(bytes),
    })?;
    let (repair, copy) = repaired
        .map(|Repaired { bytes, fault }| {
            let repair = Repair {
                sent: hash.clone().finalize().into(),
                kind: repair_kind(&fault),
            };
            (repair, bytes)
        })
        .unzip();
    let inspected = InspectedDocument {
        pages,
        prepared: prepared.to_bytes(),
        repair,
    };
    Ok((inspected, copy))
}

fn repair_kind(fault: &Refused) -> RepairKind {
    match fault {
        Refused::Forbidden(_) => RepairKind::Actions,
        Refused::HiddenContent(_) => RepairKind::Hidden,
        _ => RepairKind::Structure,
    }
}

impl Inspection {
    /// Inspects the document, if that was not done yet.
    fn finish(self, limits: &Limits) -> Result<FitDocument, Unfit> {
        match self {
            Self::Done(seen) => seen,
            Self::Pending(pending, hash) => {
                let (inspected, copy) = inspect_document(pending.in_memory(), &hash, limits)?;
                Ok(FitDocument::new(pending, copy.map(PendingBlob::of), inspected))
            }
        }
    }
}

/// A request whose documents can all be signed.
pub(super) struct AcceptedFolio {
    pub(super) new: NewFolio,
    pub(super) pending: Vec<PendingBlob>,
    pub(super) prepared: Vec<Vec<u8>>,
    /// What was sent, of each document that was repaired.
    pub(super) sent: Vec<Option<SentFile>>,
}

/// A folio as the caller asks for one.
#[derive(Debug)]
pub struct FolioRequest {
    /// What it is called.
    pub name: FolioName,
    /// The company's message to the signers.
    pub message: FolioMessage,
    /// How it is signed.
    pub signature_type: SignatureType,
    /// Where signers return to.
    pub return_url: ReturnUrl,
    /// Whether the service writes to the signers.
    pub send_email: bool,
    /// Who signs.
    pub signers: Vec<NewSigner>,
    /// What they sign.
    pub documents: Vec<UploadedDocument>,
    /// The language of the folio; the company's where there is none.
    pub language: Option<Language>,
}

impl DocumentUpload {
    /// Gives the largest size that the document can have, if it is known.
    #[must_use]
    pub fn with_size_hint(self, bytes: Option<u64>) -> Self {
        let most = bytes.map(|bytes| bytes.min(self.max));
        Self {
            upload: self.upload.map(|upload| upload.with_size_hint(most)),
            ..self
        }
    }

    /// Appends bytes. Bytes over the limit are counted and discarded.
    pub async fn push(&mut self, chunk: Bytes) -> Result<(), Error> {
        self.size += chunk.len() as u64;
        if self.size > self.max {
            self.upload = None;
        }
        match &mut self.upload {
            Some(upload) => Ok(upload.push(chunk).await?),
            None => Ok(()),
        }
    }

    /// Discards the document: with it, all together have more bytes than allowed.
    pub fn discard_together(&mut self, max: u64) {
        self.upload = None;
        self.passed_together = Some(max);
    }

    /// Ends the upload. A large document is inspected now.
    pub async fn finish(self, name: FileName) -> Result<UploadedDocument, Error> {
        let Some(upload) = self.upload else {
            let why = match self.passed_together {
                Some(max) if self.size <= self.max => Unfit::TooLargeTogether { max },
                _ => Unfit::TooLarge { max: self.max },
            };
            return Ok(UploadedDocument {
                name,
                sha256: None,
                inspection: Inspection::Done(Err(why)),
            });
        };
        let (id, inspection) = match upload.try_into_memory() {
            Ok((pending, hash)) => (pending.id(), Inspection::Pending(pending, Box::new(hash))),
            Err(upload) => {
                let limits = self.pdf;
                let inspect_document =
                    move |bytes: &[u8], hash: &Sha256| inspect_document(bytes, hash, &limits);
                let (id, seen) = upload.finish_with_copy(inspect_document).await?;
                let fit = |(uploaded, copy, inspected)| FitDocument::new(uploaded, copy, inspected);
                (id, Inspection::Done(seen.map(fit)))
            }
        };
        Ok(UploadedDocument {
            name,
            sha256: Some(*id.as_bytes()),
            inspection,
        })
    }
}

impl App {
    /// Starts an upload; `beside` are the documents that the same request has uploaded already.
    pub fn start_upload<'d>(&self, beside: impl IntoIterator<Item = &'d UploadedDocument>) -> DocumentUpload {
        let held: u64 = beside.into_iter().map(UploadedDocument::in_memory_bytes).sum();
        let upload = self
            .blobs
            .upload()
            .with_memory_max(MAX_IN_MEMORY_BYTES.saturating_sub(held));
        let max = self.policy.document_bytes;
        DocumentUpload {
            upload: Some(upload),
            size: 0,
            max,
            passed_together: None,
            pdf: self.policy.pdf.clone(),
        }
    }

    /// Inspects documents. Returns those that can be signed, and why each of the others cannot.
    pub async fn inspect_documents(
        &self,
        documents: Vec<UploadedDocument>,
    ) -> Result<(Vec<UploadedDocument>, Vec<UnfitDocument>), Error> {
        let limits = self.policy.pdf.clone();
        run_blocking(move || {
            let (mut fit, mut unfit) = (Vec::new(), Vec::new());
            for document in documents {
                match document.inspected(&limits) {
                    Ok(document) => fit.push(document),
                    Err(document) => unfit.push(document),
                }
            }
            Ok((fit, unfit))
        })
        .await
    }

    /// Creates the folio: its documents are durable before any row names them.
    pub async fn create_folio(
        &self,
        caller: Caller,
        request: FolioRequest,
        idempotent: Option<Idempotent<FolioId>>,
    ) -> Result<IdempotentResult<FolioId>, Error> {
        let (now, company, origin) = (self.clock.now(), caller.company, caller.origin());
        let sender = caller.sender();
        let creation_policy = self.creation_policy(now);
        let begun = Instant::now();
        let made = self.blobs.persist_with(move || {
            let AcceptedFolio {
                new,
                pending,
                prepared,
                sent,
            } = creation_policy.accept(request)?;
            let hashes: Vec<[u8; 32]> = pending.iter().map(|pending| *pending.id().as_bytes()).collect();
            let created = Folio::create(new, company, origin, now, &mut SystemRandom).sent_by(sender);
            let ids = created.folio.documents.iter().map(|document| document.id);
            let sent: Vec<_> = ids.zip(sent).filter_map(|(id, sent)| Some((id, sent?))).collect();
            Ok((pending, (created, prepared, sent, hashes)))
        });
        let (created, prepared, sent, hashes) = match made.await? {
            Ok(made) => made,
            Err::<_, UnfitDocument>(unfit) => {
                let refuse = move |_: &mut Tx<'_>, _: &Caller| Err(Error::Unfit(unfit.clone()));
                return self.write_idempotent(caller, idempotent, refuse).await;
            }
        };
        let signing_states = self.seal_signing_states(created.folio.id, prepared);
        let answered = self.write_idempotent(caller, idempotent, move |tx: &mut Tx<'_>, caller| {
            if !tx.keep_blobs(&hashes, begun.elapsed())? {
                return Err(Error::Overloaded);
            }
            tx.insert_folio(&created, &signing_states)?;
            tx.set_sent_files(&sent)?;
            if let Who::User { email, .. } = &caller.who {
                tx.set_folio_creator(company, &[created.folio.id], email)?;
            }
            Ok(created.folio.id)
        });
        let answered = answered.await?;
        self.wakeups.outbox.notify();
        self.wakeups.projector.notify();
        Ok(answered)
    }

    /// The states of a new folio's documents, sealed for it.
    pub(super) fn seal_signing_states(&self, folio: FolioId, prepared: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let numbered = (0..).map(DocumentIndex).zip(prepared);
        numbered
            .map(|(position, prepared)| self.signing_state_key.seal(folio, position, prepared))
            .collect()
    }

    pub(super) fn creation_policy(&self, now: Timestamp) -> CreationPolicy {
        CreationPolicy {
            documents: self.policy.documents,
            pdf: self.policy.pdf.clone(),
            expires_at: self.policy.folio_lifetime.map(|span| now.after(span)),
        }
    }
}

/// The limits of a request, and the expiry of its folio.
pub(super) struct CreationPolicy {
    documents: usize,
    pdf: Limits,
    expires_at: Option<Timestamp>,
}

impl CreationPolicy {
    /// The request with its documents fit to be signed, or the first that is not.
    pub(super) fn accept(&self, request: FolioRequest) -> Result<AcceptedFolio, UnfitDocument> {
        let max = self.documents;
        if let Some(extra) = request.documents.get(max) {
            return Err(UnfitDocument {
                name: extra.name.clone(),
                why: Unfit::TooMany { max },
            });
        }
        let mut documents = Vec::with_capacity(request.documents.len());
        let mut pending = Vec::with_capacity(request.documents.len());
        let mut prepared = Vec::with_capacity(request.documents.len());
        let mut sent = Vec::with_capacity(request.documents.len());
        for UploadedDocument { name, inspection, .. } in request.documents {
            let fit = match inspection.finish(&self.pdf) {
                Ok(fit) => fit,
                Err(why) => return Err(UnfitDocument { name, why }),
            };
            documents.push(NewDocument {
                name,
                sha256: *fit.pending.id().as_bytes(),
                size: fit.pending.len(),
                pages: fit.inspected.pages,
                repair: fit.inspected.repair,
            });
            sent.push(fit.sent.as_ref().map(|file| SentFile {
                sha256: *file.id().as_bytes(),
                size: file.len(),
            }));
            pending.push(fit.pending);
            pending.extend(fit.sent);
            prepared.push(fit.inspected.prepared);
        }
        let new = NewFolio {
            name: request.name,
            message: request.message,
            signature_type: request.signature_type,
            return_url: request.return_url,
            send_email: request.send_email,
            signers: request.signers,
            documents,
            expires_at: self.expires_at,
            language: request.language,
        };
        Ok(AcceptedFolio {
            new,
            pending,
            prepared,
            sent,
        })
    }
}
