//! Validation data in a document's security store: what a signature covers is not taken away.

use pades::sign::{add_validation_data, sign};
use pades::verify::{Change, FileVerdict, Language, Reason, Report};
use pki::authority::{Reason as Why, Revoked};

use crate::build::{DIALECTS, Doc, Xref, append, stream};
use crate::people::Person;
use crate::signing::{PreparedPdf, invisible, time};
use crate::tools;
use crate::verifying::{assert_valid, newest_object, verified};

/// The newest version of an object.
fn newest(bytes: &[u8], number: u32) -> String {
    String::from_utf8(newest_object(bytes, number)).unwrap()
}

/// The number behind a key.
fn number_behind(text: &str, key: &str) -> u32 {
    let rest = &text[text.find(key).unwrap() + key.len()..];
    rest.split_whitespace().next().unwrap().parse().unwrap()
}

/// A document whose signer was revoked, as a list in its store says, which a second signature covers.
fn revoked(person: &Person) -> PreparedPdf {
    let paper = PreparedPdf::new(Doc::contract(1).table());
    let key = person.key();
    let serial = key.certificate().serial().to_vec();
    let unsigned = sign(&paper.state, &invisible("Firma")).unwrap();
    let signature = key.sign(unsigned.digest()).unwrap();
    let at = "2026-11-15T06:00:00Z".parse().unwrap();
    let reason = Why::KeyCompromise;
    paper
        .append(unsigned.embed(&signature.finish(None)).unwrap())
        .with_validation_data(person, &[Revoked { serial, at, reason }])
        .signed(person, &invisible("Otra"))
}

fn is_revoked(report: &Report) -> bool {
    let reasons = &report.signatures[0].reasons;
    reasons.iter().any(|reason| matches!(reason, Reason::Revoked(_)))
}

#[test]
fn a_revocation_that_was_signed_over_is_not_taken_away() {
    let person = Person::new("Ana");
    let paper = revoked(&person);
    assert!(is_revoked(&verified(&paper.bytes, &person)));
    let root = newest(&paper.bytes, 1);
    let store = number_behind(&root, "/DSS ");
    let body = newest(&paper.bytes, store);
    let start = body.find("/CRLs").unwrap();
    let list = &body[start..=start + body[start..].find(']').unwrap()];
    let items = list
        .trim_start_matches("/CRLs")
        .trim_matches([' ', '[', ']'])
        .to_owned();
    let clean = person.lists(&[]);
    let emptied = |with: &str| vec![(store, body.replace(list, with).into_bytes())];
    for (name, objects, shrinks) in [
        ("emptied", emptied("/CRLs[]"), true),
        ("null", emptied("/CRLs null"), true),
        ("left out", emptied(""), true),
        ("no list", emptied("/CRLs 7"), true),
        (
            "a reference that dangles",
            emptied(&format!("/CRLs[499 0 R {items}]")),
            false,
        ),
        ("a page", emptied(&format!("/CRLs[{items} 4 0 R]")), false),
        ("a value", emptied(&format!("/CRLs[{items} 5]")), false),
        (
            "no stream",
            [
                emptied(&format!("/CRLs[{items} 400 0 R]")),
                vec![(400, b"<<>>".to_vec())],
            ]
            .concat(),
            false,
        ),
        (
            "another list",
            [
                emptied("/CRLs[400 0 R 401 0 R]"),
                vec![(400, stream("", &clean[0])), (401, stream("", &clean[1]))],
            ]
            .concat(),
            true,
        ),
        (
            "another store",
            vec![
                (
                    1,
                    root.replace(&format!("/DSS {store} "), "/DSS 400 ").into_bytes(),
                ),
                (400, b"<</Type/DSS>>".to_vec()),
            ],
            true,
        ),
        (
            "no store",
            vec![(1, root.replace(&format!("/DSS {store} 0 R"), "").into_bytes())],
            true,
        ),
    ] {
        let bytes = append(&paper.bytes, &objects, 500, "/Root 1 0 R", Xref::Table);
        let report = verified(&bytes, &person);
        assert_eq!(report.verdict, FileVerdict::Invalid, "{name}");
        assert!(is_revoked(&report), "{name}: {}", report.text(Language::English));
        // The second signature covers the store.
        let reasons = &report.signatures[1].reasons;
        let is_told = reasons.contains(&Reason::Changed(Change::ValidationData));
        assert_eq!(is_told, shrinks, "{name}: {reasons:?}");
    }
}

#[test]
fn an_item_that_cannot_be_read_is_noted_and_takes_nothing_from_the_others() {
    let person = Person::new("Ana");
    let paper = revoked(&person);
    let store = number_behind(&newest(&paper.bytes, 1), "/DSS ");
    let body = newest(&paper.bytes, store);
    let longer = body.replace("/CRLs[", "/CRLs[400 0 R 401 0 R ");
    assert_ne!(longer, body);
    let objects = [
        (store, longer.into_bytes()),
        (400, b"<</A 1>>".to_vec()),
        (401, stream("", b"junk")),
    ];
    let bytes = append(&paper.bytes, &objects, 500, "/Root 1 0 R", Xref::Table);
    let report = verified(&bytes, &person);
    assert!(is_revoked(&report));
    assert_eq!(report.unread_validation_data, [400, 401]);
    assert!(report.text(Language::Spanish).contains("objetos 400, 401"));
    assert_eq!(verified(&paper.bytes, &person).unread_validation_data, []);
}

