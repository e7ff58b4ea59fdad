//! Encrypted documents: qpdf encrypts them, they are signed in place, and other programs judge the result.

use pades::verify::{FileVerdict, Policy, verify};
use pdf::Limits;
use pdf::inspect::{Refused, inspect};

use crate::build::{CATALOG, Doc, Xref, append, startxref, stream};
use crate::cms_tools::{OpenSsl, P256, SIGNING, run};
use crate::signing::{PreparedPdf, invisible, time};
use crate::tools;
use crate::uploads::{OFFICE, accept};
use crate::verifying::assert_verdict_valid;

/// The kinds of encryption: their names, and qpdf's options.
const KINDS: [(&str, &[&str]); 5] = [
    ("rc4-40", &["40"]),
    ("rc4-128", &["128", "--use-aes=n"]),
    ("aes-128", &["128", "--use-aes=y"]),
    (
        "aes-128-bare-metadata",
        &["128", "--use-aes=y", "--cleartext-metadata"],
    ),
    ("aes-256", &["256"]),
];

/// Has qpdf encrypt a document under a user's password.
fn encrypted(bytes: &[u8], password: &str, kind: &[&str], object_streams: &str) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name);
    std::fs::write(file("plain.pdf"), bytes).unwrap();
    let streams = format!("--object-streams={object_streams}");
    let arguments = [
        &["--allow-weak-crypto", &streams, "--encrypt", password, "dueno"],
        kind,
        &["--", "plain.pdf", "encrypted.pdf"],
    ];
    run(directory.path(), "qpdf", &arguments.concat());
    std::fs::read(file("encrypted.pdf")).unwrap()
}

/// A document with strings and streams wherever increments meet them.
fn with_strings() -> Vec<u8> {
    let mut doc = Doc::contract(2);
    let text = doc.add(
        "<</FT/Tx/T(nombre)/V(Ana \\(madre\\))/Type/Annot/Subtype/Widget/Rect[9 9 99 29]/P 4 0 R/DA(/F1 9 Tf)>>",
    );
    let file = doc.add(stream("/Type/EmbeddedFile/Subtype/text#2Fxml", b"<factura/>"));
    let spec = doc.add(format!(
        "<</Type/Filespec/F(f.xml)/UF(f.xml)/AFRelationship/Data/EF<</F {file} 0 R>>>>"
    ));
    let xmp = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>\
                </x:xmpmeta>";
    let metadata = doc.add(stream("/Type/Metadata/Subtype/XML", xmp));
    let link =
        "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Contents(Enlace)/A<</S/URI/URI(https://example.com)>>>>";
    doc.on_page(&format!("/Annots[{text} 0 R {link}]"));
    doc.extend(
        CATALOG,
        &format!(
            "/Lang(es-CO)/AcroForm<</Fields[{text} 0 R]/DA(/F1 0 Tf)>>/Metadata {metadata} 0 R\
             /Names<</EmbeddedFiles<</Names[(f.xml) {spec} 0 R]>>>>"
        ),
    );
    let information = doc.add("<</Title(Contrato \\361)/Producer(nadie)>>");
    doc.trailer.push_str(&format!("/Info {information} 0 R"));
    doc.table()
}

/// Every kind of encryption, with cross-reference tables and with streams.
fn samples() -> Vec<(String, Vec<u8>)> {
    let plain = with_strings();
    let mut samples = Vec::new();
    for (name, kind) in KINDS {
        for streams in ["disable", "generate"] {
            samples.push((format!("{name}-{streams}"), encrypted(&plain, "", kind, streams)));
        }
    }
    samples
}

#[test]
fn documents_that_open_without_a_password_live_their_whole_life() {
    let plain = with_strings();
    let mut signed = vec![(
        "plain".to_owned(),
        OFFICE.outcome(&plain, accept(&plain).unwrap()).unwrap(),
    )];
    for (name, bytes) in samples() {
        let prepared = accept(&bytes).unwrap_or_else(|refused| panic!("{name}: {refused}"));
        let file = OFFICE
            .outcome(&bytes, prepared)
            .unwrap_or_else(|failure| panic!("{name}: {failure}"));
        assert!(file.starts_with(&bytes), "{name}");
        let increment = String::from_utf8_lossy(&file[bytes.len()..]);
        assert!(
            !increment.contains("Ana Mu") && !increment.contains("(D:"),
            "{name}"
        );
        signed.push((name, file));
    }
    let files: Vec<_> = signed
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    let verdicts = tools::validate(&files, &OFFICE.person.root());
    assert_eq!(verdicts[0].pyhanko, 5, "{}", verdicts[0].remarks);
    for ((name, _), verdict) in signed.iter().zip(&verdicts) {
        assert_eq!(verdict, &verdicts[0], "{name}");
    }
}

