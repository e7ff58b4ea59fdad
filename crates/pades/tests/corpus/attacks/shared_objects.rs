//! Shared objects: what a signature allows to change is at the same time what a page draws.

use pades::sign::{Field, NewSignature};

use super::{Attack, SIZE, body, field_of};
use crate::build::{CATALOG, Doc, FIRST_PAGE, Xref, append, stream};
use crate::people::Person;
use crate::signing::{PreparedPdf, invisible, time};
use crate::verifying::assert_valid;

/// A document whose page has these resources and draws this.
fn drawing(resources: &str, contents: &str) -> Doc {
    let mut doc = Doc::contract(1);
    doc.set(
        FIRST_PAGE,
        format!("<</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources<<{resources}>>>>"),
    );
    doc.set(5, stream("", contents.as_bytes()));
    doc
}

/// The newest catalog of a file, with more entries.
fn catalog(bytes: &[u8], entries: &str) -> Vec<u8> {
    let start = bytes.windows(9).rposition(|w| w == b"\n1 0 obj\n").unwrap() + 9;
    let length = bytes[start..].windows(7).position(|w| w == b"\nendobj").unwrap();
    let mut catalog = bytes[start..start + length].to_vec();
    let end = catalog.len() - 2;
    catalog.splice(end..end, entries.bytes());
    catalog
}

pub(crate) fn all(person: &Person) -> Vec<Attack> {
    let look = stream("/Type/XObject/Subtype/Form/BBox[0 0 99 99]", b"0 0 99 99 re f");
    let font = body("<</Type/Font/Subtype/Type1/BaseFont/Symbol>>");
    let text = "BT /DSS 12 Tf 72 720 Td (abc) Tj ET";
    let mut attacks = Vec::new();
    for dialect in [Xref::Table, Xref::Stream] {
        let signed = |doc: &Doc| {
            PreparedPdf::new(doc.write(dialect))
                .signed(person, &invisible("Firma"))
                .bytes
        };
        let mut add = |name: &str, base: &[u8], objects: &[(u32, Vec<u8>)]| {
            attacks.push(Attack {
                name: format!("shared object: {name} {dialect:?}"),
                bytes: append(base, objects, SIZE, "/Root 1 0 R", dialect),
            });
        };

        // The root is where the page looks for its pictures or fonts.
        for (name, resources, contents, late) in [
            ("a store that is drawn", "/XObject 1 0 R", "/DSS Do", &look),
            ("a store that is a font", "/Font 1 0 R", text, &font),
        ] {
            let base = signed(&drawing(resources, contents));
            let root = catalog(&base, "/DSS 400 0 R");
            add(name, &base, &[(CATALOG, root), (400, late.clone())]);
        }
        let mut doc = drawing("/Font 1 0 R", text);
        let store = doc.add("<</Type/DSS>>");
        doc.extend(CATALOG, &format!("/DSS {store} 0 R"));
        add(
            "a store that becomes a font",
            &signed(&doc),
            &[(store, font.clone())],
        );
        let mut doc = drawing("/XObject 6 0 R", "/DSS Do");
        doc.set(6, "1 0 R");
        let base = signed(&doc);
        let root = catalog(&base, "/DSS 400 0 R");
        add(
            "a store drawn by way of another object",
            &base,
            &[(CATALOG, root), (400, look.clone())],
        );

        // Entries of the root that are not what they must be, wherever they are drawn.
        let base = signed(&Doc::contract(1));
        for key in ["DSS", "Extensions", "Version", "Metadata"] {
            let root = catalog(&base, &format!("/{key} 400 0 R"));
            let name = format!("a drawing as {key}");
            add(&name, &base, &[(CATALOG, root), (400, look.clone())]);
        }

        // The same by way of the form.
        let mut doc = drawing("/XObject 6 0 R", "/SigFlags Do");
        doc.set(6, "<</Fields[]/SigFlags 1>>");
        doc.extend(CATALOG, "/AcroForm 6 0 R");
        let base = signed(&doc);
        let form = |flags: &str| body(&format!("<</Fields[{} 0 R]/SigFlags {flags}>>", field_of(&base)));
        add(
            "flags that are drawn",
            &base,
            &[(6, form("400 0 R")), (400, look.clone())],
        );
        add("a form that the page uses", &base, &[(6, form("1"))]);

        // Defaults of the form by which the text of a page is drawn, though it is not in the form.
        for (name, note) in [
            (
                "defaults for a field outside the form",
                "<</Type/Annot/Subtype/Widget/FT/Tx/T(valor)/V(Usted debe 1000)/F 4/Rect[9 9 99 29]/P 4 0 R>>",
            ),
            (
                "defaults for a note",
                "<</Type/Annot/Subtype/FreeText/DA(/Helv 9 Tf)/Contents(Usted debe 1000)/F 4/Rect[9 9 99 29]/P 4 0 R>>",
            ),
        ] {
            let mut doc = Doc::contract(1);
            doc.set(6, note);
            doc.on_page("/Annots[6 0 R]");
            let base = signed(&doc);
            let root = body(&format!(
                "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[{} 0 R]/SigFlags 3/DA(/Helv 12 Tf)/DR<</Font<</Helv 400 0 R>>>>>>>>",
                field_of(&base)
            ));
            add(name, &base, &[(CATALOG, root), (400, font.clone())]);
        }

        // And by way of a field that waits for its signature.
        let empty = "<</FT/Sig/T(espera)/Type/Annot/Subtype/Widget/Rect[9 9 99 29]/P 4 0 R>>";
        let filled = |entries: &str| body(&empty.replace("/P 4 0 R", &format!("/P 4 0 R{entries}")));
        for (name, resources, contents, entries) in [
            (
                "a signature that is drawn",
                "/XObject 6 0 R",
                "/V Do",
                "/V 400 0 R",
            ),
            ("a date that is a drawing", "", "", "/V 400 0 R/M 401 0 R"),
        ] {
            let mut doc = drawing(resources, contents);
            doc.set(6, empty);
            doc.on_page("/Annots[6 0 R]");
            doc.extend(CATALOG, "/AcroForm<</Fields[6 0 R]/SigFlags 1>>");
            let objects = [(6, filled(entries)), (400, look.clone()), (401, look.clone())];
            add(name, &signed(&doc), &objects);
        }
    }
    attacks
}

#[test]
fn a_field_that_is_tagged_and_has_a_kid_may_be_filled() {
    let person = Person::new("Ana");
    for dialect in [Xref::Table, Xref::Stream] {
        let mut doc = Doc::contract(1);
        doc.set(6, "<</FT/Sig/T(espera)/Kids[7 0 R]>>");
        doc.set(
            7,
            "<</Parent 6 0 R/Type/Annot/Subtype/Widget/Rect[9 9 99 29]/P 4 0 R>>",
        );
        doc.set(
            8,
            "<</Type/StructTreeRoot/K<</S/Form/K<</Type/OBJR/Obj 6 0 R/Pg 4 0 R>>>>>>",
        );
        doc.on_page("/Annots[7 0 R]");
        doc.extend(
            CATALOG,
            "/StructTreeRoot 8 0 R/AcroForm<</Fields[6 0 R]/SigFlags 3>>",
        );
        let paper = PreparedPdf::new(doc.write(dialect))
            .signed(&person, &invisible("Firma"))
            .signed(
                &person,
                &NewSignature::new(Field::Existing("espera"), time(), 4096),
            );
        assert_valid(&format!("{dialect:?}"), &paper.bytes, &person, 2);
    }
}
