//! The shape of a bundle. Members are only ever added; times are RFC 3339 in UTC, hashes hexadecimal.

use domain::personal::PersonalValue;
use domain::{SignerIndex, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What every bundle calls itself.
pub(super) const FORMAT: &str = "firmeza-evidence";
/// The version of the shape.
pub(super) const VERSION: u32 = 1;

/// A point in time, RFC 3339 in UTC.
pub(super) fn time(at: Timestamp) -> String {
    jiff::Timestamp::from_microsecond(at.as_micros())
        .unwrap_or(jiff::Timestamp::UNIX_EPOCH)
        .to_string()
}

/// A bundle as it was sealed.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SealedBundle<E> {
    pub(super) evidence: E,
    pub(super) seal: Seal,
}

/// The service's signature over the compact text of the evidence.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Seal {
    pub(super) sha256: String,
    /// A detached CMS with a timestamp, in base64.
    pub(super) cms: String,
}

/// What the installation knows of a folio.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Evidence {
    /// What kind of file this is.
    pub format: String,
    /// The version of its shape.
    pub version: u32,
    /// When and where it was made.
    pub made: Made,
    /// The company that sent the folio.
    pub company: String,
    /// The folio.
    pub folio: FolioFacts,
    /// Its documents, in order.
    pub documents: Vec<DocumentFacts>,
    /// Its signers, in order.
    pub signers: Vec<SignerFacts>,
    /// What happened to it.
    pub history: History,
    /// The texts that signers agreed to.
    pub consents: Vec<ConsentFacts>,
    /// The installation's own certificates.
    pub certificates: Vec<CertificateFacts>,
    /// The lists of revoked certificates of the root and of each issuer as of then, in DER, in base64.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub revocation_lists: Vec<String>,
    /// The messages to signers, each with its state.
    pub messages: Vec<MessageFacts>,
}

/// When and where evidence was made.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Made {
    /// When.
    pub at: String,
    /// The address of the installation.
    pub by: String,
    /// The program.
    pub program: String,
    /// The zone in which its report and its pages show times, by the name that the zone database has; times here are in UTC.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub zone: String,
    /// Where the times of events come from: `operating_system`, or `sandbox` where a trial moved the clock.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub clock: String,
    /// Who stamps the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamps: Option<TimestampFacts>,
}

/// Who runs the timestamp authorities. Each is `installation`, the authority of the installation itself, or the names of others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimestampFacts {
    /// Of each signature. Where others stamp the documents, these timestamps are the signatures' only ones.
    pub signatures: String,
    /// Of the documents, once all have signed.
    pub documents: String,
    /// Of the seal of this evidence.
    pub seal: String,
}

/// A folio.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FolioFacts {
    /// Its identifier.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// The company's message to the signers.
    pub message: String,
    /// Its state.
    pub state: String,
    /// How it is signed.
    pub signature_type: String,
    /// Why it was cancelled or rejected.
    pub observation: Option<String>,
    /// When it was created.
    pub created_at: String,
    /// When it last changed.
    pub updated_at: Option<String>,
    /// When it can no longer be signed.
    pub expires_at: Option<String>,
    /// The language of its sheet and of the report: `es`, `en` or `pt`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub language: String,
    /// The law that its sheet names.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub legal_basis: String,
}

/// A document.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DocumentFacts {
    /// Its identifier.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// As it was sent.
    pub original: Version,
    /// As it is now.
    pub current: Version,
}

/// The bytes of a document at a time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// SHA-256 of the bytes.
    pub sha256: String,
    /// How many there are.
    pub size: u64,
    /// Since when.
    pub since: String,
}

/// A signer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SignerFacts {
    /// The signer's index, from 0: events name signers by it.
    pub signer: SignerIndex,
    /// Full name.
    pub name: String,
    /// Kind of identification document.
    pub document_type: String,
    /// Its number.
    pub document_number: String,
    /// Email address.
    pub email: String,
    /// Mobile phone.
    pub mobile: String,
    /// What the signer has done.
    pub state: String,
    /// When.
    pub acted_at: Option<String>,
    /// From where the signature was made.
    pub address: Option<String>,
    /// The device and the browser that signed, as the browser says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The languages that the browser asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// SHA-256 of the signer's certificate in each document.
    pub certificates: Vec<String>,
}

/// A history, or a part of one.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct History {
    /// How many events there are in all.
    pub length: i64,
    /// The hash of the last of them.
    pub head: String,
    /// The hash of the event before the first one here; zeros before the very first.
    pub before: String,
    /// The events, oldest first.
    pub events: Vec<EventFacts>,
}

impl History {
    /// Whether every event is here.
    pub fn is_whole(&self) -> bool {
        usize::try_from(self.length).is_ok_and(|length| length == self.events.len())
    }
}

/// An event.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EventFacts {
    /// Its number in the folio, from 1.
    pub number: i64,
    /// SHA-256 over the 32 bytes of the hash before it and its text.
    pub hash: String,
    /// Its text, exactly as it is stored: JSON, with the digests of personal values in their places.
    pub body: String,
    /// The personal values: whole, withheld from this copy, or erased.
    pub values: Vec<PersonalValue>,
}

impl EventFacts {
    /// Its text, parsed. Null if it is no JSON: the check of the history reports such an event as misplaced, since it has no
    /// number, and no evidence is sealed of a history with a fault.
    pub fn parsed_body(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }
}

/// A text that signers agreed to.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ConsentFacts {
    /// SHA-256 of the text.
    pub sha256: String,
    /// Version and language.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A certificate of the installation.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CertificateFacts {
    /// `root`, `issuer`, `service` or `time_stamping`.
    pub role: String,
    /// Whose it is.
    pub subject: String,
    /// From when it is valid.
    pub not_before: String,
    /// Until when.
    pub not_after: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Its bytes, in base64.
    pub der: String,
}

/// A message.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MessageFacts {
    /// What it is about.
    pub template: String,
    /// How it travels.
    pub channel: String,
    /// Where to.
    pub recipient: String,
    /// The signer it concerns.
    pub signer: SignerIndex,
    /// `waiting`, `sent`, `dead`, or `superseded`: no longer wanted, and not sent.
    pub state: String,
    /// How often it was tried.
    pub attempts: i64,
    /// When it was written.
    pub created_at: String,
    /// When it left.
    pub sent_at: Option<String>,
    /// The error of the last attempt that failed.
    pub last_error: Option<String>,
}
