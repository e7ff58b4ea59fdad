//! Uploads of which a sound copy is signed.

use pades::accept::accept;
use pdf::Limits;
use pdf::inspect::Refused;
use sha2::{Digest, Sha256};

use crate::cases::build::{CATALOG, Doc, FIRST_PAGE, Xref, append, stream};
use crate::cases::{Expect, features};
use crate::signing::{PreparedPdf, invisible};
use crate::uploads::{OFFICE, judge, take_in};

const ROOT: &str = "/Root 1 0 R";

/// The copy that is signed of an upload.
fn copy(bytes: &[u8]) -> Option<Vec<u8>> {
    let taken = accept(bytes, &Sha256::new_with_prefix(bytes), &Limits::default());
    taken.ok()?.repaired.map(|repaired| repaired.bytes)
}

/// A copy with the text that its pages have, and without these words.
fn assert_repaired(name: &str, bytes: &[u8], without: &[&str]) -> (String, Vec<u8>, usize) {
    let copy = copy(bytes).unwrap_or_else(|| panic!("{name}: not repaired"));
    let text = String::from_utf8_lossy(&copy);
    assert!(text.contains("Contrato de prueba"), "{name}");
    for word in without {
        assert!(!text.contains(word), "{name}: {word}");
    }
    let (bytes, prepared) = take_in(bytes.to_vec()).unwrap();
    let signed = OFFICE.outcome(&bytes, prepared).unwrap();
    (name.to_owned(), signed, bytes.len())
}

fn with(extend: impl FnOnce(&mut Doc)) -> Vec<u8> {
    let mut doc = Doc::contract(1);
    extend(&mut doc);
    doc.table()
}

#[test]
fn sloppy_documents_are_signed_as_sound_copies() {
    let plain = Doc::contract(1).table();
    let mut signed = Vec::new();
    let mut check = |name: &str, bytes: &[u8], without: &[&str]| {
        signed.push(assert_repaired(name, bytes, without));
    };
    check(
        "a leading BOM",
        &[b"\xef\xbb\xbf", plain.as_slice()].concat(),
        &[],
    );
    let mut moved = plain.clone();
    moved.splice(9..9, *b"% from a mail gateway\r\n");
    check("offsets that are wrong", &moved, &[]);
    let longer = String::from_utf8_lossy(&plain).replace("/Length 5", "/Length 4");
    check("a stream of another length", longer.as_bytes(), &[]);
    let updated = append(&moved, &[(90, b"null".to_vec())], 91, ROOT, Xref::Table);
    check("wrong offsets, and an update", &updated, &[]);

    let script = "<</S/JavaScript/JS(app.alert\\(1\\))>>";
    let acting = with(|doc| {
        doc.extend(
            CATALOG,
            &format!("/OpenAction{script}/AA<</WP{script}>>/Names<</JavaScript<</Names[(a){script}]>>>>"),
        );
        doc.on_page(&format!("/AA<</O{script}>>"));
    });
    check("scripts that run by themselves", &acting, &["app.alert"]);
    let launching = with(|doc| {
        let link = "<</Type/Annot/Subtype/Link/Rect[9 9 99 29]/A<</S/Launch/F(calc.exe)>>>>";
        let sent = "<</Type/Annot/Subtype/Link/Rect[9 9 99 29]/A<</S/SubmitForm/F(http://a.example)>>>>";
        let (link, sent) = (doc.add(link), doc.add(sent));
        doc.on_page(&format!("/Annots[{link} 0 R {sent} 0 R]"));
    });
    check("links that open programs", &launching, &["calc.exe", "a.example"]);

    let off = with(|doc| {
        let group = doc.add("<</Type/OCG/Name(Borrador)>>");
        let hidden = doc.add(stream(
            &format!("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/OC {group} 0 R"),
            b"BT (Debe 9000) Tj ET",
        ));
        doc.extend(
            CATALOG,
            &format!("/OCProperties<</OCGs[{group} 0 R]/D<</OFF[{group} 0 R]>>>>"),
        );
        doc.set(
            FIRST_PAGE,
            Doc::page(5, "").replace(
                "/Resources<<",
                &format!("/Resources<</XObject<</X {hidden} 0 R>>"),
            ),
        );
    });
    check("a drawing on a layer that is off", &off, &["Debe 9000"]);
    let printed = with(|doc| {
        let look = doc.add(stream(
            "/Type/XObject/Subtype/Form/BBox[0 0 9 9]",
            b"0 0 9 9 re f",
        ));
        let note = format!("<</Type/Annot/Subtype/Stamp/F 36/Rect[9 9 99 29]/AP<</N {look} 0 R>>>>");
        let note = doc.add(note);
        doc.on_page(&format!("/Annots[{note} 0 R]"));
    });
    check("an annotation that is only printed", &printed, &["/F 36"]);
    let spare = with(|doc| {
        doc.set(21, "<</Type/Pages/Kids[22 0 R]/Count 1/MediaBox[0 0 612 792]>>");
        doc.set(22, "<</Type/Page/Parent 21 0 R/Contents 23 0 R>>");
        doc.set(23, stream("", b"BT (Debe 9000) Tj ET"));
    });
    check("a page that no one sees", &spare, &["Debe 9000"]);
    let circle = with(|doc| {
        let field = doc.size();
        doc.set(field, format!("<</T(a)/FT/Tx/Kids[{field} 0 R]>>"));
        doc.extend(CATALOG, &format!("/AcroForm<</Fields[{field} 0 R]>>"));
    });
    check("a form in a circle", &circle, &["/AcroForm"]);
    let named = with(|doc| doc.trailer.push_str("/Otra[1 0 R]"));
    check("a trailer that names the catalog twice", &named, &["/Otra"]);

    let judged = judge(&signed, 5);
    assert_eq!(judged.complaints, [""; 0]);
    assert_eq!(judged.unread, [""; 0]);
}

