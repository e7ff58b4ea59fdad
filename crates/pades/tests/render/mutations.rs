//! Random damage: every page ends in an image or a reason.

use pades::render::Failure;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::build::{DIALECTS, Doc};
use crate::drawing::{pool, source};

#[test]
fn damaged_documents_are_drawn_or_refused() {
    let pool = pool();
    let whole: Vec<_> = DIALECTS
        .iter()
        .map(|dialect| Doc::contract(2).write(*dialect))
        .collect();
    let damage = (
        0..whole.len(),
        prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
    );
    let mut runner = TestRunner::new(Config {
        cases: 1_000,
        failure_persistence: None,
        ..Config::default()
    });
    let outcome = runner.run(&damage, |(which, changes)| {
        let mut bytes = whole[which].clone();
        for (place, value) in changes {
            let at = place.index(bytes.len());
            bytes[at] = value;
        }
        let document = source(&bytes);
        prop_assert_ne!(pool.image(&document, 0, 200).err(), Some(Failure::Crashed));
        prop_assert_ne!(pool.text(&document, 0).err(), Some(Failure::Crashed));
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}
