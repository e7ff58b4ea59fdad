//! Shadow attacks: the content to come is in the document before it is signed.

use super::{Attack, SIZE, body};
use crate::build::{Doc, Xref, append, object, startxref, stream};
use crate::people::Person;
use crate::signing::{PreparedPdf, invisible};

/// A document with a white picture over its text, and the number of that picture.
fn covered() -> (Doc, u32) {
    let mut doc = Doc::contract(1);
    let cover = doc.add(stream(
        "/Type/XObject/Subtype/Form/BBox[0 0 600 800]",
        b"1 g 0 0 600 800 re f",
    ));
    doc.set(4, format!("<</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>/XObject<</C {cover} 0 R>>>>>>"));
    (doc, cover)
}

fn signed(doc: &Doc, dialect: Xref, person: &Person) -> Vec<u8> {
    PreparedPdf::new(doc.write(dialect))
        .signed(person, &invisible("Firma"))
        .bytes
}

fn freed(base: &[u8], number: u32) -> Vec<u8> {
    let mut out = base.to_vec();
    let at = out.len();
    out.extend_from_slice(format!("xref\n{number} 1\n0000000000 00001 f\r\ntrailer\n<</Root 1 0 R/Size {SIZE}/Prev {}>>\nstartxref\n{at}\n%%EOF\n", startxref(base)).as_bytes());
    out
}

/// An update that only says that an object is somewhere else.
fn relinked(base: &[u8], number: u32, offset: usize) -> Vec<u8> {
    let mut out = base.to_vec();
    let at = out.len();
    out.extend_from_slice(format!("xref\n{number} 1\n{offset:010} 00000 n\r\ntrailer\n<</Root 1 0 R/Size {SIZE}/Prev {}>>\nstartxref\n{at}\n%%EOF\n", startxref(base)).as_bytes());
    out
}

/// A font whose glyphs are added later, written so that some readers cannot read it.
fn unread(mut doc: Doc, letter: u32) -> Doc {
    let font = "/Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]";
    doc.set(3, format!("<<{font}/CharProcs<</a {letter} 0 R>>/A# 1>>"));
    doc
}

/// The same in an object stream of an unusual filter.
fn filtered() -> Vec<u8> {
    let mut out = Doc::contract(1).write(Xref::Stream);
    let past = startxref(&out);
    let font = b"3 0 <</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/CharProcs<</a 99 0 R>>>>";
    let digits: String = font.iter().map(|byte| format!("{byte:02x}")).collect();
    let packed = out.len();
    let dict = "/Type/ObjStm/N 1/First 4/Filter/ASCIIHexDecode";
    object(&mut out, 20, &stream(dict, digits.as_bytes()));
    let at = out.len();
    let mut rows: Vec<u8> = vec![2, 0, 0, 0, 20, 0];
    for place in [packed, at] {
        rows.push(1);
        rows.extend_from_slice(&u32::try_from(place).unwrap().to_be_bytes());
        rows.push(0);
    }
    let dict = format!("/Type/XRef/Size 22/W[1 4 1]/Index[3 1 20 2]/Root 1 0 R/Prev {past}");
    object(&mut out, 21, &stream(&dict, &rows));
    out.extend_from_slice(format!("startxref\n{at}\n%%EOF\n").as_bytes());
    out
}

/// An object stream.
pub(super) fn packed(objects: &[(u32, &str)]) -> Vec<u8> {
    let (mut index, mut data) = (String::new(), String::new());
    for (number, body) in objects {
        index += &format!("{number} {} ", data.len());
        data.push_str(body);
        data.push('\n');
    }
    let dict = format!("/Type/ObjStm/N {}/First {}", objects.len(), index.len());
    stream(&dict, (index + &data).as_bytes())
}

