//! What a signature forbids, in spellings that a careless reader passes over.

use pades::verify::{Change, FileVerdict, Reason, Report};
use pdf::Limits;
use pdf::inspect::{Lock, Refused, inspect};

use crate::build::{Doc, Xref, append};
use crate::by_hand::{self, SIGNATURE};
use crate::people::Person;
use crate::verifying::verified;

/// A document whose signature has these references.
fn with_references(references: &str, person: &Person) -> Vec<u8> {
    with_lock(references, "", person)
}

/// The same with these entries in the signature field's own dictionary.
fn with_lock(references: &str, lock: &str, person: &Person) -> Vec<u8> {
    let first = [
        (1, root("400 0 R")),
        (4, Doc::page(5, "/Annots[400 0 R]").into_bytes()),
        (400, field("(Firma)", &format!("/V {SIGNATURE} 0 R{lock}"))),
    ];
    let entries = format!("/Reference[{references}]");
    by_hand::signed(&Doc::contract(1).table(), &first, &entries, person)
}

fn root(fields: &str) -> Vec<u8> {
    format!("<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[{fields}]/SigFlags 3>>>>").into_bytes()
}

fn field(name: &str, entries: &str) -> Vec<u8> {
    format!("<</FT/Sig/T{name}/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/P 4 0 R{entries}>>").into_bytes()
}

/// The same document, which got a field of this name afterwards, verified.
fn followed(references: &str, name: &str, person: &Person) -> Report {
    followed_by(&with_references(references, person), name, person)
}

fn followed_by(signed: &[u8], name: &str, person: &Person) -> Report {
    assert_eq!(verified(signed, person).verdict, FileVerdict::Valid);
    let later = [(1, root("400 0 R 401 0 R")), (401, field(name, ""))];
    verified(&append(signed, &later, 500, "/Root 1 0 R", Xref::Table), person)
}

fn certifying(level: &str) -> String {
    format!("<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</Type/TransformParams/V/1.2{level}>>>>")
}

fn locking(entries: &str) -> String {
    format!(
        "<</Type/SigRef/TransformMethod/FieldMDP/Data 1 0 R/TransformParams<</Type/TransformParams/V/1.2{entries}>>>>"
    )
}

#[test]
fn a_certification_counts_however_its_level_is_written() {
    let person = Person::new("Ana");
    for (levels, open) in [
        (&["/P 1"][..], false),
        (&["/P 1.0"], false),
        (&["/P 1."], false),
        (&["/P 0"], false),
        (&["/P(2)"], false),
        (&["/P 1", "/P 3"], false),
        (&["/P 3", "/P 1"], false),
        (&["/P 2", "/P 1.0"], false),
        (&["/P 2"], true),
        (&["/P 2.0"], true),
        (&["/P 3", "/P 2"], true),
        (&[""], true),
    ] {
        let references: String = levels.iter().map(|level| certifying(level)).collect();
        let report = followed(&references, "(Otra)", &person);
        let expected = if open {
            vec![]
        } else {
            vec![Reason::Changed(Change::Certified)]
        };
        let found = &report.signatures[0].reasons;
        let found: Vec<_> = found
            .iter()
            .filter(|reason| **reason != Reason::RevocationUnknown)
            .cloned()
            .collect();
        assert_eq!(found, expected, "{levels:?}");
        let inspected = inspect(&with_references(&references, &person), &Limits::default());
        let locked = Refused::LockedAgainstSigning(Lock::Certified);
        assert_eq!(inspected.err(), (!open).then_some(locked), "{levels:?}");
    }
}

#[test]
fn a_lock_holds_a_field_in_every_encoding_of_its_name() {
    let person = Person::new("Ana");
    let names = [
        "(A\\361o)",
        "<FEFF004100F1006F>",
        "<FFFE4100F1006F00>",
        "<EFBBBF41C3B16F>",
        "<FEFF001B00650073001B004100F1006F>",
    ];
    let is_locked = |references: &str, name: &str| {
        let report = followed(references, name, &person);
        report.signatures[0]
            .reasons
            .contains(&Reason::Changed(Change::LockedField("Año".into())))
    };
    for listed in names {
        for name in names {
            let only = locking(&format!("/Action/Include/Fields[{listed}]"));
            assert!(is_locked(&only, name), "{listed} {name}");
            let all_but = locking(&format!("/Action/Exclude/Fields[{listed}]"));
            assert!(!is_locked(&all_but, name), "{listed} {name}");
        }
    }
    let strange = locking("/Action/Include/Fields[499 0 R]");
    assert!(
        is_locked(&strange, "(A\\361o)"),
        "a name that cannot be read may be any"
    );
    let other = locking("/Action/Include/Fields[(Ano)]");
    assert!(!is_locked(&other, "(A\\361o)"));
}

#[test]
fn a_lock_in_the_fields_own_dictionary_holds_without_a_reference() {
    let person = Person::new("Ana");
    let reasons = |lock: &str| {
        let report = followed_by(&with_lock("", lock, &person), "(Otra)", &person);
        report.signatures[0].reasons.clone()
    };
    let locked = Reason::Changed(Change::LockedField("Otra".into()));
    assert!(reasons("/Lock<</Type/SigFieldLock/Action/All>>").contains(&locked));
    assert!(reasons("/Lock<</Type/SigFieldLock/Action/Include/Fields[(Otra)]>>").contains(&locked));
    assert!(!reasons("/Lock<</Type/SigFieldLock/Action/Exclude/Fields[(Otra)]>>").contains(&locked));
    let closed = reasons("/Lock<</Type/SigFieldLock/Action/Include/Fields[(Ninguno)]/P 1>>");
    assert!(closed.contains(&Reason::Changed(Change::Certified)), "{closed:?}");
}
