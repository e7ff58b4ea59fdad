//! What it costs to take a document in, against hashing its bytes.

use super::test_authority::{TestAuthority, prepared};
use super::{BenchResult, alternating, line, to_parts_error};
use crate::report::{Line, Target};
use parts::Result;
use sha2::{Digest, Sha256};
use std::hint::black_box;

pub(in crate::figures) fn measure() -> Result<Vec<Line>> {
    to_parts_error(inspecting())
}

fn inspecting() -> BenchResult<Vec<Line>> {
    let large = TestAuthority::open()?.document(10 << 20)?;
    let mut prepare = || {
        black_box(prepared(&large)?);
        Ok(())
    };
    let mut hash = || {
        black_box(Sha256::digest(&large));
        Ok(())
    };
    let (ours, floor) = alternating(8, &mut prepare, &mut hash)?;
    let detail = "10 MB inspected and prepared, against SHA-256 of it";
    Ok(vec![line("inspect", ours, floor, Target::AtMost(1.5), detail)])
}
