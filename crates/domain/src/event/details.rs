//! What events say of documents, signers and messages.

use crate::code::UsedCode;
use crate::document::RepairKind;
use crate::ids::{BulkId, CodeId, DocumentId, SignerIndex};
use crate::message::{Channel, Template};
use crate::picture::SignaturePicture;
use crate::signer::{Contact, DocumentType};
use crate::text::{DocumentNumber, PersonName};
use serde::Serialize;

/// A document, by identifier and hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DocumentRef {
    /// Identifier.
    pub document: DocumentId,
    /// SHA-256 of its bytes, hexadecimal.
    pub sha256: String,
}

/// A document that was repaired when it was taken in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RepairedRef {
    /// Identifier.
    pub document: DocumentId,
    /// SHA-256 of what was sent, hexadecimal.
    pub sent: String,
    /// What was done.
    pub repair: RepairKind,
}

/// A signer, as named on creation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SignerRef {
    /// Full name.
    pub name: PersonName,
    /// Kind of identification document.
    pub document_type: DocumentType,
    /// Its number.
    pub document_number: DocumentNumber,
    /// Where the signer is reached.
    #[serde(flatten)]
    pub contact: Contact,
}

/// What a signer is called, and where they are reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PersonRef {
    /// Full name.
    pub name: PersonName,
    /// The number of the identification document, where it changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_number: Option<DocumentNumber>,
    /// Where the signer is reached.
    #[serde(flatten)]
    pub contact: Contact,
}

/// What a signer had been shown of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownDocument {
    /// Which.
    pub document: DocumentId,
    /// How many pages it has; 0 where they were not counted.
    pub pages: u32,
    /// How many of them the signer's browser was given.
    pub shown: u32,
    /// Whether it was given the file.
    #[serde(skip_serializing_if = "is_false")]
    pub downloaded: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// A text that a signer accepted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AcceptedText {
    /// SHA-256 of the text, hexadecimal.
    pub consent: String,
    /// The name of the text, which has a place for what was shown.
    pub template: String,
    /// What was shown: the values in that place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<ShownDocument>,
}

/// How a signature came about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SignatureDetails {
    /// How the one-time code travelled.
    pub channel: Channel,
    /// The address or number that received it.
    pub recipient: String,
    /// The code that was typed, which is spent by that.
    #[serde(flatten)]
    pub code: Option<UsedCode>,
    /// The text the signer agreed to.
    #[serde(flatten)]
    pub accepted: AcceptedText,
    /// SHA-256 of the signer's certificate in each document, hexadecimal.
    pub certificates: Vec<String>,
    /// What the signer drew or typed for the sheet, if anything. It proves nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<SignaturePicture>,
    /// The documents after the signature.
    pub results: Vec<DocumentRef>,
    /// The bulk signature it was part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bulk: Option<BulkId>,
}

impl SignatureDetails {
    /// A signature without a code, a picture, certificates, results and a bulk signature.
    pub const fn new(channel: Channel, recipient: String, accepted: AcceptedText) -> Self {
        Self {
            channel,
            recipient,
            code: None,
            accepted,
            certificates: Vec::new(),
            picture: None,
            results: Vec::new(),
            bulk: None,
        }
    }
}

/// A message to a signer, tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Delivery {
    /// The signer's index.
    pub signer: SignerIndex,
    /// What it is about.
    pub template: Template,
    /// How it travels.
    pub channel: Channel,
    /// Where to.
    pub recipient: String,
    /// Its lasting name.
    pub message_id: String,
    /// Which attempt it was, from 1.
    pub attempt: i64,
    /// The code that it carries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<CodeId>,
}

/// A message to a signer that had left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SentMessage {
    /// The signer's index.
    pub signer: SignerIndex,
    /// What it was about.
    pub template: Template,
    /// How it travelled.
    pub channel: Channel,
    /// Where to.
    pub recipient: String,
    /// Its lasting name.
    pub message_id: String,
}
