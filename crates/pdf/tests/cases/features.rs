//! What must be accepted: every dialect, and the oddities that real producers write.

use super::build::{CATALOG, DIALECTS, Doc, FIRST_PAGE, PAGES, Xref, append, deflate, startxref, stream};
use super::{Case, Expect, active, damage};

/// The whole corpus for inspection.
pub(crate) fn all() -> Vec<Case> {
    [accepted(), incremental(), layouts(), active::all(), damage::all()]
        .into_iter()
        .flatten()
        .collect()
}

/// Changes to a one-page contract that leave it acceptable, in every dialect.
fn accepted() -> Vec<Case> {
    let variants: [(&str, fn(&mut Doc)); 19] = [
        ("plain", |_| {}),
        ("rotated", |doc| doc.on_page("/Rotate 90")),
        ("rotated-negative", |doc| doc.on_page("/Rotate -90")),
        ("cropped", |doc| doc.on_page("/CropBox[50 50 400 600]")),
        ("media-box-reversed", |doc| doc.on_page("/MediaBox[595 842 0 0]")),
        ("media-box-odd-numbers", |doc| {
            doc.on_page("/MediaBox[0 0 595.27559055118 +841.889763779528]")
        }),
        ("media-box-negative", |doc| {
            doc.on_page("/MediaBox[-100 -100 500 700]")
        }),
        ("media-box-indirect", |doc| {
            let area = doc.add("[0 0 612 792]");
            doc.on_page(&format!("/MediaBox {area} 0 R"));
        }),
        ("tiny-page", |doc| doc.on_page("/MediaBox[0 0 1 1]")),
        ("huge-page", |doc| doc.on_page("/MediaBox[0 0 14400 14400]")),
        ("user-unit", |doc| doc.on_page("/UserUnit 2.5")),
        ("link", |doc| {
            doc.on_page(
                "/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.com)>>>>]",
            )
        }),
        ("open-at-page", |doc| {
            doc.extend(CATALOG, "/OpenAction[4 0 R/Fit]")
        }),
        ("outline", |doc| {
            let item = doc.size() + 1;
            let root = doc.add(format!(
                "<</Type/Outlines/First {item} 0 R/Last {item} 0 R/Count 1>>"
            ));
            doc.add(format!("<</Title(Uno)/Parent {root} 0 R/Dest[4 0 R/Fit]>>"));
            doc.extend(CATALOG, &format!("/Outlines {root} 0 R"));
        }),
        ("text-field", |doc| {
            let field =
                doc.add("<</FT/Tx/T(nombre)/V(Ana)/Type/Annot/Subtype/Widget/Rect[9 9 99 29]/P 4 0 R>>");
            doc.on_page(&format!("/Annots[{field} 0 R]"));
            doc.extend(CATALOG, &format!("/AcroForm<</Fields[{field} 0 R]>>"));
        }),
        ("empty-signature-field", |doc| {
            let field = doc.add("<</FT/Sig/T(firma)/Type/Annot/Subtype/Widget/Rect[9 9 99 29]/P 4 0 R>>");
            let form = doc.add(format!("<</Fields[{field} 0 R]/SigFlags 1>>"));
            doc.on_page(&format!("/Annots[{field} 0 R]"));
            doc.extend(CATALOG, &format!("/AcroForm {form} 0 R"));
        }),
        ("attachment", |doc| {
            let file = doc.add(stream("/Type/EmbeddedFile/Subtype/text#2Fxml", b"<factura/>"));
            let spec = doc.add(format!(
                "<</Type/Filespec/F(f.xml)/UF(f.xml)/AFRelationship/Data/EF<</F {file} 0 R>>>>"
            ));
            doc.extend(
                CATALOG,
                &format!("/Names<</EmbeddedFiles<</Names[(f.xml) {spec} 0 R]>>>>/AF[{spec} 0 R]"),
            );
        }),
        ("layers-all-on", |doc| {
            let layer = doc.add("<</Type/OCG/Name(Marca)>>");
            doc.extend(
                CATALOG,
                &format!("/OCProperties<</OCGs[{layer} 0 R]/D<</Order[{layer} 0 R]/OFF[]>>>>"),
            );
        }),
        ("compressed-contents", |doc| {
            doc.set(
                5,
                stream(
                    "/Filter/FlateDecode",
                    &deflate(b"BT /F1 12 Tf 72 720 Td (Hola) Tj ET"),
                ),
            );
        }),
    ];
    let mut cases = Vec::new();
    for (name, change) in variants {
        for dialect in DIALECTS {
            let mut doc = Doc::contract(1);
            change(&mut doc);
            cases.push(Case::new(
                format!("{name}-{dialect:?}"),
                doc.write(dialect),
                Expect::Pages(1),
            ));
        }
    }
    cases
}

