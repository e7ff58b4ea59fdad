//! Every change that the verifier allows after a signature, drawn before and after by five independent programs.
//!
//! | Allowed change | Test |
//! |---|---|
//! | an update without objects; another identifier; objects that nothing refers to | [`what_changes_nothing_is_drawn_as_before`] |
//! | new information, metadata, extensions, a higher version | [`what_changes_nothing_is_drawn_as_before`] |
//! | the security store and what it holds | [`what_changes_nothing_is_drawn_as_before`] |
//! | a form's flags, and its defaults where there is no text | [`what_changes_nothing_is_drawn_as_before`] |
//! | new signature fields that are points, listed on their page, also with an appearance that paints nothing | [`what_changes_nothing_is_drawn_as_before`] |
//! | a document timestamp; a person's signature without an area | [`what_changes_nothing_is_drawn_as_before`] |
//! | a person's signature in a field that was there, without an appearance | [`what_changes_nothing_is_drawn_as_before`] |
//! | a person's signature in a new field with an appearance, of any matrix | [`a_signature_is_drawn_inside_its_rectangle_only`] |
//! | a person's signature in a field that was there, with an appearance | [`a_signature_is_drawn_inside_its_rectangle_only`] |
//! | fields that seem to draw nothing: refused, since one of the programs draws them | [`what_some_program_draws_is_refused`] |
//! | appearances that restore a graphics state they did not save: refused, since pdf.js then draws outside their rectangle | [`what_leaves_its_rectangle_is_refused`] |
//!
//! The programs are Poppler, `MuPDF`, Ghostscript, `PDFium` and pdf.js, at one pixel to a point.

use pades::sign::{Appearance, Field, NewSignature};
use pades::verify::FileVerdict;

use crate::attacks::SIZE;
use crate::attacks::appearances::{FLOOD, restoring_states, without_area};
use crate::attacks::field_of;
use crate::attacks::sneaky::enlisted;
use crate::build::{Doc, Xref, append, stream};
use crate::by_hand::{self, SIGNATURE};
use crate::people::Person;
use crate::pictures::{RENDERERS, draw};
use crate::signing::{PreparedPdf, invisible, time};
use crate::verifying::{assert_verdict_valid, harmless_base, harmless_updates, verified};

fn assert_believed(name: &str, bytes: &[u8], person: &Person) {
    assert_verdict_valid(name, &verified(bytes, person));
}

/// A signed document with a field that waits for another signature.
fn with_waiting_field(person: &Person, flags: u32, rectangle: &str) -> PreparedPdf {
    let mut doc = Doc::contract(1);
    doc.set(
        10,
        format!("<</FT/Sig/T(espera)/F {flags}/Type/Annot/Subtype/Widget/Rect[{rectangle}]/P 4 0 R>>"),
    );
    doc.on_page("/Annots[10 0 R]");
    doc.extend(1, "/AcroForm<</Fields[10 0 R]/SigFlags 3>>");
    PreparedPdf::new(doc.table()).signed(person, &invisible("Primera"))
}

