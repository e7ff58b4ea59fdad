//! Reads certificate revocation lists and looks certificates up in them.

use std::ops::Range;

use der::Tag;
use jiff::Timestamp;

use super::constraints::Constraints;
use super::issue_crl::{Reason, Revoked};
use crate::cms::algorithm::SignatureAlgorithm;
use crate::cms::certificate::{extensions, time};
use crate::cms::name::is_same;
use crate::cms::read_der::{Malformed, Value, Values, context, context_primitive};
use crate::cms::{Certificate, CmsError, oid};

/// The largest list that is read, in bytes.
pub const MAX_CRL_BYTES: usize = 16 * 1024 * 1024;
const WHAT: &str = "CRL";

/// A list as received: its structure was checked, its signature was not.
#[derive(Clone, Debug)]
pub struct Crl {
    der: Vec<u8>,
    tbs: Range<usize>,
    issuer: Range<usize>,
    entries: Range<usize>,
    algorithm: SignatureAlgorithm,
    signature: Range<usize>,
    this_update: Timestamp,
    next_update: Option<Timestamp>,
    users_only: bool,
    authorities_only: bool,
    /// The name of the distribution point to which the list is limited.
    point: Option<Vec<u8>>,
}

impl Crl {
    /// Reads a list. Refused: delta lists, indirect lists, lists for some reasons only, and every other critical
    /// extension.
    pub fn from_der(der: &[u8]) -> Result<Self, CmsError> {
        if der.len() > MAX_CRL_BYTES {
            return Err(CmsError::TooLarge(WHAT));
        }
        let range = |part: &[u8]| {
            let start = part.as_ptr().addr() - der.as_ptr().addr();
            start..start + part.len()
        };
        let mut outer = Values::of_sequence(der, WHAT)?;
        let tbs = outer.expect(Tag::Sequence, WHAT)?;
        let outer_algorithm = outer.expect(Tag::Sequence, WHAT)?;
        let signature = outer.next(WHAT)?.octets_of_bit_string(WHAT)?;
        outer.end(WHAT)?;
        let mut fields = tbs.inner(WHAT)?;
        fields.optional(Tag::Integer, WHAT)?;
        let algorithm = fields.expect(Tag::Sequence, WHAT)?;
        if algorithm.raw != outer_algorithm.raw {
            return Err(Malformed(WHAT).into());
        }
        let issuer = fields.expect(Tag::Sequence, WHAT)?.raw;
        let this_update = time(&fields.next(WHAT)?)?;
        let next_update = match (
            fields.optional(Tag::UtcTime, WHAT)?,
            fields.optional(Tag::GeneralizedTime, WHAT)?,
        ) {
            (Some(value), None) | (None, Some(value)) => Some(time(&value)?),
            (None, None) => None,
            _ => return Err(Malformed(WHAT).into()),
        };
        let entries = fields
            .optional(Tag::Sequence, WHAT)?
            .map_or(&der[..0], |list| list.contents);
        check_entries(entries)?;
        let mut crl = Self {
            tbs: range(tbs.raw),
            issuer: range(issuer),
            entries: range(entries),
            algorithm: SignatureAlgorithm::read(&algorithm, None)?,
            signature: range(signature),
            this_update,
            next_update,
            users_only: false,
            authorities_only: false,
            point: None,
            der: der.to_vec(),
        };
        if let Some(tagged) = fields.optional(context(0), WHAT)? {
            crl.read_extensions(&tagged)?;
        }
        fields.end(WHAT)?;
        Ok(crl)
    }

    fn read_extensions(&mut self, tagged: &Value<'_>) -> Result<(), Malformed> {
        let mut inner = tagged.inner(WHAT)?;
        let list = inner.expect(Tag::Sequence, WHAT)?;
        inner.end(WHAT)?;
        for extension in extensions(list.contents)? {
            if extension.oid == oid::ISSUING_DISTRIBUTION_POINT {
                let mut point = Values::of_sequence(extension.value, WHAT)?;
                let name = point.optional(context(0), WHAT)?;
                self.point = name.map(|name| name.contents.to_vec());
                let is_set = |flag: Option<Value<'_>>| flag.is_some_and(|flag| flag.contents != [0]);
                self.users_only = is_set(point.optional(context_primitive(1), WHAT)?);
                self.authorities_only = is_set(point.optional(context_primitive(2), WHAT)?);
                point.end("CRL of a limited scope")?;
            } else if extension.critical {
                return Err(Malformed("CRL with an unknown critical extension"));
            }
        }
        Ok(())
    }

    /// The list's bytes.
    pub fn as_der(&self) -> &[u8] {
        &self.der
    }

    /// When the list was made.
    pub fn this_update(&self) -> Timestamp {
        self.this_update
    }

