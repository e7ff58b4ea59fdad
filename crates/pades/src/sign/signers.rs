//! Who signed in an increment that this crate wrote.

use data_encoding::HEXLOWER;
use memchr::memmem;
use pki::cms::{Certificate, SignedData};

use super::stages::BEFORE_DIGITS;

/// The certificates of the signatures in an increment of [`super::sign`]: the signers' own and those that came along.
pub fn certificates_in(increment: &[u8]) -> Vec<Certificate> {
    let starts = memmem::find_iter(increment, BEFORE_DIGITS);
    let cms = starts.filter_map(|at| {
        let digits = increment.get(at + BEFORE_DIGITS.len()..)?;
        let end = memchr::memchr(b'>', digits)?;
        SignedData::parse(&HEXLOWER.decode(digits.get(..end)?).ok()?).ok()
    });
    cms.flat_map(|cms| cms.certificates().to_vec()).collect()
}
