//! What may change after a signature and what may not, entry by entry: beside each harmless change its neighbours that are
//! refused.

use pades::verify::Verdict;

use crate::attacks::body;
use crate::build::{Doc, Xref, append, stream};
use crate::people::Person;
use crate::second_signatures::{base, enlisted, of};
use crate::signing::{PreparedPdf, invisible};
use crate::verifying::{harmless_base, newest_object, verified};

use Verdict::{Invalid, Valid};

/// Fails unless the update leaves the signature in this field as expected.
fn assert_left(
    name: &str,
    field: &str,
    signed: &[u8],
    objects: &[(u32, Vec<u8>)],
    expected: Verdict,
    person: &Person,
) {
    let trailer = if signed.windows(6).any(|w| w == b"/Info ") {
        "/Root 1 0 R/Info 10 0 R"
    } else {
        "/Root 1 0 R"
    };
    let report = verified(&append(signed, objects, 500, trailer, Xref::Table), person);
    let found = of(&report, field);
    assert_eq!(found.verdict, expected, "{name}: {:?}", found.reasons);
}

/// A document with these objects, signed.
fn signed(person: &Person, objects: &[(u32, Vec<u8>)], annotations: &str, form: &str) -> Vec<u8> {
    let mut doc = Doc::contract(1);
    for (number, object) in objects {
        doc.set(*number, object);
    }
    doc.on_page(&format!("/Annots[{annotations}]"));
    doc.extend(1, &format!("/AcroForm<<{form}/SigFlags 3>>"));
    PreparedPdf::new(doc.table())
        .signed(person, &invisible("Firma"))
        .bytes
}

/// The newest version of an object as text.
fn newest(bytes: &[u8], number: u32) -> String {
    String::from_utf8(newest_object(bytes, number)).unwrap()
}

fn empty_field(entries: &str) -> Vec<u8> {
    body(&format!(
        "<</FT/Sig/T(Nueva)/Type/Annot/Subtype/Widget/P 4 0 R/Rect[0 0 0 0]{entries}>>"
    ))
}

#[test]
fn a_new_field_has_entries_that_draw_nothing() {
    let person = Person::new("Ana");
    let signed = base(&person, false);
    let check = |entries: &str, expected| {
        let objects = [
            enlisted(&signed, "", " 400 0 R"),
            vec![(400, empty_field(entries))],
        ]
        .concat();
        assert_left(entries, "Primera", &signed, &objects, expected, &person);
    };
    for harmless in [
        "",
        "/F 1",
        "/F 2",
        "/F 4",
        "/F 32",
        "/F 64",
        "/F 128",
        "/F 512",
        "/F 743",
        "/Ff 1/Q 0",
        "/AP null/V null/Lock null/SV null/MK null/TU null/M null",
        "/H/N",
        "/TU(a)/TM(b)/M(D:2026)/NM(c)/DA(/Helv 0 Tf)/CreationDate(D:2026)",
        "/BS<</W 0>>",
        "/Border[0 0 0]",
        "/MK<</R 90>>",
        "/DR<<>>",
    ] {
        check(harmless, Valid);
    }
    for refused in [
        "/F 8",
        "/F 16",
        "/F 256",
        "/F(4)",
        "/F null",
        "/Ff(1)",
        "/Q/x",
        "/H 1",
        "/H/X",
        "/TU 5",
        "/M<<>>",
        "/DR(x)",
        "/BS<</W 1>>",
        "/BS<</W 0/W 1>>",
        "/BS<</W 1/W 0>>",
        "/BS[0]",
        "/Border[0 0 1]",
        "/Border[1 0 0]",
        "/Border[0 1 0]",
        "/Border[0 0 0 0]",
        "/MK<</BG[1]>>",
        "/MK<</CA(x)>>",
        "/MK 5",
        "/AP(x)",
        "/A<<>>",
        "/AA<<>>",
        "/OC 3 0 R",
    ] {
        check(refused, Invalid);
    }
}

#[test]
fn a_new_field_has_a_few_widgets_of_its_own() {
    let person = Person::new("Ana");
    let signed = base(&person, false);
    let own = "/Type/Annot/Subtype/Widget/P 4 0 R/Rect[0 0 0 0]";
    let check = |name: &str, count: u32, entries: &str, expected| {
        let numbers = 401..401 + count;
        let list: String = numbers.clone().map(|number| format!(" {number} 0 R")).collect();
        let mut objects = enlisted(&signed, "", " 400 0 R");
        objects[1].1 = body(
            &String::from_utf8(objects[1].1.clone())
                .unwrap()
                .replace(" 400 0 R", &list),
        );
        objects.push((400, body(&format!("<</FT/Sig/T(Nueva)/Kids[{list}]>>"))));
        objects.extend(numbers.map(|number| (number, body(&format!("<<{own}{entries}>>")))));
        assert_left(name, "Primera", &signed, &objects, expected, &person);
    };
    check("one", 1, "/Parent 400 0 R", Valid);
    check("one that does not name its field", 1, "", Valid);
    check("sixteen", 16, "/Parent 400 0 R", Valid);
    check("seventeen", 17, "/Parent 400 0 R", Invalid);
    check("one of another field", 1, "/Parent 20 0 R", Invalid);
    check("one that is a field", 1, "/Parent 400 0 R/FT/Sig", Invalid);
    check("one with an action", 1, "/Parent 400 0 R/A<<>>", Invalid);
}

