//! Verifying signed files: what is whole is valid, and what only looks suspicious is not refused.

use pades::sign::{Appearance, Field, NewSignature};
use pades::verify::{FileVerdict, Language, Policy, Report, Verdict, verify};

use crate::attacks::body;
use crate::build::{Doc, Xref, append, stream};
use crate::by_hand;
use crate::people::Person;
use crate::signing::{PreparedPdf, invisible, time};
use crate::uploads::take_in;

pub(crate) fn verified(bytes: &[u8], person: &Person) -> Report {
    verify(bytes, &Policy::new(&person.roots(), time()))
}

/// Fails unless the file is valid.
pub(crate) fn assert_verdict_valid(name: &str, report: &Report) {
    assert_eq!(
        report.verdict,
        FileVerdict::Valid,
        "{name}: {}",
        report.text(Language::English)
    );
}

/// Fails unless every signature is valid and there are as many as expected.
pub(crate) fn assert_valid(name: &str, bytes: &[u8], person: &Person, count: usize) {
    let report = verified(bytes, person);
    assert_verdict_valid(name, &report);
    assert_eq!(report.signatures.len(), count, "{name}");
    assert!(
        report
            .signatures
            .iter()
            .all(|signature| signature.verdict == Verdict::Valid),
        "{name}"
    );
    assert!(
        report.signatures.iter().any(|signature| signature.covers_all),
        "{name}"
    );
}

/// Updates after a signature without a visible change.
pub(crate) fn harmless_updates() -> Vec<(&'static str, Vec<(u32, Vec<u8>)>, &'static str)> {
    let catalog = |extra: &str| {
        body(&format!(
            "<</Type/Catalog/Pages 2 0 R/Metadata 11 0 R/AcroForm<</Fields[13 0 R]/SigFlags 3>>{extra}>>"
        ))
    };
    let empty = |name: &str| {
        body(&format!(
            "<</FT/Sig/T({name})/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/P 4 0 R>>"
        ))
    };
    let store = "<</Type/DSS/Certs[400 0 R]>>";
    vec![
        ("nothing at all", vec![], ""),
        (
            "new information",
            vec![(
                10,
                body("<</Title(Contrato)/Producer 12 0 R/ModDate(D:20261116000000Z)>>"),
            )],
            "",
        ),
        (
            "the spelling and the defaults of another program",
            vec![
                (
                    1,
                    body(
                        "<< /Pages 2 0 R /Type /Catalog /Metadata 11 0 R /AcroForm << /SigFlags 3 /Fields [ 13 0 R 400 0 R ] \
                         /DA (/Helv 0 Tf 0 g ) /DR << /Font << /Helv 3 0 R >> >> >> >>",
                    ),
                ),
                (
                    4,
                    body(
                        "<< /Parent 2 0 R /Type /Page /Annots [ 13 0 R 400 0 R ] /Contents 5 0 R \
                         /Resources << /Font << /F#31 3 0 R >> >> >>",
                    ),
                ),
                (400, empty("Una")),
            ],
            "",
        ),
        (
            "new metadata",
            vec![(11, stream("/Type/Metadata/Subtype/XML", b"<x:xmpmeta/>"))],
            "",
        ),
        (
            "validation data",
            vec![
                (1, catalog("/DSS 401 0 R")),
                (401, body(store)),
                (400, stream("", b"junk")),
            ],
            "",
        ),
        (
            "an extension",
            vec![(
                1,
                catalog("/Extensions<</ESIC<</BaseVersion/1.7/ExtensionLevel 5>>>>"),
            )],
            "",
        ),
        (
            "two empty fields",
            vec![
                (
                    1,
                    body(
                        "<</Type/Catalog/Pages 2 0 R/Metadata 11 0 R/AcroForm<</Fields[13 0 R 400 0 R 401 0 R]/SigFlags 3>>>>",
                    ),
                ),
                (4, body(&Doc::page(5, "/Annots[13 0 R 400 0 R 401 0 R]"))),
                (400, empty("Una")),
                (401, empty("Otra")),
            ],
            "",
        ),
        (
            "objects without a reference to them",
            vec![(400, body("<</Type/Whatever>>"))],
            "",
        ),
        ("another version of the identifier", vec![], "/ID[<00><01>]"),
        ("a higher version", vec![(1, catalog("/Version/2.0"))], ""),
        (
            "an empty field whose appearance paints nothing",
            vec![
                (
                    1,
                    body(
                        "<</Type/Catalog/Pages 2 0 R/Metadata 11 0 R/AcroForm<</Fields[13 0 R 400 0 R]/SigFlags 3>>>>",
                    ),
                ),
                (4, body(&Doc::page(5, "/Annots[13 0 R 400 0 R]"))),
                (
                    400,
                    body(
                        "<</FT/Sig/T(Una)/F 132/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/P 4 0 R/AP<</N 401 0 R>>>>",
                    ),
                ),
                (
                    401,
                    stream("/Type/XObject/Subtype/Form/BBox[0 0 0 0]", b"% DSBlank\n"),
                ),
            ],
            "",
        ),
    ]
}

