//! Documents that others have signed: their signatures are understood, and stay valid under ours.

use pades::cms::Certificate;
use pades::verify::{FileVerdict, Language, Policy, verify};

use crate::build::{DIALECTS, Doc, Xref};
use crate::cms_tools::{OpenSsl, P256, RSA, SIGNING, run};
use crate::people::Person;
use crate::signing::{Paper, invisible, time};
use crate::tools;

/// Somebody else, with a key and certificates that openssl made.
struct Stranger {
    tools: OpenSsl,
    root: Certificate,
}

impl Stranger {
    fn new(key: &[&str]) -> Self {
        let tools = OpenSsl::new();
        tools.signer("ajeno", key, SIGNING);
        let root = tools.certificate("ca");
        tools.write("sign.py", include_bytes!("sign.py"));
        Self { tools, root }
    }

    fn sign(&self, kind: &str, bytes: &[u8]) -> Vec<u8> {
        let python = std::env::var("FIRMEZA_TEST_PYTHON")
            .unwrap_or_else(|_| panic!("FIRMEZA_TEST_PYTHON is not set; run through `cargo xtask test`"));
        self.tools.write("document.pdf", bytes);
        run(
            self.tools.path(),
            &python,
            &[
                "sign.py",
                kind,
                "document.pdf",
                "ajeno.key",
                "ajeno.pem",
                "ca.pem",
            ],
        );
        self.tools.read("document.pdf")
    }
}

#[test]
fn signatures_of_others_are_understood_and_kept() {
    let person = Person::new("Ana");
    let kinds = ["approval", "certified", "visible", "pkcs7", "sha512", "twice"];
    let plan = DIALECTS.map(|dialect| (dialect, "approval")).into_iter();
    let plan = plan.chain(kinds.into_iter().skip(1).map(|kind| (Xref::Table, kind)));
    for (at, (dialect, kind)) in plan.enumerate() {
        let stranger = Stranger::new(if at % 2 == 0 { P256 } else { RSA });
        let name = format!("{kind}-{dialect:?}");
        let signed = stranger.sign(kind, &Doc::contract(2).write(dialect));
        let count = if kind == "twice" { 2 } else { 1 };
        // The clock of the machine made these certificates, so it is the one to judge them by.
        let from = stranger.root.not_before().max(time());
        let judge = |bytes: &[u8], roots: &[Certificate], expected: usize| {
            let report = verify(bytes, &Policy::new(roots, from));
            assert_eq!(
                report.verdict,
                FileVerdict::Valid,
                "{name}: {}",
                report.text(Language::English)
            );
            assert_eq!(report.signatures.len(), expected, "{name}");
        };
        judge(&signed, std::slice::from_ref(&stranger.root), count);
        let paper = Paper::new(signed.clone()).signed(&person, &invisible("Nuestra"));
        assert!(paper.bytes.starts_with(&signed));
        let roots = [stranger.root.clone(), person.root.certificate().clone()];
        judge(&paper.bytes, &roots, count + 1);
        let theirs = stranger.tools.read("ca.pem");
        let verdict = tools::validate(&[(&name, &paper.bytes)], &theirs).remove(0);
        assert_eq!((verdict.pdfsig, verdict.qpdf_warnings), (count + 1, 0), "{name}");
        assert_eq!(
            verdict.pyhanko, count,
            "{name}: theirs stay valid: {}",
            verdict.remarks
        );
    }
}
