//! A PDF, judged.

use super::files::LARGEST;
use super::found::{Pdf, ReasonFound, SignatureFound, SignerFound};
use super::roots::Trusted;
use domain::history::hex;
use jiff::Timestamp;
use pades::inspect::Limits;
use pades::verify::{
    FileVerdict, Language, Policy, SignatureKind, SignatureReport, Verdict, embedded_roots, verify,
};
use sha2::{Digest, Sha256};

pub(super) fn judge(file: String, bytes: &[u8], trusted: &Trusted, now: Timestamp) -> Pdf {
    let limits = Limits {
        bytes: LARGEST,
        ..Limits::default()
    };
    // What cannot be read brings nothing along; the verdict says so.
    let roots = trusted.or_embedded(|| embedded_roots(bytes, &limits).unwrap_or_default());
    let policy = Policy {
        limits,
        ..Policy::new(&roots, now)
    };
    let report = verify(bytes, &policy);
    Pdf {
        file,
        sha256: hex(&Sha256::digest(bytes).into()),
        size: bytes.len(),
        verdict: match report.verdict {
            FileVerdict::Valid => "valid",
            FileVerdict::Invalid => "invalid",
            FileVerdict::Indeterminate => "indeterminate",
            FileVerdict::Unsigned => "unsigned",
            _ => "unreadable",
        },
        message: report.verdict.text(Language::Spanish),
        roots: trusted.told(&roots),
        signatures: report.signatures.iter().map(signature).collect(),
    }
}

fn signature(report: &SignatureReport) -> SignatureFound {
    let reason = |reason: &pades::verify::Reason| ReasonFound {
        name: reason.name(),
        message: reason.text(Language::Spanish),
    };
    SignatureFound {
        field: report.field.clone(),
        kind: match report.kind {
            SignatureKind::Certification(_) => "certification",
            SignatureKind::Timestamp => "timestamp",
            _ => "approval",
        },
        verdict: match report.verdict {
            Verdict::Valid => "valid",
            Verdict::Indeterminate => "indeterminate",
            Verdict::Invalid => "invalid",
        },
        level: report.level.map(pades::verify::Level::name),
        signer: report.certificate.as_ref().map(SignerFound::of),
        claimed_at: report.claimed_time.map(|at| at.to_string()),
        proved_at: report.proved_time.map(|at| at.to_string()),
        covers_whole_file: report.covers_all,
        reasons: report.reasons.iter().map(reason).collect(),
    }
}
