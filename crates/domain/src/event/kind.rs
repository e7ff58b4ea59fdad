//! What happened to a folio.

use super::details::{
    AcceptedText, Delivery, DocumentRef, PersonRef, RepairedRef, SentMessage, SignatureDetails, SignerRef,
};
use super::origin::Sender;
use crate::code::{CodeCommitment, UsedCode};
use crate::contact::ReturnUrl;
use crate::folio::state::SignatureType;
use crate::ids::{BulkId, CodeId, SignerIndex};
use crate::message::Channel;
use crate::signer::Contact;
use crate::text::Observation;
use serde::Serialize;

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum EventKind {
    /// The folio was created.
    Created {
        /// With which documents.
        documents: Vec<DocumentRef>,
        /// For which signers.
        signers: Vec<SignerRef>,
        /// How it is signed.
        signature_type: SignatureType,
        /// The documents that are not as they were sent.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        repaired: Vec<RepairedRef>,
        /// Who sent it.
        #[serde(skip_serializing_if = "Option::is_none")]
        sender: Option<Sender>,
    },
    /// A signer was written to again, perhaps at a corrected address.
    Resent {
        /// The signer's index.
        signer: SignerIndex,
        /// The contact before, where it changed.
        #[serde(skip_serializing_if = "Option::is_none")]
        before: Option<Contact>,
        /// The contact from now on.
        contact: Contact,
        /// Where this signer returns to from now on.
        return_url: ReturnUrl,
    },
    /// A document was downloaded.
    Downloaded {
        /// Which.
        #[serde(flatten)]
        document: DocumentRef,
    },
    /// The folio's evidence was handed out.
    EvidenceDownloaded {
        /// SHA-256 of what was sealed, hexadecimal.
        sha256: String,
    },
    /// A one-time code was made for a signer, for these documents.
    CodeSent {
        /// The signer's index.
        signer: SignerIndex,
        /// How it travels.
        channel: Channel,
        /// Where to.
        recipient: String,
        /// Which code, and a hash of it that can be recomputed once it was used.
        #[serde(flatten)]
        code: CodeCommitment,
        /// The documents the signer was shown.
        documents: Vec<DocumentRef>,
    },
    /// A signer gave a wrong code.
    CodeRefused {
        /// The signer's index.
        signer: SignerIndex,
        /// How many tries the code has left.
        tries_left: usize,
        /// Which code was expected; none where the folio is signed with another one.
        #[serde(skip_serializing_if = "Option::is_none")]
        code: Option<CodeId>,
    },
    /// A signer said who they are, by the number of their identity document.
    Identified {
        /// The signer's index.
        signer: SignerIndex,
    },
    /// A signer opened a document; once a visit.
    Opened {
        /// The signer's index.
        signer: SignerIndex,
        /// Which.
        #[serde(flatten)]
        document: DocumentRef,
    },
    /// A signer accepted a text; once a visit.
    Accepted {
        /// The signer's index.
        signer: SignerIndex,
        /// The text.
        #[serde(flatten)]
        accepted: AcceptedText,
    },
    /// The last page of a document was shown to a signer; once a visit.
    EndReached {
        /// The signer's index.
        signer: SignerIndex,
        /// Which.
        #[serde(flatten)]
        document: DocumentRef,
    },
    /// A signer who had used up the codes of the day may ask for others.
    Freed {
        /// The signer's index.
        signer: SignerIndex,
    },
    /// A signer signed.
    Signed {
        /// The signer's index.
        signer: SignerIndex,
        /// The documents signed, as they were sent.
        documents: Vec<DocumentRef>,
        /// How the signer came to it.
        #[serde(flatten)]
        details: SignatureDetails,
        /// The contact that the code proved, where it is another than the folio's until then.
        #[serde(skip_serializing_if = "Option::is_none")]
        contact: Option<Contact>,
    },
    /// A message was handed over to the server that sends it on.
    Delivered {
        /// The message.
        #[serde(flatten)]
        delivery: Delivery,
        /// What the server answered; nothing from the built-in mailbox.
        #[serde(skip_serializing_if = "Option::is_none")]
        reply: Option<String>,
    },
    /// A message could not be delivered.
    Undelivered {
        /// The message.
        #[serde(flatten)]
        delivery: Delivery,
        /// The error of the receiving server, or why it was not reached.
        reason: String,
        /// Whether the message was given up.
        given_up: bool,
    },
    /// A mail server, or the provider of the email, reported that a message had not arrived after all.
    Bounced {
        /// The message.
        #[serde(flatten)]
        message: SentMessage,
        /// Its words.
        reason: String,
    },
    /// A provider of email reported that the recipient had complained of a message, as unwanted.
    Complained {
        /// The message.
        #[serde(flatten)]
        message: SentMessage,
        /// Its words.
        reason: String,
    },
    /// The signed documents were given timestamps and revocation data, so that they can be verified for years.
    Extended {
        /// The documents as they are from now on.
        documents: Vec<DocumentRef>,
    },
    /// A signer rejected the folio.
    Rejected {
        /// The signer's index.
        signer: SignerIndex,
        /// Why.
        reason: Observation,
        /// How the one-time code travelled.
        channel: Channel,
        /// The address or number that received it.
        recipient: String,
        /// The code that was typed, which is spent by that.
        #[serde(flatten)]
        code: Option<UsedCode>,
        /// The contact that the code proved, where it is another than the folio's until then.
        #[serde(skip_serializing_if = "Option::is_none")]
        contact: Option<Contact>,
    },
    /// All signers have signed.
    Completed,
    /// The folio was cancelled.
    Cancelled {
        /// Why.
        observation: Observation,
    },
    /// A supervisor approved the signed folio.
    Approved {
        /// The documents as they were then.
        documents: Vec<DocumentRef>,
    },
    /// A supervisor or administrator rejected the signed folio.
    Disapproved {
        /// Why.
        observation: Observation,
        /// The documents as they were then.
        documents: Vec<DocumentRef>,
    },
    /// An administrator dropped the finished folio.
    Dropped,
    /// The documents and the personal values of the folio were erased.
    Erased {
        /// Why, where a person had it erased; the company's retention has no reason of its own.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<Observation>,
    },
    /// An administrator placed the folio under legal hold: it is not erased.
    HoldPlaced {
        /// Why.
        reason: Observation,
    },
    /// An administrator lifted the legal hold.
    HoldLifted {
        /// Why.
        reason: Observation,
    },
    /// An administrator corrected a signer's name, document number or contact.
    Corrected {
        /// The signer's index.
        signer: SignerIndex,
        /// As it was.
        before: PersonRef,
        /// As it is from now on.
        now: PersonRef,
    },
    /// A bulk signature was started over the folio.
    BulkStarted {
        /// Which.
        bulk: BulkId,
        /// For which signer, by index.
        signer: SignerIndex,
        /// The contact that the bulk signature names, where it is another than the folio's.
        #[serde(skip_serializing_if = "Option::is_none")]
        contact: Option<Contact>,
    },
}