#[test]
fn what_changes_nothing_is_drawn_as_before() {
    let person = Person::new("Ana");
    let base = harmless_base(&person, Xref::Table);
    let mut changed: Vec<(String, Vec<u8>)> = harmless_updates()
        .into_iter()
        .map(|(name, objects, trailer)| {
            let trailer = format!("/Root 1 0 R/Info 10 0 R{trailer}");
            (
                name.to_owned(),
                append(&base.bytes, &objects, SIZE, &trailer, Xref::Table),
            )
        })
        .collect();
    let simple = PreparedPdf::new(base.bytes.clone());
    changed.extend([
        (
            "a timestamp".to_owned(),
            simple.clone().stamped(&person, "Tiempo", time()).bytes,
        ),
        (
            "validation data and a timestamp".to_owned(),
            simple
                .clone()
                .with_validation_data(&person, &[])
                .stamped(&person, "Tiempo", time())
                .bytes,
        ),
        (
            "another signature".to_owned(),
            simple.signed(&person, &invisible("Otra")).bytes,
        ),
    ]);
    let files: Vec<_> = std::iter::once(base.bytes.clone())
        .chain(changed.iter().map(|(_, bytes)| bytes.clone()))
        .collect();
    let pictures = draw(&files);
    for ((name, bytes), after) in changed.iter().zip(&pictures[1..]) {
        assert_believed(name, bytes, &person);
        for (renderer, (before, after)) in RENDERERS.iter().zip(pictures[0].iter().zip(after)) {
            assert!(!before.is_blank(), "{renderer}");
            assert_eq!(before.differences(after), [], "{name}, drawn by {renderer}");
        }
    }
    // A field that waits for its signature is marked by MuPDF until it is filled, so it is filled in both.
    let before = with_waiting_field(&person, 2, "9 9 99 29");
    let slot = NewSignature::new(Field::Existing("espera"), time(), 4096);
    let after = before.clone().signed(&person, &slot);
    assert_believed("a field is filled", &after.bytes, &person);
    let pictures = draw(&[before.bytes, after.bytes]);
    assert_eq!(pictures[0], pictures[1], "a field is filled");
}

/// Where every visible signature of these tests is: left, bottom, right, top.
const AREA: [usize; 4] = [50, 50, 150, 90];

/// The first of the points that is outside that area. Edges may be smoothed into the next pixel.
fn outside(points: &[(usize, usize)]) -> Option<&(usize, usize)> {
    let [left, bottom, right, top] = AREA;
    let is_inside =
        |(x, y): &(usize, usize)| (left - 1..=right).contains(x) && (bottom - 1..=top).contains(y);
    points.iter().find(|point| !is_inside(point))
}

/// Fails unless each of the files is drawn otherwise than the first one inside the area, and the same outside.
fn assert_inside(before: &[u8], after: &[(&str, Vec<u8>)]) {
    let files: Vec<_> = after.iter().map(|(_, bytes)| bytes.clone()).collect();
    let pictures = draw(&[&[before.to_vec()][..], &files].concat());
    for ((name, _), after) in after.iter().zip(&pictures[1..]) {
        for (renderer, (before, after)) in RENDERERS.iter().zip(pictures[0].iter().zip(after)) {
            let differences = before.differences(after);
            assert!(!differences.is_empty(), "{name}: {renderer} draws nothing");
            assert_eq!(outside(&differences), None, "{name}, drawn by {renderer}");
        }
    }
}

