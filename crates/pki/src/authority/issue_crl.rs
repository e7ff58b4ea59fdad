//! Making certificate revocation lists.

use jiff::Timestamp;

use super::error::AuthorityError;
use super::issue_certificate::{extension, signed, write_authority_key_identifier};
use super::signer::Signer;
use super::validity::{Validity, write_time};
use crate::cms::write_der::{self, ENUMERATED, INTEGER, SEQUENCE, context};
use crate::cms::{Certificate, oid};

/// Why a certificate was revoked (RFC 5280, section 5.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No reason is given.
    Unspecified,
    /// The key is compromised.
    KeyCompromise,
    /// The authority's key is compromised.
    AuthorityCompromise,
    /// The subject's name or other data changed.
    AffiliationChanged,
    /// Another certificate took its place.
    Superseded,
    /// It is no longer needed.
    CessationOfOperation,
    /// The privilege it was issued for is withdrawn.
    PrivilegeWithdrawn,
}

impl Reason {
    const ALL: [(Self, u8, &'static str); 7] = [
        (Self::Unspecified, 0, "unspecified"),
        (Self::KeyCompromise, 1, "key-compromise"),
        (Self::AuthorityCompromise, 2, "authority-compromise"),
        (Self::AffiliationChanged, 3, "affiliation-changed"),
        (Self::Superseded, 4, "superseded"),
        (Self::CessationOfOperation, 5, "cessation-of-operation"),
        (Self::PrivilegeWithdrawn, 9, "privilege-withdrawn"),
    ];

    /// The reasons by name.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|(_, _, name)| *name)
    }

    /// The reason with that name.
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter();
        all.find(|(_, _, known)| *known == name)
            .map(|(reason, ..)| *reason)
    }

    /// Its number.
    pub fn code(self) -> u8 {
        let mut all = Self::ALL.iter();
        all.find(|(reason, ..)| *reason == self)
            .map_or(0, |(_, code, _)| *code)
    }

    /// From its number; an unknown number counts as unspecified.
    pub fn from_code(code: u8) -> Self {
        let mut all = Self::ALL.iter();
        all.find(|(_, known, _)| *known == code)
            .map_or(Self::Unspecified, |(reason, ..)| *reason)
    }

    /// Whether timestamps that were made before the revocation stay good: the key is retired, not compromised (RFC
    /// 3161, section 4). An unspecified reason does not say that.
    pub fn keeps_earlier_timestamps(self) -> bool {
        matches!(
            self,
            Self::AffiliationChanged | Self::Superseded | Self::CessationOfOperation
        )
    }
}

/// A revoked certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revoked {
    /// Its serial number, as [`Certificate::serial`] gives it.
    pub serial: Vec<u8>,
    /// Since when.
    pub at: Timestamp,
    /// Why.
    pub reason: Reason,
}

/// Signs a list, which counts from the one time to the other.
pub(super) fn issue(
    issuer: &Certificate,
    key: &dyn Signer,
    number: u64,
    [this_update, next_update]: [Timestamp; 2],
    revoked: &[Revoked],
) -> Result<Vec<u8>, AuthorityError> {
    let validity = Validity::new(this_update, next_update)?;
    let mut tbs = Vec::with_capacity(300 + revoked.len() * 52);
    write_der::nested(&mut tbs, SEQUENCE, |out| {
        write_der::value(out, INTEGER, &[1]);
        key.public_key().write_signature_algorithm(out);
        out.extend_from_slice(issuer.subject_der());
        write_time(out, validity.from);
        write_time(out, validity.until);
        if !revoked.is_empty() {
            write_der::nested(out, SEQUENCE, |out| {
                for entry in revoked {
                    write_entry(out, entry);
                }
            });
        }
        write_der::nested(out, context(0), |out| {
            write_der::nested(out, SEQUENCE, |out| {
                write_authority_key_identifier(out, Some(issuer), key.public_key());
                extension(out, &oid::CRL_NUMBER, false, |out| {
                    write_der::unsigned(out, &number.to_be_bytes());
                });
            });
        });
    });
    signed(&tbs, key)
}

fn write_entry(out: &mut Vec<u8>, revoked: &Revoked) {
    write_der::nested(out, SEQUENCE, |out| {
        write_der::value(out, INTEGER, &revoked.serial);
        write_time(out, revoked.at);
        if revoked.reason != Reason::Unspecified {
            write_der::nested(out, SEQUENCE, |out| {
                extension(out, &oid::REASON_CODE, false, |out| {
                    write_der::value(out, ENUMERATED, &[revoked.reason.code()]);
                });
            });
        }
    });
}
