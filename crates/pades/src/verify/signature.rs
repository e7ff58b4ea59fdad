//! One signature during verification.

use jiff::Timestamp;
use pdf::file::Document;
use pdf::syntax::{Ref, Value};
use pdf::{Damage, Limits, Meter};
use pki::cms::{Certificate, SignedData};
use pki::time::Stamp;

use super::difference::{self, Harmless, Read};
use super::fields::{SignatureField, signature_fields};
use super::range::{self, Covered};
use super::reason::{Change, Malformed, Reason, Verdict};
use super::references::RevisionCache;
use super::report::{SignatureKind, SignatureReport};
use super::rules::Rules;
use super::security_stores::Stores;

/// The format of a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Pkcs7,
    Cades,
    Timestamp,
}

/// State that the verification of all signatures of a file shares.
#[derive(Debug)]
pub(super) struct VerifyContext {
    pub(super) meter: Meter,
    pub(super) cache: RevisionCache,
    /// The security stores of the revisions that were opened.
    pub(super) stores: Stores,
}

/// A signature during verification.
#[derive(Debug)]
pub(super) struct Candidate<'d> {
    pub(super) field: &'d SignatureField<'d>,
    pub(super) value: Ref,
    pub(super) format: Option<Format>,
    pub(super) covered: Option<Covered>,
    pub(super) rules: Rules,
    pub(super) cms: Option<SignedData>,
    pub(super) signer: Option<Certificate>,
    /// The document timestamp that it is, or the timestamps of the signature value that it carries.
    pub(super) stamps: Vec<Stamp>,
    pub(super) dictionary_time: Option<Timestamp>,
    pub(super) proved_time: Option<Timestamp>,
    /// Whether the file itself proves that no certificate of the signer's path was revoked.
    pub(super) self_contained: bool,
    pub(super) visible: Vec<(Ref, String)>,
    pub(super) reasons: Vec<Reason>,
}

impl<'d> Candidate<'d> {
    /// Reads the signature in a field.
    pub(super) fn read(doc: &'d Document<'d>, field: &'d SignatureField<'d>, value: Ref) -> Self {
        let mut this = Self {
            field,
            value,
            format: None,
            covered: None,
            rules: Rules::default(),
            cms: None,
            signer: None,
            stamps: Vec::new(),
            dictionary_time: None,
            proved_time: None,
            self_contained: false,
            visible: Vec::new(),
            reasons: Vec::new(),
        };
        if let Err(reason) = this.fill(doc) {
            this.reasons.push(reason);
        }
        this
    }

    fn fill(&mut self, doc: &'d Document<'d>) -> Result<(), Reason> {
        let malformed = Reason::Malformed(Malformed::Dictionary);
        let dict = match self.field.direct_signature() {
            Some(dict) => Some(dict.clone()),
            None => doc
                .get(self.value)
                .ok()
                .flatten()
                .and_then(|found| found.as_dict().cloned()),
        };
        let Some(dict) = dict.filter(|dict| !dict.ambiguous) else {
            return Err(malformed);
        };
        if !matches!(dict.name("Type"), None | Some(b"Sig" | b"DocTimeStamp")) {
            return Err(malformed);
        }
        self.rules = Rules::of(doc, &dict, &self.field.dict).map_err(Reason::DamagedRevision)?;
        self.dictionary_time = dict
            .get("M")
            .and_then(Value::as_string)
            .and_then(|text| date(&text));
        self.format = match dict.name("SubFilter") {
            Some(b"adbe.pkcs7.detached") => Some(Format::Pkcs7),
            Some(b"ETSI.CAdES.detached") => Some(Format::Cades),
            Some(b"ETSI.RFC3161") => Some(Format::Timestamp),
            _ => None,
        };
        let covered = range::covered(doc, self.value, &dict)?;
        if !range::ends_a_revision(doc.bytes(), covered.end) {
            return Err(Reason::NotARevision);
        }
        self.covered = Some(covered);
        if self.format.is_none() {
            return Err(Reason::UnsupportedFormat);
        }
        Ok(())
    }

    /// Where the revision it covers ends.
    pub(super) fn end(&self) -> Option<usize> {
        self.covered.as_ref().map(|covered| covered.end)
    }

    /// Compares the signed revision with the whole file.
    pub(super) fn follow(
        &mut self,
        whole: Read<'d>,
        limits: &Limits,
        context: &mut VerifyContext,
        hidden: Option<&Change>,
    ) {
        let Some(end) = self.end() else { return };
        if let Some(change) = hidden {
            self.reasons.push(Reason::Changed(change.clone()));
        }
        match self.compare(whole, end, limits, context) {
            Ok(harmless) => self.visible = harmless.visible,
            Err(reason) => self.reasons.push(reason),
        }
    }