#[test]
fn a_signature_is_drawn_inside_its_rectangle_only() {
    let person = Person::new("Ana");
    let base = PreparedPdf::new(Doc::contract(1).table()).signed(&person, &invisible("Firma"));
    let text = NewSignature {
        appearance: Some(Appearance::text([100.0, 40.0], &["Ana Muñoz"])),
        ..NewSignature::new(Field::Visible("Otra", [50.0, 50.0, 150.0, 90.0]), time(), 4096)
    };
    let ours = base.clone().signed(&person, &text);
    assert_believed("our own", &ours.bytes, &person);
    let mut signed = vec![("our own", ours.bytes)];
    let own = field_of(&base.bytes);
    for (name, rectangle, form) in [
        ("flooded", "50 50 150 90", "/BBox[0 0 100 40]"),
        ("scaled", "50 50 150 90", "/BBox[-5 -5 10 900]"),
        ("reversed", "150 90 50 50", "/BBox[0 0 100 40]"),
        ("upper corner first", "50 50 150 90", "/BBox[0 40 100 0]"),
        ("right corner first", "50 50 150 90", "/BBox[100 0 0 40]"),
        ("far corner first", "50 50 150 90", "/BBox[100 40 0 0]"),
        (
            "turned",
            "50 50 150 90",
            "/BBox[0 0 40 100]/Matrix[0 1 -1 0 100 0]",
        ),
        (
            "skewed",
            "50 50 150 90",
            "/BBox[0 0 100 40]/Matrix[1 .5 -.3 2 40 50]",
        ),
        (
            "mirrored",
            "50 50 150 90",
            "/BBox[0 0 100 40]/Matrix[-1 0 0 -1 7 7]",
        ),
        (
            "enlarged",
            "50 50 150 90",
            "/BBox[0 0 1 1]/Matrix[500 0 0 500 0 0]",
        ),
        (
            "grouped",
            "50 50 150 90",
            "/BBox[0 0 100 40]/Group<</S/Transparency>>",
        ),
    ] {
        let field = format!(
            "<</Type/Annot/Subtype/Widget/FT/Sig/T(Otra)/P 4 0 R/F 132/Rect[{rectangle}]/AP<</N 401 0 R>>/V {SIGNATURE} 0 R>>"
        );
        let page = Doc::page(5, &format!("/Annots[{own} 0 R 400 0 R]"));
        let form = format!("/Type/XObject/Subtype/Form/Resources<<>>{form}");
        let objects = [
            (1, enlisted(&base.bytes, 400)),
            (4, page.into_bytes()),
            (400, field.into_bytes()),
            (401, stream(&form, FLOOD)),
        ];
        let bytes = by_hand::signed(&base.bytes, &objects, "", &person);
        assert_believed(name, &bytes, &person);
        signed.push((name, bytes));
    }
    assert_inside(&base.bytes, &signed);
    let before = with_waiting_field(&person, 4, "50 50 150 90");
    let filled = NewSignature {
        appearance: Some(Appearance::text([100.0, 40.0], &["Ana"])),
        ..NewSignature::new(Field::Existing("espera"), time(), 4096)
    };
    let after = before.clone().signed(&person, &filled);
    assert_believed("filled", &after.bytes, &person);
    assert_inside(&before.bytes, &[("filled", after.bytes)]);
}

#[test]
fn what_some_program_draws_is_refused() {
    let person = Person::new("Ana");
    let base = PreparedPdf::new(Doc::contract(1).table()).signed(&person, &invisible("Firma"));
    let attacks = without_area();
    let files: Vec<_> = attacks
        .iter()
        .map(|drawn| {
            let objects = drawn.objects(&base.bytes, "");
            append(&base.bytes, &objects, SIZE, "/Root 1 0 R", Xref::Table)
        })
        .collect();
    let pictures = draw(&[&[base.bytes.clone()][..], &files].concat());
    for ((drawn, bytes), after) in attacks.iter().zip(&files).zip(&pictures[1..]) {
        let by = RENDERERS
            .iter()
            .zip(pictures[0].iter().zip(after))
            .filter(|(_, (before, after))| before != after)
            .map(|(renderer, _)| *renderer);
        let by: Vec<_> = by.collect();
        assert!(!by.is_empty(), "{}: no program draws it", drawn.name);
        let verdict = verified(bytes, &person).verdict;
        assert_eq!(verdict, FileVerdict::Invalid, "{}: drawn by {by:?}", drawn.name);
    }
}

#[test]
fn what_leaves_its_rectangle_is_refused() {
    let person = Person::new("Ana");
    let base = PreparedPdf::new(Doc::contract(1).table()).signed(&person, &invisible("Firma"));
    let value = format!("/V {SIGNATURE} 0 R");
    let attacks = restoring_states();
    let files: Vec<_> = attacks
        .iter()
        .map(|drawn| by_hand::signed(&base.bytes, &drawn.objects(&base.bytes, &value), "", &person))
        .collect();
    let pictures = draw(&[&[base.bytes.clone()][..], &files].concat());
    for ((drawn, bytes), after) in attacks.iter().zip(&files).zip(&pictures[1..]) {
        let by = RENDERERS
            .iter()
            .zip(pictures[0].iter().zip(after))
            .filter(|(_, (before, after))| outside(&before.differences(after)).is_some())
            .map(|(renderer, _)| *renderer);
        let by: Vec<_> = by.collect();
        assert!(by.contains(&"pdfjs"), "{}: drawn by {by:?}", drawn.name);
        let verdict = verified(bytes, &person).verdict;
        assert_eq!(verdict, FileVerdict::Invalid, "{}", drawn.name);
    }
}
