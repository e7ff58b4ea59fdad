//! Bombs for readers that inflate.

use crate::build::{Doc, deflate, object, stream};
use crate::{Bomb, bomb};

/// A file whose catalog is said to be in the object stream that is given as a whole object.
fn packed(name: &str, body: &[u8]) -> Bomb {
    packed_with(name, body, "")
}

fn packed_with(name: &str, body: &[u8], more: &str) -> Bomb {
    let mut out = Doc::contract(1).header;
    let container = out.len();
    object(&mut out, 9, body);
    let start = out.len();
    let mut rows = vec![0u8; 7];
    rows.extend_from_slice(&[2, 0, 0, 0, 9, 0, 0]);
    for _ in 2..9 {
        rows.extend_from_slice(&[2, 0, 0, 0, 9, 0, 1]);
    }
    rows.push(1);
    rows.extend_from_slice(&u32::try_from(container).unwrap().to_be_bytes());
    rows.extend_from_slice(&[0, 0]);
    object(
        &mut out,
        10,
        &stream(&format!("/Type/XRef/Size 10/W[1 4 2]/Root 1 0 R{more}"), &rows),
    );
    out.extend_from_slice(format!("startxref\n{start}\n%%EOF\n").as_bytes());
    bomb(name, out)
}

/// A file whose cross-references are this stream.
fn referenced(name: &str, dict: &str, data: &[u8]) -> Bomb {
    let mut out = Doc::contract(1).header;
    let start = out.len();
    object(
        &mut out,
        10,
        &stream(&format!("/Type/XRef/Root 1 0 R{dict}"), data),
    );
    out.extend_from_slice(format!("startxref\n{start}\n%%EOF\n").as_bytes());
    bomb(name, out)
}

pub(crate) fn all() -> Vec<Bomb> {
    let gigabyte = {
        // A gigabyte of zeros, compressed piece by piece so that the test itself stays small.
        use std::io::Write;
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        let piece = vec![0u8; 1 << 20];
        for _ in 0..1024 {
            encoder.write_all(&piece).unwrap();
        }
        encoder.finish().unwrap()
    };
    let twice = deflate(&gigabyte);
    let container = |n: &str, first: &str, extra: &str, data: &[u8]| {
        stream(&format!("/Type/ObjStm/N {n}/First {first}{extra}"), data)
    };
    let flate = "/Filter/FlateDecode";
    let catalog = b"1 0 <</Type/Catalog/Pages 2 0 R>>";
    vec![
        packed(
            "an object stream of a gigabyte",
            &container("1", "4", flate, &gigabyte),
        ),
        packed(
            "an object stream compressed twice",
            &container("1", "4", "/Filter[/FlateDecode/FlateDecode]", &twice),
        ),
        packed(
            "a thousand million members",
            &container("1000000000", "4", flate, &deflate(catalog)),
        ),
        packed(
            "members that start nowhere",
            &container("1", "99999999999", flate, &deflate(catalog)),
        ),
        packed(
            "members that start before",
            &container("1", "-4", flate, &deflate(catalog)),
        ),
        packed(
            "a member that is deep",
            &container(
                "1",
                "4",
                flate,
                &deflate(&[b"1 0 ".as_slice(), &b"[".repeat(30_000_000)].concat()),
            ),
        ),
        packed(
            "a member that is wide",
            &container(
                "1",
                "4",
                flate,
                &deflate(&[b"1 0 [".as_slice(), &b"0 ".repeat(15_000_000)].concat()),
            ),
        ),
        packed(
            "a stream that contains itself",
            &container("1", "4", "/Extends 9 0 R", b"9 0 9 0 R"),
        ),
        packed(
            "a length that is itself",
            b"<</Type/ObjStm/N 1/First 4/Length 9 0 R>>stream\n1 0 null\nendstream",
        ),
        packed(
            "a predictor of wide rows",
            &container(
                "1",
                "4",
                "/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 1000000000>>",
                &gigabyte,
            ),
        ),
        packed(
            "a predictor of narrow rows",
            &container(
                "1",
                "4",
                "/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 1>>",
                &gigabyte,
            ),
        ),
        packed(
            "an unknown filter",
            &container("1", "4", "/Filter/JBIG2Decode", catalog),
        ),
        packed(
            "a corrupt stream",
            &container("1", "4", flate, &gigabyte[..gigabyte.len() / 2]),
        ),
        packed_with(
            "a loop of sections",
            &container("1", "4", flate, &deflate(catalog)),
            "/Prev 15",
        ),
        referenced(
            "cross-references of a gigabyte",
            "/Size 100000000/W[1 4 2]/Filter/FlateDecode",
            &gigabyte,
        ),
        referenced(
            "cross-references compressed twice",
            "/Size 9/W[1 4 2]/Filter[/FlateDecode/FlateDecode]",
            &twice,
        ),
        referenced("rows of no width", "/Size 8000000/W[0 0 0]", b"0"),
        referenced(
            "rows of great width",
            "/Size 9/W[999999999 999999999 999999999]",
            b"0",
        ),
        referenced("rows that overflow", "/Size 9/W[9223372036854775807 4 2]", b"0"),
        referenced("a huge size", "/Size 99999999999/W[1 4 2]", b"0"),
        referenced(
            "an index that overflows",
            "/Size 9/W[1 4 2]/Index[4294967295 4294967295]",
            b"0",
        ),
        referenced(
            "a million ranges",
            &format!("/Size 9/W[1 4 2]/Index[{}]", "0 0 ".repeat(500_000)),
            b"0",
        ),
        referenced("an unknown filter", "/Size 9/W[1 4 2]/Filter/Crypt", b"0"),
    ]
}
