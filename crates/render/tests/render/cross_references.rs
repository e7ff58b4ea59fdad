//! What is drawn is what the cross-references list, and nothing that lies about in the file.

use render::{RenderWarning, Rendered};

use crate::build::{Doc, FIRST_PAGE, startxref, stream};
use crate::drawing::{pool, source};
use crate::{faithful, page};

const REAL: &str = "BT /F1 12 Tf 72 720 Td (Paga diez) Tj ET";
const DECOY: &str = "BT /F1 12 Tf 72 720 Td (Paga uno) Tj ET";

/// A contract in which a stream that nothing uses holds another version of the page's contents.
fn with_a_decoy() -> Doc {
    let mut doc = page(REAL);
    doc.header = b"%PDF-1.7\n".to_vec();
    let decoy = [
        format!("\n{} 0 obj\n", FIRST_PAGE + 1).into_bytes(),
        stream("", DECOY.as_bytes()),
        b"\nendobj\n".to_vec(),
    ]
    .concat();
    doc.add(stream("", &decoy));
    doc
}

fn text(bytes: &[u8]) -> (String, bool) {
    let read = pool().text(&source(bytes), 0).unwrap();
    (read.text, read.complete)
}

#[test]
fn however_cross_references_are_spelt_they_are_followed() {
    let plain = with_a_decoy().table();
    let short = String::from_utf8(plain.clone())
        .unwrap()
        .replace(" n\r\n", " n\n")
        .replace(" f\r\n", " f\n");
    // Offsets of five bytes, in a stream.
    let mut wide = plain.clone();
    let at = wide.len();
    let mut data = Vec::new();
    let table = String::from_utf8_lossy(&plain[startxref(&plain)..]).into_owned();
    let rows: Vec<&str> = table
        .lines()
        .skip(2)
        .take_while(|line| *line != "trailer")
        .collect();
    for row in &rows {
        let offset: u64 = row[..10].parse().unwrap();
        data.push(u8::from(row.ends_with('n')));
        data.extend_from_slice(&offset.to_be_bytes()[3..]);
        data.push(0);
    }
    let entries = format!("/Type/XRef/Size {}/W[1 5 1]/Root 1 0 R", rows.len());
    wide.extend_from_slice(format!("{} 0 obj\n", rows.len()).as_bytes());
    wide.extend_from_slice(&stream(&entries, &data));
    wide.extend_from_slice(format!("\nendobj\nstartxref\n{at}\n%%EOF\n").as_bytes());
    // Each offset a blank too early, and one beyond the end that nothing uses.
    let mut early = String::from_utf8(plain.clone()).unwrap();
    for row in rows.iter().filter(|row| row.ends_with('n')) {
        let offset: u64 = row[..10].parse().unwrap();
        early = early.replace(&row[..10], &format!("{:010}", offset - 1));
    }
    let early = early.replace("0000000000 65535 f", "9999999999 00000 n");
    for file in [plain, short.into_bytes(), wide, early.into_bytes()] {
        assert_eq!(text(&file), ("Paga diez".into(), true));
        faithful(pool().image(&source(&file), 0, 600));
    }
}

#[test]
fn what_was_freed_is_not_drawn() {
    let mut doc = page("q /X Do Q BT /F1 12 Tf 72 720 Td (Paga diez) Tj ET");
    let form = stream(
        "/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</Font<</F1 3 0 R>>>>",
        b"BT /F1 12 Tf 72 600 Td (y nada mas) Tj ET",
    );
    let form = doc.add(form);
    doc.set(
        FIRST_PAGE,
        format!(
            "<</Type/Page/Parent 2 0 R/Contents {} 0 R/Resources<</Font<</F1 3 0 R>>/XObject<</X {form} 0 R>>>>>>",
            FIRST_PAGE + 1
        ),
    );
    let with = doc.table();
    assert_eq!(text(&with).0, "y nada mas\nPaga diez");
    let mut without = with.clone();
    let (at, prev, size) = (with.len(), startxref(&with), doc.size());
    without.extend_from_slice(
        format!(
            "xref\n{form} 1\n0000000000 00001 f\r\ntrailer\n<</Size {size}/Root 1 0 R/Prev {prev}>>\nstartxref\n{at}\n%%EOF\n"
        )
        .as_bytes(),
    );
    assert_eq!(text(&without).0, "Paga diez");
}

#[test]
fn an_object_that_is_not_at_its_place_gives_a_warning() {
    let mut doc = with_a_decoy();
    let font = doc.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>");
    doc.set(
        FIRST_PAGE,
        format!(
            "<</Type/Page/Parent 2 0 R/Contents {} 0 R/Resources<</Font<</F1 {font} 0 R>>>>>>",
            FIRST_PAGE + 1
        ),
    );
    let file = String::from_utf8(doc.table()).unwrap();
    let place = format!("{:010}", file.find(&format!("\n{font} 0 obj")).unwrap() + 1);
    let other = format!("{:010}", file.find("\n3 0 obj").unwrap() + 1);
    let file = file.replace(&place, &other);
    // Nor does it help to leave something open, in which a search would lose its way.
    for tail in ["", "<</A(", "<<", "("] {
        let file = format!("{file}{tail}").into_bytes();
        match pool().image(&source(&file), 0, 600) {
            Ok(Rendered::WithWarnings { warnings, .. }) => {
                assert_eq!(warnings, [RenderWarning::Contents], "{tail}");
            }
            other => panic!("{tail}: {other:?}"),
        }
        assert!(!text(&file).1, "{tail}");
    }
}

#[test]
fn documents_that_need_a_password_are_not_drawn() {
    let mut doc = page(REAL);
    doc.trailer
        .push_str("/Encrypt<</Filter/Standard/V 1/R 2/O<00>/U<00>/P -4>>");
    assert!(pool().image(&source(&doc.table()), 0, 600).is_err());
}
