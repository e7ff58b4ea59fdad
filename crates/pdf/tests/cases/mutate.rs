//! Files, damaged at random.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;

use super::{Expect, features};

/// Pieces that mean something to a reader.
const TOKENS: [&[u8]; 24] = [
    b"<<",
    b">>",
    b"[",
    b"]",
    b"(",
    b")",
    b"<",
    b">",
    b"/",
    b"%",
    b" obj\n",
    b"endobj",
    b"stream\n",
    b"endstream",
    b"xref\n0 9\n",
    b"trailer<<",
    b"startxref\n",
    b"%%EOF",
    b"/Kids",
    b"/Prev 9",
    b" 0 R ",
    b"99999999999",
    b"-1",
    b"/Length 0",
];

#[derive(Debug, Clone)]
pub(crate) enum Mutation {
    Set(Index, u8),
    Insert(Index, usize),
    Overwrite(Index, usize),
    Delete(Index, u8),
    Repeat(Index, u8),
    Move(Index, Index, u8),
    Digit(Index, u8),
    Cut(Index),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let place = any::<Index>;
    prop_oneof![
        4 => (place(), any::<u8>()).prop_map(|(at, byte)| Mutation::Set(at, byte)),
        3 => (place(), 0..TOKENS.len()).prop_map(|(at, token)| Mutation::Insert(at, token)),
        3 => (place(), 0..TOKENS.len()).prop_map(|(at, token)| Mutation::Overwrite(at, token)),
        2 => (place(), 1..64u8).prop_map(|(at, count)| Mutation::Delete(at, count)),
        2 => (place(), 1..64u8).prop_map(|(at, count)| Mutation::Repeat(at, count)),
        2 => (place(), place(), 1..64u8).prop_map(|(from, to, count)| Mutation::Move(from, to, count)),
        4 => (place(), 0..10u8).prop_map(|(at, digit)| Mutation::Digit(at, digit)),
        1 => place().prop_map(Mutation::Cut),
    ]
}

impl Mutation {
    fn apply(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let length = bytes.len();
        let span = |at: &Index, count: usize| {
            let start = at.index(length);
            start..(start + count).min(length)
        };
        match self {
            Self::Set(at, byte) => bytes[at.index(length)] = *byte,
            Self::Insert(at, token) => {
                let at = at.index(length);
                bytes.splice(at..at, TOKENS[*token].iter().copied());
            }
            Self::Overwrite(at, token) => {
                let range = span(at, TOKENS[*token].len());
                let count = range.len();
                bytes[range].copy_from_slice(&TOKENS[*token][..count]);
            }
            Self::Delete(at, count) => {
                bytes.drain(span(at, usize::from(*count)));
            }
            Self::Repeat(at, count) => {
                let range = span(at, usize::from(*count));
                let copy = bytes[range.clone()].to_vec();
                bytes.splice(range.end..range.end, copy);
            }
            Self::Move(from, to, count) => {
                let copy: Vec<u8> = bytes.drain(span(from, usize::from(*count))).collect();
                let to = to.index(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            Self::Digit(at, digit) => {
                // The next digit after the place, so that lengths, offsets and numbers change.
                let start = at.index(length);
                if let Some(found) = bytes[start..].iter().position(u8::is_ascii_digit) {
                    bytes[start + found] = b'0' + digit;
                }
            }
            Self::Cut(at) => bytes.truncate(at.index(length)),
        }
    }
}

pub(crate) fn damage(bytes: &mut Vec<u8>, mutations: &[Mutation]) {
    for mutation in mutations {
        mutation.apply(bytes);
    }
}

/// A damaged copy of one of the seeds.
pub(crate) fn damaged(seeds: &'static [Vec<u8>]) -> impl Strategy<Value = (usize, Vec<Mutation>)> {
    (0..seeds.len(), prop::collection::vec(mutation(), 1..5))
}

pub(crate) fn run<S: Strategy>(
    cases: u32,
    strategy: &S,
    test: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    TestRunner::new(config).run(strategy, test).unwrap();
}

/// Small files of the corpus that are accepted.
pub(crate) static UPLOADS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let small = features::all()
        .into_iter()
        .filter(|case| case.bytes.len() < 4_000);
    small
        .filter(|case| !matches!(case.expect, Expect::Refused(_)))
        .map(|case| case.bytes)
        .collect()
});
