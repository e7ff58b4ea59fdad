//! Ink that two other programs show is in our image, or the page is announced as doubtful.

mod letters;
mod nested;
mod others;
mod pages;
mod paints;
mod pictures;
mod random;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use render::{Failure, Pool, Rendered};

use crate::build::{CATALOG, Doc, PAGES};
use crate::cases::{Expect, features};
use crate::differential::pages::{Page, SIDE};
use crate::differential::pictures::{Pixels, draw};
use crate::drawing::{output, pool, source};
use crate::undrawn;

/// Generated pages in a file, and files of each kind of pages.
const BATCH: u64 = 40;
const BATCHES: u64 = 14;
const NESTED_BATCHES: u64 = 5;

/// Pixels of ink that may be missing: programs draw edges and thin lines a little differently.
const TOLERANCE: usize = 12;

/// Pages of each kind that must have been compared, for the test to be worth its name.
const MIN_COMPARED: usize = 300;
const MIN_NESTED_COMPARED: usize = 60;

/// Writes the page of a seed into a document, and gives its number.
type WritePage = fn(&mut Doc, u64) -> u32;

/// How many pixels of ink are missing from one page of ours. None if the page is announced as doubtful or not drawn, or
/// if not both other programs have drawn it.
fn missing(pool: &Pool, bytes: &[u8], page: u32, width: u32, others: &[Option<Pixels>; 2]) -> Option<usize> {
    match pool.image(&source(bytes), page, width) {
        Ok(Rendered::Faithful(picture)) => match others {
            [Some(one), Some(two)] => Some(Pixels::of_png(&picture.file).missing(one, two)),
            _ => None,
        },
        Ok(Rendered::WithWarnings { .. })
        | Err(Failure::Blank | Failure::TooSlow | Failure::TooLarge | Failure::Crashed) => None,
        Err(failure) => panic!("{failure}"),
    }
}

/// The first seed. Every run draws the same pages, unless it is given another number.
fn first_seed() -> u64 {
    let given = std::env::var("PROPTEST_RNG_SEED").ok();
    given.map_or(1, |number| number.parse::<u64>().unwrap()) * 1_000_000
}

/// A file of generated pages. A page of a seed is the same in every file.
fn generated(write: WritePage, seeds: impl Iterator<Item = u64>) -> Doc {
    let mut doc = Doc::contract(0);
    let kids: Vec<_> = seeds.map(|seed| write(&mut doc, seed)).collect();
    let count = kids.len();
    let kids: String = kids.iter().map(|kid| format!("{kid} 0 R ")).collect();
    doc.set(CATALOG, "<</Type/Catalog/Pages 2 0 R>>");
    doc.set(PAGES, format!("<</Type/Pages/Kids[{kids}]/Count {count}>>"));
    doc
}

#[test]
fn ink_that_others_show_on_generated_pages_is_shown_or_announced() {
    assert_generated_inked("differential", BATCHES, Page::write, MIN_COMPARED);
}

#[test]
fn ink_that_others_show_on_nested_pages_is_shown_or_announced() {
    let write = Page::write_nested;
    assert_generated_inked("differential-nested", NESTED_BATCHES, write, MIN_NESTED_COMPARED);
}

/// Fails with the seeds of generated pages that lack ink, or if too few of the pages were compared.
fn assert_generated_inked(folder: &str, batches: u64, write: WritePage, min_compared: usize) {
    let folder = output(folder);
    let batches = Mutex::new(0..batches);
    let lost = Mutex::new(Vec::new());
    let compared = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let pool = pool();
                loop {
                    let Some(batch) = batches.lock().unwrap().next() else {
                        return;
                    };
                    let first = first_seed() + batch * BATCH;
                    let seeds = first..first + BATCH;
                    let bytes = generated(write, seeds.clone()).table();
                    let name = format!("generated-{batch}");
                    std::fs::write(folder.join(format!("{name}.pdf")), &bytes).unwrap();
                    for (seed, page) in seeds.zip(0..) {
                        let others = draw(&folder, &name, page + 1, 72);
                        let pixels = missing(&pool, &bytes, page, SIDE.unsigned_abs(), &others);
                        compared.fetch_add(usize::from(pixels.is_some()), Ordering::Relaxed);
                        if let Some(pixels) = pixels.filter(|pixels| *pixels > TOLERANCE) {
                            let alone = generated(write, std::iter::once(seed)).table();
                            std::fs::write(folder.join(format!("seed-{seed}.pdf")), alone).unwrap();
                            lost.lock().unwrap().push((seed, pixels));
                        }
                    }
                }
            });
        }
    });
    let compared = compared.into_inner();
    assert!(compared >= min_compared, "{compared} pages were compared");
    let lost = lost.into_inner().unwrap();
    assert!(
        lost.is_empty(),
        "seeds, and pixels that are missing: {lost:?}; see {}",
        folder.display()
    );
}

/// Fails with the documents that lack ink on their first page. Returns how many were compared.
fn assert_inked(folder: &str, cases: &[(&str, Vec<u8>)]) -> usize {
    let folder = output(folder);
    let pool = pool();
    let mut compared = 0;
    let mut lost = Vec::new();
    for (number, (case, bytes)) in cases.iter().enumerate() {
        let name = format!("case-{number}");
        std::fs::write(folder.join(format!("{name}.pdf")), bytes).unwrap();
        let others = draw(&folder, &name, 1, 36);
        // Half a pixel for a point, as the others are told.
        let width = pool.sizes(&source(bytes)).unwrap()[0].width.div_ceil(2);
        let pixels = missing(&pool, bytes, 0, width, &others);
        compared += usize::from(pixels.is_some());
        if pixels.is_some_and(|pixels| pixels > TOLERANCE) {
            lost.push((case, pixels));
        }
    }
    assert!(lost.is_empty(), "{lost:?}");
    compared
}

#[test]
fn ink_that_others_show_of_the_corpus_is_shown_or_announced() {
    let cases: Vec<_> = undrawn::cases()
        .iter()
        .map(|case| (case.name, case.document().table()))
        .collect();
    assert_inked("differential-corpus", &cases);
}

#[test]
fn ink_that_others_show_of_accepted_uploads_is_shown_or_announced() {
    // Pages of another size than the others draw, of many pages, and the same document in other cross-references.
    let left_out = [
        "tiny",
        "huge",
        "user-unit",
        "hundred",
        "thousand",
        "-Stream",
        "-Packed",
        "-Hybrid",
    ];
    let uploads = features::all();
    let accepted = uploads
        .iter()
        .filter(|case| !matches!(case.expect, Expect::Refused(_)))
        .filter(|case| !left_out.iter().any(|word| case.name.contains(word)));
    let cases: Vec<_> = accepted
        .map(|case| (case.name.as_str(), case.bytes.clone()))
        .collect();
    assert_inked("differential-uploads", &cases);
}

#[test]
fn ink_that_others_show_of_other_kinds_is_shown_or_announced() {
    let cases: Vec<_> = others::cases()
        .into_iter()
        .map(|(name, doc)| (name, doc.table()))
        .collect();
    let compared = assert_inked("differential-others", &cases);
    // Letters of another script are announced.
    assert!(compared + 1 >= cases.len(), "{compared} of {}", cases.len());
}
