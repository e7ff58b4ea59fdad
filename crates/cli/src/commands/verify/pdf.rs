//! A PDF, judged.

use super::files::MAX_FILE_BYTES;
use super::report::{AnchorFound, Named, Pdf, ReasonFound, RootFound, SignatureFound, SignerFound};
use super::roots::Trusted;
use domain::Timestamp;
use domain::event::hex;
use pades::verify::{
    FileVerdict, Language, Policy, SignatureKind, SignatureReport, SubIndication, Verdict, embedded_roots,
    verify,
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
    let limits = Limits {
        bytes: MAX_FILE_BYTES,
        ..Limits::default()
    };
    // What cannot be read brings nothing along; the verdict says so.
    let embedded = trusted.or_embedded(|| embedded_roots(bytes, &limits).unwrap_or_default());
    let mut told = trusted.describe(&embedded);
    let mut roots = embedded.into_owned();
    for root in vouched {
        if !roots.contains(&root) {
            told.push(RootFound::of(&root, "evidence"));
            roots.push(root);
        }
    }
    let now = jiff::Timestamp::from_microsecond(now.as_micros()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    let policy = Policy {
        limits,
        time_roots: &trusted.time_roots,
        crls: &trusted.crls,
        ..Policy::new(&roots, now)
    };
    let report = verify(bytes, &policy);
    Pdf {
        file,
        sha256: sha256(bytes),
        size: bytes.len(),
        verdict: match report.verdict {
            FileVerdict::Valid => "valid",
            FileVerdict::Invalid => "invalid",
            FileVerdict::Indeterminate => "indeterminate",
            FileVerdict::Unsigned => "unsigned",
            FileVerdict::OnlyTimestamps => "only_timestamps",
            _ => "unreadable",
        },
        message: report.verdict.text(Language::Spanish),
        roots: told,
        signatures: report.signatures.iter().map(signature).collect(),
        faults: Vec::new(),
        evidence,
    }
}

/// The SHA-256 of a file.
pub(super) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes).into())
}

fn signature(report: &SignatureReport) -> SignatureFound {
    let reason = |reason: &pades::verify::Reason| ReasonFound {
        name: reason.name(),
        sub_indication: reason.sub_indication().name(),
        message: reason.text(Language::Spanish),
    };
    let (indication, sub_indication) = report.conclusion();
    SignatureFound {
        indication: indication.name(),
        sub_indication: sub_indication.map(SubIndication::name),
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
        anchor: report.anchor.map(|anchor| AnchorFound {
            event: anchor.number,
            hash: hex(&anchor.hash),
        }),
        covers_whole_file: report.covers_all,
        reasons: report.reasons.iter().map(reason).collect(),
    }
}
