//! A folio: documents, signers, and the state of their signing.

mod acts;
pub mod change;
pub mod refusal;
pub mod state;

use crate::company::CompanyId;
use crate::contact::ReturnUrl;
use crate::document::{Document, NewDocument};
use crate::event::{DocumentRef, Event, EventKind, Origin, RepairedRef, Sender, SignerRef, hex};
use crate::field_error::FieldError;
use crate::folio::refusal::Refusal;
use crate::folio::state::{FolioState, SignatureType};
use crate::ids::{DocumentId, DocumentIndex, FolioId, Random, SignerIndex};
use crate::language::Language;
use crate::message::{Message, Template};
use crate::signer::{DocumentType, NewSigner, Signer};
use crate::text::{DocumentNumber, FolioMessage, FolioName, LegalBasis, Observation};
use crate::time::Timestamp;
use std::ops::Index;

/// A folio as the caller asks for one: validated, not yet made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFolio {
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
    /// Who signs, in order.
    pub signers: Vec<NewSigner>,
    /// What they sign, in order.
    pub documents: Vec<NewDocument>,
    /// When it can no longer be signed.
    pub expires_at: Option<Timestamp>,
    /// The language of its sheet and of its messages; its company's where there is none.
    pub language: Option<Language>,
}

/// A folio with all that belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub struct Folio {
    /// Its identifier.
    pub id: FolioId,
    /// The company that owns it.
    pub company: CompanyId,
    /// What it is called.
    pub name: FolioName,
    /// The company's message to the signers.
    pub message: FolioMessage,
    /// Why it was cancelled or rejected.
    pub observation: Option<Observation>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Option<Timestamp>,
    /// Its state.
    pub state: FolioState,
    /// Whether an administrator dropped it.
    pub dropped: bool,
    /// Whether its documents and personal values were erased; then it was dropped, too.
    pub erased: bool,
    /// Whether it is under legal hold: it is not erased.
    pub held: bool,
    /// How it is signed.
    pub signature_type: SignatureType,
    /// Where signers return to.
    pub return_url: ReturnUrl,
    /// Whether the service writes about it by itself.
    pub send_email: bool,
    /// When it can no longer be signed.
    pub expires_at: Option<Timestamp>,
    /// The language of its sheet, and of its messages to a signer who chose no other.
    pub language: Language,
    /// The law that its sheet names, if its company named one of its own when the folio was created.
    pub legal_basis: Option<LegalBasis>,
    /// Its documents, in order.
    pub documents: Vec<Document>,
    /// Its signers, in order.
    pub signers: Vec<Signer>,
}

/// A new folio, with the event and the messages of its creation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Created {
    /// The folio.
    pub folio: Folio,
    /// What goes into its history.
    pub event: Event,
    /// What must be sent.
    pub messages: Vec<Message>,
    /// The language that its creator chose. Where there is none, the store gives it the company's, as it does the legal basis.
    pub language: Option<Language>,
}

impl Created {
    /// The same, sent by that person or system.
    #[must_use]
    pub fn sent_by(mut self, by: Sender) -> Self {
        if let EventKind::Created { sender, .. } = &mut self.event.what {
            *sender = Some(by);
        }
        self
    }
}

impl Folio {
    /// Makes the folio: pending, every signer pending, one invitation a signer unless the caller sends them.
    pub fn create(
        new: NewFolio,
        company: CompanyId,
        origin: Origin,
        at: Timestamp,
        random: &mut dyn Random,
    ) -> Created {
        let mut repaired = Vec::new();
        let mut document = |new: NewDocument, random: &mut dyn Random| {
            let id = DocumentId::random(random);
            repaired.extend(new.repair.map(|repair| RepairedRef {
                document: id,
                sent: hex(&repair.sent),
                repair: repair.kind,
            }));
            Document {
                id,
                name: new.name,
                sha256: new.sha256,
                size: new.size,
                pages: new.pages,
                created_at: at,
            }
        };
        let folio = Self {
            id: FolioId::random(random),
            company,
            name: new.name,
            message: new.message,
            observation: None,
            created_at: at,
            updated_at: None,
            state: FolioState::Pending,
            dropped: false,
            erased: false,
            held: false,
            signature_type: new.signature_type,
            return_url: new.return_url,
            send_email: new.send_email,
            expires_at: new.expires_at,
            language: new.language.unwrap_or_default(),
            legal_basis: None,
            documents: new
                .documents
                .into_iter()
                .map(|new| document(new, random))
                .collect(),
            signers: new.signers.into_iter().map(Signer::from).collect(),
        };
        let messages = folio.automatic_messages(Template::Invitation);
        let what = EventKind::Created {
            documents: folio.document_refs(),
            signers: folio.signers.iter().map(signer_ref).collect(),
            signature_type: folio.signature_type,
            repaired,
            sender: None,
        };
        Created {
            event: Event { at, origin, what },
            messages,
            folio,
            language: new.language,
        }
    }

