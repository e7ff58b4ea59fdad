//! Compares a PDF with the bundles given alongside: one of them must name it, and its signatures must match
//! that bundle.

use super::report::{Bundle, FaultFound, Pdf};
use app::evidence::{Evidence, SignerFacts};
use app::notary::{SIGNER_FIELDS, signer_field};
use domain::{DocumentIndex, FolioId, SignerIndex};
use pades::verify::SignatureJson;
use pdf::Limits;
use pdf::attachments::attached;
use pki::authority::Crl;
use pki::cms::Certificate;
use serde_json::Value;

/// A bundle that was given, and what it says.
#[derive(Debug)]
pub(super) struct GivenBundle {
    pub(super) found: Bundle,
    pub(super) roots: Vec<Certificate>,
    /// Its lists of revoked certificates.
    pub(super) crls: Vec<Crl>,
    pub(super) evidence: Option<Evidence>,
}

impl GivenBundle {
    /// Whether it is about one of these folios.
    pub(super) fn is_about(&self, folios: &[String]) -> bool {
        let evidence = self.evidence.as_ref();
        evidence.is_some_and(|evidence| folios.contains(&evidence.folio.id))
    }
}

/// Notes what contradicts the bundles; a PDF that was given alone is left as it is, and so is a valid report of one of
/// their folios, which carries evidence of its own.
pub(super) fn compare(pdf: &mut Pdf, reported: &[String], bundles: &[GivenBundle]) {
    let by_signer = |made: &SignatureJson| made.field.starts_with(SIGNER_FIELDS);
    let is_report = pdf.verdict == "valid" && !pdf.signatures.iter().any(by_signer);
    if bundles.is_empty() || is_report && bundles.iter().any(|bundle| bundle.is_about(reported)) {
        return;
    }
    let mut faults = Vec::new();
    let mut named = false;
    for bundle in bundles {
        let Some(evidence) = &bundle.evidence else {
            continue;
        };
        if let Some(name) = bundle.found.names(&pdf.sha256) {
            named = true;
            let document = evidence.documents.iter().position(|one| one.id == name.document);
            faults.extend(
                document
                    .map(|document| mismatches(pdf, evidence, DocumentIndex(document)))
                    .unwrap_or_default(),
            );
        }
    }
    if !named {
        let message = "Ninguna de las evidencias dadas nombra este archivo: es de otro folio, o de una versión del \
                       documento que ellas no conocen.";
        faults.push(fault("not_in_evidence", message.to_owned()));
    }
    if !faults.is_empty() {
        pdf.message = "El archivo no concuerda con la evidencia que se dio con él.".into();
        if pdf.verdict != "unreadable" {
            pdf.verdict = "invalid";
        }
    }
    pdf.faults = faults;
}

/// The folios of bundles attached to a PDF, which may be a report.
pub(super) fn reported_folios(pdf: &[u8]) -> Vec<String> {
    let attached = attached(pdf, &Limits::default()).unwrap_or_default();
    let folio = |file: &Vec<u8>| {
        let bundle: Value = serde_json::from_slice(file).ok()?;
        bundle["evidence"]["folio"]["id"].as_str().map(str::to_owned)
    };
    attached.iter().filter_map(folio).collect()
}

fn fault(name: &'static str, message: String) -> FaultFound {
    FaultFound { name, message }
}

/// A signature that an event names.
struct Expected {
    certificate: String,
    signer: SignerIndex,
    /// The number of the event.
    event: i64,
}

/// The contradictions between a PDF, which is a version of this document, and the bundle.
fn mismatches(pdf: &Pdf, evidence: &Evidence, document: DocumentIndex) -> Vec<FaultFound> {
    let (expected, all) = expected(evidence, document, &pdf.sha256);
    let mut faults = Vec::new();
    for one in &expected {
        let signer = evidence.signers.iter().find(|signer| signer.signer == one.signer);
        let name = signer.map_or("", |signer| signer.name.as_str());
        let Some(signature) = pdf
            .signatures
            .iter()
            .find(|made| has_certificate(made, &one.certificate))
        else {
            let message = format!(
                "Falta la firma de {name} de la que habla el evento {}.",
                one.event
            );
            faults.push(fault("signature_missing", message));
            continue;
        };
        let named = |signer: &SignerFacts| {
            let mut names = earlier_values(evidence, one.signer, "/before/name");
            let mut numbers = earlier_values(evidence, one.signer, "/before/document_number");
            names.push(signer.name.clone());
            numbers.push(signer.document_number.clone());
            let mut people = names
                .iter()
                .flat_map(|name| numbers.iter().map(move |number| (name, number)));
            people.any(|(name, number)| is_signer(signature, name, number))
        };
        if signer.is_none_or(|signer| !named(signer)) {
            let field = &signature.field;
            let message = format!("La firma «{field}» no está a nombre de {name}, como dice la evidencia.");
            faults.push(fault("signer_differs", message));
        }
        if is_rewritten(signature, evidence, one.event) {
            let message = format!(
                "El historial del folio se reescribió después de la firma «{}»: la evidencia no tiene el que la firma \
                 lleva consigo.",
                signature.field
            );
            faults.push(fault("history_rewritten", message));
        }
    }
    let from_the_start = evidence
        .history
        .events
        .first()
        .is_some_and(|event| event.number == 1);
    let folio: Option<FolioId> = evidence.folio.id.parse().ok();
    if let Some(folio) = folio.filter(|_| from_the_start && all) {
        let fields: Vec<String> = (0..evidence.signers.len())
            .map(|place| signer_field(folio, SignerIndex(place)))
            .collect();
        for signature in pdf.signatures.iter().filter(|made| fields.contains(&made.field)) {
            if !expected
                .iter()
                .any(|one| has_certificate(signature, &one.certificate))
            {
                let message = format!(
                    "La evidencia no habla de la firma «{}» que lleva el archivo.",
                    signature.field
                );
                faults.push(fault("signature_unknown", message));
            }
        }
    }
    faults
}