    fn compare(
        &self,
        whole: Read<'d>,
        end: usize,
        limits: &Limits,
        context: &mut VerifyContext,
    ) -> Result<Harmless, Reason> {
        let bytes = whole.doc.bytes();
        context.meter.check_time().map_err(Reason::DamagedRevision)?;
        if end == bytes.len() {
            return Ok(Harmless::default());
        }
        let revision = bytes.get(..end).unwrap_or_default();
        let doc =
            Document::open_with(revision, limits, context.meter.clone()).map_err(Reason::DamagedRevision)?;
        context.stores.read(&doc).map_err(Reason::DamagedRevision)?;
        let fields = signature_fields(&doc, limits).map_err(Reason::DamagedRevision)?;
        let old = Read {
            doc: &doc,
            fields: &fields,
        };
        self.belongs(whole.doc, old)?;
        difference::compare(old, whole, &self.rules, &mut context.cache)
    }

    /// The covered revision must hold this very signature in this very field.
    fn belongs(&self, whole: &Document<'_>, old: Read<'_>) -> Result<(), Reason> {
        let there = old
            .fields
            .iter()
            .any(|field| field.id == self.field.id && field.value == Some(self.value));
        if there && old.doc.entry(self.value.number) == whole.entry(self.value.number) {
            Ok(())
        } else {
            Err(Reason::NotARevision)
        }
    }

    pub(super) fn worst(&self) -> Verdict {
        self.reasons
            .iter()
            .map(Reason::verdict)
            .max()
            .unwrap_or(Verdict::Valid)
    }

    pub(super) fn report(mut self, length: usize, archived: Option<usize>) -> SignatureReport {
        self.reasons
            .sort_by_key(|reason| std::cmp::Reverse(reason.verdict()));
        let claimed = match (&self.cms, self.stamps.first()) {
            (None, stamp) => stamp.map(|stamp| stamp.time),
            (Some(cms), _) => cms.claimed_time().ok().flatten(),
        };
        SignatureReport {
            level: self.level(archived),
            field: self.field.shown_name(),
            kind: match (self.format, self.rules.certifies) {
                (Some(Format::Timestamp), _) => SignatureKind::Timestamp,
                (_, Some(permission)) => SignatureKind::Certification(permission),
                _ => SignatureKind::Approval,
            },
            verdict: self.worst(),
            signer: self.signer.as_ref().map(Certificate::subject),
            claimed_time: claimed.or(self.dictionary_time),
            proved_time: self.proved_time,
            // A CMS is kept only if its attributes could be read.
            anchor: self.cms.as_ref().and_then(|cms| cms.anchor().ok().flatten()),
            covers_all: self.end() == Some(length),
            reasons: self.reasons,
            certificate: self.signer,
        }
    }
}

/// Denies two signatures over the same bytes, or with the same bytes left out.
pub(super) fn deny_shared_ranges(candidates: &mut [Candidate<'_>]) {
    let ranges: Vec<_> = candidates
        .iter()
        .map(|one| one.covered.as_ref().map(|covered| (covered.gap, covered.end)))
        .collect();
    for (at, candidate) in candidates.iter_mut().enumerate() {
        let Some((gap, end)) = ranges.get(at).copied().flatten() else {
            continue;
        };
        let mut others = ranges
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .filter_map(|(_, range)| *range);
        if others.any(|(other_gap, other_end)| other_gap == gap || other_end == end) {
            candidate.reasons.push(Reason::SharedRange);
        }
    }
}

/// Denies fields drawn over a signed page, unless a person's valid signature is in them and the document is not
/// certified. Where the signer of the page cannot be checked either, a signature in the field that is as good is enough.
pub(super) fn deny_visible_fields(candidates: &mut [Candidate<'_>]) {
    let valid: Vec<Ref> = candidates
        .iter()
        .filter(|one| one.format != Some(Format::Timestamp) && one.worst() == Verdict::Valid)
        .map(|one| one.field.id)
        .collect();

    let unproved: Vec<Ref> = candidates
        .iter()
        .filter(|one| one.cms.is_some() && one.worst() == Verdict::Indeterminate)
        .map(|one| one.field.id)
        .collect();
    for candidate in candidates {
        let certified = candidate.rules.certifies.is_some();
        let accepted = |id: &Ref| {
            valid.contains(id) || candidate.worst() == Verdict::Indeterminate && unproved.contains(id)
        };
        // One of them is enough: a file may have thousands.
        let harmful = candidate
            .visible
            .iter()
            .find(|(id, _)| certified || !accepted(id))
            .map(|(_, name)| name.clone());
        if let Some(name) = harmful {
            candidate
                .reasons
                .push(Reason::Changed(Change::VisibleField(name)));
        }
    }
}

impl From<Damage> for Reason {
    fn from(damage: Damage) -> Self {
        Self::DamagedRevision(damage)
    }
}

/// A date of PDF, such as `D:20261115120000-05'00'`.
fn date(text: &[u8]) -> Option<Timestamp> {
    let text = std::str::from_utf8(text).ok()?;
    let text = text.strip_prefix("D:")?.replace('\'', "");
    let (moment, zone) = text.split_at_checked(14)?;
    let zone = match zone {
        "" | "Z" | "Z0000" => "+0000",
        other => other,
    };
    jiff::fmt::strtime::parse("%Y%m%d%H%M%S%z", format!("{moment}{zone}"))
        .ok()?
        .to_timestamp()
        .ok()
}