/// Files saved more than once, dialect by dialect.
fn incremental() -> Vec<Case> {
    let mut cases = Vec::new();
    for dialect in DIALECTS {
        let doc = Doc::contract(3);
        let base = doc.write(dialect);
        let size = doc.size() + 4;
        let again = match dialect {
            Xref::Hybrid => Xref::Table,
            other => other,
        };
        let text = stream("", b"BT /F1 12 Tf 72 720 Td (Corregido) Tj ET");
        let once = append(&base, &[(5, text.clone())], size, "/Root 1 0 R", again);
        let twice = append(&once, &[(7, text)], size + 4, "/Root 1 0 R", again);
        cases.push(Case::new(
            format!("three-pages-{dialect:?}"),
            base,
            Expect::Pages(3),
        ));
        cases.push(Case::new(
            format!("saved-twice-{dialect:?}"),
            once,
            Expect::Pages(3),
        ));
        cases.push(Case::new(
            format!("saved-thrice-{dialect:?}"),
            twice,
            Expect::Pages(3),
        ));
    }
    cases
}

fn replace(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    let at = bytes
        .windows(from.len())
        .position(|w| w == from.as_bytes())
        .unwrap();
    [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat()
}

/// Oddities of the layout that readers agree about.
fn layouts() -> Vec<Case> {
    let plain = Doc::contract(1).table();
    let mut cases = Vec::new();
    let mut accept =
        |name: &str, bytes: Vec<u8>, pages| cases.push(Case::new(name, bytes, Expect::Pages(pages)));
    for (name, header) in [
        ("1.0", "%PDF-1.0\n"),
        ("1.4", "%PDF-1.4\r\n"),
        ("2.0", "%PDF-2.0\n"),
        ("odd", "%PDF-9.9\n%abc\n"),
    ] {
        let doc = Doc {
            header: header.into(),
            ..Doc::contract(1)
        };
        accept(&format!("header-{name}"), doc.table(), 1);
    }
    let doc = Doc {
        header: b"junk before\n%PDF-1.4\n".to_vec(),
        ..Doc::contract(1)
    };
    accept("junk-before-header", doc.table(), 1);
    accept(
        "no-newline-at-end",
        plain.strip_suffix(b"\n").unwrap().to_vec(),
        1,
    );
    accept("trailing-newlines", [&plain[..], b"\r\n\r\n\n"].concat(), 1);
    accept("trailing-zeros", [&plain[..], &[0; 300]].concat(), 1);
    accept(
        "trailing-junk",
        [&plain[..], b"<!-- served by a careless gateway -->"].concat(),
        1,
    );
    let end = plain.windows(5).rposition(|w| w == b"%%EOF").unwrap();
    accept("no-end-marker", plain[..end].to_vec(), 1);
    let short = String::from_utf8_lossy(&plain)
        .replace(" n\r\n", " n\n")
        .replace(" f\r\n", " f\n");
    assert!(plain.is_ascii() || !short.is_empty());
    let ascii = Doc {
        header: b"%PDF-1.4\n".to_vec(),
        ..Doc::contract(1)
    }
    .table();
    let short = String::from_utf8(ascii.clone())
        .unwrap()
        .replace(" n\r\n", " n\n")
        .replace(" f\r\n", " f\n");
    accept("nineteen-byte-entries", short.into_bytes(), 1);
    let tight = String::from_utf8(ascii.clone())
        .unwrap()
        .replace(" n\r\n", " n \n")
        .replace(" f\r\n", " f \n");
    accept("space-newline-entries", tight.into_bytes(), 1);
    let one = String::from_utf8(ascii.clone())
        .unwrap()
        .replace("xref\n0 6", "xref\n0  6 ");
    accept("spaces-in-subsection", one.into_bytes(), 1);
    let spaced = replace(&ascii, "trailer\n<<", "trailer\r\n  <<  ");
    accept("spaces-in-trailer", spaced, 1);
    let before = startxref(&ascii);
    let shifted = [&ascii[..before], b"\n", &ascii[before..]].concat();
    accept("startxref-before-newline", shifted, 1);
    let mut deep = Doc::contract(1);
    deep.set(
        PAGES,
        "<</Type/Pages/Kids[20 0 R]/Count 1/MediaBox[0 0 612 792]>>",
    );
    for level in 20..60 {
        let kid = if level == 59 { FIRST_PAGE } else { level + 1 };
        deep.set(
            level,
            format!("<</Type/Pages/Parent {} 0 R/Kids[{kid} 0 R]/Count 1>>", level - 1),
        );
    }
    accept("deep-page-tree", deep.table(), 1);
    let mut escaped = Doc::contract(1);
    escaped.set(
        PAGES,
        "<</#54ype/Page#73/Kids[4 0 R]/Count 1/MediaBox[0 0 612 792]>>",
    );
    accept("names-in-hexadecimal", escaped.table(), 1);
    let mut comments = Doc::contract(1);
    comments.set(
        PAGES,
        "<<%c\n/Type/Pages % kids (\n/Kids [ 4 0 R ]/Count 1/MediaBox[0 0 612 792]>>",
    );
    accept("comments", comments.table(), 1);
    let mut indirect = Doc::contract(2);
    let kids = indirect.add("[4 0 R 6 0 R]");
    let count = indirect.add("2");
    indirect.set(
        PAGES,
        format!("<</Type/Pages/Kids {kids} 0 R/Count {count} 0 R/MediaBox[0 0 612 792]>>"),
    );
    accept("indirect-kids-and-count", indirect.table(), 2);
    let mut arrays = Doc::contract(1);
    let more = arrays.add(stream("", b"BT ET"));
    arrays.set(
        FIRST_PAGE,
        format!("<</Type/Page/Parent 2 0 R/Contents[5 0 R {more} 0 R]>>"),
    );
    accept("contents-array", arrays.table(), 1);
    let mut blank = Doc::contract(1);
    blank.set(FIRST_PAGE, "<</Type/Page/Parent 2 0 R>>");
    accept("blank-page", blank.table(), 1);
    let mut length = Doc::contract(1);
    let size = length.add("5");
    length.set(5, format!("<</Length {size} 0 R>>stream\r\nBT ET\r\nendstream"));
    accept("indirect-length", length.table(), 1);
    let mut nested = Doc::contract(1);
    let inner = Doc::contract(1).table();
    let file = nested.add(stream("/Type/EmbeddedFile", &inner));
    nested.extend(
        CATALOG,
        &format!("/AF[<</Type/Filespec/F(c.pdf)/EF<</F {file} 0 R>>>>]"),
    );
    accept("a-pdf-inside", nested.table(), 1);
    accept("two-hundred-pages", Doc::contract(200).write(Xref::Packed), 200);
    accept("two-thousand-pages", Doc::contract(2000).table(), 2000);
    let mut linear = Doc::contract(1);
    linear.set(10, "<</Linearized 1/L 900/H[1 2]/O 4/E 500/N 1/T 600>>");
    accept("says-it-is-linearised", linear.table(), 1);
    let doc = Doc::contract(1);
    let word = doc.write(Xref::Hybrid);
    let hidden = String::from_utf8_lossy(&word);
    let hidden = hidden.rsplit_once("/XRefStm ").unwrap().1;
    let hidden: String = hidden.chars().take_while(char::is_ascii_digit).collect();
    let text = stream("", b"BT /F1 12 Tf 72 720 Td (Corregido) Tj ET");
    let trailer = format!("/Root 1 0 R/XRefStm {hidden}");
    let again = append(&word, &[(5, text)], doc.size() + 4, &trailer, Xref::Table);
    accept("hybrid-saved-again-with-its-old-trailer", again, 1);
    let mut freed = Doc::contract(1);
    freed.extend(CATALOG, "/AcroForm 50 0 R");
    accept("form-that-does-not-exist", freed.table(), 1);
    let mut odd = Doc::contract(1);
    let metadata = odd.add(stream("/Type/Metadata/Subtype/XML", b"<not-xmp/>"));
    odd.extend(CATALOG, &format!("/Metadata {metadata} 0 R"));
    accept("metadata-that-is-not-xmp", odd.table(), 1);
    cases
}
