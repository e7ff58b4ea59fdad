//! Verifies every signature of a file: the bytes it covers, the digest and the signature value, the signer,
//! and the changes of the document after it. Accepts only what is proved; reads the bytes once.

mod before_signing;
mod cert_status;
mod conclusion;
mod difference;
mod digests;
mod faults;
mod fields;
mod json;
mod level;
mod range;
mod reason;
mod references;
mod report;
mod rules;
mod security_stores;
mod signature;
mod text_string;
mod texts;
mod trust;
mod unlisted_bytes;
mod validation_data;

pub use crate::language::Language;
pub(crate) use before_signing::{check_plain, check_revisions};
pub use conclusion::{Indication, SubIndication};
pub use faults::{cms_fault, identity_document, path_fault, timestamp_fault};
pub use json::{AnchorJson, ReasonJson, SignatureJson, SignerJson, UNKNOWN_ISSUER};
pub use reason::{Change, Malformed, Reason, Verdict};
pub use report::{FileVerdict, Level, Report, SignatureKind, SignatureReport};

use jiff::Timestamp;
use pdf::file::Document;
use pdf::inspect::{Refused, unlisted};
use pdf::{Damage, Limits, Meter};
use pki::authority::{Constraints, Crl};
use pki::cms::Certificate;

use difference::Read;
use fields::SignatureField;
use references::RevisionCache;
use security_stores::Stores;
use signature::{Candidate, VerifyContext};
use validation_data::ValidationData;

/// Trusted roots, known lists, and the time.
#[derive(Debug, Clone)]
pub struct Policy<'p> {
    /// The limits of reading the file.
    pub limits: Limits,
    /// The roots that are trusted.
    pub roots: &'p [Certificate],
    /// Roots of other authorities that are trusted, but not to tell when they revoke: without proof that no certificate below
    /// them was revoked, a signature is indeterminate.
    pub other_roots: &'p [Certificate],
    /// The roots of other authorities, whose timestamps are trusted and nothing else.
    pub time_roots: &'p [Certificate],
    /// Revocation lists known besides those in the file.
    pub crls: &'p [Crl],
    /// The time of verification.
    pub now: Timestamp,
}

impl<'p> Policy<'p> {
    /// Trusts these roots.
    pub fn new(roots: &'p [Certificate], now: Timestamp) -> Self {
        Self {
            limits: Limits::default(),
            roots,
            other_roots: &[],
            time_roots: &[],
            crls: &[],
            now,
        }
    }
}

/// Verifies a file.
pub fn verify(bytes: &[u8], policy: &Policy<'_>) -> Report {
    match verify_signatures(bytes, policy) {
        Ok((signatures, unread)) => Report::new(signatures, unread),
        Err(refused) => Report {
            verdict: FileVerdict::Unreadable(refused),
            signatures: Vec::new(),
            unread_validation_data: Vec::new(),
        },
    }
}

/// The signatures, and the objects with validation data that could not be read.
fn verify_signatures(bytes: &[u8], policy: &Policy<'_>) -> Result<(Vec<SignatureReport>, Vec<u32>), Refused> {
    let limits = &policy.limits;
    if bytes.len() > limits.bytes {
        return Err(Refused::TooLarge { limit: limits.bytes });
    }
    if memchr::memmem::find(bytes.get(..bytes.len().min(1024)).unwrap_or_default(), b"%PDF-").is_none() {
        return Err(Refused::NotPdf);
    }
    let meter = Meter::with_limits(limits, limits.verified_values);
    let doc = Document::open_with(bytes, limits, meter.clone())?;
    let fields = fields::signature_fields(&doc, limits)?;
    if fields.iter().filter(|field| field.value.is_some()).count() > limits.signatures {
        return Err(Refused::TooComplex(Damage::TooManyObjects));
    }
    let mut candidates = read(&doc, &fields, &meter)?;
    signature::deny_shared_ranges(&mut candidates);
    digests::check(bytes, &mut candidates, &meter)?;
    let hidden = unlisted(&doc).err().map(Change::Hidden);
    let mut context = VerifyContext {
        meter,
        cache: RevisionCache::default(),
        stores: Stores::default(),
    };
    let whole = Read {
        doc: &doc,
        fields: &fields,
    };
    for candidate in &mut candidates {
        candidate.follow(whole, limits, &mut context, hidden.as_ref());
    }
    let validation_data = ValidationData::gather(&doc, &mut context.stores, &candidates, policy)?;
    trust::check(&mut candidates, &validation_data, policy, &context.meter)?;
    signature::deny_visible_fields(&mut candidates);
    let archived = level::archived(&doc, &candidates, limits, &context);
    let signatures = candidates
        .into_iter()
        .map(|candidate| candidate.report(bytes.len(), archived))
        .collect();
    Ok((signatures, context.stores.unread()))
}

/// Bytes of all signatures of a file together, decoded.
const MAX_CONTENTS_BYTES: usize = 32 << 20;

/// Reads the signatures that the fields have.
fn read<'d>(
    doc: &'d Document<'d>,
    fields: &'d [SignatureField<'d>],
    meter: &Meter,
) -> Result<Vec<Candidate<'d>>, Damage> {
    let mut candidates = Vec::new();
    let mut bytes = 0;
    for field in fields {
        let Some(value) = field.value else { continue };
        meter.check_time()?;
        let candidate = Candidate::read(doc, field, value);
        bytes += candidate
            .covered
            .as_ref()
            .map_or(0, |covered| covered.contents.len());
        if bytes > MAX_CONTENTS_BYTES {
            return Err(Damage::TooComplex);
        }
        candidates.push(candidate);
    }
    Ok(candidates)
}

/// The roots in a file, with its signatures or in its store of certificates. An attacker can put a root of
/// their own into a file: to trust one of these is to trust the author of the file.
pub fn embedded_roots(bytes: &[u8], limits: &Limits) -> Result<Vec<Certificate>, Refused> {
    if bytes.len() > limits.bytes {
        return Err(Refused::TooLarge { limit: limits.bytes });
    }
    let meter = Meter::with_limits(limits, limits.verified_values);
    let doc = Document::open_with(bytes, limits, meter.clone())?;
    let mut fields = fields::signature_fields(&doc, limits)?;
    fields.retain(|field| field.value.is_some());
    fields.truncate(limits.signatures);
    let mut candidates = read(&doc, &fields, &meter)?;
    digests::check(bytes, &mut candidates, &meter)?;
    let policy = Policy::new(&[], Timestamp::UNIX_EPOCH);
    let validation_data = ValidationData::gather(&doc, &mut Stores::default(), &candidates, &policy)?;
    let is_root = |certificate: &Certificate| {
        certificate.is_self_issued()
            && Constraints::of(certificate).is_ok_and(|constraints| constraints.signs_certificates())
            && certificate
                .public_key()
                .is_ok_and(|key| certificate.verify_signed_by(&key).is_ok())
    };
    Ok(validation_data.certificates.into_iter().filter(is_root).collect())
}
