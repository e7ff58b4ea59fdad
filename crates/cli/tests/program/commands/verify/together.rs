//! PDFs and bundles given together are held against each other.

use super::bundles::story;
use super::forged::{Forger, pem, rechain};
use super::{TestFiles, is_intact};
use crate::support::block_on;
use serde_json::{Value, json};

fn faults(found: &Value, file: usize) -> Vec<String> {
    let faults = found["files"][file]["faults"].as_array().unwrap();
    let name = |fault: &Value| fault["name"].as_str().unwrap().to_owned();
    faults.iter().map(name).collect()
}

#[test]
fn a_pdf_that_no_bundle_names_fails() {
    let (story, other) = (block_on(story()), block_on(story()));
    let test_files = TestFiles::new(&[
        ("evidencia.json", &story.text),
        ("temprana.json", &story.early),
        ("final.pdf", &story.last),
        ("primera.pdf", &story.signed),
        ("otro.pdf", &other.last),
    ]);
    for (bundle, pdf) in [("evidencia.json", "otro.pdf"), ("temprana.json", "final.pdf")] {
        let found = test_files.verify_json(&[bundle, pdf]);
        assert_eq!(found["valid"], false, "{bundle} {pdf}");
        assert_eq!(found["files"][1]["verdict"], "invalid");
        assert_eq!(faults(&found, 1), ["not_in_evidence"]);
        let said = test_files.verify(&[bundle, pdf]).stdout;
        assert!(
            said.contains("Ninguna de las evidencias dadas nombra este archivo"),
            "{said}"
        );
        assert!(
            is_intact(&test_files.verify_json(&[pdf])),
            "alone it is as good as before"
        );
    }
    let found = test_files.verify_json(&["temprana.json", "primera.pdf"]);
    assert_eq!(found["files"][0]["verdict"], "unknown_issuer", "{found:#}");
    assert_eq!(
        found["files"][1]["verdict"], "valid",
        "the evidence brings its root: {found:#}"
    );
    let found = test_files.verify_json(&["temprana.json", "evidencia.json", "final.pdf"]);
    assert_eq!(
        found["files"][2]["verdict"], "valid",
        "one that names it is enough"
    );
}

#[test]
fn a_report_is_taken_with_evidence_of_its_folio_and_no_other() {
    let (story, other) = (block_on(story()), block_on(story()));
    let test_files = TestFiles::new(&[
        ("constancia.pdf", &story.report),
        ("evidencia.json", &story.text),
        ("copia.json", story.copy.as_bytes()),
        ("documento.pdf", &story.last),
        ("otra.json", &other.text),
    ]);
    let all = ["constancia.pdf", "evidencia.json", "documento.pdf"];
    let found = test_files.verify_json(&all);
    assert!(is_intact(&found), "{found:#}");
    // In a signer's copy the numbers of the others are masked.
    let copy = ["copia.json", "documento.pdf"];
    let found = test_files.verify_json(&copy);
    assert!(is_intact(&found), "{found:#}");
    let foreign = test_files.verify_json(&["otra.json", "constancia.pdf"]);
    assert_eq!(faults(&foreign, 1), ["not_in_evidence"]);
}

#[test]
fn what_was_handed_out_is_taken_with_evidence_after_a_correction_and_after_an_erasure() {
    let story = block_on(story());
    let test_files = TestFiles::new(&[
        ("constancia.pdf", &story.report),
        ("evidencia.json", &story.text),
        ("corregida.json", &story.corrected),
        ("copia.json", &story.corrected_copy),
        ("borrada.json", &story.erased),
        ("documento.pdf", &story.last),
    ]);
    for evidence in ["evidencia.json", "corregida.json", "copia.json", "borrada.json"] {
        let found = test_files.verify_json(&["constancia.pdf", evidence, "documento.pdf"]);
        assert!(is_intact(&found), "{evidence}: {found:#}");
    }
    let erased = String::from_utf8(story.erased).unwrap();
    for value in ["María", "maria.1001@example.com", "203.0.113.7"] {
        assert!(!erased.contains(value), "{value}");
    }
}

#[test]
fn signatures_must_be_those_that_the_bundle_names() {
    let story = block_on(story());
    let forger = Forger::new();
    let test_files = TestFiles::new(&[
        ("final.pdf", &story.last),
        ("roots.pem", pem(&[&story.root, &forger.root()]).as_bytes()),
    ]);
    let told = |change: &dyn Fn(&mut Value)| {
        let mut bundle = story.bundle.clone();
        change(&mut bundle["evidence"]);
        test_files.put("evidencia.json", &forger.seal(bundle["evidence"].take()));
        test_files.verify_json(&["--root", "roots.pem", "evidencia.json", "final.pdf"])
    };
    let found = told(&|_| {});
    assert_eq!(found["valid"], true, "{found:#}");
    let anchor = &found["files"][1]["signatures"][0]["anchor"];
    assert_eq!(
        anchor["hash"],
        story.bundle["evidence"]["history"]["events"]
            [usize::try_from(anchor["event"].as_u64().unwrap() - 1).unwrap()]["hash"],
        "the signature carries the head of the history before it"
    );
    let said = test_files.verify(&["--root", "roots.pem", "final.pdf"]).stdout;
    assert!(said.contains("historial del folio al firmar: "), "{said}");

    let found = told(&|evidence| {
        rechain(evidence, "203.0.113.7", "203.0.113.9");
    });
    assert_eq!(found["files"][0]["verdict"], "valid", "{found:#}");
    assert!(
        faults(&found, 1).contains(&"history_rewritten".to_owned()),
        "{found:#}"
    );
    assert_eq!(found["valid"], false);

    let certificate = story.bundle["evidence"]["signers"][0]["certificates"][0].clone();
    let certificate = certificate.as_str().unwrap();
    let zeros = "0".repeat(64);
    let found = told(&|evidence| {
        rechain(evidence, certificate, &zeros);
        evidence["signers"][0]["certificates"][0] = json!(zeros);
    });
    assert_eq!(found["files"][0]["verdict"], "valid", "{found:#}");
    for fault in ["signature_missing", "signature_unknown"] {
        assert!(
            faults(&found, 1).contains(&fault.to_owned()),
            "{fault}: {found:#}"
        );
    }

    let found = told(&|evidence| {
        rechain(evidence, "María Pérez 1001", "Carla Gómez 1001");
    });
    assert_eq!(found["files"][0]["verdict"], "valid", "{found:#}");
    assert!(
        faults(&found, 1).contains(&"signer_differs".to_owned()),
        "{found:#}"
    );
}
