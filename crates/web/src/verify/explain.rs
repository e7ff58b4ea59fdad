//! A report in plain words.

use super::checker::VerifiedFile;
use super::page::{SignatureView, VerificationView};
use crate::page::Lang;
use crate::page::request::PageRequest;
use domain::Timestamp;
use domain::event::hex;
use pades::verify::{
    FileVerdict, Language, Level, SignatureKind, SignatureReport, Verdict, identity_document,
};
use pki::escape::escape;
use serde::Serialize;
use store::PublicDocument;

/// The result of a verification, perhaps compared with the requested document.
pub(super) fn outcome(
    request: &PageRequest,
    verified: &VerifiedFile,
    known: Option<&PublicDocument>,
) -> VerificationView {
    let l = request.l();
    let verdict = &verified.report.verdict;
    let lacks_issuer = verified.report.lacks_only_issuer();
    let (shape, title) = match verdict {
        FileVerdict::Valid => ("check", l.verify_valid()),
        FileVerdict::Invalid => ("cross", l.verify_invalid()),
        FileVerdict::Indeterminate if lacks_issuer => ("mark", l.verify_unknown_issuer()),
        FileVerdict::Indeterminate => ("mark", l.verify_doubtful()),
        FileVerdict::Unsigned | FileVerdict::OnlyTimestamps => ("mark", l.verify_unsigned()),
        _ => ("mark", l.verify_unreadable()),
    };
    let lead = match verdict {
        FileVerdict::Valid => l.verify_valid_lead().to_owned(),
        FileVerdict::Invalid => l.verify_invalid_lead().to_owned(),
        FileVerdict::Indeterminate if lacks_issuer => l.verify_unknown_issuer_lead().to_owned(),
        FileVerdict::Indeterminate => l.verify_doubtful_lead().to_owned(),
        FileVerdict::Unsigned => l.verify_unsigned_lead().to_owned(),
        other => other.text(language(l)),
    };
    let signatures = verified.report.signatures.iter();
    VerificationView {
        name: escaped(&verified.name),
        shape,
        title,
        lead,
        same: known.map(|known| DocumentVersion::of(verified, known).text(l).to_owned()),
        sha256: hex(&verified.sha256),
        signatures: signatures.map(|one| signature(request, one)).collect(),
    }
}

/// Which version of a document a file is.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum DocumentVersion {
    Current,
    Original,
    Other,
}

impl DocumentVersion {
    pub(super) fn of(verified: &VerifiedFile, known: &PublicDocument) -> Self {
        if verified.sha256 == known.current {
            Self::Current
        } else if verified.sha256 == known.original {
            Self::Original
        } else {
            Self::Other
        }
    }

    const fn text(self, l: Lang) -> &'static str {
        match self {
            Self::Current => l.verify_same_current(),
            Self::Original => l.verify_same_original(),
            Self::Other => l.verify_other(),
        }
    }
}

/// Text of the file or of its sender.
fn escaped(text: &str) -> String {
    escape(text).into_owned()
}

pub(super) const fn language(l: Lang) -> Language {
    match l {
        Lang::Es => Language::Spanish,
        Lang::En => Language::English,
        Lang::Pt => Language::Portuguese,
    }
}

fn signature(request: &PageRequest, report: &SignatureReport) -> SignatureView {
    let l = request.l();
    let certificate = report.certificate.as_ref();
    let (class, verdict) = match report.verdict {
        Verdict::Valid => ("good", l.signature_valid()),
        Verdict::Indeterminate if report.lacks_only_issuer() => ("wait", l.signature_unknown_issuer()),
        Verdict::Indeterminate => ("wait", l.signature_doubtful()),
        Verdict::Invalid => ("bad", l.signature_invalid()),
    };
    SignatureView {
        who: certificate
            .and_then(|one| one.common_name())
            .map_or_else(|| l.signer_unknown().to_owned(), |name| escaped(&name)),
        document: certificate
            .and_then(|one| one.subject_serial_number())
            .map(|number| escaped(&identity_document(&number, language(l)))),
        kind: match report.kind {
            SignatureKind::Certification(_) => l.kind_certification(),
            SignatureKind::Timestamp => l.kind_timestamp(),
            _ => l.kind_approval(),
        },
        class,
        verdict,
        when: when(request, report),
        level: report
            .level
            .map(|level| format!("{}: {}", level.name(), level_words(l, level))),
        certificate: certificate.map(|one| hex(one.sha256())),
        issuer: certificate.map(|one| escaped(&one.issuer())),
        reasons: report
            .reasons
            .iter()
            .map(|reason| escaped(&reason.text(language(l))))
            .collect(),
    }
}

const fn level_words(l: Lang, level: Level) -> &'static str {
    match level {
        Level::B => l.level_b(),
        Level::T => l.level_t(),
        Level::Lt => l.level_lt(),
        _ => l.level_lta(),
    }
}

fn when(request: &PageRequest, report: &SignatureReport) -> Option<String> {
    let zone = &request.web.settings.timezone;
    let date = |at: jiff::Timestamp| {
        request
            .l()
            .date(Timestamp::from_micros(at.as_microsecond()), zone)
    };
    match (report.claimed_time, report.proved_time) {
        (Some(claimed), Some(proved)) if report.kind != SignatureKind::Timestamp => {
            Some(request.l().signed_and_proved(&date(claimed), &date(proved)))
        }
        (Some(claimed), _) => Some(date(claimed)),
        (None, proved) => proved.map(date),
    }
}