/// The document to which those updates are added.
pub(crate) fn harmless_base(person: &Person, dialect: Xref) -> PreparedPdf {
    let mut doc = Doc::contract(1);
    doc.set(10, "<</Title(Borrador)/Producer 12 0 R>>");
    doc.set(12, "(Otro programa)");
    doc.set(
        11,
        stream("/Type/Metadata/Subtype/XML", b"<x:xmpmeta></x:xmpmeta>"),
    );
    doc.set(
        13,
        "<</FT/Sig/T(espera)/Type/Annot/Subtype/Widget/Rect[9 9 99 29]/P 4 0 R>>",
    );
    doc.on_page("/Annots[13 0 R]");
    doc.extend(1, "/Metadata 11 0 R/AcroForm<</Fields[13 0 R]/SigFlags 3>>");
    doc.trailer += "/Info 10 0 R";
    let slot = NewSignature::new(Field::Existing("espera"), time(), 2048);
    PreparedPdf::new(doc.write(dialect)).signed(person, &slot)
}

#[test]
fn harmless_updates_are_not_refused() {
    let person = Person::new("Ana");
    for dialect in [Xref::Table, Xref::Stream, Xref::Packed] {
        let mut paper = harmless_base(&person, dialect);
        paper.bytes.extend_from_slice(b"\r\n\n");
        for (name, objects, trailer) in harmless_updates() {
            let trailer = format!("/Root 1 0 R/Info 10 0 R{trailer}");
            let bytes = append(&paper.bytes, &objects, 500, &trailer, dialect);
            let report = verified(&bytes, &person);
            assert_verdict_valid(&format!("{name} {dialect:?}"), &report);
        }
    }
}

#[test]
fn a_filled_field_may_change_its_flags_but_not_become_visible() {
    let person = Person::new("Ana");
    let field = |flags: &str| {
        format!("<</FT/Sig/T(espera)/Type/Annot/Subtype/Widget/Rect[9 9 99 29]/P 4 0 R{flags}>>").into_bytes()
    };
    for (before, after, verdict) in [
        ("", "/F 132/Ff 1", Verdict::Valid),
        ("/F 4", "/F 132", Verdict::Valid),
        ("/F 2", "/F 132", Verdict::Invalid),
        ("/F 36", "/F 4", Verdict::Invalid),
        ("", "/F 132/MK<</BG[1]>>", Verdict::Invalid),
    ] {
        let mut doc = Doc::contract(1);
        doc.set(13, field(before));
        doc.on_page("/Annots[13 0 R]");
        doc.extend(1, "/AcroForm<</Fields[13 0 R]/SigFlags 3>>");
        let paper = PreparedPdf::new(doc.table()).signed(&person, &invisible("Primera"));
        let filled = [
            (13, field(&format!("{after}/V 400 0 R"))),
            (400, b"<</Type/Sig>>".to_vec()),
        ];
        let bytes = append(&paper.bytes, &filled, 500, "/Root 1 0 R", Xref::Table);
        let report = verified(&bytes, &person);
        let first = report
            .signatures
            .iter()
            .find(|signature| signature.field == "Primera");
        let first = first.unwrap();
        assert_eq!(first.verdict, verdict, "{before} {after}: {:?}", first.reasons);
    }
}