#[test]
fn a_filled_field_may_lose_its_area_or_keep_its_drawing() {
    let person = Person::new("Ana");
    let field = |entries: &str| {
        body(&format!(
            "<</FT/Sig/T(espera)/Type/Annot/Subtype/Widget/P 4 0 R{entries}>>"
        ))
    };
    let drawing = stream(
        "/Type/XObject/Subtype/Form/BBox[0 0 90 20]/Resources<<>>",
        b"q 0 0 90 20 re f Q",
    );
    let other = "<</FT/Sig/T(otra)/Type/Annot/Subtype/Widget/P 4 0 R/Rect[9 49 99 69]/AP<</N 14 0 R>>>>";
    for (before, after, expected) in [
        ("/Rect[9 9 99 29]", "/Rect[0 0 0 0]", Valid),
        ("/Rect[9 9 99 29]", "/Rect[9 9 9 9]", Valid),
        ("/Rect[9 9 99 29]", "/Rect[9 9 9 29]", Invalid),
        ("/Rect[9 9 99 29]", "/Rect[9 9 98 29]", Invalid),
        (
            "/Rect[9 9 99 29]/MK<</BG[1]>>",
            "/Rect[0 0 0 0]/MK<</BG[1]>>",
            Invalid,
        ),
        (
            "/Rect[9 9 99 29]/AP<</N 14 0 R>>",
            "/Rect[0 0 0 0]/AP<</N 14 0 R>>",
            Invalid,
        ),
        // The other field has the same drawing.
        (
            "/Rect[9 9 99 29]/AP<</N 14 0 R>>",
            "/Rect[9 9 99 29]/AP<</N 14 0 R>>",
            Valid,
        ),
    ] {
        let objects = [(13, field(before)), (14, drawing.clone()), (15, body(other))];
        let signed = signed(&person, &objects, "13 0 R 15 0 R", "/Fields[13 0 R 15 0 R]");
        let filled = [
            (13, field(&format!("{after}/V 400 0 R"))),
            (400, body("<</Type/Sig>>")),
        ];
        let name = format!("{before} {after}");
        assert_left(&name, "Firma", &signed, &filled, expected, &person);
    }
}

#[test]
fn the_catalog_and_the_information_change_in_what_is_never_drawn() {
    let person = Person::new("Ana");
    let signed = harmless_base(&person, Xref::Table).bytes;
    let metadata = stream("/Type/Metadata/Subtype/XML", b"<x:xmpmeta/>");
    let catalog = |from: &str, to: &str, late: &[u8]| {
        let text = newest(&signed, 1);
        assert!(text.contains(from), "{text}");
        vec![(1, body(&text.replacen(from, to, 1))), (400, late.to_vec())]
    };
    let extended = |entries: &str, late: &[u8]| catalog("/Pages ", &format!("{entries}/Pages "), late);
    let information = |text: &str| vec![(10, body(text))];
    for (name, objects, expected) in [
        (
            "other metadata",
            catalog("/Metadata 11 0 R", "/Metadata 400 0 R", &metadata),
            Valid,
        ),
        (
            "metadata that are a drawing",
            catalog(
                "/Metadata 11 0 R",
                "/Metadata 400 0 R",
                &stream("/Type/XObject/Subtype/Form", b"f"),
            ),
            Invalid,
        ),
        (
            "metadata that were there",
            catalog("/Metadata 11 0 R", "/Metadata 5 0 R", b"<<>>"),
            Invalid,
        ),
        ("no metadata", catalog("/Metadata 11 0 R", "", b"<<>>"), Invalid),
        ("a version", extended("/Version/1.4", b"<<>>"), Valid),
        (
            "a version of the future",
            extended("/Version/3.0", b"<<>>"),
            Invalid,
        ),
        (
            "a version that is no name",
            extended("/Version(2.0)", b"<<>>"),
            Invalid,
        ),
        ("extensions", extended("/Extensions 400 0 R", b"<<>>"), Valid),
        (
            "extensions with a stream",
            extended("/Extensions 400 0 R", &metadata),
            Invalid,
        ),
        (
            "extensions that are a number",
            extended("/Extensions 5", b"<<>>"),
            Invalid,
        ),
        ("flags", catalog("/SigFlags 3", "/SigFlags 1", b"<<>>"), Valid),
        ("no flags", catalog("/SigFlags 3", "", b"<<>>"), Valid),
        (
            "flags that are text",
            catalog("/SigFlags 3", "/SigFlags(3)", b"<<>>"),
            Invalid,
        ),
        (
            "an entry that is not known",
            extended("/Lang(es)", b"<<>>"),
            Invalid,
        ),
        ("information", information("<</Title(A)/Producer 12 0 R>>"), Valid),
        (
            "information said twice",
            information("<</Title(A)/Title(B)/Producer 12 0 R>>"),
            Invalid,
        ),
        (
            "information in a list",
            information("<</Title[(A)]/Producer 12 0 R>>"),
            Invalid,
        ),
        (
            "information in a dictionary",
            information("<</Title<<>>/Producer 12 0 R>>"),
            Invalid,
        ),
        (
            "information elsewhere",
            information("<</Title 5 0 R/Producer 12 0 R>>"),
            Invalid,
        ),
        ("information that is text", information("(A)"), Invalid),
        (
            "information with a stream",
            vec![(10, stream("/Title(A)", b"f"))],
            Invalid,
        ),
    ] {
        assert_left(name, "espera", &signed, &objects, expected, &person);
    }
}

