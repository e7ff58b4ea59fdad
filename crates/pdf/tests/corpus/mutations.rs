//! The corpus, damaged at random: nothing panics.

use pdf::Limits;
use pdf::inspect::inspect;
use proptest::prelude::*;

use crate::cases::mutate::{UPLOADS, damage, damaged, run};

#[test]
fn inspecting_damaged_files_never_panics() {
    run(100_000, &damaged(&UPLOADS), |(seed, mutations)| {
        let mut bytes = UPLOADS[seed].clone();
        damage(&mut bytes, &mutations);
        if let Ok(inspected) = inspect(&bytes, &Limits::default()) {
            prop_assert!(inspected.pages > 0);
        }
        Ok(())
    });
}
