//! Our verdicts beside those of pyHanko, on files that pyHanko signs in all its variants. Each disagreement is listed here
//! and explained in `docs/verifier-and-pyhanko.md`.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use pades::verify::{FileVerdict, Policy, SignatureKind, SignatureReport, Verdict, verify};
use pki::authority::Crl;

use crate::build::{Doc, Xref};
use crate::cms_tools::{OpenSsl, run};

/// Files that are made, at least.
const MIN_FILES: usize = 300;

/// Disagreements: the beginning of the file's name, the field, our verdict, pyHanko's.
const DISAGREEMENTS: [(&str, &str, &str, &str); 5] = [
    ("empty-field-certified1-", "Firma", "invalid", "valid"),
    ("loose-bytes-", "Firma", "invalid", "valid"),
    ("rare-ed448-", "Firma", "indeterminate", "valid"),
    ("sha1-", "Firma", "invalid", "indeterminate"),
    ("visible-field-approval-", "Firma", "invalid", "valid"),
];

/// What pyHanko says of a signature.
struct Said {
    field: String,
    verdict: String,
    /// The sub-indication of its basic validation, `PASSED`, or the name of an exception.
    indication: String,
}

fn verdict(report: &SignatureReport) -> &'static str {
    match report.verdict {
        Verdict::Valid => "valid",
        Verdict::Indeterminate => "indeterminate",
        Verdict::Invalid => "invalid",
    }
}

#[test]
fn verdicts_agree_with_pyhanko_or_the_difference_is_explained() {
    let tools = OpenSsl::new();
    tools.write("variants.py", include_bytes!("variants.py"));
    let mut arguments = vec!["variants.py"];
    for (name, dialect) in [
        ("table.pdf", Xref::Table),
        ("stream.pdf", Xref::Stream),
        ("packed.pdf", Xref::Packed),
    ] {
        tools.write(name, &Doc::contract(2).write(dialect));
        arguments.push(name);
    }
    let python = std::env::var("FIRMEZA_TEST_PYTHON")
        .unwrap_or_else(|_| panic!("FIRMEZA_TEST_PYTHON is not set; run through `cargo xtask test`"));
    let words = run(tools.path(), &python, &arguments);
    let mut files: BTreeMap<&str, Vec<Said>> = BTreeMap::new();
    for line in words.lines() {
        let [file, field, verdict, indication] = line.split(' ').collect::<Vec<_>>()[..] else {
            // What pyHanko logs about signatures that it refuses.
            continue;
        };
        if tools.file(file).is_file() {
            files.entry(file).or_default().push(Said {
                field: field.into(),
                verdict: verdict.into(),
                indication: indication.into(),
            });
        }
    }
    assert!(files.len() >= MIN_FILES, "only {} files", files.len());

    let roots = [tools.certificate("root")];
    let crls = [Crl::from_der(&tools.read("root.crl")).unwrap()];
    let now = Timestamp::from_second(roots[0].not_before().as_second() + 30 * 86_400 + 3_600).unwrap();
    let mut found = BTreeSet::new();
    let mut unexplained = Vec::new();
    for (file, said) in &files {
        let policy = Policy {
            crls: &crls,
            ..Policy::new(&roots, now)
        };
        let report = verify(&tools.read(file), &policy);
        for one in said {
            let own = report.signatures.iter().find(|own| own.field == one.field);
            let ours = match (own, report.verdict) {
                (Some(own), _) => verdict(own),
                (None, FileVerdict::Unreadable(_)) => "invalid",
                (None, _) => "missing",
            };
            if ours != one.verdict {
                let known = DISAGREEMENTS.iter().find(|(start, field, we, they)| {
                    file.starts_with(start) && one.field == *field && ours == *we && one.verdict == *they
                });
                match known {
                    Some(known) => drop(found.insert(*known)),
                    None => unexplained.push(format!(
                        "{file} {}: we say {ours}, pyHanko {} ({}): {:?}",
                        one.field,
                        one.verdict,
                        one.indication,
                        own.map(|own| &own.reasons)
                    )),
                }
                continue;
            }
            let sub = own.and_then(|own| own.conclusion().1).map(|sub| sub.name());
            let is_signature = own.is_some_and(|own| own.kind != SignatureKind::Timestamp);
            // The basic validation of pyHanko does not look at what was changed after the signature.
            if is_signature && one.indication.contains('_') && sub != Some(one.indication.as_str()) {
                unexplained.push(format!(
                    "{file} {}: we say {sub:?}, pyHanko {}",
                    one.field, one.indication
                ));
            }
        }
    }
    assert!(
        unexplained.is_empty(),
        "{}:\n{}",
        unexplained.len(),
        unexplained.join("\n")
    );
    let all: BTreeSet<_> = DISAGREEMENTS.iter().copied().collect();
    assert_eq!(found, all, "a disagreement is no longer there");
}