pub(crate) fn all(person: &Person) -> Vec<Attack> {
    let mut attacks = Vec::new();
    let mut add = |name: String, bytes| attacks.push(Attack { name, bytes });
    for dialect in [Xref::Table, Xref::Packed, Xref::Hybrid] {
        let (doc, cover) = covered();
        let base = signed(&doc, dialect, person);
        let later = if dialect == Xref::Packed {
            Xref::Stream
        } else {
            Xref::Table
        };
        let update = |objects: &[(u32, Vec<u8>)]| append(&base, objects, SIZE, "/Root 1 0 R", later);
        add(
            format!("hide: empty cover {dialect:?}"),
            update(&[(cover, stream("/Type/XObject/Subtype/Form/BBox[0 0 1 1]", b""))]),
        );
        add(
            format!("hide: cover is null {dialect:?}"),
            update(&[(cover, body("null"))]),
        );
        if dialect != Xref::Packed {
            add(format!("hide: cover removed {dialect:?}"), freed(&base, cover));
        }
        add(
            format!("replace: font {dialect:?}"),
            update(&[(3, body("<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]>>"))]),
        );
        let mut dangling = doc.clone();
        dangling.set(
            4,
            "<</Type/Page/Parent 2 0 R/Contents[5 0 R 99 0 R]/Resources<</Font<</F1 3 0 R>>>>>>",
        );
        let base = signed(&dangling, dialect, person);
        let late = append(
            &base,
            &[(99, stream("", b"BT (Y mil mas) Tj ET"))],
            SIZE,
            "/Root 1 0 R",
            later,
        );
        add(format!("replace: contents that came to life {dialect:?}"), late);
        let mut aliased = doc.clone();
        let list = aliased.add("[5 0 R]");
        aliased.set(
            4,
            format!("<</Type/Page/Parent 2 0 R/Contents {list} 0 R/Resources<</Font<</F1 3 0 R>>>>>>"),
        );
        aliased.extend(1, &format!("/DSS<</Type/DSS/Certs {list} 0 R>>"));
        let base = signed(&aliased, dialect, person);
        let late = append(
            &base,
            &[(list, body("[400 0 R]")), (400, stream("", b"BT (Otro) Tj ET"))],
            SIZE,
            "/Root 1 0 R",
            later,
        );
        add(
            format!("replace: contents that pose as validation data {dialect:?}"),
            late,
        );
        let mut notes = doc.clone();
        let info = notes.add("<</Title(a)>>");
        notes.trailer += &format!("/Info {info} 0 R");
        notes.set(
            4,
            format!("<</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources {info} 0 R>>"),
        );
        let base = signed(&notes, dialect, person);
        let late = append(
            &base,
            &[(info, body("<</Title(b)>>"))],
            SIZE,
            &format!("/Root 1 0 R/Info {info} 0 R"),
            later,
        );
        add(
            format!("replace: resources that pose as information {dialect:?}"),
            late,
        );
    }
    let font = unread(Doc::contract(1), 99);
    for (name, bytes, later) in [
        (
            "a font some readers cannot read Table",
            font.write(Xref::Table),
            Xref::Table,
        ),
        (
            "a font some readers cannot read Packed",
            font.write(Xref::Packed),
            Xref::Stream,
        ),
        ("a font in an unusual filter", filtered(), Xref::Stream),
    ] {
        let base = PreparedPdf::new(bytes).signed(person, &invisible("Firma")).bytes;
        let letter = stream("", b"1 0 d0 0 0 1 1 re f");
        add(
            format!("replace: letters of {name}"),
            append(&base, &[(99, letter)], SIZE, "/Root 1 0 R", later),
        );
    }
    let members = [
        (1, "<</Type/Catalog/Pages 2 0 R>>"),
        (2, "<</Type/Pages/Kids[4 0 R]/Count 1/MediaBox[0 0 99 99]>>"),
        (3, "<</Type/Font/Subtype/Type1/BaseFont/Symbol>>"),
        (4, "<</Type/Page/Parent 2 0 R>>"),
    ];
    for (key, late) in [("Metadata", packed(&members)), ("Extensions", body("<<>>"))] {
        let mut doc = Doc::contract(1);
        // The object stream comes after all objects.
        let holder = doc.size();
        doc.extend(1, &format!("/{key} {holder} 0 R"));
        let base = signed(&doc, Xref::Packed, person);
        add(
            format!("replace: an object stream that poses as {key}"),
            append(&base, &[(holder, late)], SIZE, "/Root 1 0 R", Xref::Stream),
        );
    }
    let mut doc = Doc::contract(1);
    let told = doc.add(stream("/Type/Metadata/Subtype/XML", b"<x:xmpmeta/>"));
    doc.extend(1, &format!("/Metadata {told} 0 R"));
    let base = signed(&doc, Xref::Table, person);
    let drawing = stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]", b"0 0 9 9 re f");
    add(
        "replace: metadata that are something else".into(),
        append(&base, &[(told, drawing)], SIZE, "/Root 1 0 R", Xref::Table),
    );
    let base = signed(&unread(doc, told), Xref::Table, person);
    let letter = stream("/Type/Metadata/Subtype/XML", b"1 0 d0 0 0 1 1 re f");
    add(
        "replace: metadata that a font some readers cannot read draws".into(),
        append(&base, &[(told, letter)], SIZE, "/Root 1 0 R", Xref::Table),
    );
    // The second content is in the signed bytes already, as an object that no cross-reference lists.
    let mut header = Doc::contract(1).header;
    let at = header.len();
    object(&mut header, 77, &stream("", b"BT (Otro) Tj ET"));
    let doc = Doc {
        header,
        ..Doc::contract(1)
    };
    let base = signed(&doc, Xref::Table, person);
    let mut posing = relinked(&base, 5, at);
    add("hide and replace: another object's place".into(), posing.clone());
    posing.splice(at..at + 2, *b" 5");
    add("hide and replace: renamed".into(), posing);
    let one = signed(&Doc::contract(1), Xref::Table, person);
    add(
        "hide and replace: contents become the font".into(),
        relinked(&one, 5, 15),
    );
    attacks
}