#[test]
fn the_list_of_fields_grows_wherever_it_stands() {
    let person = Person::new("Ana");
    let waiting = "<</FT/Sig/T(espera)/Type/Annot/Subtype/Widget/P 4 0 R/Rect[9 9 99 29]>>";
    let objects = [(13, body(waiting)), (14, body("[13 0 R]"))];
    let signed = signed(&person, &objects, "13 0 R", "/Fields 14 0 R");
    let list = newest(&signed, 14);
    let page = newest(&signed, 4);
    let page_end = page.find("/Annots[").unwrap() + page[page.find("/Annots[").unwrap()..].find(']').unwrap();
    let page = format!("{} 400 0 R{}", &page[..page_end], &page[page_end..]);
    let added = [(4, body(&page)), (400, empty_field(""))];
    let grown = list.replace(']', " 400 0 R]");
    let own = list.replace("[13 0 R", "[").replace(']', "");
    let elsewhere = newest(&signed, 1).replace("/Fields 14 0 R", "/Fields 402 0 R");
    for (name, changed, expected) in [
        ("in place", vec![(14, body(&grown))], Valid),
        (
            "in another object",
            vec![(1, body(&elsewhere)), (402, body(&grown))],
            Valid,
        ),
        (
            "without the first",
            vec![(14, body(&format!("{own} 400 0 R]")))],
            Invalid,
        ),
        (
            "in another order",
            vec![(14, body(&list.replace("[13 0 R", "[400 0 R 13 0 R")))],
            Invalid,
        ),
        (
            "with what is no field",
            vec![(14, body(&grown.replace("400 0 R", "400 0 R 3 0 R")))],
            Invalid,
        ),
    ] {
        let objects = [added.to_vec(), changed].concat();
        assert_left(name, "Firma", &signed, &objects, expected, &person);
    }
}

#[test]
fn the_forms_resources_grow_and_lose_nothing() {
    let person = Person::new("Ana");
    let waiting = "<</FT/Sig/T(espera)/Type/Annot/Subtype/Widget/P 4 0 R/Rect[9 9 99 29]>>";
    let resources = "<</Font<</Helv 3 0 R/Otra 3 0 R>>/ProcSet[/PDF]>>";
    let form = format!("/Fields[13 0 R]/DR{resources}");
    let signed = signed(&person, &[(13, body(waiting))], "13 0 R", &form);
    let font = body("<</Type/Font/Subtype/Type1/BaseFont/Courier>>");
    for (now, expected) in [
        (
            "<</Font<</Helv 3 0 R/Otra 3 0 R/Nueva 400 0 R>>/ProcSet[/PDF]>>",
            Valid,
        ),
        ("<</Font<</Helv 3 0 R/Otra 3 0 R>>/ProcSet[/PDF/Text]>>", Valid),
        (
            "<</Font<</Helv 3 0 R/Otra 3 0 R>>/ProcSet[/PDF]/XObject<</X 400 0 R>>>>",
            Valid,
        ),
        ("<</Font<</Helv 3 0 R>>/ProcSet[/PDF]>>", Invalid),
        (
            "<</Font<</Helv 3 0 R/Otra 3 0 R/Otra 400 0 R>>/ProcSet[/PDF]>>",
            Invalid,
        ),
        (
            "<</Font<</Helv 3 0 R/Otra 400 0 R/Otra 3 0 R>>/ProcSet[/PDF]>>",
            Invalid,
        ),
        ("<</Font<</Helv 400 0 R/Otra 3 0 R>>/ProcSet[/PDF]>>", Invalid),
        ("<</ProcSet[/PDF]>>", Invalid),
    ] {
        let catalog = newest(&signed, 1);
        assert!(catalog.contains(resources), "{catalog}");
        let objects = [(1, body(&catalog.replace(resources, now))), (400, font.clone())];
        assert_left(now, "Firma", &signed, &objects, expected, &person);
    }
}
