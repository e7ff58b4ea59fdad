//! Ink that two other programs show is in our image, or the page is announced as doubtful.

mod letters;
mod others;
mod pages;
mod paints;
mod pictures;
mod random;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use render::{Failure, Pool, Rendered};

use crate::build::{CATALOG, Doc, PAGES};
use crate::differential::pages::{Page, SIDE};
use crate::differential::pictures::{Pixels, draw};
use crate::drawing::{output, pool, source};
use crate::undrawn;

/// Generated pages in a file, and files.
const BATCH: u64 = 40;
const BATCHES: u64 = 14;

/// Pixels of ink that may be missing: programs draw edges and thin lines a little differently.
const TOLERANCE: usize = 12;

/// Pages that must have been compared, for the test to be worth its name.
const MIN_COMPARED: usize = 300;

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
fn generated(seeds: impl Iterator<Item = u64>) -> Doc {
    let mut doc = Doc::contract(0);
    let kids: Vec<_> = seeds.map(|seed| Page::write(&mut doc, seed)).collect();
    let count = kids.len();
    let kids: String = kids.iter().map(|kid| format!("{kid} 0 R ")).collect();
    doc.set(CATALOG, "<</Type/Catalog/Pages 2 0 R>>");
    doc.set(PAGES, format!("<</Type/Pages/Kids[{kids}]/Count {count}>>"));
    doc
}

#[test]
fn ink_that_others_show_on_generated_pages_is_shown_or_announced() {
    let folder = output("differential");
    let batches = Mutex::new(0..BATCHES);
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
                    let bytes = generated(seeds.clone()).table();
                    let name = format!("generated-{batch}");
                    std::fs::write(folder.join(format!("{name}.pdf")), &bytes).unwrap();
                    for (seed, page) in seeds.zip(0..) {
                        let others = draw(&folder, &name, page + 1, 72);
                        let pixels = missing(&pool, &bytes, page, SIDE.unsigned_abs(), &others);
                        compared.fetch_add(usize::from(pixels.is_some()), Ordering::Relaxed);
                        if let Some(pixels) = pixels.filter(|pixels| *pixels > TOLERANCE) {
                            let alone = generated(std::iter::once(seed)).table();
                            std::fs::write(folder.join(format!("seed-{seed}.pdf")), alone).unwrap();
                            lost.lock().unwrap().push((seed, pixels));
                        }
                    }
                }
            });
        }
    });
    let compared = compared.into_inner();
    assert!(compared >= MIN_COMPARED, "{compared} pages were compared");
    let lost = lost.into_inner().unwrap();
    assert!(
        lost.is_empty(),
        "seeds, and pixels that are missing: {lost:?}; see {}",
        folder.display()
    );
}

/// Fails with the documents that lack ink on their first page. Returns how many were compared.
fn assert_inked(folder: &str, cases: &[(&str, Doc)]) -> usize {
    let folder = output(folder);
    let pool = pool();
    let mut compared = 0;
    let mut lost = Vec::new();
    for (number, (case, doc)) in cases.iter().enumerate() {
        let bytes = doc.table();
        let name = format!("case-{number}");
        std::fs::write(folder.join(format!("{name}.pdf")), &bytes).unwrap();
        let others = draw(&folder, &name, 1, 36);
        let pixels = missing(&pool, &bytes, 0, 298, &others);
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
        .map(|case| (case.name, case.document()))
        .collect();
    assert_inked("differential-corpus", &cases);
}

#[test]
fn ink_that_others_show_of_other_kinds_is_shown_or_announced() {
    let cases = others::cases();
    let compared = assert_inked("differential-others", &cases);
    // Letters of another script are announced.
    assert!(compared + 1 >= cases.len(), "{compared} of {}", cases.len());
}
