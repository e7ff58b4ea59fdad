//! Events of a folio, each bound to the one before by its hash.
//!
//! The hash covers the event's JSON text exactly as it is stored, so the chain can be checked with a
//! SHA-256 tool alone. Personal values are stored beside the text, and their digests inside it (see
//! [`crate::personal`]).

use crate::client::Client;
use crate::code::{CodeCommitment, UsedCode};
use crate::contact::ReturnUrl;
use crate::document::RepairKind;
use crate::folio::state::SignatureType;
use crate::ids::{BulkId, CodeId, DocumentId, FolioId, KeyId, Random, SignerIndex};
use crate::message::{Channel, Template};
use crate::personal::{PersonalValue, extract, restored};
use crate::picture::SignaturePicture;
use crate::signer::{Contact, DocumentType};
use crate::text::{DocumentNumber, Observation, PersonName};
use crate::time::Timestamp;
use data_encoding::HEXLOWER;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Who acts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "who", rename_all = "snake_case")]
pub enum Actor {
    /// A company's system, by its API key.
    Integration {
        /// The key, not its secret.
        key: KeyId,
    },
    /// A signer, by index in the folio.
    Signer {
        /// The index.
        signer: SignerIndex,
    },
    /// A person in the panel, by email address.
    User {
        /// The address the person signs in with.
        email: String,
    },
    /// The service itself.
    Service,
}

/// Who acts, and from where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Who.
    pub actor: Actor,
    /// From where, and with what.
    pub client: Client,
}

/// Who sent a folio, as people call them. What it says of signers is this sender's statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Sender {
    /// A person in the panel.
    Person {
        /// The full name, as the company entered it.
        name: String,
    },
    /// A company's system.
    System {
        /// The label of its API key.
        name: String,
    },
}

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
    /// The name of the text with places for what was shown; nothing in earlier events, whose texts have none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub template: String,
    /// What was shown: the values in those places.
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
    const fn signer(&self) -> Option<SignerIndex> {
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

/// The actor in an event's JSON. A signer who acts on their own signature is named once: readers differ in
/// what they make of a repeated member.
#[derive(Serialize)]
#[serde(untagged)]
enum ActorJson<'a> {
    Full(&'a Actor),
    SameSigner { who: &'static str },
}

impl<'a> ActorJson<'a> {
    fn of(event: &'a Event) -> Self {
        match event.origin.actor {
            Actor::Signer { signer } if event.what.signer() == Some(signer) => {
                Self::SameSigner { who: "signer" }
            }
            _ => Self::Full(&event.origin.actor),
        }
    }
}

/// An event that is not in the chain yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// When.
    pub at: Timestamp,
    /// Who, from where.
    pub origin: Origin,
    /// What.
    pub what: EventKind,
}

impl Event {
    /// Its text in that place of the folio's chain, with the personal values in it.
    fn full_body(&self, folio: FolioId, number: i64) -> Value {
        #[derive(Serialize)]
        struct Body<'a> {
            folio: FolioId,
            number: i64,
            at: Timestamp,
            #[serde(flatten)]
            actor: ActorJson<'a>,
            #[serde(flatten)]
            client: &'a Client,
            #[serde(flatten)]
            what: &'a EventKind,
        }
        let body = Body {
            folio,
            number,
            at: self.at,
            actor: ActorJson::of(self),
            client: &self.origin.client,
            what: &self.what,
        };
        // Strings, numbers and maps with string keys only: there is nothing in it that JSON cannot hold.
        serde_json::to_value(&body).unwrap_or_default()
    }
}

/// The end of a folio's chain: how many events it has, and the hash of the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryHead {
    /// Events so far.
    pub length: i64,
    /// Hash of the last one; zeros before the first.
    pub hash: [u8; 32],
}

/// An event in the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainedEvent {
    /// Its number in the folio, from 1.
    pub number: i64,
    /// Its text: JSON, hashed byte for byte.
    pub body: String,
    /// The personal values whose digests are in the text: JSON, a list of [`PersonalValue`].
    pub personal: String,
    /// SHA-256 over the hash before and the text.
    pub hash: [u8; 32],
}

impl ChainedEvent {
    /// The personal values; none where they cannot be read.
    pub fn values(&self) -> Vec<PersonalValue> {
        serde_json::from_str(&self.personal).unwrap_or_default()
    }

    /// The names, document numbers, contacts and pictures of signers among them, each with whose it is.
    pub fn values_of_signers(&self) -> Vec<(SignerIndex, PersonalValue)> {
        let body: Value = serde_json::from_str(&self.body).unwrap_or_default();
        let own = body["signer"].as_u64().and_then(|own| usize::try_from(own).ok());
        let whose = |value: &PersonalValue| {
            let listed = value.at.strip_prefix("/signers/");
            let listed = listed.and_then(|at| at.split('/').next()?.parse().ok());
            // What the event says of the person who acted is not the signer's, or is no name, number or contact.
            listed.or(own.filter(|_| !value.at.starts_with("/actor")))
        };
        let of_person = ["name", "document_number", "email", "mobile", "picture_text"];
        let values = self.values().into_iter();
        values
            .filter(|value| of_person.contains(&value.field()))
            .filter_map(|value| Some((SignerIndex(whose(&value)?), value)))
            .collect()
    }

