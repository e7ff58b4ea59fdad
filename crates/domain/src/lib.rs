//! The rules of Firmeza, pure: no I/O, no async, no HTTP, no SQL.
//!
//! Time and randomness are arguments. An act is a method that returns a change, or a refusal that names the
//! rule; the store writes the change.

pub mod bulk;
pub mod causes;
pub mod change_kind;
pub mod client;
pub mod code;
pub mod colour;
pub mod company;
pub mod contact;
pub mod document;
pub mod embedding;
pub mod event;
pub mod field_error;
pub mod folio;
pub mod ids;
pub mod language;
pub mod limits;
pub mod mask;
pub mod mention;
pub mod message;
pub mod permission;
pub mod personal;
pub mod picture;
pub mod search;
pub mod signer;
pub mod text;
pub mod time;
pub mod user;
pub mod webhook;

pub use bulk::{Bulk, NewBulk};
pub use causes::Causes;
pub use change_kind::ChangeKind;
pub use client::Client;
pub use code::{Code, SentCode};
pub use colour::Colour;
pub use company::CompanyId;
pub use contact::{Email, Mobile, ReturnUrl};
pub use document::{Document, FileName, NewDocument, Repair, RepairKind};
pub use event::{Actor, Delivery, Event, EventKind, HistoryHead, Origin, SignatureDetails};
pub use field_error::FieldError;
pub use folio::change::{Change, SignerChange};
pub use folio::refusal::Refusal;
pub use folio::state::{FolioState, SignatureType};
pub use folio::{Created, Folio, NewFolio};
pub use ids::{
    BulkId, CodeId, DeliveryId, DocumentId, DocumentIndex, DraftId, FolioId, FolioTemplateId, InstanceId,
    InvitationId, KeyId, ProviderId, Random, SessionId, SignerIndex, SignerSessionId, UserId, VisitorId,
    WebhookId,
};
pub use language::Language;
pub use mention::TextWords;
pub use message::{AccountEmailKind, Channel, Message, ReturnKind, Template};
pub use permission::{Permission, Permissions};
pub use picture::{PicturePolicy, SignaturePicture};
pub use signer::{Contact, Correction, DocumentType, NewSigner, PersonFields, Signer, SignerState};
pub use text::{DocumentNumber, FolioMessage, FolioName, LegalBasis, Observation, PersonName};
pub use time::Timestamp;
pub use user::Role;
pub use webhook::{WantedKinds, WebhookKind};
