//! A PDF, judged.

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
use pki::cms::Certificate;
use sha2::{Digest, Sha256};

/// Judges a PDF. `vouched` are the roots of the bundles that name it.
pub(super) fn verify_pdf(
    file: String,
    bytes: &[u8],
    trusted: &Trusted,
    (evidence, vouched): (Vec<Named>, Vec<Certificate>),
    now: Timestamp,
) -> Pdf {
    let mut roots = trusted.roots.clone().unwrap_or_default();
    roots.add(vouched, "evidence");
    let report = judge(bytes, trusted, &roots, now);
    // The roots that a file brings along vouch for nothing, but what it says of itself must hold by them.
    let by_itself = if trusted.roots.is_none() && report.lacks_only_issuer() {
        roots.add(embedded_roots(bytes, &limits()).unwrap_or_default(), "embedded");
        judge(bytes, trusted, &roots, now)
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

fn judge(bytes: &[u8], trusted: &Trusted, roots: &Roots, now: Timestamp) -> Report {
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
        time_roots: &trusted.time_roots,
        crls: &trusted.crls,
        ..Policy::new(&own, now)
    };
    verify(bytes, &policy)
}

/// The SHA-256 of a file.
pub(super) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes).into())
}
