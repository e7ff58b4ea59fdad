//! PDFs written by our own generators, one per feature and per damage, each with its expected verdict.

#![allow(
    clippy::unwrap_used,
    clippy::format_collect,
    clippy::format_push_string,
    clippy::too_many_lines,
    clippy::type_complexity,
    clippy::semicolon_if_nothing_returned,
    reason = "generators of test files"
)]

mod active;
mod attacks;
mod build;
mod by_hand;
#[path = "../cms_tools/mod.rs"]
mod cms_tools;
mod damage;
mod features;
mod foreign;
mod kept;
mod lasting;
mod locks;
mod mutations;
mod people;
mod pictures;
mod rendered;
mod signing;
mod states;
mod tools;
mod verifying;

use pades::inspect::{Inspected, Limits, Refused, inspect};

/// What is expected of a file.
pub(crate) enum Expect {
    Pages(u32),
    Signed { pages: u32, signatures: u32 },
    Refused(fn(&Refused) -> bool),
}

/// A file of the corpus.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) expect: Expect,
}

impl Case {
    pub(crate) fn new(name: impl Into<String>, bytes: Vec<u8>, expect: Expect) -> Self {
        Self {
            name: name.into(),
            bytes,
            expect,
        }
    }

    fn complaint(&self) -> Option<String> {
        let found = inspect(&self.bytes, &Limits::default());
        let right = match (&self.expect, &found) {
            (Expect::Pages(pages), Ok(inspected)) => is(inspected, *pages, 0),
            (Expect::Signed { pages, signatures }, Ok(inspected)) => is(inspected, *pages, *signatures),
            (Expect::Refused(reason), Err(refused)) => reason(refused),
            _ => false,
        };
        (!right).then(|| format!("{}: {found:?}", self.name))
    }
}

fn is(inspected: &Inspected, pages: u32, signatures: u32) -> bool {
    inspected.pages == pages && inspected.signatures == signatures
}

/// Fails with every file that is not judged as expected.
pub(crate) fn judge(cases: &[Case]) {
    let complaints: Vec<_> = cases.iter().filter_map(Case::complaint).collect();
    assert!(
        complaints.is_empty(),
        "{} of {}:\n{}",
        complaints.len(),
        cases.len(),
        complaints.join("\n")
    );
}

#[test]
fn every_feature_is_accepted_and_every_damage_refused() {
    let cases = features::all();
    assert!(cases.len() >= 150, "the corpus shrank to {}", cases.len());
    judge(&cases);
}

#[test]
fn every_reason_has_a_sentence() {
    for case in features::all() {
        if let Err(refused) = inspect(&case.bytes, &Limits::default()) {
            assert!(refused.message().ends_with('.'), "{refused:?}");
            assert!(!refused.to_string().is_empty());
        }
    }
}
