//! A tagged document stays tagged: the sheet and its fields join the structure tree.

use crate::archive::extended;
use crate::build::{CATALOG, Doc, FIRST_PAGE, Xref, stream};
use crate::cms_tools::run;
use crate::drawing::output;
use crate::people::Person;
use crate::tools::{ToolVerdict, validate};
use crate::{prepared, time, with_sheet};
use pades::rehearse::rehearse;
use pades::verify::{FileVerdict, Language, Policy, verify};
use pdf::Limits;
use pdf::file::Document;

const PEOPLE: [(&str, &str); 2] = [
    ("María Fernanda Gutiérrez", "Arrendadora"),
    ("山田太郎", "Arrendatario"),
];

/// How the structure tree of a document is written.
#[derive(Debug, Clone, Copy)]
enum Tree {
    /// Everything in the root itself.
    Inline,
    /// One element, and a tree of parents in two levels, without the next key.
    Levels,
    /// Every list is an object of its own.
    Apart,
}

fn tagged(tree: Tree, dialect: Xref) -> Vec<u8> {
    let mut doc = Doc::contract(1);
    doc.on_page("/StructParents 4/Tabs/S");
    doc.set(
        FIRST_PAGE + 1,
        stream(
            "",
            b"/P<</MCID 0>>BDC BT /F1 12 Tf 72 720 Td (Contrato) Tj ET EMC",
        ),
    );
    let (root, document, paragraph) = (10, 11, 12);
    let (k, parents) = match tree {
        Tree::Inline => (
            "/K[11 0 R]",
            "/ParentTree<</Nums[4[12 0 R]]>>/ParentTreeNextKey 5",
        ),
        Tree::Levels => ("/K 11 0 R", "/ParentTree 13 0 R"),
        Tree::Apart => ("/K 15 0 R", "/ParentTree 13 0 R/ParentTreeNextKey 2"),
    };
    doc.set(root, format!("<</Type/StructTreeRoot{k}{parents}>>"));
    doc.set(document, "<</Type/StructElem/S/Document/P 10 0 R/K[12 0 R]>>");
    doc.set(
        paragraph,
        format!("<</Type/StructElem/S/P/P 11 0 R/Pg {FIRST_PAGE} 0 R/K 0>>"),
    );
    match tree {
        Tree::Inline => {}
        Tree::Levels => {
            doc.set(13, "<</Kids[14 0 R]>>");
            doc.set(14, "<</Limits[4 4]/Nums[4[12 0 R]]>>");
        }
        Tree::Apart => {
            doc.set(13, "<</Nums 14 0 R>>");
            doc.set(14, "[4[12 0 R]]");
            doc.set(15, "[11 0 R]");
        }
    }
    doc.extend(
        CATALOG,
        "/StructTreeRoot 10 0 R/MarkInfo<</Marked true>>/Lang(es-CO)/ViewerPreferences<</DisplayDocTitle true>>",
    );
    doc.write(dialect)
}

#[test]
fn a_tagged_document_stays_tagged() {
    let person = Person::new("Ana");
    let folder = output("tagged");
    std::fs::write(folder.join("tagged.py"), include_str!("tagged.py")).unwrap();
    let python = std::env::var("FIRMEZA_TEST_PYTHON")
        .unwrap_or_else(|_| panic!("FIRMEZA_TEST_PYTHON is not set; run through `cargo xtask test`"));
    let many: Vec<(&str, &str)> = PEOPLE.into_iter().cycle().take(26).collect();
    for (tree, dialect, people) in [
        (Tree::Inline, Xref::Table, &PEOPLE[..]),
        (Tree::Levels, Xref::Packed, &PEOPLE[..]),
        (Tree::Apart, Xref::Stream, &many[..]),
    ] {
        let before = tagged(tree, dialect);
        let limits = Limits::default();
        let doc = Document::open(&before, &limits).unwrap();
        let rehearsed = rehearse(&doc, &mut prepared(&before), &limits);
        assert_eq!(rehearsed, Ok(()), "{tree:?}, {dialect:?}");
        let mut paper = with_sheet(&before, people, &person);
        for (place, who) in PEOPLE.into_iter().enumerate() {
            paper.fill(place, who, &person);
        }
        let after = extended(paper, &person);
        std::fs::write(folder.join("before.pdf"), &before).unwrap();
        std::fs::write(folder.join("after.pdf"), &after).unwrap();
        let words = run(&folder, &python, &["tagged.py", "before.pdf", "after.pdf"]);
        assert_eq!(words, "", "{tree:?}, {dialect:?}");
        let report = verify(&after, &Policy::new(&person.roots(), time()));
        assert_eq!(
            report.verdict,
            FileVerdict::Valid,
            "{}",
            report.text(Language::English)
        );
        // pdfsig does not look into document timestamps.
        let expected = ToolVerdict {
            pdfsig: 3,
            ..ToolVerdict::all_valid(4)
        };
        assert_eq!(
            validate(&[("after", &after)], &person.root()),
            [expected],
            "{tree:?}, {dialect:?}"
        );
    }
}

#[test]
fn a_document_without_tags_gets_none() {
    let person = Person::new("Ana");
    let before = Doc::contract(1).table();
    let after = with_sheet(&before, &PEOPLE, &person).signed(&PEOPLE, &person);
    for key in ["StructParent", "StructElem", "MCID", "Artifact"] {
        let found = after.windows(key.len()).any(|part| part == key.as_bytes());
        assert!(!found, "{key}");
    }
}
