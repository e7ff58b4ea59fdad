//! Bombs for the parser of objects: depth, length, repetition.

use crate::build::{CATALOG, Doc, FIRST_PAGE, PAGES, Xref, object, stream};
use crate::{Bomb, bomb};

const MUCH: usize = 5_000_000;

fn with(name: &str, number: u32, body: impl AsRef<[u8]>) -> Bomb {
    let mut doc = Doc::contract(1);
    doc.set(number, body);
    bomb(name, doc.table())
}

pub(crate) fn all() -> Vec<Bomb> {
    let page = |extra: &str| format!("<</Type/Page/Parent 2 0 R/Contents 5 0 R{extra}>>");
    let mut bombs = vec![
        with(
            "two million nested dictionaries in the catalog",
            CATALOG,
            "<</A".repeat(2_000_000),
        ),
        with(
            "two million nested arrays in the page",
            FIRST_PAGE,
            page(&format!("/A{}", "[".repeat(2_000_000))),
        ),
        with(
            "two million nested dictionaries without a reader",
            90,
            "<</A".repeat(2_000_000),
        ),
        with(
            "nested and closed",
            FIRST_PAGE,
            page(&format!("/A{}{}", "[".repeat(500_000), "]".repeat(500_000))),
        ),
        with(
            "a string without end",
            FIRST_PAGE,
            format!("({}", "(".repeat(MUCH)),
        ),
        with("a name without end", FIRST_PAGE, format!("/{}", "a".repeat(MUCH))),
        with(
            "an escaped name without end",
            FIRST_PAGE,
            format!("/{}", "#41".repeat(MUCH / 3)),
        ),
        with(
            "a comment without end",
            FIRST_PAGE,
            format!("%{}", "a".repeat(MUCH)),
        ),
        with(
            "hexadecimal without end",
            FIRST_PAGE,
            format!("<{}", "0".repeat(MUCH)),
        ),
        with("a number without end", FIRST_PAGE, "1".repeat(MUCH)),
        with("white space without end", FIRST_PAGE, " ".repeat(MUCH)),
        with(
            "millions of nulls",
            FIRST_PAGE,
            page(&format!("/A[{}]", "null ".repeat(MUCH / 5))),
        ),
        with(
            "millions of numbers",
            FIRST_PAGE,
            page(&format!("/A[{}]", "0 ".repeat(MUCH / 2))),
        ),
        with(
            "millions of references",
            FIRST_PAGE,
            page(&format!("/Annots[{}]", "9 0 R ".repeat(MUCH / 6))),
        ),
        with("millions of keys", FIRST_PAGE, page(&"/A 1".repeat(MUCH / 4))),
        with(
            "millions of different keys",
            FIRST_PAGE,
            page(&(0..300_000).map(|n| format!("/K{n} 1")).collect::<String>()),
        ),
        with(
            "millions of annotations",
            FIRST_PAGE,
            page(&format!("/Annots[{}]", "<</A<</S/URI>>>>".repeat(150_000))),
        ),
        with(
            "a box of a million sides",
            PAGES,
            format!(
                "<</Type/Pages/Kids[4 0 R]/Count 1/MediaBox[{}]>>",
                "0 ".repeat(1_000_000)
            ),
        ),
    ];
    let mut headers = Doc::contract(1);
    headers.set(5, stream("", "5 0 obj ".repeat(300_000).as_bytes()));
    bombs.push(bomb("headers of objects inside a stream", headers.table()));
    let mut unlisted = Doc::contract(1).header;
    for _ in 0..200_000 {
        object(&mut unlisted, 5, b"0");
    }
    bombs.push(bomb(
        "two hundred thousand versions of an object",
        Doc {
            header: unlisted,
            ..Doc::contract(1)
        }
        .table(),
    ));
    let mut wide = Doc::contract(1);
    for number in 10..200_000 {
        wide.set(number, "0");
    }
    bombs.push(bomb("two hundred thousand objects", wide.write(Xref::Stream)));
    bombs
}
