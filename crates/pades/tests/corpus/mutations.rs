//! The corpus, damaged at random: nothing panics, and no damage to signed bytes goes unnoticed.

use std::sync::LazyLock;

use pades::sign::{NewSignature, Permission, add_validation_data, sign};
use pades::verify::{FileVerdict, verify};
use pdf::prepare::Prepared;
use proptest::prelude::*;

use crate::attacks;
use crate::cases::build::{DIALECTS, Doc};
use crate::cases::mutate::{UPLOADS, damage, damaged, run};
use crate::people::Person;
use crate::signing::{PreparedPdf, invisible, time};

static PERSON: LazyLock<Person> = LazyLock::new(|| Person::new("Ana"));

/// Signed files, each covered by its last signature to the end.
static SIGNED: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut files = Vec::new();
    for dialect in DIALECTS {
        let tight = |name| NewSignature {
            reserve: 1_500,
            ..invisible(name)
        };
        let paper = PreparedPdf::new(Doc::contract(1).write(dialect));
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
            .map(|bytes| PreparedPdf::new(bytes.clone()).state.to_bytes())
            .collect()
    });
    run(20_000, &damaged(&STATES), |(seed, mutations)| {
        let mut bytes = STATES[seed].clone();
        damage(&mut bytes, &mutations);
        if let Ok(state) = Prepared::from_bytes(&bytes) {
            let _ = sign(&state, &invisible("Firma9"));
            let _ = add_validation_data(&state, &[b"a"], &[b"b"], &[]);
        }
        Ok(())
    });
}
