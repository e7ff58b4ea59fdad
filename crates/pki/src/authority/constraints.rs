//! The uses that a certificate allows.

use der::Tag;
use der::asn1::ObjectIdentifier;

use crate::cms::read_der::{Malformed, Values};
use crate::cms::{Certificate, CmsError, oid};

/// Basic constraints, key usage and extended key usage of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraints {
    authority: bool,
    followers: Option<u64>,
    /// The key usage, if the extension is there.
    usage: Option<u8>,
    purposes: Purposes,
}

/// The extended key usage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purposes {
    /// The extension is absent.
    Unsaid,
    /// Timestamps, critical and alone.
    TimeStamping,
    /// Among others, the state of certificates.
    OcspSigning,
    /// It allows documents to be signed.
    Fit,
    /// It allows other purposes only.
    Unfit,
    /// It is critical, and every purpose in it is unknown here.
    Foreign,
}

const DIGITAL_SIGNATURE: u8 = 0x80;
const NON_REPUDIATION: u8 = 0x40;
const KEY_CERT_SIGN: u8 = 0x04;
const CRL_SIGN: u8 = 0x02;

/// Purposes that do not make a certificate one for documents.
const OTHER_PURPOSES: [ObjectIdentifier; 4] = [
    oid::TIME_STAMPING,
    oid::SERVER_AUTH,
    oid::CLIENT_AUTH,
    oid::OCSP_SIGNING,
];
/// Purposes under which documents are signed.
const DOCUMENT_PURPOSES: [ObjectIdentifier; 5] = [
    oid::ANY_PURPOSE,
    oid::EMAIL_PROTECTION,
    oid::DOCUMENT_SIGNING,
    oid::MICROSOFT_DOCUMENT_SIGNING,
    oid::ADOBE_DOCUMENT_SIGNING,
];

impl Constraints {
    /// Reads the extensions; one that is absent forbids nothing.
    pub fn of(certificate: &Certificate) -> Result<Self, CmsError> {
        let (authority, followers) = basic_constraints(certificate)?;
        let usage = key_usage(certificate)?;
        Ok(Self {
            authority,
            followers,
            usage,
            purposes: purposes(certificate)?,
        })
    }

    fn may(&self, usages: u8) -> bool {
        self.usage.is_none_or(|usage| usage & usages != 0)
    }

    /// Whether it is an authority's.
    pub fn is_authority(&self) -> bool {
        self.authority
    }

    /// How many authorities may follow below it, if that is limited.
    pub fn followers(&self) -> Option<u64> {
        self.followers
    }

    /// Whether it may sign certificates.
    pub fn signs_certificates(&self) -> bool {
        self.authority && self.may(KEY_CERT_SIGN)
    }

    /// Whether it may sign CRLs.
    pub fn signs_crls(&self) -> bool {
        self.may(CRL_SIGN)
    }

    /// Whether it may sign documents: digitalSignature or nonRepudiation.
    pub fn signs_documents(&self) -> bool {
        self.may(DIGITAL_SIGNATURE | NON_REPUDIATION)
    }

    /// Whether it is fit for the signer of a document: it may sign documents, is no authority's without saying so,
    /// and is not for timestamps, servers or logins alone.
    pub fn is_of_a_signer(&self) -> bool {
        let said = self.usage.is_some() || !self.authority;
        self.signs_documents() && said && matches!(self.purposes, Purposes::Unsaid | Purposes::Fit)
    }

    /// Whether the extended key usage is critical and has only purposes that are unknown here.
    pub fn has_foreign_purposes(&self) -> bool {
        self.purposes == Purposes::Foreign
    }

    /// Whether it is of the kind that an installation's service has ([`super::Role::Service`]): digitalSignature and
    /// nonRepudiation and nothing else, no authority's, and without an extended key usage.
    pub fn is_of_a_service(&self) -> bool {
        self.usage == Some(DIGITAL_SIGNATURE | NON_REPUDIATION)
            && !self.authority
            && self.purposes == Purposes::Unsaid
    }

    /// Whether an issuer has named it for answers about the state of certificates: extended key usage `OCSPSigning`.
    pub fn signs_ocsp(&self) -> bool {
        self.may(DIGITAL_SIGNATURE) && self.purposes == Purposes::OcspSigning
    }

    /// Whether it may sign timestamps: extended key usage timeStamping, critical and alone.
    pub fn signs_timestamps(&self) -> bool {
        self.signs_documents() && self.purposes == Purposes::TimeStamping
    }
}

fn basic_constraints(certificate: &Certificate) -> Result<(bool, Option<u64>), Malformed> {
    const WHAT: &str = "basic constraints";
    let Some(extension) = certificate.extension(oid::BASIC_CONSTRAINTS) else {
        return Ok((false, None));
    };
    let mut fields = Values::of_sequence(extension.value, WHAT)?;
    let authority = fields
        .optional(Tag::Boolean, WHAT)?
        .is_some_and(|flag| flag.contents != [0]);
    let followers = match fields.optional(Tag::Integer, WHAT)? {
        Some(number) => Some(number.small(WHAT)?),
        None => None,
    };
    fields.end(WHAT)?;
    Ok((authority, followers))
}

/// The first eight bits; none when there is no such extension.
fn key_usage(certificate: &Certificate) -> Result<Option<u8>, Malformed> {
    const WHAT: &str = "key usage";
    let Some(extension) = certificate.extension(oid::KEY_USAGE) else {
        return Ok(None);
    };
    let mut outer = Values::of(extension.value, WHAT)?;
    let bits = outer.expect(Tag::BitString, WHAT)?.contents;
    outer.end(WHAT)?;
    Ok(Some(bits.get(1).copied().unwrap_or(0)))
}

/// The purposes of the extended key usage.
fn purposes(certificate: &Certificate) -> Result<Purposes, Malformed> {
    const WHAT: &str = "extended key usage";
    let Some(extension) = certificate.extension(oid::EXTENDED_KEY_USAGE) else {
        return Ok(Purposes::Unsaid);
    };
    let values = Values::of_sequence(extension.value, WHAT)?.up_to(32, WHAT)?;
    let purposes: Result<Vec<_>, Malformed> = values.iter().map(|purpose| purpose.oid(WHAT)).collect();
    let (purposes, critical) = (purposes?, extension.critical);
    let is_other = |purpose: &ObjectIdentifier| OTHER_PURPOSES.contains(purpose);
    let is_for_documents = |purpose: &ObjectIdentifier| DOCUMENT_PURPOSES.contains(purpose);
    Ok(if critical && purposes == [oid::TIME_STAMPING] {
        Purposes::TimeStamping
    } else if purposes.contains(&oid::OCSP_SIGNING) {
        Purposes::OcspSigning
    } else if purposes.iter().any(is_for_documents) {
        Purposes::Fit
    } else if purposes.iter().all(is_other) || critical && purposes.iter().any(is_other) {
        Purposes::Unfit
    } else if critical {
        Purposes::Foreign
    } else {
        Purposes::Fit
    })
}