#[test]
fn what_a_repair_could_lose_is_refused() {
    let plain = Doc::contract(1).table();
    let refused = |bytes: &[u8]| take_in(bytes.to_vec()).unwrap_err();
    // Cut off: what changed last may be missing.
    let cut = plain.windows(4).rposition(|word| word == b"xref").unwrap();
    assert!(matches!(refused(&plain[..cut - 5]), Refused::Damaged(_)));
    // The contents of the page are gone.
    let lost = String::from_utf8_lossy(&plain).replace("5 0 obj", "5 0 odj");
    assert!(matches!(refused(lost.as_bytes()), Refused::Damaged(_)));
    // A signed document is never copied.
    let signed = PreparedPdf::new(plain)
        .signed(&OFFICE.person, &invisible("Firma"))
        .bytes;
    let broken = append(
        &signed,
        &[(
            CATALOG,
            b"<</Type/Catalog/Pages 2 0 R/OpenAction<</S/Launch>>>>".to_vec(),
        )],
        900,
        ROOT,
        Xref::Table,
    );
    assert!(matches!(refused(&broken), Refused::Forbidden(_)));
    assert!(matches!(
        refused(&[b"\xef\xbb\xbf", signed.as_slice()].concat()),
        Refused::Damaged(_)
    ));
}

#[test]
fn every_copy_that_is_accepted_lives_its_whole_life() {
    let mut failures = Vec::new();
    let mut repaired = 0;
    for case in features::all() {
        if !matches!(case.expect, Expect::Refused(_)) {
            continue;
        }
        let Some(copy) = copy(&case.bytes) else { continue };
        repaired += 1;
        println!("{}", case.name);
        let (bytes, prepared) = take_in(case.bytes).unwrap();
        assert_eq!(bytes, copy);
        let outcome = OFFICE.outcome(&bytes, prepared);
        failures.extend(outcome.err().map(|failure| format!("{}: {failure}", case.name)));
    }
    assert!(repaired > 50, "{repaired}");
    assert_eq!(failures, [""; 0]);
}
