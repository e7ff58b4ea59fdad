//! Pages as images and text: faithful, or reported; bounded, whatever the page is.

#![allow(
    clippy::unwrap_used,
    clippy::format_collect,
    clippy::format_push_string,
    clippy::semicolon_if_nothing_returned,
    clippy::too_many_lines,
    clippy::type_complexity,
    dead_code,
    reason = "tests, with generators shared with others"
)]

mod bombs;
#[path = "../../../pdf/tests/cases/mod.rs"]
mod cases;
mod cross_references;
mod differential;
mod drawing;
mod encrypted;
mod mutations;
mod photographs;
mod sandbox;
mod scan;
mod undrawn;
mod warnings;
mod workers;

use render::{Failure, Picture, Rendered};

use cases::build;

use crate::build::{DIALECTS, Doc, FIRST_PAGE, PAGES, stream};
use crate::drawing::{GreyImage, pool, source};

/// A document of one page with these contents.
pub(crate) fn page(contents: &str) -> Doc {
    let mut doc = Doc::contract(1);
    doc.set(FIRST_PAGE + 1, stream("", contents.as_bytes()));
    doc
}

pub(crate) fn faithful(drawn: Result<Rendered, Failure>) -> Picture {
    match drawn {
        Ok(Rendered::Faithful(picture)) => picture,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_page_without_a_size_is_a_letter() {
    let mut doc = Doc::contract(1);
    doc.set(PAGES, "<</Type/Pages/Kids[4 0 R]/Count 1>>");
    for dialect in DIALECTS {
        let picture = faithful(pool().image(&source(&doc.write(dialect)), 0, 612));
        assert_eq!((picture.width, picture.height), (612, 792), "{dialect:?}");
    }
}

#[test]
fn a_page_is_drawn_at_the_width_asked_for() {
    let document = source(&Doc::contract(3).table());
    let pool = pool();
    for (asked, width, height) in [
        (1200, 1200, 1697),
        (600, 600, 849),
        (20, 20, 28),
        (1 << 20, 4000, 5657),
    ] {
        let picture = faithful(pool.image(&document, 1, asked));
        assert_eq!((picture.width, picture.height), (width, height));
        let image = GreyImage::read(&picture.file);
        assert_eq!((image.width, image.height), (width as usize, height as usize));
        assert!(
            width < 600 || image.pixels.iter().any(|shade| *shade < 64),
            "there is text on it"
        );
    }
    assert_eq!(pool.image(&document, 3, 600), Err(Failure::NoSuchPage));
}

#[test]
fn a_long_page_is_drawn_narrower() {
    let mut doc = Doc::contract(1);
    doc.on_page("/MediaBox[0 0 100 14000]");
    let picture = faithful(pool().image(&source(&doc.table()), 0, 1200));
    assert_eq!((picture.width, picture.height), (57, 8000));
}

#[test]
fn a_turned_page_is_shown_upright_and_a_cropped_one_cropped() {
    let mut doc = Doc::contract(1);
    doc.on_page("/Rotate 90");
    let picture = faithful(pool().image(&source(&doc.table()), 0, 1697));
    assert_eq!((picture.width, picture.height), (1697, 1200));
    let mut doc = Doc::contract(1);
    doc.on_page("/CropBox[50 700 250 800]");
    let picture = faithful(pool().image(&source(&doc.table()), 0, 400));
    assert_eq!((picture.width, picture.height), (400, 200));
    assert!(
        GreyImage::read(&picture.file)
            .pixels
            .iter()
            .any(|shade| *shade < 64)
    );
}

#[test]
fn colours_stay_and_grey_pages_are_grey_images() {
    let pool = pool();
    let coloured = faithful(pool.image(&source(&page("1 0 0 rg 0 0 300 800 re f").table()), 0, 300));
    assert_eq!(coloured.file[25], 2, "red needs colours");
    let grey = faithful(pool.image(&source(&page("0.5 g 0 0 300 800 re f").table()), 0, 300));
    assert_eq!(grey.file[25], 0, "grey needs none");
}

#[test]
fn the_text_of_a_page_comes_in_lines() {
    let contents = "BT /F1 12 Tf 72 700 Td (Primera l) Tj (inea) Tj 0 -14 Td [(Segunda) -600 (parte)] TJ ET";
    let read = pool().text(&source(&page(contents).table()), 0).unwrap();
    assert_eq!(read.text, "Primera linea\nSegunda parte");
    assert!(read.complete);
}

#[test]
fn what_is_no_document_is_unreadable() {
    let pool = pool();
    for bytes in [b"".as_slice(), b"hello", b"%PDF-1.7\n%%EOF"] {
        assert_eq!(pool.image(&source(bytes), 0, 600), Err(Failure::Unreadable));
    }
    faithful(pool.image(&source(&Doc::contract(1).table()), 0, 600));
}
