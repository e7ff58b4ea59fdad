//! Every file of the corpus is accepted or refused as expected, also after storage and damage.

#![allow(
    clippy::unwrap_used,
    clippy::format_collect,
    clippy::format_push_string,
    clippy::too_many_lines,
    clippy::type_complexity,
    clippy::semicolon_if_nothing_returned,
    reason = "generators of test files"
)]

#[path = "../cases/mod.rs"]
#[allow(dead_code, reason = "shared with other tests, which use all of it")]
mod cases;
mod mutations;
mod states;

use pdf::Limits;
use pdf::inspect::inspect;

use crate::cases::{Case, features};

/// Fails with every file that is not accepted or refused as expected.
pub(crate) fn assert_expected(cases: &[Case]) {
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
    assert_expected(&cases);
}

#[test]
fn every_reason_has_a_sentence() {
    for case in features::all() {
        if let Err(refused) = inspect(&case.bytes, &Limits::default()) {
            for signed in [false, true] {
                assert!(refused.message(signed).ends_with('.'), "{refused:?}");
            }
            assert!(!refused.to_string().is_empty());
        }
    }
}
