//! Altered bytes for tests with random cases.

use std::ops::Range;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

/// Octets to overwrite, and sometimes where to cut the rest off.
#[derive(Debug)]
pub(crate) struct Mutation {
    changes: Vec<(Index, u8)>,
    cut: Option<Index>,
}

/// A mutation that overwrites so many octets, and in one of five cases also cuts.
pub(crate) fn mutation(changes: Range<usize>) -> impl Strategy<Value = Mutation> {
    let changes = vec((any::<Index>(), any::<u8>()), changes);
    let cut = proptest::option::weighted(0.2, any::<Index>());
    (changes, cut).prop_map(|(changes, cut)| Mutation { changes, cut })
}

impl Mutation {
    /// The bytes after the mutation.
    pub(crate) fn apply(&self, original: &[u8]) -> Vec<u8> {
        let mut bytes = original.to_vec();
        for (at, octet) in &self.changes {
            let at = at.index(bytes.len());
            bytes[at] = *octet;
        }
        if let Some(cut) = self.cut {
            bytes.truncate(cut.index(original.len()));
        }
        bytes
    }
}