#[test]
fn a_password_or_permissions_that_forbid_signatures_are_refused() {
    let plain = with_strings();
    for (name, kind) in KINDS {
        let locked = encrypted(&plain, "clave", kind, "preserve");
        assert_eq!(accept(&locked).unwrap_err(), Refused::Encrypted, "{name}");
        let closed = if name == "rc4-40" {
            "--modify=n"
        } else {
            "--modify=form"
        };
        let restricted = encrypted(&plain, "", &[kind, &[closed]].concat(), "preserve");
        assert_eq!(accept(&restricted).unwrap_err(), Refused::Restricted, "{name}");
        // Printing and copying have nothing to do with signatures.
        let closed = if name == "rc4-40" {
            "--print=n"
        } else {
            "--print=none"
        };
        let unprinted = encrypted(&plain, "", &[kind, &[closed, "--extract=n"]].concat(), "preserve");
        assert!(accept(&unprinted).is_ok(), "{name}");
    }
    // pyHanko does not read this one.
    let withdrawn = encrypted(&plain, "", &["256", "--force-R5"], "preserve");
    assert_eq!(accept(&withdrawn).unwrap_err(), Refused::Unverifiable);
}

#[test]
fn encrypted_files_that_others_signed_are_verified_and_signed_again() {
    let python = std::env::var("FIRMEZA_TEST_PYTHON")
        .unwrap_or_else(|_| panic!("FIRMEZA_TEST_PYTHON is not set; run through `cargo xtask test`"));
    let tools = OpenSsl::new();
    let root = tools.certificate("ca");
    tools.signer("ajeno", P256, SIGNING);
    tools.write("sign.py", include_bytes!("sign.py"));
    let mut samples = samples();
    // pyHanko does not read metadata in the clear.
    samples.retain(|(name, _)| !name.contains("bare"));
    let mut arguments: Vec<String> = ["sign.py", "ajeno.key", "ajeno.pem", "ca.pem"]
        .map(String::from)
        .into();
    for (name, bytes) in &samples {
        tools.write(name, bytes);
        arguments.push(format!("twice:{name}"));
    }
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    run(tools.path(), &python, &arguments);
    let now = tools.certificate("ajeno").not_before().max(time());
    let roots = [root, OFFICE.person.root.certificate().clone()];
    for (name, bytes) in &samples {
        let theirs = tools.read(name);
        assert!(theirs.starts_with(bytes), "{name}");
        let report = verify(&theirs, &Policy::new(&roots, now));
        assert_verdict_valid(name, &report);
        assert_eq!(report.signatures.len(), 2, "{name}");
        let both = PreparedPdf::new(theirs).signed(&OFFICE.person, &invisible("Nuestra"));
        let report = verify(&both.bytes, &Policy::new(&roots, now));
        assert_verdict_valid(name, &report);
        assert_eq!(report.signatures.len(), 3, "{name}");
    }
}

/// The number of the encryption dictionary.
fn encryption_of(bytes: &[u8]) -> u32 {
    let text = String::from_utf8_lossy(bytes);
    let at = text.rfind("/Encrypt ").unwrap() + "/Encrypt ".len();
    text[at..].split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn what_is_encrypted_otherwise_after_a_signature_is_invalid() {
    let bytes = encrypted(&with_strings(), "", &["256"], "disable");
    let signed = OFFICE.outcome(&bytes, accept(&bytes).unwrap()).unwrap();
    let tail = String::from_utf8_lossy(&signed[startxref(&signed)..]).into_owned();
    let identifier = &tail[tail.find("/ID").unwrap()..tail.find("/Encrypt").unwrap()];
    let root = &tail[tail.find("/Root").unwrap()..tail.find("/I").unwrap()];
    let encrypt = format!("/Encrypt {} 0 R", encryption_of(&signed));
    let text = stream("", b"BT /F1 12 Tf 72 720 Td (Otra cosa) Tj ET");
    let size = 900;
    let other = b"<</Filter/Standard/V 1/R 2/O<00>/U<00>/P -4>>".to_vec();
    let updates = [
        ("nothing", vec![], format!("{root}{identifier}{encrypt}"), true),
        (
            "not encrypted any more",
            vec![],
            format!("{root}{identifier}"),
            false,
        ),
        (
            "another dictionary",
            vec![(encryption_of(&signed), other)],
            format!("{root}{identifier}{encrypt}"),
            false,
        ),
        (
            "another page",
            vec![(5, text)],
            format!("{root}{identifier}{encrypt}"),
            false,
        ),
    ];
    for (name, objects, trailer, valid) in updates {
        let changed = append(&signed, &objects, size, &trailer, Xref::Table);
        let report = verify(&changed, &Policy::new(&OFFICE.person.roots(), time()));
        assert_eq!(report.verdict == FileVerdict::Valid, valid, "{name}: {report:?}");
    }
}

#[test]
fn encrypted_documents_within_the_limits_only() {
    let bytes = encrypted(&with_strings(), "", &["256"], "generate");
    let tight = Limits {
        values: 50,
        ..Limits::default()
    };
    assert!(matches!(inspect(&bytes, &tight), Err(Refused::TooComplex(_))));
}