#[test]
fn what_is_held_about_a_signature_may_grow_and_not_shrink() {
    let person = Person::new("Ana");
    let list = person.lists(&[])[1].clone();
    let mut doc = Doc::contract(1);
    doc.set(10, "<</Type/DSS/CRLs[12 0 R]/VRI<</AA<</CRL[12 0 R]>>>>>>");
    doc.set(12, stream("", &list));
    doc.extend(1, "/DSS 10 0 R");
    let paper = PreparedPdf::new(doc.table()).signed(&person, &invisible("Firma"));
    let copy = (400, stream("", &list));
    for (store, grows) in [
        (
            "/CRLs[12 0 R]/VRI<</AA<</CRL[12 0 R]>>/BB<</CRL[12 0 R]>>>>",
            true,
        ),
        ("/CRLs[12 0 R 400 0 R]/VRI<</AA<</CRL[400 0 R 12 0 R]>>>>", true),
        ("/CRLs[400 0 R]/VRI<</AA<</CRL[400 0 R]>>>>", true),
        ("/CRLs[12 0 R]/VRI<</AA<</CRL[]>>>>", false),
        ("/CRLs[12 0 R]/VRI<</BB<</CRL[12 0 R]>>>>", false),
        ("/CRLs[12 0 R]/VRI 7", false),
        ("/CRLs[12 0 R]", false),
        ("/CRLs[3 0 R]/VRI<</AA<</CRL[12 0 R]>>>>", false),
    ] {
        let objects = [(10, format!("<</Type/DSS{store}>>").into_bytes()), copy.clone()];
        let bytes = append(&paper.bytes, &objects, 500, "/Root 1 0 R", Xref::Table);
        let report = verified(&bytes, &person);
        let expected = if grows {
            FileVerdict::Valid
        } else {
            FileVerdict::Invalid
        };
        assert_eq!(
            report.verdict,
            expected,
            "{store}: {}",
            report.text(Language::English)
        );
    }
}

#[test]
fn a_list_that_others_share_is_left_as_it_is() {
    let person = Person::new("Ana");
    let issuer = person.issuer.certificate().as_der().to_vec();
    let mut papers = Vec::new();
    for dialect in DIALECTS {
        let mut doc = Doc::contract(1);
        let key = "0123456789ABCDEF0123456789ABCDEF01234567";
        doc.set(
            10,
            format!("<</Type/DSS/Certs 11 0 R/VRI<</{key}<</Cert 11 0 R>>>>>>"),
        );
        doc.set(11, "[12 0 R]");
        doc.set(12, stream("", &issuer));
        doc.extend(1, "/DSS 10 0 R");
        let signed = PreparedPdf::new(doc.write(dialect)).signed(&person, &invisible("Firma"));
        let certificate = person.key();
        let lists = person.lists(&[]);
        let certificates = [certificate.certificate().as_der()];
        let more = add_validation_data(&signed.state, &certificates, &[&lists[0], &lists[1]], &[]).unwrap();
        let paper = signed.append(more);
        let store = newest(&paper.bytes, 10);
        assert!(store.contains("/Certs[12 0 R"), "{dialect:?}: {store}");
        let paper = paper.stamped(&person, "Tiempo", time());
        assert_valid(&format!("{dialect:?}"), &paper.bytes, &person, 2);
        papers.push((format!("shared-{dialect:?}"), paper.bytes));
    }
    let files: Vec<_> = papers
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    for ((name, _), verdict) in papers.iter().zip(tools::validate(&files, &person.root())) {
        assert_eq!((verdict.pyhanko, verdict.remarks.as_str()), (2, ""), "{name}");
    }
}

#[test]
fn a_file_with_timestamps_only_is_not_signed() {
    let person = Person::new("Ana");
    let stamped = PreparedPdf::new(Doc::contract(1).table()).stamped(&person, "Tiempo", time());
    for paper in [
        stamped.clone(),
        stamped.clone().stamped(&person, "Archivo", time()),
    ] {
        let report = verified(&paper.bytes, &person);
        assert_eq!(report.verdict, FileVerdict::OnlyTimestamps);
        let first = |language| report.text(language).lines().next().map(str::to_owned);
        assert_eq!(
            first(Language::Spanish).as_deref(),
            Some("El documento no tiene firmas de personas, solo estampas de tiempo.")
        );
        assert_eq!(
            first(Language::English).as_deref(),
            Some("The document has no signature of a person, only timestamps.")
        );
    }
    let stranger = Person::new("Otra");
    assert_eq!(
        verified(&stamped.bytes, &stranger).verdict,
        FileVerdict::OnlyTimestamps
    );
    let signed = stamped.signed(&person, &invisible("Firma"));
    assert_eq!(verified(&signed.bytes, &person).verdict, FileVerdict::Valid);
}
