//! Documents that others have signed: their signatures are understood, and stay valid under ours.

use pades::verify::{Policy, verify};
use pki::cms::Certificate;

use crate::build::{DIALECTS, Doc, Xref};
use crate::cms_tools::{OpenSsl, P256, RSA, SIGNING, run};
use crate::people::Person;
use crate::signing::{PreparedPdf, invisible, time};
use crate::tools;
use crate::verifying::assert_verdict_valid;

/// What pyHanko is asked for.
const KINDS: [&str; 6] = ["approval", "certified", "visible", "pkcs7", "sha512", "twice"];

/// A document that another program signed.
struct Foreign {
    name: String,
    bytes: Vec<u8>,
    signatures: usize,
}

/// Has pyHanko sign a document of every dialect and in every way, with a key that openssl made.
fn foreign(tools: &OpenSsl, key: &[&str]) -> Vec<Foreign> {
    let python = std::env::var("FIRMEZA_TEST_PYTHON")
        .unwrap_or_else(|_| panic!("FIRMEZA_TEST_PYTHON is not set; run through `cargo xtask test`"));
    tools.signer("ajeno", key, SIGNING);
    tools.write("sign.py", include_bytes!("sign.py"));
    let plan = DIALECTS.map(|dialect| (dialect, "approval")).into_iter();
    let plan: Vec<_> = plan
        .chain(KINDS.into_iter().skip(1).map(|kind| (Xref::Table, kind)))
        .collect();
    let mut arguments: Vec<String> = ["sign.py", "ajeno.key", "ajeno.pem", "ca.pem"]
        .map(String::from)
        .into();
    for (at, (dialect, kind)) in plan.iter().enumerate() {
        tools.write(&format!("{at}.pdf"), &Doc::contract(2).write(*dialect));
        arguments.push(format!("{kind}:{at}.pdf"));
    }
    run(
        tools.path(),
        &python,
        &arguments.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    let signed = plan.into_iter().enumerate().map(|(at, (dialect, kind))| Foreign {
        name: format!("{kind}-{dialect:?}"),
        bytes: tools.read(&format!("{at}.pdf")),
        signatures: if kind == "twice" { 2 } else { 1 },
    });
    signed.collect()
}

#[test]
fn signatures_of_others_are_understood_and_kept() {
    let person = Person::new("Ana");
    for key in [P256, RSA] {
        let tools = OpenSsl::new();
        let root = tools.certificate("ca");
        let roots = [root.clone(), person.root.certificate().clone()];
        let foreign = foreign(&tools, key);
        // The clock of the machine made these certificates, so it is the one to check them by.
        let now = tools.certificate("ajeno").not_before().max(time());
        let check = |name: &str, bytes: &[u8], roots: &[Certificate], expected: usize| {
            let report = verify(bytes, &Policy::new(roots, now));
            assert_verdict_valid(name, &report);
            assert_eq!(report.signatures.len(), expected, "{name}");
        };
        let mut papers = Vec::new();
        for Foreign {
            name,
            bytes,
            signatures,
        } in &foreign
        {
            check(name, bytes, std::slice::from_ref(&root), *signatures);
            let paper = PreparedPdf::new(bytes.clone()).signed(&person, &invisible("Nuestra"));
            assert!(paper.bytes.starts_with(bytes));
            check(name, &paper.bytes, &roots, signatures + 1);
            papers.push((name.as_str(), paper.bytes));
        }
        let files: Vec<_> = papers
            .iter()
            .map(|(name, bytes)| (*name, bytes.as_slice()))
            .collect();
        for (foreign, verdict) in foreign.iter().zip(tools::validate(&files, &tools.read("ca.pem"))) {
            let Foreign { name, signatures, .. } = foreign;
            assert_eq!(
                (verdict.pdfsig, verdict.qpdf_warnings),
                (signatures + 1, 0),
                "{name}"
            );
            assert_eq!(
                verdict.pyhanko, *signatures,
                "{name}: theirs stay valid: {}",
                verdict.remarks
            );
        }
    }
}