impl EventKind {
    /// The index of the signer that the event is about, if its text names one.
    pub(super) const fn signer(&self) -> Option<SignerIndex> {
        match self {
            Self::Resent { signer, .. }
            | Self::CodeSent { signer, .. }
            | Self::CodeRefused { signer, .. }
            | Self::Identified { signer }
            | Self::Opened { signer, .. }
            | Self::Accepted { signer, .. }
            | Self::EndReached { signer, .. }
            | Self::Freed { signer }
            | Self::Signed { signer, .. }
            | Self::Rejected { signer, .. }
            | Self::Corrected { signer, .. }
            | Self::BulkStarted { signer, .. } => Some(*signer),
            Self::Delivered { delivery, .. } | Self::Undelivered { delivery, .. } => Some(delivery.signer),
            Self::Bounced { message, .. } | Self::Complained { message, .. } => Some(message.signer),
            Self::Created { .. }
            | Self::Downloaded { .. }
            | Self::EvidenceDownloaded { .. }
            | Self::Extended { .. }
            | Self::Completed
            | Self::Cancelled { .. }
            | Self::Approved { .. }
            | Self::Disapproved { .. }
            | Self::Dropped
            | Self::Erased { .. }
            | Self::HoldPlaced { .. }
            | Self::HoldLifted { .. } => None,
        }
    }

    /// Whether it tells of work that the service had begun before.
    pub const fn is_outcome(&self) -> bool {
        matches!(
            self,
            Self::Delivered { .. }
                | Self::Undelivered { .. }
                | Self::Bounced { .. }
                | Self::Complained { .. }
                | Self::Extended { .. }
        )
    }
}
