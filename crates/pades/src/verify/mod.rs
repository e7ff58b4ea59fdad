//! Judges every signature of a file: what it covers, whether it holds, who made it, and what was done to the
//! document afterwards. Believes nothing that is not proved; reads the bytes once.

mod changes;
mod digests;
mod evidence;
mod fields;
mod level;
mod loose;
mod range;
mod reason;
mod references;
mod report;
mod rules;
mod signature;
mod standing;
mod stores;
mod text;
mod trust;
mod words;

pub use reason::{Change, Malformed, Reason, Verdict};
pub use report::{FileVerdict, Language, Level, Report, SignatureKind, SignatureReport};

use jiff::Timestamp;
use pdf::file::Document;
use pdf::inspect::{Refused, unlisted};
use pdf::{Damage, Limits, Meter};
use pki::authority::{Constraints, Crl};
use pki::cms::Certificate;

use changes::Read;
use evidence::Evidence;
use fields::SignatureField;
use references::Memory;
use signature::{Account, Candidate};
use stores::Stores;

/// Whom to believe, and when it is.
#[derive(Debug, Clone)]
pub struct Policy<'p> {
    /// How much a file may cost.
    pub limits: Limits,
    /// The roots that are trusted.
    pub roots: &'p [Certificate],
    /// The roots of other authorities, whose timestamps are trusted and nothing else.
    pub time_roots: &'p [Certificate],
    /// Revocation lists known besides those in the file.
    pub crls: &'p [Crl],
    /// The time of judging.
    pub now: Timestamp,
}

impl<'p> Policy<'p> {
    /// Trusts these roots.
    pub fn new(roots: &'p [Certificate], now: Timestamp) -> Self {
        Self {
            limits: Limits::default(),
            roots,
            time_roots: &[],
            crls: &[],
            now,
        }
    }
}

/// Judges a file.
pub fn verify(bytes: &[u8], policy: &Policy<'_>) -> Report {
    match judge(bytes, policy) {
        Ok((signatures, unread)) => Report::new(signatures, unread),
        Err(refused) => Report {
            verdict: FileVerdict::Unreadable(refused),
            signatures: Vec::new(),
            unread_evidence: Vec::new(),
        },
    }
}

/// The signatures, and the evidence that could not be read.
fn judge(bytes: &[u8], policy: &Policy<'_>) -> Result<(Vec<SignatureReport>, Vec<u32>), Refused> {
    let limits = &policy.limits;
    if bytes.len() > limits.bytes {
        return Err(Refused::TooLarge { limit: limits.bytes });
    }
    if memchr::memmem::find(bytes.get(..bytes.len().min(1024)).unwrap_or_default(), b"%PDF-").is_none() {
        return Err(Refused::NotPdf);
    }
    let meter = Meter::of(limits, limits.verified_values);
    let doc = Document::open_with(bytes, limits, meter.clone())?;
    if doc
        .sections()
        .iter()
        .any(|section| section.trailer.has("Encrypt"))
    {
        return Err(Refused::Encrypted);
    }
    let fields = fields::signature_fields(&doc, limits)?;
    if fields.iter().filter(|field| field.value.is_some()).count() > limits.signatures {
        return Err(Refused::TooComplex(Damage::TooManyObjects));
    }
    let mut candidates = read(&doc, &fields, &meter)?;
    signature::deny_shared_ranges(&mut candidates);
    digests::check(bytes, &mut candidates, &meter)?;
    let hidden = unlisted(&doc).err().map(Change::Hidden);
    let mut account = Account {
        meter,
        memory: Memory::default(),
        stores: Stores::default(),
    };
    let whole = Read {
        doc: &doc,
        fields: &fields,
    };
    for candidate in &mut candidates {
        candidate.follow(whole, limits, &mut account, hidden.as_ref());
    }
    let evidence = Evidence::gather(&doc, &mut account.stores, &candidates, policy)?;
    trust::judge(&mut candidates, &evidence, policy, &account.meter)?;
    signature::weigh_visible(&mut candidates);
    let archived = level::archived(&doc, &candidates, limits, &account);
    let signatures = candidates
        .into_iter()
        .map(|candidate| candidate.report(bytes.len(), archived))
        .collect();
    Ok((signatures, account.stores.unread()))
}

/// Bytes of all signatures of a file together, decoded.
const CONTENTS: usize = 32 << 20;

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
        meter.look()?;
        let candidate = Candidate::read(doc, field, value);
        bytes += candidate
            .covered
            .as_ref()
            .map_or(0, |covered| covered.contents.len());
        if bytes > CONTENTS {
            return Err(Damage::TooComplex);
        }
        candidates.push(candidate);
    }
    Ok(candidates)
}

/// The roots that a file brings along, with its signatures or in its store of certificates. Anybody can put a root of
/// their own into a file: to trust one of these is to trust the file's word.
pub fn embedded_roots(bytes: &[u8], limits: &Limits) -> Result<Vec<Certificate>, Refused> {
    if bytes.len() > limits.bytes {
        return Err(Refused::TooLarge { limit: limits.bytes });
    }
    let meter = Meter::of(limits, limits.verified_values);
    let doc = Document::open_with(bytes, limits, meter.clone())?;
    let mut fields = fields::signature_fields(&doc, limits)?;
    fields.retain(|field| field.value.is_some());
    fields.truncate(limits.signatures);
    let mut candidates = read(&doc, &fields, &meter)?;
    digests::check(bytes, &mut candidates, &meter)?;
    let policy = Policy::new(&[], Timestamp::UNIX_EPOCH);
    let evidence = Evidence::gather(&doc, &mut Stores::default(), &candidates, &policy)?;
    let is_root = |certificate: &Certificate| {
        certificate.is_self_issued()
            && Constraints::of(certificate).is_ok_and(|constraints| constraints.signs_certificates())
            && certificate
                .public_key()
                .is_ok_and(|key| certificate.verify_signed_by(&key).is_ok())
    };
    Ok(evidence.certificates.into_iter().filter(is_root).collect())
}
