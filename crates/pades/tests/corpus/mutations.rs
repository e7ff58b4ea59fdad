//! The corpus, damaged at random: nothing panics, and no damage to signed bytes goes unnoticed.

use std::sync::LazyLock;

use pades::inspect::{Limits, inspect};
use pades::prepare::Prepared;
use pades::sign::{NewSignature, Permission};
use pades::verify::{FileVerdict, verify};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;

use crate::build::{DIALECTS, Doc};
use crate::people::Person;
use crate::signing::{Paper, invisible, time};
use crate::{Expect, attacks, features};

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
enum Mutation {
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

fn damage(bytes: &mut Vec<u8>, mutations: &[Mutation]) {
    for mutation in mutations {
        mutation.apply(bytes);
    }
}

/// A damaged copy of one of the seeds.
fn damaged(seeds: &'static [Vec<u8>]) -> impl Strategy<Value = (usize, Vec<Mutation>)> {
    (0..seeds.len(), prop::collection::vec(mutation(), 1..5))
}

fn run<S: Strategy>(cases: u32, strategy: &S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    TestRunner::new(config).run(strategy, test).unwrap();
}

static PERSON: LazyLock<Person> = LazyLock::new(|| Person::new("Ana"));

static UPLOADS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let small = features::all()
        .into_iter()
        .filter(|case| case.bytes.len() < 4_000);
    small
        .filter(|case| !matches!(case.expect, Expect::Refused(_)))
        .map(|case| case.bytes)
        .collect()
});

/// Signed files, each covered by its last signature to the end.
static SIGNED: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut files = Vec::new();
    for dialect in DIALECTS {
        let tight = |name| NewSignature {
            reserve: 1_500,
            ..invisible(name)
        };
        let paper = Paper::new(Doc::contract(1).write(dialect));
        let certify = NewSignature {
            certify: Some(Permission::FillAndSign),
            ..tight("Certifica")
        };
        files.push(paper.clone().signed(&PERSON, &tight("Firma")).bytes);
        let certified = paper.signed(&PERSON, &certify);
        files.push(certified.clone().signed(&PERSON, &tight("Firma")).bytes);
        files.push(certified.bytes);
    }
    files
});

/// Without blanks at the end.
fn trimmed(bytes: &[u8]) -> &[u8] {
    let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    let end = bytes
        .iter()
        .rposition(|byte| !blank(byte))
        .map_or(0, |last| last + 1);
    &bytes[..end]
}

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

#[test]
fn damage_to_signed_bytes_is_never_valid() {
    let contents: Vec<_> = SIGNED.iter().map(|bytes| attacks::contents_of(bytes)).collect();
    run(50_000, &damaged(&SIGNED), |(seed, mutations)| {
        let original = &SIGNED[seed];
        let mut bytes = original.clone();
        damage(&mut bytes, &mutations);
        let report = verify(&bytes, &pades::verify::Policy::new(&PERSON.roots(), time()));
        // Cut off after an earlier signature, a file is what it was then.
        let is_whole = SIGNED.iter().any(|whole| trimmed(whole) == trimmed(&bytes));
        if report.verdict == FileVerdict::Valid && !is_whole {
            // Only the spelling of the signature's own digits may differ, and blanks may follow.
            let (digits, resume) = contents[seed];
            bytes.truncate(trimmed(&bytes).len().max(original.len()));
            prop_assert_eq!(bytes.len(), original.len());
            prop_assert_eq!(&bytes[..digits], &original[..digits]);
            prop_assert_eq!(&bytes[resume..], &original[resume..]);
        }
        Ok(())
    });
}

#[test]
fn damaged_states_never_panic() {
    static STATES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
        UPLOADS
            .iter()
            .map(|bytes| Paper::new(bytes.clone()).state.to_bytes())
            .collect()
    });
    run(20_000, &damaged(&STATES), |(seed, mutations)| {
        let mut bytes = STATES[seed].clone();
        damage(&mut bytes, &mutations);
        if let Ok(state) = Prepared::from_bytes(&bytes) {
            let _ = state.sign(&invisible("Firma9"));
            let _ = state.add_evidence(&[b"a"], &[b"b"]);
        }
        Ok(())
    });
}
