//! Creating a folio: documents are taken in as they come, looked at, made durable, and then named by rows.

use crate::error::{Unfit, UnfitDocument};
use crate::once::{Answered, Once};
use crate::secrets::SystemRandom;
use crate::{App, Caller, Error};
use blobs::{Stage, Staged};
use bytes::Bytes;
use domain::{FileName, Folio, FolioId, FolioMessage, FolioName, NewDocument, NewFolio, NewSigner};
use domain::{ReturnUrl, SignatureType};
use store::Tx;

/// Bytes of small documents that a request may hold in memory until it ends: its other documents are spooled, however
/// small they are. As many as come at once may all be slow.
const AT_HAND: u64 = 512 * 1024;

/// A document on its way in.
#[derive(Debug)]
pub struct Intake {
    stage: Option<Stage>,
    size: u64,
    max: u64,
    pdf: pades::inspect::Limits,
}

/// A document that has come in, fit to be signed or not.
#[derive(Debug)]
pub struct TakenDocument {
    /// What it is called.
    pub name: FileName,
    /// Its bytes and what preparing them learnt, or why they cannot be signed.
    pub content: Result<Fit, Unfit>,
    /// SHA-256 of its bytes, where all of them were read.
    pub sha256: Option<[u8; 32]>,
}

impl TakenDocument {
    /// How much of it is held in memory.
    fn held(&self) -> u64 {
        self.content.as_ref().map_or(0, |fit| fit.staged.held())
    }
}

/// A document that can be signed.
#[derive(Debug)]
pub struct Fit {
    staged: Staged,
    pages: u32,
    prepared: Vec<u8>,
}

/// A request whose documents can all be signed.
struct Accepted {
    new: NewFolio,
    staged: Vec<Staged>,
    prepared: Vec<Vec<u8>>,
}

/// A folio as the caller asks for one.
#[derive(Debug)]
pub struct FolioRequest {
    /// What it is called.
    pub name: FolioName,
    /// What the signers are told.
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
    pub documents: Vec<TakenDocument>,
}

impl Intake {
    /// Takes the next bytes. What goes over the limit is counted and let go.
    pub async fn push(&mut self, chunk: Bytes) -> Result<(), Error> {
        self.size += chunk.len() as u64;
        if self.size > self.max {
            self.stage = None;
        }
        match &mut self.stage {
            Some(stage) => Ok(stage.push(chunk).await?),
            None => Ok(()),
        }
    }

    /// Ends the document, and has the PDF engine look at it.
    pub async fn finish(self, name: FileName) -> Result<TakenDocument, Error> {
        let Some(stage) = self.stage else {
            let content = Err(Unfit::TooLarge { max: self.max });
            return Ok(TakenDocument {
                name,
                content,
                sha256: None,
            });
        };
        let limits = self.pdf;
        let (staged, verdict) = stage
            .finish(move |bytes, hash| {
                let inspected = pades::inspect::inspect(bytes, &limits)?;
                Ok((inspected.pages, inspected.prepare(hash.clone()).to_bytes()))
            })
            .await?;
        let sha256 = Some(*staged.id().as_bytes());
        let fit = |(pages, prepared)| Fit {
            staged,
            pages,
            prepared,
        };
        let content = verdict.map(fit).map_err(Unfit::Refused);
        Ok(TakenDocument {
            name,
            content,
            sha256,
        })
    }
}

impl App {
    /// Begins to take in a document, beside those that the same request has brought already.
    pub fn intake<'d>(&self, beside: impl IntoIterator<Item = &'d TakenDocument>) -> Intake {
        let held: u64 = beside.into_iter().map(TakenDocument::held).sum();
        let stage = self.blobs.stage().with_room(AT_HAND.saturating_sub(held));
        let max = self.policy.document_bytes;
        Intake {
            stage: Some(stage),
            size: 0,
            max,
            pdf: self.policy.pdf.clone(),
        }
    }

    /// Creates the folio: its documents are durable before any row names them.
    pub async fn create_folio(
        &self,
        caller: Caller,
        request: FolioRequest,
        once: Option<Once<FolioId>>,
    ) -> Result<Answered<FolioId>, Error> {
        let Accepted {
            new,
            staged,
            prepared,
        } = match self.fit(request) {
            Ok(fit) => fit,
            Err(unfit) => return self.write_once(caller, once, move |_, _| Err(unfit)).await,
        };
        let now = self.clock.now();
        let hashes: Vec<[u8; 32]> = new.documents.iter().map(|document| document.sha256).collect();
        let created = Folio::create(new, caller.company, caller.origin(), now, &mut SystemRandom);
        self.blobs.persist(staged).await?;
        let answered = self.write_once(caller, once, move |tx: &mut Tx<'_>, _| {
            if !tx.pardon_blobs(&hashes, now)? {
                return Err(Error::Overloaded);
            }
            tx.insert_folio(&created, &prepared)?;
            Ok(created.folio.id)
        });
        let answered = answered.await?;
        self.bell.ring();
        self.clerk.ring();
        Ok(answered)
    }

    /// The request with its documents fit to be signed, or the first that is not.
    fn fit(&self, request: FolioRequest) -> Result<Accepted, Error> {
        let max = self.policy.documents;
        if let Some(extra) = request.documents.get(max) {
            let why = Unfit::TooMany { max };
            return Err(Error::Unfit(UnfitDocument {
                name: extra.name.clone(),
                why,
            }));
        }
        let mut documents = Vec::with_capacity(request.documents.len());
        let mut staged = Vec::with_capacity(request.documents.len());
        let mut prepared = Vec::with_capacity(request.documents.len());
        for document in request.documents {
            let fit = match document.content {
                Ok(fit) => fit,
                Err(why) => {
                    return Err(Error::Unfit(UnfitDocument {
                        name: document.name,
                        why,
                    }));
                }
            };
            documents.push(NewDocument {
                name: document.name,
                sha256: *fit.staged.id().as_bytes(),
                size: fit.staged.len(),
                pages: fit.pages,
            });
            staged.push(fit.staged);
            prepared.push(fit.prepared);
        }
        let new = NewFolio {
            name: request.name,
            message: request.message,
            signature_type: request.signature_type,
            return_url: request.return_url,
            send_email: request.send_email,
            signers: request.signers,
            documents,
            expires_at: self
                .policy
                .folio_lifetime
                .map(|span| self.clock.now().after(span)),
        };
        Ok(Accepted {
            new,
            staged,
            prepared,
        })
    }
}
