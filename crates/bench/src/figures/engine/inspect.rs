//! What it costs to take a document in, against hashing its bytes.

use super::office::{Office, prepared};
use super::{Outcome, by_turns, line, told};
use crate::report::{Line, Target};
use parts::Result;
use sha2::{Digest, Sha256};
use std::hint::black_box;

pub(in crate::figures) fn measure() -> Result<Vec<Line>> {
    told(inspecting())
}

fn inspecting() -> Outcome<Vec<Line>> {
    let large = Office::open()?.document(10 << 20)?;
    let mut prepare = || {
        black_box(prepared(&large)?);
        Ok(())
    };
    let mut hash = || {
        black_box(Sha256::digest(&large));
        Ok(())
    };
    let (ours, floor) = by_turns(8, &mut prepare, &mut hash)?;
    let detail = "10 MB inspected and prepared, against SHA-256 of it";
    Ok(vec![line("inspect", ours, floor, Target::AtMost(1.5), detail)])
}