    /// Whether it can still be signed at that time.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }

    /// The signer with that index.
    pub fn signer(&self, signer_index: SignerIndex) -> Option<&Signer> {
        self.signers.get(signer_index.0)
    }

    /// Its signers in order, each with its index.
    pub fn indexed_signers(&self) -> impl Iterator<Item = (SignerIndex, &Signer)> {
        self.signers
            .iter()
            .enumerate()
            .map(|(index, signer)| (SignerIndex(index), signer))
    }

    /// The document with that index.
    pub fn document(&self, document_index: DocumentIndex) -> Option<&Document> {
        self.documents.get(document_index.0)
    }

    /// Its documents in order, each with its index.
    pub fn indexed_documents(&self) -> impl Iterator<Item = (DocumentIndex, &Document)> {
        self.documents
            .iter()
            .enumerate()
            .map(|(index, document)| (DocumentIndex(index), document))
    }

    /// The index of the signer with that number.
    pub fn signer_by_number(&self, number: &DocumentNumber) -> Result<SignerIndex, Refusal> {
        let found = self
            .indexed_signers()
            .find(|(_, signer)| signer.document_number == *number);
        found
            .map(|(signer_index, _)| signer_index)
            .ok_or(Refusal::UnknownSigner)
    }

    /// The index of the signer with that document: the exact number, or else the only one with the same
    /// letters and digits. Cards show numbers with dots that programs leave out.
    pub fn signer_by_document(
        &self,
        document_type: DocumentType,
        number: &DocumentNumber,
    ) -> Result<SignerIndex, Refusal> {
        if let Ok(signer_index) = self.signer_by_number(number)
            && self[signer_index].document_type == document_type
        {
            return Ok(signer_index);
        }
        let bare = number.bare();
        let alike = |signer: &Signer| {
            signer.document_type == document_type && signer.document_number.bare() == bare && !bare.is_empty()
        };
        let mut alike = self.indexed_signers().filter(|(_, signer)| alike(signer));
        match (alike.next(), alike.next()) {
            (Some((signer_index, _)), None) => Ok(signer_index),
            _ => Err(Refusal::UnknownSigner),
        }
    }

    /// Whether another signer has that number, however it is written.
    pub fn has_other_with_number(&self, signer_index: SignerIndex, number: &DocumentNumber) -> bool {
        let bare = number.bare();
        self.indexed_signers()
            .any(|(other, signer)| other != signer_index && signer.document_number.bare() == bare)
    }

    /// The same, if the service writes about the folio by itself.
    pub(crate) fn automatic_messages(&self, template: Template) -> Vec<Message> {
        if self.send_email {
            self.messages_to_all(template)
        } else {
            Vec::new()
        }
    }

    /// Where the signer's browser goes after the act.
    pub fn return_url_of(&self, signer_index: SignerIndex) -> &ReturnUrl {
        let own = self
            .signer(signer_index)
            .and_then(|signer| signer.return_url.as_ref());
        own.unwrap_or(&self.return_url)
    }

    pub(crate) fn messages_to_all(&self, template: Template) -> Vec<Message> {
        self.indexed_signers()
            .map(|(signer_index, signer)| Message::email(template, &signer.contact.email, signer_index))
            .collect()
    }

    /// Its documents as they were sent, by identifier and hash.
    pub fn document_refs(&self) -> Vec<DocumentRef> {
        self.documents
            .iter()
            .map(|document| DocumentRef {
                document: document.id,
                sha256: hex(&document.sha256),
            })
            .collect()
    }
}

/// The signer with that index, which must be one of the folio's.
impl Index<SignerIndex> for Folio {
    type Output = Signer;

    fn index(&self, signer_index: SignerIndex) -> &Signer {
        &self.signers[signer_index.0]
    }
}

/// The document with that index, which must be one of the folio's.
impl Index<DocumentIndex> for Folio {
    type Output = Document;

    fn index(&self, document_index: DocumentIndex) -> &Document {
        &self.documents[document_index.0]
    }
}

/// The list of signers of a folio: at least one, at most ten, no number twice.
pub fn check_signers(signers: &[NewSigner]) -> Result<(), FieldError> {
    if signers.is_empty() {
        return Err(FieldError::Missing);
    }
    if signers.len() > crate::limits::SIGNERS {
        return Err(FieldError::TooMany {
            max: crate::limits::SIGNERS,
        });
    }
    let twice = |(signer_index, signer): (usize, &NewSigner)| {
        signers[..signer_index]
            .iter()
            .any(|other| other.document_number == signer.document_number)
    };
    if signers.iter().enumerate().any(twice) {
        Err(FieldError::Duplicate)
    } else {
        Ok(())
    }
}

fn signer_ref(signer: &Signer) -> SignerRef {
    SignerRef {
        name: signer.name.clone(),
        document_type: signer.document_type,
        document_number: signer.document_number.clone(),
        contact: signer.contact.clone(),
    }
}
