//! A signer of a folio.

use crate::contact::{Email, Mobile, ReturnUrl};
use crate::field_error::FieldError;
use crate::message::Channel;
use crate::text::{DocumentNumber, PersonName};
use crate::time::Timestamp;
use std::net::IpAddr;

/// The kind of identification document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum DocumentType {
    /// Citizen's card.
    #[serde(rename = "CC")]
    CitizenCard,
    /// Foreigner's card.
    #[serde(rename = "CE")]
    ForeignerCard,
    /// Tax number.
    #[serde(rename = "NIT")]
    TaxNumber,
    /// Minor's card.
    #[serde(rename = "TI")]
    MinorCard,
}

impl DocumentType {
    /// The codes in the order in which they are listed to people.
    pub const CODES: &'static [&'static str] = &["CC", "CE", "NIT", "TI"];

    /// The code written on the card.
    pub const fn code(self) -> &'static str {
        match self {
            Self::CitizenCard => "CC",
            Self::ForeignerCard => "CE",
            Self::TaxNumber => "NIT",
            Self::MinorCard => "TI",
        }
    }

    /// The type with that code.
    pub fn from_code(code: &str) -> Result<Self, FieldError> {
        match code {
            "CC" => Ok(Self::CitizenCard),
            "CE" => Ok(Self::ForeignerCard),
            "NIT" => Ok(Self::TaxNumber),
            "TI" => Ok(Self::MinorCard),
            blank if blank.trim().is_empty() => Err(FieldError::Missing),
            _ => Err(FieldError::NotOneOf { allowed: Self::CODES }),
        }
    }
}

/// What a signer has done so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SignerState {
    /// Has not acted yet.
    Pending,
    /// Has signed.
    Signed,
    /// Has rejected the folio.
    Rejected,
}

/// Where a signer is reached.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Contact {
    /// Email address.
    pub email: Email,
    /// Mobile phone.
    pub mobile: Mobile,
}

impl Contact {
    /// Whether both lead to the same address and the same phone, however its number is written.
    pub fn reaches_the_same(&self, other: &Self) -> bool {
        self.email == other.email && self.mobile.international() == other.mobile.international()
    }

    /// Where codes of that channel go.
    pub fn recipient(&self, channel: Channel) -> String {
        match channel {
            Channel::Email => self.email.as_str().to_owned(),
            Channel::Sms => self.mobile.international().into_owned(),
        }
    }
}

/// A signer as the caller names one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSigner {
    /// Full name.
    pub name: PersonName,
    /// Kind of identification document.
    pub document_type: DocumentType,
    /// Its number.
    pub document_number: DocumentNumber,
    /// Where the signer is reached.
    pub contact: Contact,
}

/// A person as an administrator corrects them: what they are called, the number of their document, where they are reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonFields {
    /// Full name.
    pub name: PersonName,
    /// The number of the identification document.
    pub document_number: DocumentNumber,
    /// Email address and mobile number.
    pub contact: Contact,
}

/// A new email address or mobile number for the signer with that document number. What is not given stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    /// Whose contact it is.
    pub document_number: DocumentNumber,
    /// The email address from now on.
    pub email: Option<Email>,
    /// The mobile number from now on.
    pub mobile: Option<Mobile>,
}

/// A signer of a folio; its index in the folio's list identifies it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signer {
    /// Full name.
    pub name: PersonName,
    /// Kind of identification document.
    pub document_type: DocumentType,
    /// Its number: names the signer inside the folio.
    pub document_number: DocumentNumber,
    /// Where the signer is reached.
    pub contact: Contact,
    /// What the signer has done.
    pub state: SignerState,
    /// From where the signature was made.
    pub signed_from: Option<IpAddr>,
    /// When the signer acted last.
    pub updated_at: Option<Timestamp>,
    /// Where the signer returns to, if a resend gave another address than the folio's.
    pub return_url: Option<ReturnUrl>,
}

impl From<NewSigner> for Signer {
    fn from(new: NewSigner) -> Self {
        Self {
            name: new.name,
            document_type: new.document_type,
            document_number: new.document_number,
            contact: new.contact,
            state: SignerState::Pending,
            signed_from: None,
            updated_at: None,
            return_url: None,
        }
    }
}
