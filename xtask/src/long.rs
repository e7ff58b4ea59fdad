//! `cargo xtask test --long`: what takes longer than a change can wait for, and is not part of CI.

use std::path::Path;
use std::process::Command;

use parts::{PDF_VALIDATORS, PYHANKO, Result, Venv};

use crate::step::{self, all, cargo, step};

/// Mutations of the corpus that are taken in, signed, extended and verified, and how many of them pyHanko is asked
/// about.
const MUTATIONS: &str = "50000";
const PYHANKO_SAMPLE: &str = "500";

/// The tests that hold uploads to their promise: what is accepted can be signed and is valid afterwards.
const UPLOAD_TESTS: [&str; 2] = [
    "uploads::what_is_accepted_of_damaged_files_is_valid_once_signed",
    "uploads::documents_by_other_hands_are_refused_or_valid_once_signed",
];

pub(crate) fn run() -> Result<()> {
    step("parts", || parts::provide(&[&Venv::PART, &PDF_VALIDATORS]))?;
    let python = step("pyHanko", || Ok(Venv::of(&PYHANKO)?.program("python")))?;
    let pdfs = step("PDFs by other hands", parts::foreign_pdfs)?;
    let test = |name: &str| -> Command {
        let mut command = cargo(&["test", "--package", "pades", "--test", "corpus", "--", "--exact"]);
        command
            .args([name, "--nocapture"])
            .env("PROPTEST_RNG_SEED", "1")
            .env("FIRMEZA_TEST_PYTHON", &python)
            .env("FIRMEZA_TEST_MUTATIONS", MUTATIONS)
            .env("FIRMEZA_TEST_PYHANKO_SAMPLE", PYHANKO_SAMPLE)
            .env("FIRMEZA_TEST_FOREIGN_PDFS", &pdfs);
        command
    };
    let uploads = UPLOAD_TESTS.map(|name| step(name, || step::run(&mut test(name))));
    let doubts = step("doubts on their first pages", || doubts(&pdfs));
    all(uploads.into_iter().chain([doubts]))
}

/// Prints how often a signer would see the notice that a page may lack something.
fn doubts(pdfs: &Path) -> Result<()> {
    step::run(&mut cargo(&["build", "--package", "render", "--examples"]))?;
    let first_pages = parts::target().join("debug/examples/first_pages");
    let mut command = Command::new("sh");
    command
        .args(["-c", r#"find "$1" -iname '*.pdf' | "$2""#, "sh"])
        .args([pdfs, &first_pages]);
    step::run(&mut command)
}
