//! An evidence bundle, judged.

use super::report::{Bundle, BundleSigner, DocumentFound, FaultFound, FolioFound, WithheldFound};
use super::roots::Trusted;
use super::texts;
use app::evidence::{Checked, Evidence, Withheld, check};
use domain::Timestamp;
use domain::event::hex;
use sha2::{Digest, Sha256};

/// Whether a file is meant to be a bundle: anything else is taken for a PDF.
pub(super) fn is_bundle(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.trim_ascii_start().first() == Some(&b'{')
}

pub(super) fn verify_bundle(
    file: String,
    bytes: &[u8],
    trusted: &Trusted,
    now: Timestamp,
) -> (Bundle, Checked) {
    let checked = check(bytes, trusted.sealing().as_deref(), &trusted.crls, now);
    let faults: Vec<FaultFound> = checked
        .faults
        .iter()
        .map(|fault| FaultFound {
            name: fault.name(),
            message: texts::fault(fault),
        })
        .collect();
    let verdict = match (&checked.evidence, faults.is_empty()) {
        (None, _) => "unreadable",
        // A bundle that brings its own root shows that it is whole, not whose it is.
        (Some(_), true) if trusted.given().is_none() => "unknown_issuer",
        (Some(_), true) => "valid",
        (Some(_), false) => "invalid",
    };
    let evidence = checked.evidence.as_ref();
    let found = Bundle {
        file,
        sha256: hex(&Sha256::digest(bytes).into()),
        verdict,
        message: texts::bundle(verdict, evidence.map(|evidence| &evidence.history)),
        roots: trusted.describe(&checked.roots),
        folio: evidence.map(folio),
        sealed_at: checked.sealed_at.map(|at| at.to_string()),
        sealed_by: checked.sealed_by.as_ref().map(|one| one.subject()),
        events: evidence.map_or(0, |evidence| evidence.history.events.len()),
        history_length: evidence.map_or(0, |evidence| evidence.history.length),
        whole: evidence.is_some_and(|evidence| evidence.history.is_whole()),
        documents: evidence.map(documents).unwrap_or_default(),
        signers: evidence.map(signers).unwrap_or_default(),
        withheld: checked.withheld.iter().map(withheld).collect(),
        faults,
    };
    (found, checked)
}

fn withheld(value: &Withheld) -> WithheldFound {
    WithheldFound {
        event: value.event,
        field: value.at.clone(),
        erased: value.erased,
    }
}

fn folio(evidence: &Evidence) -> FolioFound {
    FolioFound {
        id: evidence.folio.id.clone(),
        name: evidence.folio.name.clone(),
        state: evidence.folio.state.clone(),
        company: evidence.company.clone(),
        made_at: evidence.made.at.clone(),
        made_by: evidence.made.by.clone(),
    }
}

fn signers(evidence: &Evidence) -> Vec<BundleSigner> {
    let signers = evidence.signers.iter();
    signers
        .map(|signer| BundleSigner {
            name: signer.name.clone(),
            document: format!("{} {}", signer.document_type, signer.document_number),
            state: signer.state.clone(),
            acted_at: signer.acted_at.clone(),
            address: signer.address.clone(),
        })
        .collect()
}

fn documents(evidence: &Evidence) -> Vec<DocumentFound> {
    let documents = evidence.documents.iter();
    documents
        .map(|document| DocumentFound {
            id: document.id.clone(),
            name: document.name.clone(),
            original_sha256: document.original.sha256.clone(),
            current_sha256: document.current.sha256.clone(),
            earlier_sha256: earlier(evidence, &document.id),
            files: Vec::new(),
        })
        .collect()
}

/// Versions of a document that acts made, oldest first.
fn earlier(evidence: &Evidence, id: &str) -> Vec<String> {
    let mut versions = Vec::new();
    for event in &evidence.history.events {
        let body = event.parsed_body();
        let made = match body["what"].as_str() {
            Some("signed") => &body["results"],
            Some("extended") => &body["documents"],
            _ => continue,
        };
        let made = made.as_array().into_iter().flatten();
        let own = made.filter(|document| document["document"] == id);
        versions.extend(own.filter_map(|document| document["sha256"].as_str().map(str::to_owned)));
    }
    versions
}