    /// The text beside it with every personal value erased: the digests in its own text stay.
    pub fn erased_values(&self) -> String {
        let erased: Vec<PersonalValue> = self.values().into_iter().map(PersonalValue::erase).collect();
        serde_json::to_string(&erased).unwrap_or_default()
    }

    /// The signer to whom the event shows that the folio exists: a message was sent, or the signer came.
    pub fn reached_signer(&self) -> Option<SignerIndex> {
        let body: Value = serde_json::from_str(&self.body).ok()?;
        let what = body["what"].as_str()?;
        let reached = [
            "resent",
            "code_sent",
            "code_refused",
            "identified",
            "opened",
            "accepted",
            "end_reached",
            "signed",
            "delivered",
        ];
        let signer = body["signer"].as_u64().filter(|_| reached.contains(&what))?;
        usize::try_from(signer).ok().map(SignerIndex)
    }

    /// Whether this is that event of the folio.
    pub fn is(&self, folio: FolioId, event: &Event) -> bool {
        self.full_body() == event.full_body(folio, self.number)
    }

    /// The body with the personal values in their positions.
    pub fn full_body(&self) -> Value {
        // What is stored is what was written: JSON.
        let body = serde_json::from_str(&self.body).unwrap_or_default();
        restored(body, &self.values())
    }
}

impl HistoryHead {
    /// The chain of a folio to which nothing has happened.
    pub const START: Self = Self {
        length: 0,
        hash: [0; 32],
    };

    /// Appends an event; `random` gives the salts of its personal values.
    #[must_use]
    pub fn append(self, folio: FolioId, event: &Event, random: &mut dyn Random) -> (ChainedEvent, Self) {
        let number = self.length + 1;
        let mut body = event.full_body(folio, number);
        let values = extract(&mut body, random);
        let event = ChainedEvent {
            number,
            body: body.to_string(),
            personal: serde_json::to_string(&values).unwrap_or_default(),
            hash: [0; 32],
        };
        let hash = hash_after(&self.hash, &event.body);
        (ChainedEvent { hash, ..event }, Self { length: number, hash })
    }
}

/// The hash of an event's text that follows an event with the hash `before`.
pub fn hash_after(before: &[u8; 32], body: &str) -> [u8; 32] {
    Sha256::new()
        .chain_update(before)
        .chain_update(body.as_bytes())
        .finalize()
        .into()
}

/// Hexadecimal text of a hash.
pub fn hex(hash: &[u8; 32]) -> String {
    HEXLOWER.encode(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Zeros;

    impl Random for Zeros {
        fn fill(&mut self, bytes: &mut [u8]) {
            bytes.fill(0);
        }
    }

    #[test]
    fn an_event_in_a_chain_is_recognised() {
        let folio = FolioId::from_bytes([1; 16]);
        let origin = Origin {
            actor: Actor::Service,
            client: Client::at([192, 0, 2, 1].into()),
        };
        let event = |micros| Event {
            at: Timestamp::from_micros(micros),
            origin: origin.clone(),
            what: EventKind::Completed,
        };
        let (first, head) = HistoryHead::START.append(folio, &event(5), &mut Zeros);
        let (second, _) = head.append(folio, &event(7), &mut Zeros);
        assert!(first.is(folio, &event(5)) && second.is(folio, &event(7)));
        assert!(!first.is(folio, &event(7)) && !first.is(FolioId::from_bytes([2; 16]), &event(5)));
    }

    #[test]
    fn no_member_of_an_event_comes_twice() {
        let folio = FolioId::from_bytes([1; 16]);
        let text = |signer, what| {
            let origin = Origin {
                actor: Actor::Signer { signer },
                client: Client::default(),
            };
            let at = Timestamp::from_micros(0);
            let event = Event { at, origin, what };
            HistoryHead::START.append(folio, &event, &mut Zeros).0.body
        };
        let identified = text(
            SignerIndex(2),
            EventKind::Identified {
                signer: SignerIndex(2),
            },
        );
        assert!(identified.contains(r#""who":"signer""#), "{identified}");
        assert_eq!(identified.matches(r#""signer":2"#).count(), 1, "{identified}");
        let sha256 = String::new();
        let read = text(SignerIndex(1), EventKind::EvidenceDownloaded { sha256 });
        assert_eq!(read.matches(r#""signer":1"#).count(), 1, "{read}");
    }
}
