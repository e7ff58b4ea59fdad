//! Bombs for readers that repeat the same work, or copy each time.

use crate::build::{CATALOG, Doc, FIRST_PAGE, deflate, object, startxref, stream};
use crate::{Bomb, bomb, changed};

/// A signature without a signer that covers all but its own digits.
fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
    let find = |bytes: &[u8], what: &[u8]| bytes.windows(what.len()).position(|part| part == what).unwrap();
    let gap = find(&bytes, b"/Contents<") + 9;
    let resume = find(&bytes[gap..], b">") + gap + 1;
    let range = format!("[0 {gap:>8} {resume:>8} {:>8}]", bytes.len() - resume);
    let at = find(&bytes, RANGE.as_bytes());
    bytes[at..at + RANGE.len()].copy_from_slice(range.as_bytes());
    bytes
}

const RANGE: &str = "[0 ######## ######## ########]";

/// A filled signature field with these other entries.
fn filled(doc: &mut Doc, more: &str) {
    let signature =
        format!("<</Type/Sig/SubFilter/ETSI.CAdES.detached/ByteRange{RANGE}/Contents<00>{more}>>");
    let value = doc.add(signature);
    let field = doc.add(format!("<</FT/Sig/T(f)/V {value} 0 R>>"));
    doc.extend(CATALOG, &format!("/AcroForm<</Fields[{field} 0 R]>>"));
}

/// Offsets that fall into one bucket of a table whose hash has no secret.
fn colliding(count: u64) -> Vec<u64> {
    const FACTOR: u64 = 0xf135_7aea_2e62_a9c5;
    // The inverse of an odd number, by Newton's way.
    let inverse = (0..6).fold(1u64, |x, _| {
        x.wrapping_mul(2u64.wrapping_sub(FACTOR.wrapping_mul(x)))
    });
    (1..=count)
        .map(|n| (n << 32).rotate_right(26).wrapping_mul(inverse))
        .collect()
}

/// A file whose cross-references list these offsets too.
fn listing(offsets: &[u64]) -> Vec<u8> {
    let mut out = Doc::contract(1).header;
    let mut places = vec![0u64];
    for (number, body) in &Doc::contract(1).objects {
        places.push(out.len() as u64);
        object(&mut out, *number, body);
    }
    let start = out.len();
    let own = u32::try_from(places.len()).unwrap();
    places.push(start as u64);
    places.extend(offsets);
    let rows: Vec<u8> = places.iter().flat_map(|place| place.to_be_bytes()).collect();
    let dict = format!("/Type/XRef/Size {}/W[0 8 0]/Root 1 0 R", places.len());
    object(&mut out, own, &stream(&dict, &rows));
    out.extend_from_slice(format!("startxref\n{start}\n%%EOF\n").as_bytes());
    out
}

pub(crate) fn all() -> Vec<Bomb> {
    let mut bombs = Vec::new();
    let mut add = |name: &str, change: &dyn Fn(&mut Doc)| bombs.push(changed(name, change));
    add("a field whose name is long, of many kids", &|doc| {
        let name = "n".repeat(4_000);
        doc.set(20, format!("<</T({name})/Kids[{}]>>", "21 0 R ".repeat(490_000)));
        doc.set(21, "<</T(k)>>");
        doc.extend(CATALOG, "/AcroForm<</Fields[20 0 R]>>");
    });
    add(
        "a store of validation data that is far away, many times",
        &|doc| {
            doc.set(20, format!("[{}]", "21 0 R ".repeat(400_000)));
            doc.set(21, format!("{}<<>>", " ".repeat(20 << 20)));
            doc.extend(CATALOG, "/DSS<</Certs 20 0 R>>");
        },
    );
    add("annotations that are not defined", &|doc| {
        let list: String = (1..490_000u32)
            .map(|n| format!("{} 0 R ", n + (1 << 30)))
            .collect();
        doc.on_page(&format!("/Annots[{list}]"));
    });
    add("outlines one inside the other", &|doc| {
        let text = format!("/X({})", "x".repeat(1 << 20));
        let item = (0..90).fold(format!("<<{text}>>"), |inner, _| format!("<</First{inner}>>"));
        doc.extend(CATALOG, &format!("/Outlines{item}"));
    });
    let mut doc = Doc::contract(1);
    filled(&mut doc, "");
    let keys: String = (0..100_000).map(|n| format!("/k{n} 0")).collect();
    doc.extend(CATALOG, &keys);
    let mut bytes = signed(doc.table());
    bytes.extend_from_slice(b"\n\n\n");
    bombs.push(bomb("a catalog of a hundred thousand keys, signed", bytes));
    let mut doc = Doc::contract(1);
    let names = "(a)".repeat(400_000);
    filled(
        &mut doc,
        &format!(
            "/Reference[<</TransformMethod/FieldMDP/TransformParams<</Action/Include/Fields[{names}]>>>>]"
        ),
    );
    bombs.push(bomb("a lock of four hundred thousand names", signed(doc.table())));
    bombs.push(bomb("offsets that collide", listing(&colliding(250_000))));
    let index = "1 0 ".repeat(8_000_000);
    let packed = deflate(index.as_bytes());
    let dict = format!("/Type/ObjStm/N 8000000/First {}/Filter/FlateDecode", index.len());
    let mut doc = Doc::contract(1);
    doc.set(FIRST_PAGE + 10, stream(&dict, &packed));
    bombs.push(bomb("an index of eight million, unused", doc.table()));
    // Rows of nineteen bytes send some readers looking for objects everywhere.
    let nested = "999 0 obj(\n".repeat(20_000);
    let mut doc = plain();
    doc.set(20, format!("({nested}{})", ")".repeat(20_000)));
    let text = String::from_utf8(doc.table()).unwrap();
    let narrow = text.replace(" n \n", " n\n").replace(" f \n", " f\n");
    let narrow = narrow.replacen("/Root 1 0 R", "/Root 1 0 R/Info 20 0 R", 1);
    bombs.push(bomb("texts that look like objects", narrow.into_bytes()));
    let mut doc = plain();
    doc.set(20, stream("", " 4 0 obj".repeat(9_900).as_bytes()));
    let text = String::from_utf8(doc.table()).unwrap();
    let (space, start) = (" ".repeat(20 << 20), startxref(text.as_bytes()));
    let far = text.replacen("\n20 0 obj", &format!("\n{space}20 0 obj"), 1);
    let (here, there) = (
        format!("startxref\n{start}"),
        format!("startxref\n{}", start + space.len()),
    );
    let far = far.replacen(&here, &there, 1);
    bombs.push(bomb(
        "an object far behind its place, full of others",
        far.into_bytes(),
    ));
    bombs
}

/// A contract of nothing but letters.
fn plain() -> Doc {
    let mut doc = Doc::contract(1);
    doc.header = b"%PDF-1.4\n".to_vec();
    doc
}