    /// When the next list is due, if the list says so.
    pub fn next_update(&self) -> Option<Timestamp> {
        self.next_update
    }

    /// Whether the certificate is in the scope of this list, and has the same issuer.
    pub fn covers(&self, certificate: &Certificate) -> bool {
        if !is_same(&self.der[self.issuer.clone()], certificate.issuer_der()) {
            return false;
        }
        if !self.users_only && !self.authorities_only {
            return true;
        }
        let authority = Constraints::of(certificate).is_ok_and(|constraints| constraints.is_authority());
        !(authority && self.users_only) && (authority || !self.authorities_only)
    }

    /// Whether the list, which covers the certificate, would have named it if it had been revoked by `at`: the list
    /// was in force then or was made later, but not after the certificate's end, when entries are dropped; and its
    /// distribution point, if it has one, is one that the certificate names.
    pub fn would_name(&self, certificate: &Certificate, at: Timestamp) -> bool {
        if self.this_update > certificate.not_after() {
            return false;
        }
        let told = self.this_update >= at || self.next_update.is_some_and(|next| next >= at);
        let point = self.point.as_deref();
        told && point.is_none_or(|point| is_among_its_points(point, certificate).unwrap_or(false))
    }

    /// Checks that this authority signed the list and may sign lists.
    pub fn verify_signed_by(&self, issuer: &Certificate) -> Result<(), CmsError> {
        if !is_same(&self.der[self.issuer.clone()], issuer.subject_der())
            || !Constraints::of(issuer)?.signs_crls()
        {
            return Err(CmsError::SignerCertificateMissing);
        }
        let signature = &self.der[self.signature.clone()];
        issuer
            .key()?
            .verify_message(self.algorithm, &self.der[self.tbs.clone()], signature)
    }

    /// The entry of this certificate, if it is on the list.
    pub fn find(&self, certificate: &Certificate) -> Result<Option<Revoked>, Malformed> {
        let mut entries = Values::of(&self.der[self.entries.clone()], WHAT)?;
        while !entries.is_empty() {
            let entry = entries.next(WHAT)?;
            let mut fields = entry.inner(WHAT)?;
            if fields.expect(Tag::Integer, WHAT)?.contents == certificate.serial() {
                return read_entry(&entry).map(Some);
            }
        }
        Ok(None)
    }
}

/// Names of distribution points that are read, of a list or of a certificate.
const MAX_DISTRIBUTION_POINTS: usize = 64;

/// Whether a certificate names a distribution point.
fn is_among_its_points(point: &[u8], certificate: &Certificate) -> Result<bool, Malformed> {
    let Some(extension) = certificate.extension(oid::CRL_DISTRIBUTION_POINTS) else {
        return Ok(false);
    };
    let names = full_names(point)?;
    for own in Values::of_sequence(extension.value, WHAT)?.up_to(MAX_DISTRIBUTION_POINTS, WHAT)? {
        let Some(own) = own.inner(WHAT)?.optional(context(0), WHAT)? else {
            continue;
        };
        if own.contents == point || full_names(own.contents)?.iter().any(|name| names.contains(name)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The full names of a distribution point; none if its name is relative to the issuer's.
fn full_names(point: &[u8]) -> Result<Vec<&[u8]>, Malformed> {
    let Some(names) = Values::of(point, WHAT)?.optional(context(0), WHAT)? else {
        return Ok(Vec::new());
    };
    let names = names.inner(WHAT)?.up_to(MAX_DISTRIBUTION_POINTS, WHAT)?;
    Ok(names.iter().map(|name| name.raw).collect())
}

fn check_entries(entries: &[u8]) -> Result<(), Malformed> {
    let mut entries = Values::of(entries, WHAT)?;
    while !entries.is_empty() {
        read_entry(&entries.expect(Tag::Sequence, WHAT)?)?;
    }
    Ok(())
}

fn read_entry(entry: &Value<'_>) -> Result<Revoked, Malformed> {
    let mut fields = entry.inner(WHAT)?;
    let serial = fields.expect(Tag::Integer, WHAT)?.contents.to_vec();
    let at = time(&fields.next(WHAT)?)?;
    let mut reason = Reason::Unspecified;
    if let Some(list) = fields.optional(Tag::Sequence, WHAT)? {
        for extension in extensions(list.contents)? {
            if extension.oid == oid::REASON_CODE {
                let mut value = Values::of(extension.value, WHAT)?;
                let code = value.expect(Tag::Enumerated, WHAT)?.contents;
                reason = Reason::from_code(code.first().copied().unwrap_or(0));
            } else if extension.critical {
                return Err(Malformed("CRL entry with an unknown critical extension"));
            }
        }
    }
    fields.end(WHAT)?;
    Ok(Revoked { serial, at, reason })
}