/// The signatures that this version of a document must carry according to the bundle's events, and whether the events
/// name the version itself.
fn expected(evidence: &Evidence, document: DocumentIndex, sha256: &str) -> (Vec<Expected>, bool) {
    let events: Vec<(i64, Value)> = evidence
        .history
        .events
        .iter()
        .map(|event| (event.number, event.parsed_body()))
        .collect();
    let facts = evidence.documents.get(document.0);
    let id = facts.map_or("", |facts| facts.id.as_str());
    let made = |event: &Value| {
        let list = match event["what"].as_str() {
            Some("signed") => &event["results"],
            Some("extended") => &event["documents"],
            _ => return false,
        };
        let mut results = list.as_array().into_iter().flatten();
        results.any(|one| one["document"] == id && one["sha256"] == sha256)
    };
    let last = events.iter().rev().find(|(_, event)| made(event));
    let last = last.map(|(number, _)| *number);
    let is_current = facts.is_some_and(|facts| facts.current.sha256 == sha256);
    // A part of a history need not hold the event that made the document what it is now.
    let all = last.is_some() || !is_current;
    let last = last.unwrap_or(if is_current { i64::MAX } else { 0 });
    let signed = events
        .iter()
        .filter(|(number, event)| *number <= last && event["what"] == "signed");
    let signatures = signed.filter_map(|(number, event)| {
        Some(Expected {
            certificate: event["certificates"][document.0].as_str()?.to_owned(),
            signer: SignerIndex(usize::try_from(event["signer"].as_u64()?).ok()?),
            event: *number,
        })
    });
    (signatures.collect(), all)
}

fn has_certificate(signature: &SignatureJson, certificate: &str) -> bool {
    let signer = signature.signer.as_ref();
    signer.is_some_and(|signer| signer.certificate_sha256 == certificate)
}

/// A signer's name or document number, or what a copy shows of it, before each correction.
fn earlier_values(evidence: &Evidence, signer: SignerIndex, at: &str) -> Vec<String> {
    let corrections = evidence.history.events.iter().filter(|event| {
        let body = event.parsed_body();
        body["what"] == "corrected" && body["signer"].as_u64() == u64::try_from(signer.0).ok()
    });
    corrections
        .flat_map(|event| &event.values)
        .filter(|value| value.at == at)
        .filter_map(|value| value.shown().map(str::to_owned))
        .collect()
}

/// Whether a certificate is made out to a signer of that name and document number.
fn is_signer(signature: &SignatureJson, name: &str, number: &str) -> bool {
    let Some(certificate) = &signature.signer else {
        return false;
    };
    // Erased: no signer is without a number otherwise.
    if number.is_empty() {
        return name.is_empty();
    }
    let document = certificate.document.as_deref().unwrap_or_default();
    let named = certificate.name.as_deref().unwrap_or_default();
    // A signer's copy shows only the end of the other signers' document numbers.
    if let Some((_, end)) = number.split_once("••••\u{a0}") {
        return document.ends_with(end) && is_named(named, name, "");
    }
    let number: String = number.split(' ').collect();
    document.ends_with(&format!("-{number}")) && is_named(named, name, &number)
}

/// Characters that a certificate's common name holds.
const MAX_COMMON_NAME_CHARS: usize = 64;

/// Whether a common name is a person's: pictures are left out of it, and earlier releases left out every letter above
/// U+FFFF; where nothing remains it is the number of the document.
fn is_named(common_name: &str, name: &str, number: &str) -> bool {
    let letters = |text: &str| -> String {
        let kept = text.chars().filter(|c| c.is_alphanumeric() && *c <= '\u{ffff}');
        kept.collect()
    };
    let (short, whole) = (letters(common_name), letters(name));
    let cut = common_name.chars().count() + 1 >= MAX_COMMON_NAME_CHARS;
    short == whole || cut && whole.starts_with(&short) || whole.is_empty() && common_name == number
}

/// Whether the bundle lacks the event that was the last one when the signature was made. Events of another part of the
/// history are not counted as missing.
fn is_rewritten(signature: &SignatureJson, evidence: &Evidence, signed: i64) -> bool {
    let Some(anchor) = &signature.anchor else {
        return false;
    };
    let history = &evidence.history;
    let number = i64::try_from(anchor.event).unwrap_or(i64::MAX);
    if number >= signed {
        return true;
    }
    let first = history.events.first().map_or(1, |event| event.number);
    let known = if number == first - 1 {
        Some(&history.before)
    } else {
        let mut events = history.events.iter();
        events
            .find(|event| event.number == number)
            .map(|event| &event.hash)
    };
    match known {
        Some(hash) => *hash != anchor.hash,
        None => number >= first,
    }
}

#[cfg(test)]
mod tests {
    use super::is_named;

    #[test]
    fn a_common_name_is_held_against_the_whole_name() {
        let long = "María ".repeat(20);
        let cut: String = long.chars().take(64).collect();
        assert!(is_named("María Pérez", "María Pérez", "1"));
        assert!(is_named(cut.trim_end(), long.trim(), "1"));
        assert!(is_named("María", "María 🙂", "1") && is_named("1", "🙂", "1"));
        assert!(is_named("Ana 𠮷", "Ana 𠮷", "1") && is_named("Ana", "Ana 𝒜", "1"));
        assert!(!is_named("María", "María Pérez", "1") && !is_named("Otra", "María", "1"));
        assert!(!is_named("", "María", "1"));
    }
}
