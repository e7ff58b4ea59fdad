//! Bombs for readers that walk trees: loops, fan-out, long chains.

use crate::build::{CATALOG, Doc, FIRST_PAGE, PAGES, Xref, append, startxref, stream};
use crate::{Bomb, bomb, changed};

/// Nodes that each refer twice to the next, so that a careless walk doubles at every level.
fn doubling(doc: &mut Doc, levels: u32, node: impl Fn(u32) -> String) -> u32 {
    let first = doc.size();
    for level in 0..levels {
        doc.set(first + level, node(first + level + 1));
    }
    first
}

/// Little is said, but to come to it takes long, and it is asked for again and again.
pub(crate) fn far_away(length: usize) -> Bomb {
    bomb("a box far away, for every page", asking_for(&far(length)).table())
}

fn far(length: usize) -> String {
    format!("{}[0 0 99 99]", " ".repeat(length))
}

/// Pages that all have this object for a box.
fn asking_for(object: &str) -> Doc {
    const COUNT: u32 = 1_900;
    let mut doc = Doc::contract(COUNT);
    let shared = doc.add(object);
    for page in 0..COUNT {
        doc.extend(FIRST_PAGE + 2 * page, &format!("/CropBox {shared} 0 R"));
    }
    doc
}

pub(crate) fn all() -> Vec<Bomb> {
    let mut bombs = Vec::new();
    let mut add = |name: &str, change: &dyn Fn(&mut Doc)| bombs.push(changed(name, change));
    add("pages that double", &|doc| {
        let first = doubling(doc, 60, |next| {
            format!("<</Type/Pages/Kids[{next} 0 R {next} 0 R]/Count 9>>")
        });
        doc.set(CATALOG, format!("<</Type/Catalog/Pages {first} 0 R>>"));
    });
    add("pages ten thousand deep", &|doc| {
        let first = doubling(doc, 10_000, |next| {
            format!("<</Type/Pages/Kids[{next} 0 R]/Count 1>>")
        });
        doc.set(CATALOG, format!("<</Type/Catalog/Pages {first} 0 R>>"));
    });
    add("a hundred thousand kids", &|doc| {
        let kids: String = (0..100_000).map(|n| format!("{} 0 R ", n + 100)).collect();
        doc.set(
            PAGES,
            format!("<</Type/Pages/Kids[{kids}]/Count 100000/MediaBox[0 0 99 99]>>"),
        );
    });
    add("fields that double", &|doc| {
        let first = doubling(doc, 60, |next| format!("<</T(a)/Kids[{next} 0 R {next} 0 R]>>"));
        doc.extend(CATALOG, &format!("/AcroForm<</Fields[{first} 0 R]>>"));
    });
    add("fields that contain each other", &|doc| {
        doc.set(20, "<</T(a)/Kids[21 0 R]>>");
        doc.set(21, "<</T(b)/Kids[20 0 R]>>");
        doc.extend(CATALOG, "/AcroForm<</Fields[20 0 R]>>");
    });
    add("fields with names that grow", &|doc| {
        let name = "n".repeat(1000);
        let first = doubling(doc, 3000, |next| format!("<</T({name})/Kids[{next} 0 R]>>"));
        doc.extend(CATALOG, &format!("/AcroForm<</Fields[{first} 0 R]>>"));
    });
    add("a hundred thousand fields", &|doc| {
        let fields: String = (0..100_000).map(|_| "3 0 R ").collect();
        doc.extend(CATALOG, &format!("/AcroForm<</Fields[{fields}]>>"));
    });
    add("fields that are not defined", &|doc| {
        let fields: String = (0..100_000).map(|n| format!("{} 0 R ", n + 100)).collect();
        doc.extend(CATALOG, &format!("/AcroForm<</Fields[{fields}]>>"));
    });
    add("actions that double", &|doc| {
        let first = doubling(doc, 60, |next| format!("<</S/URI/Next[{next} 0 R {next} 0 R]>>"));
        doc.extend(CATALOG, &format!("/OpenAction {first} 0 R"));
    });
    add("actions that double in place", &|doc| {
        let mut action = String::from("<</S/URI>>");
        for _ in 0..18 {
            action = format!("<</S/URI/Next[{action}{action}]>>");
        }
        doc.extend(CATALOG, &format!("/OpenAction{action}"));
    });
    add("a chain of actions", &|doc| {
        let first = doubling(doc, 10_000, |next| format!("<</S/URI/Next {next} 0 R>>"));
        doc.extend(CATALOG, &format!("/OpenAction {first} 0 R"));
    });
    add("an outline that doubles", &|doc| {
        let first = doubling(doc, 20_000, |next| {
            format!("<</First {next} 0 R/Next {next} 0 R>>")
        });
        doc.extend(CATALOG, &format!("/Outlines {first} 0 R"));
    });
    add("a reference to itself", &|doc| {
        doc.set(20, "20 0 R");
        doc.extend(CATALOG, "/AcroForm 20 0 R");
    });
    add("references in a circle", &|doc| {
        doc.set(20, "21 0 R");
        doc.set(21, "20 0 R");
        doc.extend(CATALOG, "/Names 20 0 R");
    });
    add("a length in a circle", &|doc| {
        doc.set(5, "<</Length 5 0 R>>stream\nBT ET\nendstream")
    });
    add("resources that contain themselves", &|doc| {
        doc.set(20, "<</XObject<</A 21 0 R>>>>");
        doc.set(21, stream("/Subtype/Form/Resources 20 0 R", b"/A Do /A Do"));
        doc.on_page("/Resources 20 0 R");
    });
    add("an image of four thousand million pixels", &|doc| {
        doc.set(20, stream("/Subtype/Image/Width 65535/Height 65535", b""));
        doc.set(
            FIRST_PAGE,
            "<</Type/Page/Parent 2 0 R/Resources<</XObject<</I 20 0 R>>>>>>",
        );
    });
    add("an image whose size overflows", &|doc| {
        doc.set(
            20,
            stream(
                "/Subtype/Image/Width 999999999999999999/Height 999999999999999999",
                b"",
            ),
        );
        doc.set(
            FIRST_PAGE,
            "<</Type/Page/Parent 2 0 R/Resources<</XObject<</I 20 0 R>>>>>>",
        );
    });
    add("layers without end", &|doc| {
        let layers = "3 0 R ".repeat(300_000);
        doc.extend(
            CATALOG,
            &format!("/OCProperties<</OCGs[{layers}]/D<</AS[<</OCGs[{layers}]>>]>>>>"),
        );
    });
    add("ten thousand signatures", &|doc| {
        let fields: String = (0..4_900).map(|n| format!("{} 0 R ", n + 100)).collect();
        doc.set(
            50,
            "<</Type/Sig/SubFilter/ETSI.CAdES.detached/ByteRange[0 10 20 30]/Contents<00>>>",
        );
        for field in 100..5_000 {
            doc.set(field, format!("<</FT/Sig/T(f{field})/V 50 0 R>>"));
        }
        doc.extend(CATALOG, &format!("/AcroForm<</Fields[{fields}]>>"));
    });
    add("references of a signature without end", &|doc| {
        let list =
            "<</TransformMethod/FieldMDP/TransformParams<</Action/Include/Fields[(a)]>>>>".repeat(20_000);
        doc.set(
            50,
            format!("<</Type/Sig/SubFilter/ETSI.CAdES.detached/Reference[{list}]>>"),
        );
        doc.set(51, "<</FT/Sig/T(f)/V 50 0 R>>");
        doc.extend(CATALOG, "/AcroForm<</Fields[51 0 R]>>");
    });
    add("ten thousand objects in a text", &|doc| {
        let object = format!("{}4 0 obj ", " ".repeat(2_400));
        doc.set(20, format!("({})", object.repeat(9_900)));
    });
    bombs.push(far_away(20 << 20));
    let packed = asking_for(&far(30 << 20)).write(Xref::Packed);
    bombs.push(bomb("a box far away in a stream, for every page", packed));
    let open = format!("({}", " ".repeat(20 << 20));
    bombs.push(bomb(
        "a text without end, for every page",
        asking_for(&open).table(),
    ));
    let plain = Doc {
        header: b"%PDF-1.4\n".to_vec(),
        ..Doc::contract(1)
    }
    .table();
    let mut many = plain.clone();
    for _ in 0..600 {
        many = append(&many, &[(5, stream("", b"BT ET"))], 6, "/Root 1 0 R", Xref::Table);
    }
    bombs.push(bomb("saved six hundred times", many));
    let loops = format!(
        "xref\n0 0\ntrailer\n<</Root 1 0 R/Size 6/Prev {}/XRefStm {0}>>\nstartxref\n{}\n%%EOF\n",
        startxref(&plain),
        plain.len()
    );
    bombs.push(bomb(
        "a hybrid that points at its past",
        [&plain[..], loops.as_bytes()].concat(),
    ));
    let text = String::from_utf8_lossy(&plain).replacen("xref\n0 6", "xref\n0 8388607", 1);
    bombs.push(bomb("a table of eight million", text.into_bytes()));
    let empty = "0 0\n".repeat(1_000_000);
    let text = String::from_utf8_lossy(&plain).replacen("xref\n0 6", &format!("xref\n{empty}0 6"), 1);
    bombs.push(bomb("a table of a million empty ranges", text.into_bytes()));
    bombs
}
