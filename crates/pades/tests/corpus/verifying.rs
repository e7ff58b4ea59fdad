//! Judging signed files: what is whole is valid, and what only looks suspicious is not refused.

use pades::verify::{FileVerdict, Language, Policy, Report, Verdict, verify};

use crate::people::Person;
use crate::signing::time;

pub(crate) fn judged(bytes: &[u8], person: &Person) -> Report {
    verify(bytes, &Policy::new(&person.roots(), time()))
}

/// Fails unless every signature is valid and there are as many as expected.
pub(crate) fn assert_valid(name: &str, bytes: &[u8], person: &Person, count: usize) {
    let report = judged(bytes, person);
    assert_eq!(
        report.verdict,
        FileVerdict::Valid,
        "{name}: {}",
        report.text(Language::English)
    );
    assert_eq!(report.signatures.len(), count, "{name}");
    assert!(
        report
            .signatures
            .iter()
            .all(|signature| signature.verdict == Verdict::Valid),
        "{name}"
    );
    assert!(
        report.signatures.iter().any(|signature| signature.covers_all),
        "{name}"
    );
}
