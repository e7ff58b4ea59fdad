//! A sheet at the end of the document, with a field for each signer, certified and then filled.

use pades::inspect::{Limits, inspect};
use pades::sign::{Appearance, Field, NewSignature, PageError, Permission, Slot};
use sha2::{Digest, Sha256};

use crate::build::{DIALECTS, Doc, PAGES, Xref, deflate, stream};
use crate::people::Person;
use crate::signing::{Paper, invisible, time};
use crate::tools::{self, Verdict};
use crate::verifying::assert_valid;

/// A page with a font, a picture and a link, as a PDF of its own.
fn sheet(dialect: Xref) -> Vec<u8> {
    let mut doc = Doc::contract(1);
    doc.set(
        5,
        stream(
            "/Filter/FlateDecode",
            &deflate(b"BT /F1 18 Tf 72 760 Td (Hoja de firmas) Tj ET q 80 0 0 80 450 700 cm /Im Do Q"),
        ),
    );
    let picture = doc.add(stream(
        "/Type/XObject/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceGray",
        &[0, 255, 255, 0],
    ));
    doc.set(4, format!("<</Type/Page/Parent 2 0 R/Contents 5 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>/XObject<</Im {picture} 0 R>>>>>>"));
    let link = doc.add("<</Type/Annot/Subtype/Link/P 4 0 R/Rect[450 700 530 780]/Border[0 0 0]/A<</S/URI/URI(https://example.com/v)>>>>");
    doc.on_page(&format!("/Annots[{link} 0 R]"));
    doc.write(dialect)
}

const SLOTS: [Slot<'static>; 2] = [
    Slot {
        name: "Firma_1",
        area: [72.0, 560.0, 300.0, 620.0],
    },
    Slot {
        name: "Firma_ñ",
        area: [72.0, 480.0, 300.0, 540.0],
    },
];

fn with_sheet(bytes: Vec<u8>, dialect: Xref) -> Paper {
    let paper = Paper::new(bytes);
    let appended = paper.state.add_page(&sheet(dialect), &SLOTS).unwrap();
    paper.append(appended)
}

fn filled(name: &str) -> NewSignature<'_> {
    NewSignature {
        appearance: Some(Appearance::text(
            [228.0, 60.0],
            &["Firmado por Ana Muñoz", "CC 52123456", "2026-11-15 07:00"],
        )),
        ..NewSignature::new(Field::Existing(name), time(), 4096)
    }
}

#[test]
fn a_certified_sheet_is_filled_by_each_signer() {
    let person = Person::new("Ana");
    let mut odd = Doc::contract(2);
    let kids = odd.add("[4 0 R 6 0 R]");
    odd.set(
        PAGES,
        format!("<</Type/Pages/Kids {kids} 0 R/Count 2/MediaBox[0 0 300 300]/Rotate 90/CropBox[9 9 99 99]>>"),
    );
    let mut papers = Vec::new();
    for dialect in DIALECTS {
        for (name, doc) in [("plain", Doc::contract(2)), ("odd", odd.clone())] {
            let upload = doc.write(dialect);
            let paper = with_sheet(upload.clone(), dialect);
            let seen = inspect(&paper.bytes, &Limits::default()).unwrap();
            assert_eq!((seen.pages, seen.signatures), (3, 0));
            let again = seen.prepare(Sha256::new_with_prefix(&paper.bytes));
            assert_eq!(
                again.to_bytes(),
                paper.state.to_bytes(),
                "{name} {dialect:?}: the states agree"
            );
            let certify = NewSignature {
                certify: Some(Permission::FillAndSign),
                ..invisible("Certifica")
            };
            let paper = paper
                .signed(&person, &certify)
                .signed(&person, &filled("Firma_ñ"))
                .signed(&person, &filled("Firma_1"));
            let paper = paper
                .with_evidence(&person, &[])
                .stamped(&person, "Archivo", time());
            assert!(paper.bytes.starts_with(&upload));
            assert_valid(name, &paper.bytes, &person, 4);
            papers.push((format!("{name}-{dialect:?}"), paper.bytes));
        }
    }
    let files: Vec<_> = papers
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    for ((name, _), verdict) in papers.iter().zip(tools::validate(&files, &person.root())) {
        assert_eq!(
            verdict,
            Verdict {
                pdfsig: 3,
                ..Verdict::all_valid(4)
            },
            "{name}"
        );
    }
}

#[test]
fn a_sheet_that_cannot_be_added_says_why() {
    let person = Person::new("Ana");
    let paper = Paper::new(Doc::contract(1).table());
    let add = |paper: &Paper, pdf: &[u8], slots: &[Slot<'_>]| paper.state.add_page(pdf, slots).unwrap_err();
    assert_eq!(
        add(&paper, &Doc::contract(2).table(), &SLOTS),
        PageError::NotOnePage
    );
    assert!(matches!(add(&paper, b"no", &SLOTS), PageError::Damaged(_)));
    let twice = [SLOTS[0], SLOTS[0]];
    assert_eq!(add(&paper, &sheet(Xref::Table), &twice), PageError::NameTaken);
    let signed = paper.signed(&person, &invisible("Firma"));
    assert_eq!(add(&signed, &sheet(Xref::Table), &SLOTS), PageError::Signed);
}
