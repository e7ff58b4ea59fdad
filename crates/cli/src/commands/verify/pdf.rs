//! The verdict on a PDF.

use super::cross_check::GivenBundle;
use super::files::MAX_FILE_BYTES;
use super::report::{Named, Pdf};
use super::roots::{Roots, Trusted};
use app::notary::is_root_of_installation;
use domain::Timestamp;
use domain::event::hex;
use pades::verify::{
    FileVerdict, Language, Policy, Report, SignatureJson, UNKNOWN_ISSUER, embedded_roots, verify,
};
use pdf::Limits;
use pki::authority::Crl;
use pki::cms::Certificate;
use sha2::{Digest, Sha256};

/// What the intact bundles that name a PDF say of authorities.
#[derive(Debug, Default)]
pub(super) struct Vouched {
    /// Their roots, where no other was given.
    roots: Vec<Certificate>,
    /// What was revoked when they were made. A list counts only where the issuer that it names has signed it.
    crls: Vec<Crl>,
}

impl Vouched {
    /// Takes what a bundle says.
    pub(super) fn add(&mut self, bundle: &GivenBundle, trusted: &Trusted) {
        if trusted.given().is_none() {
            self.roots.extend(bundle.roots.iter().cloned());
        }
        self.crls.extend(bundle.crls.iter().cloned());
    }
}

/// Verifies a PDF. `vouched` is what the bundles that name it say.
pub(super) fn verify_pdf(
    file: String,
    bytes: &[u8],
    trusted: &Trusted,
    (evidence, vouched): (Vec<Named>, Vouched),
    now: Timestamp,
) -> Pdf {
    let mut roots = trusted.roots.clone().unwrap_or_default();
    roots.add(vouched.roots, "evidence");
    let crls = [trusted.crls.as_slice(), &vouched.crls].concat();
    let known = (trusted.time_roots.as_slice(), crls.as_slice());
    let report = verify_with(bytes, known, &roots, now);
    // The roots that a file brings along vouch for nothing, but what it says of itself must hold by them.
    let by_itself = if trusted.roots.is_none() && report.lacks_only_issuer() {
        roots.add(embedded_roots(bytes, &limits()).unwrap_or_default(), "embedded");
        verify_with(bytes, known, &roots, now)
    } else {
        report.clone()
    };
    let holds = by_itself.verdict == FileVerdict::Valid || by_itself.lacks_only_trust();
    let (verdict, message) = if report.lacks_only_issuer() && holds {
        (UNKNOWN_ISSUER, report.sentence(Language::Spanish))
    } else {
        let verdict = by_itself.verdict;
        (verdict.name(), verdict.text(Language::Spanish))
    };
    let signatures = report.signatures.iter().zip(&by_itself.signatures);
    Pdf {
        file,
        sha256: sha256(bytes),
        size: bytes.len(),
        verdict,
        message,
        roots: roots.found,
        signatures: signatures
            .map(|(report, own)| SignatureJson::new(report, own, Language::Spanish))
            .collect(),
        faults: Vec::new(),
        evidence,
    }
}

fn limits() -> Limits {
    Limits {
        bytes: MAX_FILE_BYTES,
        ..Limits::default()
    }
}

/// Verifies a PDF, knowing roots of timestamps and lists of revoked certificates.
fn verify_with(
    bytes: &[u8],
    (time_roots, crls): (&[Certificate], &[Crl]),
    roots: &Roots,
    now: Timestamp,
) -> Report {
    let now = jiff::Timestamp::from_microsecond(now.as_micros()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    // An installation tells its lists to those who ask; of other authorities the file itself must prove that nothing was
    // revoked.
    let (own, others): (Vec<_>, Vec<_>) = roots
        .certificates
        .iter()
        .cloned()
        .partition(is_root_of_installation);
    let policy = Policy {
        limits: limits(),
        other_roots: &others,
        time_roots,
        crls,
        ..Policy::new(&own, now)
    };
    verify(bytes, &policy)
}

/// The SHA-256 of a file.
pub(super) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes).into())
}
