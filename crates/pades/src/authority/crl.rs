//! Making certificate revocation lists.

use jiff::Timestamp;

use super::error::Error;
use super::issuing::{extension, signed, write_authority_key_identifier};
use super::signer::Signer;
use super::validity::{Validity, write_time};
use crate::cms::write::{self, ENUMERATED, INTEGER, SEQUENCE, context};
use crate::cms::{Certificate, oid};

/// Why a certificate was revoked (RFC 5280, section 5.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No reason is given.
    Unspecified,
    /// The key is in other hands.
    KeyCompromise,
    /// The authority's key is in other hands.
    AuthorityCompromise,
    /// The subject's name or other data changed.
    AffiliationChanged,
    /// Another certificate took its place.
    Superseded,
    /// It is no longer needed.
    CessationOfOperation,
    /// What it was issued for is no longer granted.
    PrivilegeWithdrawn,
}

impl Reason {
    const ALL: [(Self, u8); 7] = [
        (Self::Unspecified, 0),
        (Self::KeyCompromise, 1),
        (Self::AuthorityCompromise, 2),
        (Self::AffiliationChanged, 3),
        (Self::Superseded, 4),
        (Self::CessationOfOperation, 5),
        (Self::PrivilegeWithdrawn, 9),
    ];

    fn code(self) -> u8 {
        Self::ALL
            .iter()
            .find(|(reason, _)| *reason == self)
            .map_or(0, |(_, code)| *code)
    }

    /// From its number; what is not on the list counts as unspecified.
    pub(super) fn from_code(code: u8) -> Self {
        Self::ALL
            .iter()
            .find(|(_, known)| *known == code)
            .map_or(Self::Unspecified, |(reason, _)| *reason)
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

/// Signs a list.
pub(super) fn issue(
    issuer: &Certificate,
    key: &dyn Signer,
    number: u64,
    validity: Validity,
    revoked: &[Revoked],
) -> Result<Vec<u8>, Error> {
    let mut tbs = Vec::with_capacity(300 + revoked.len() * 52);
    write::nested(&mut tbs, SEQUENCE, |out| {
        write::value(out, INTEGER, &[1]);
        key.public_key().write_signature_algorithm(out);
        out.extend_from_slice(issuer.subject_der());
        write_time(out, validity.from);
        write_time(out, validity.until);
        if !revoked.is_empty() {
            write::nested(out, SEQUENCE, |out| {
                for entry in revoked {
                    write_entry(out, entry);
                }
            });
        }
        write::nested(out, context(0), |out| {
            write::nested(out, SEQUENCE, |out| {
                write_authority_key_identifier(out, key.public_key());
                extension(out, &oid::CRL_NUMBER, false, |out| {
                    write::unsigned(out, &number.to_be_bytes());
                });
            });
        });
    });
    signed(&tbs, key)
}

fn write_entry(out: &mut Vec<u8>, revoked: &Revoked) {
    write::nested(out, SEQUENCE, |out| {
        write::value(out, INTEGER, &revoked.serial);
        write_time(out, revoked.at);
        if revoked.reason != Reason::Unspecified {
            write::nested(out, SEQUENCE, |out| {
                extension(out, &oid::REASON_CODE, false, |out| {
                    write::value(out, ENUMERATED, &[revoked.reason.code()]);
                });
            });
        }
    });
}