#[test]
fn a_friend_may_sign_visibly_after_another() {
    let person = Person::new("Ana");
    let drawn = NewSignature {
        appearance: Some(Appearance::text([100.0, 40.0], &["Ana"])),
        ..NewSignature::new(Field::Visible("Segunda", [50.0, 50.0, 150.0, 90.0]), time(), 2048)
    };
    let paper = PreparedPdf::new(Doc::contract(1).table())
        .signed(&person, &invisible("Primera"))
        .signed(&person, &drawn);
    assert_valid("visible", &paper.bytes, &person, 2);
}

#[test]
fn a_signature_that_stands_directly_in_its_field_is_read() {
    let person = Person::new("Ana");
    let mut doc = Doc::contract(1);
    let widget = "/FT/Sig/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/P 4 0 R";
    doc.set(13, format!("<<{widget}/T(espera)>>"));
    doc.on_page("/Annots[13 0 R]");
    doc.extend(1, "/AcroForm<</Fields[13 0 R]/SigFlags 3>>");
    let first = by_hand::signed_directly(&doc.table(), &[], (13, &format!("{widget}/T(espera)")), &person);
    assert_valid("filled", &first, &person, 1);
    take_in(first.clone()).unwrap();
    let ours = PreparedPdf::new(first.clone()).signed(&person, &invisible("nuestra"));
    assert_valid("filled, and then ours", &ours.bytes, &person, 2);
    let both = body("<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[13 0 R 400 0 R]/SigFlags 3>>>>");
    let page = body(&Doc::page(5, "/Annots[13 0 R 400 0 R]"));
    let objects = [(1, both), (4, page)];
    let second = by_hand::signed_directly(
        &first,
        &objects,
        (400, &format!("{widget}/T(otra)/F 132")),
        &person,
    );
    assert_valid("filled, and another added", &second, &person, 2);

    // The same bytes elsewhere in the file do not speak for the field, and the field itself may not change.
    let copy = newest_object(&first, 13);
    let moved = append(&first, &[(13, copy)], 500, "/Root 1 0 R", Xref::Table);
    assert_eq!(verified(&moved, &person).verdict, FileVerdict::Invalid);
    let emptied = body(&format!("<<{widget}/T(espera)/V<</Type/Sig>>>>"));
    let emptied = append(&first, &[(13, emptied)], 500, "/Root 1 0 R", Xref::Table);
    assert_eq!(verified(&emptied, &person).verdict, FileVerdict::Invalid);
}

/// The newest version of an object.
pub(crate) fn newest_object(bytes: &[u8], number: u32) -> Vec<u8> {
    let head = format!("\n{number} 0 obj\n").into_bytes();
    let start = bytes.windows(head.len()).rposition(|w| w == head).unwrap() + head.len();
    let length = bytes[start..].windows(7).position(|w| w == b"\nendobj").unwrap();
    bytes[start..start + length].to_vec()
}

#[test]
fn the_outcome_is_said_in_two_languages() {
    let person = Person::new("Ana");
    let paper = PreparedPdf::new(Doc::contract(1).table()).signed(&person, &invisible("Firma"));
    let report = verified(&paper.bytes, &person);
    assert!(
        report
            .text(Language::Spanish)
            .starts_with("Todas las firmas del documento son válidas.")
    );
    assert!(
        report
            .text(Language::English)
            .starts_with("Every signature of the document is valid.")
    );
    let unsigned = verified(&Doc::contract(1).table(), &person);
    assert_eq!(unsigned.verdict, FileVerdict::Unsigned);
    assert_eq!(unsigned.text(Language::Spanish), "El documento no está firmado.");
}
