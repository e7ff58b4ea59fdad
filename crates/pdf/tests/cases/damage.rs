//! What must be refused because readers could disagree about it, or because it is not a document at all.

use pdf::Damage;
use pdf::inspect::{Hidden, Refused};

use super::build::{CATALOG, Doc, FIRST_PAGE, PAGES, Xref, append, object, startxref, stream};
use super::{Case, Expect, RefusalCheck};

const DAMAGED: RefusalCheck = |r| matches!(r, Refused::Damaged(_));
const SHADOW: RefusalCheck = |r| matches!(r, Refused::HiddenContent(Hidden::Shadow(_)));
const COMPLEX: RefusalCheck = |r| matches!(r, Refused::TooComplex(_));

pub(crate) fn all() -> Vec<Case> {
    [
        bytes(),
        shadows(),
        shadows_by_large_streams(),
        columns(),
        structure(),
        sizes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn refuse(name: &str, bytes: Vec<u8>, reason: RefusalCheck) -> Case {
    Case::new(name, bytes, Expect::Refused(reason))
}

fn ascii() -> String {
    let doc = Doc {
        header: b"%PDF-1.4\n".to_vec(),
        ..Doc::contract(1)
    };
    String::from_utf8(doc.table()).unwrap()
}

fn bytes() -> Vec<Case> {
    let plain = ascii();
    let swap = |from: &str, to: &str| {
        assert!(plain.contains(from), "{from}");
        plain.replacen(from, to, 1).into_bytes()
    };
    let doc = Doc::contract(1);
    let hidden = {
        let mut out = doc.header.clone();
        object(&mut out, 5, &stream("", b"BT (Otro contrato) Tj ET"));
        let rest = Doc {
            header: out,
            ..doc.clone()
        };
        rest.table()
    };
    let hidden_unused = {
        let mut out = doc.header.clone();
        object(&mut out, 77, &stream("", b"BT (Resto) Tj ET"));
        Doc {
            header: out,
            ..doc.clone()
        }
        .table()
    };
    let hidden_next = {
        let mut out = doc.header.clone();
        object(&mut out, 6, &stream("", b"BT (Resto) Tj ET"));
        Doc {
            header: out,
            ..doc.clone()
        }
        .table()
    };
    let half = doc.table();
    vec![
        refuse("empty", Vec::new(), |r| *r == Refused::NotPdf),
        refuse("text", b"hello".to_vec(), |r| *r == Refused::NotPdf),
        refuse("word", b"PK\x03\x04 word/document.xml".to_vec(), |r| {
            *r == Refused::NotPdf
        }),
        refuse("header-only", b"%PDF-1.7\n".to_vec(), DAMAGED),
        refuse(
            "header-late",
            [&[b' '; 2000][..], plain.as_bytes()].concat(),
            |r| *r == Refused::NotPdf,
        ),
        refuse("truncated", half[..half.len() / 2].to_vec(), DAMAGED),
        refuse("truncated-end", half[..half.len() - 40].to_vec(), DAMAGED),
        refuse(
            "junk-shifts-offsets",
            [&b"junk\n"[..], plain.as_bytes()].concat(),
            DAMAGED,
        ),
        refuse(
            "too-much-behind-the-end",
            [plain.as_bytes(), &[b'x'; 5000]].concat(),
            DAMAGED,
        ),
        refuse(
            "startxref-elsewhere",
            swap("startxref\n", "startxref\n9"),
            DAMAGED,
        ),
        refuse(
            "startxref-not-a-number",
            swap("startxref\n", "startxref\nx"),
            DAMAGED,
        ),
        refuse("no-trailer", swap("trailer", "trailor"), DAMAGED),
        refuse("no-root", swap("/Root", "/Ruta"), DAMAGED),
        refuse(
            "two-roots",
            swap("/Root 1 0 R", "/Root 1 0 R/Root 2 0 R"),
            DAMAGED,
        ),
        refuse("root-is-a-page", swap("/Root 1", "/Root 4"), DAMAGED),
        refuse("root-is-nothing", swap("/Root 1", "/Root 9"), DAMAGED),
        refuse("xref-shifted", swap("xref\n0 6", "xref\n2 6"), DAMAGED),
        refuse("xref-counted-from-one", swap("xref\n0 6", "xref\n1 6"), DAMAGED),
        refuse("xref-short", swap("xref\n0 6", "xref\n0 9"), DAMAGED),
        refuse("xref-huge", swap("xref\n0 6", "xref\n0 999999999"), COMPLEX),
        refuse(
            "xref-lists-twice",
            swap("xref\n0 6", "xref\n5 1\n0000000015 00000 n\r\n0 6"),
            |r| *r == Refused::Damaged(Damage::ListedTwice(5)),
        ),
        refuse("object-renamed", swap("4 0 obj", "9 0 obj"), DAMAGED),
        refuse("object-unclosed", swap("/Count 1", "/Count(1"), DAMAGED),
        refuse("no-endobj", swap("endobj", "endobk"), DAMAGED),
        refuse("length-too-long", swap("/Length ", "/Length 9"), DAMAGED),
        refuse("length-missing", swap("/Length ", "/Lengte "), DAMAGED),
        refuse("encrypted", swap("/Root", "/Encrypt<<>>/Root"), |r| {
            *r == Refused::Encrypted
        }),
        refuse("shadow-object", hidden, SHADOW),
        Case::new("leftover-object", hidden_unused, Expect::Pages(1)),
        Case::new(
            "leftover-object-of-the-next-number",
            hidden_next,
            Expect::Pages(1),
        ),
    ]
}

/// Second versions of an object, however they are written.
fn shadows() -> Vec<Case> {
    let heads = [
        ("line", "5 0\nobj"),
        ("lines", "5\r\n0\r\nobj"),
        ("spaces", "5  0 obj"),
        ("more-spaces", "5 0   obj"),
        ("tab", "5 0\tobj"),
        ("zero", "5 0\0obj"),
        ("comment", "5 0 % nada\nobj"),
        ("comments", "5% nada\r% nada\r0\n%\nobj"),
        ("zeros", "0000000000005 00000 obj"),
    ];
    let mut cases = Vec::new();
    for (name, head) in heads {
        let mut doc = Doc::contract(1);
        doc.header.extend_from_slice(head.as_bytes());
        doc.header
            .extend_from_slice(&stream("", b"BT (Otro contrato) Tj ET"));
        doc.header.extend_from_slice(b"\nendobj\n");
        cases.push(refuse(&format!("shadow-object-{name}"), doc.table(), SHADOW));
    }
    let plain = ascii().into_bytes();
    let mut renamed = plain.clone();
    object(&mut renamed, 5, &stream("", b"BT (Otro contrato) Tj ET"));
    let (at, start, past) = (plain.len(), renamed.len(), startxref(&plain));
    renamed.extend_from_slice(format!("xref\n77 1\n{at:010} 00000 n\r\ntrailer\n<</Root 1 0 R/Size 78/Prev {past}>>\nstartxref\n{start}\n%%EOF\n").as_bytes());
    cases.push(refuse("shadow-object-under-another-number", renamed, SHADOW));
    let mut stream_as_page = Doc::contract(1).write(Xref::Stream);
    let at = startxref(&stream_as_page);
    assert_eq!(stream_as_page[at + 1..at + 7], *b" 0 obj");
    stream_as_page[at] = b'5';
    cases.push(refuse(
        "cross-reference-stream-under-another-number",
        stream_as_page,
        SHADOW,
    ));
    let listed = ascii().replacen("5 0 obj", "5 0\nobj", 1).into_bytes();
    cases.push(Case::new("listed-object-line", listed, Expect::Pages(1)));
    cases
}

/// Second versions of an object around a stream that is not gone through for them, and what only looks like one inside it.
fn shadows_by_large_streams() -> Vec<Case> {
    let large = |head: &str, begin: &str| {
        let data = format!("{begin}{}", " 0".repeat(30_000));
        let body = String::from_utf8(stream("", data.as_bytes())).unwrap();
        format!("{head}\n{body}\nendobj\n")
    };
    let with = |objects: &str, listed: &[(u32, usize)]| {
        let plain = ascii();
        let (first, past) = (plain.len(), startxref(plain.as_bytes()));
        let start = first + objects.len();
        let row = |(number, at): &(u32, usize)| format!("{number} 1\n{:010} 00000 n\r\n", first + at);
        let rows: String = listed.iter().map(row).collect();
        let end = format!("trailer\n<</Root 1 0 R/Size 27/Prev {past}>>\nstartxref\n{start}\n%%EOF\n");
        [&plain, objects, "xref\n", &rows, &end].concat().into_bytes()
    };
    let small = "5 0 obj\n<<>>\nendobj\n";
    let twice = format!("26{}26{}", &small[1..], &large(" 0 obj", ""));
    let whole = large("6 0 obj", "");
    let inside = large("6 0 obj", "\n5 0 obj\n<<>>\nendobj\n");
    let other = large("5 0 obj", "");
    let around = whole.replace("\nendstream", &format!("\n7 {}{small}\nendstream", &small[2..]));
    let length = format!("/Length {}", 60_000 + 1 + 2 * small.len());
    let around = around.replace("/Length 60000", &length);
    let seventh = around.find("7 0 obj").unwrap();
    let split = large("5 0 % 1 0 obj\nobj", "");
    let comment = large("5 0 %6 0 obj", "obj\n<<>>\nendobj").replacen('\n', " ", 2);
    let hidden =
        |name: &str, objects: &str, listed: &[(u32, usize)]| refuse(name, with(objects, listed), SHADOW);
    vec![
        Case::new(
            "object-inside-a-large-stream",
            with(&inside, &[(6, 0)]),
            Expect::Pages(1),
        ),
        hidden(
            "shadow-object-before-a-large-stream",
            &[small, &whole].concat(),
            &[(6, small.len())],
        ),
        hidden(
            "shadow-object-after-a-large-stream",
            &[&whole, small].concat(),
            &[(6, 0)],
        ),
        hidden(
            "shadow-object-that-is-a-large-stream",
            &twice,
            &[(26, 0), (6, small.len() + 2)],
        ),
        hidden(
            "shadow-object-that-is-listed-as-a-large-stream",
            &other,
            &[(6, 0)],
        ),
        hidden(
            "shadow-object-after-one-in-a-large-stream",
            &around,
            &[(6, 0), (7, seventh)],
        ),
        hidden("shadow-object-split-by-a-comment", &split, &[(6, 0)]),
        hidden(
            "shadow-object-with-a-large-stream-for-a-comment",
            &comment,
            &[(6, 5)],
        ),
    ]
}

/// Cross-reference streams whose columns are wider than any number.
fn columns() -> Vec<Case> {
    let plain = Doc::contract(1).write(Xref::Stream);
    let widths = b"/W[1 4 2]";
    let at = plain
        .windows(widths.len())
        .position(|word| word == widths)
        .unwrap();
    let huge = i64::MAX;
    [
        ("wide", "/W[1 9 2]".to_owned()),
        ("endless", format!("/W[{huge} {huge} 2]")),
        ("endless-together", format!("/W[{huge} {huge} {huge}]")),
    ]
    .map(|(name, stated)| {
        let mut bytes = plain.clone();
        bytes.splice(at..at + widths.len(), stated.bytes());
        refuse(&format!("xref-columns-{name}"), bytes, DAMAGED)
    })
    .into()
}

fn structure() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut with = |name: &str, number: u32, body: &str, reason: RefusalCheck| {
        let mut doc = Doc::contract(1);
        doc.set(number, body);
        cases.push(refuse(name, doc.table(), reason));
    };
    let page_tree: RefusalCheck = |r| *r == Refused::Damaged(Damage::PageTree);
    with("no-pages", PAGES, "<</Type/Pages/Kids[]/Count 0>>", |r| {
        *r == Refused::NoPages
    });
    with("kids-missing", PAGES, "<</Type/Pages/Count 1>>", DAMAGED);
    with(
        "kids-direct",
        PAGES,
        "<</Type/Pages/Kids[<</Type/Page>>]/Count 1>>",
        page_tree,
    );
    with(
        "kids-loop",
        PAGES,
        "<</Type/Pages/Kids[2 0 R]/Count 1>>",
        page_tree,
    );
    with(
        "kid-twice",
        PAGES,
        "<</Type/Pages/Kids[4 0 R 4 0 R]/Count 2/MediaBox[0 0 99 99]>>",
        page_tree,
    );
    with(
        "kid-missing",
        PAGES,
        "<</Type/Pages/Kids[99 0 R]/Count 1>>",
        page_tree,
    );
    with(
        "kid-of-another-type",
        PAGES,
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        page_tree,
    );
    with(
        "count-lies",
        PAGES,
        "<</Type/Pages/Kids[4 0 R]/Count 7/MediaBox[0 0 99 99]>>",
        page_tree,
    );
    with(
        "count-enormous",
        PAGES,
        "<</Type/Pages/Kids[4 0 R]/Count 100000000000/MediaBox[0 0 99 99]>>",
        page_tree,
    );
    with(
        "count-negative",
        PAGES,
        "<</Type/Pages/Kids[4 0 R]/Count -1/MediaBox[0 0 99 99]>>",
        page_tree,
    );
    with(
        "two-kids-entries",
        PAGES,
        "<</Type/Pages/Kids[4 0 R]/Kids[]/Count 1/MediaBox[0 0 99 99]>>",
        |r| *r == Refused::Damaged(Damage::Ambiguous),
    );
    with(
        "media-box-short",
        PAGES,
        "<</Type/Pages/Kids[4 0 R]/Count 1/MediaBox[0 0 9]>>",
        DAMAGED,
    );
    with(
        "media-box-words",
        PAGES,
        "<</Type/Pages/Kids[4 0 R]/Count 1/MediaBox[/a/b/c/d]>>",
        DAMAGED,
    );
    with("catalog-is-an-array", CATALOG, "[1 2 3]", DAMAGED);
    with("catalog-without-pages", CATALOG, "<</Type/Catalog>>", DAMAGED);
    with(
        "contents-is-a-number",
        FIRST_PAGE,
        "<</Type/Page/Parent 2 0 R/Contents 5>>",
        DAMAGED,
    );
    with(
        "contents-is-a-font",
        FIRST_PAGE,
        "<</Type/Page/Parent 2 0 R/Contents 3 0 R>>",
        DAMAGED,
    );
    with(
        "field-loop",
        CATALOG,
        "<</Pages 2 0 R/AcroForm<</Fields[3 0 R 3 0 R]>>>>",
        DAMAGED,
    );
    with(
        "field-direct",
        CATALOG,
        "<</Pages 2 0 R/AcroForm<</Fields[<</T(a)>>]>>>>",
        DAMAGED,
    );
    with(
        "broken-number",
        FIRST_PAGE,
        "<</Type/Page/Parent 2 0 R/Rotate 9-0>>",
        DAMAGED,
    );
    with(
        "broken-name",
        FIRST_PAGE,
        "<</Type/Page/Parent 2 0 R/A#zz 1>>",
        DAMAGED,
    );
    with(
        "broken-hex",
        FIRST_PAGE,
        "<</Type/Page/Parent 2 0 R/A<0g>>>",
        DAMAGED,
    );
    with(
        "dictionary-odd",
        FIRST_PAGE,
        "<</Type/Page/Parent 2 0 R/A>>",
        DAMAGED,
    );
    cases
}

fn sizes() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, area) in [
        ("flat-page", "[0 0 612 0]"),
        ("thin-page", "[0 0 0.9 792]"),
        ("endless-page", "[0 0 612 14401]"),
        ("overflowing-page", "[-99999999999999999 0 99999999999999999 792]"),
    ] {
        let mut doc = Doc::contract(1);
        doc.on_page(&format!("/MediaBox{area}"));
        cases.push(refuse(name, doc.table(), |r| {
            *r == Refused::Damaged(Damage::PageSize(1))
        }));
    }
    cases.push(refuse("too-many-pages", Doc::contract(2001).table(), |r| {
        matches!(r, Refused::TooManyPages { limit: 2000 })
    }));
    let mut image = Doc::contract(1);
    let picture = image.add(stream(
        "/Subtype/Image/Width 65535/Height 65535/Filter/CCITTFaxDecode",
        b"0",
    ));
    image.set(
        FIRST_PAGE,
        format!("<</Type/Page/Parent 2 0 R/Resources<</XObject<</I {picture} 0 R>>>>>>"),
    );
    cases.push(refuse("enormous-image", image.table(), |r| {
        *r == Refused::ImageTooLarge
    }));
    let mut listed = Doc::contract(2);
    let picture = listed.add(stream(
        "/Subtype/Image/Width 65535/Height 65535/Filter/CCITTFaxDecode",
        b"0",
    ));
    listed.on_page(&format!("/Annots[{picture} 0 R]"));
    listed.set(
        FIRST_PAGE + 2,
        format!("<</Type/Page/Parent 2 0 R/Resources<</XObject<</I {picture} 0 R>>>>>>"),
    );
    cases.push(refuse("enormous-image-among-annotations", listed.table(), |r| {
        *r == Refused::ImageTooLarge
    }));
    let plain = Doc::contract(1).table();
    let start = startxref(&plain);
    let looped = append(
        &plain,
        &[(5, stream("", b"BT ET"))],
        6,
        &format!("/Root 1 0 R/Prev {start}"),
        Xref::Table,
    );
    cases.push(Case::new("prev-twice-the-same", looped, Expect::Pages(1)));
    let own = plain.len() + 30;
    let text = format!(
        "{}xref\n0 0\ntrailer\n<</Root 1 0 R/Size 6/Prev {}>>\nstartxref\n{own}\n%%EOF\n",
        " ".repeat(30),
        own
    );
    cases.push(refuse("xref-loop", [&plain[..], text.as_bytes()].concat(), |r| {
        *r == Refused::Damaged(Damage::Loop)
    }));
    cases
}
