//! Documents signed and judged, against pyHanko doing the same. Its start is not counted: it measures itself.

use super::test_authority::{TestAuthority, prepared};
use super::{BenchResult, cheapest, line, to_parts_error};
use crate::report::{Line, Target};
use pades::verify::{FileVerdict, Policy, verify as judge};
use parts::{PYHANKO, Result, Scratch, Venv};
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// A document that was never seen before, signed.
pub(in crate::figures) fn sign() -> Result<Vec<Line>> {
    to_parts_error(signing())
}

/// A document with ten signers and all that lasts, judged.
pub(in crate::figures) fn verify() -> Result<Vec<Line>> {
    to_parts_error(verifying())
}

fn signing() -> BenchResult<Vec<Line>> {
    let (authority, scratch) = (TestAuthority::open()?, Scratch::new()?);
    let directory = scratch.directory();
    let document = authority.document(100_000)?;
    fs::write(directory.join("plain.pdf"), &document)?;
    let words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out leaf.pem \
                 -days 30 -subj /CN=Ana -addext keyUsage=digitalSignature,nonRepudiation";
    parts::run(
        Command::new("openssl")
            .args(words.split_whitespace())
            .current_dir(directory),
    )?;
    let mut act = || {
        drop(black_box(authority.act(&prepared(&document)?, "Firma")?));
        Ok(())
    };
    let words = ["sign", "key.pem", "leaf.pem", "leaf.pem", "plain.pdf", "10"];
    let (ours, theirs) = both(100, &mut act, &words, directory)?;
    let detail = "100 KB inspected, prepared and signed, against pyHanko";
    Ok(vec![line(
        "sign-unprepared",
        ours,
        theirs,
        Target::AtMost(0.01),
        detail,
    )])
}

fn verifying() -> BenchResult<Vec<Line>> {
    let (authority, scratch) = (TestAuthority::open()?, Scratch::new()?);
    let directory = scratch.directory();
    let lasting = authority.lasting(1 << 20, 10)?;
    fs::write(directory.join("lasting.pdf"), &lasting)?;
    fs::write(directory.join("root.der"), authority.root.certificate().as_der())?;
    let roots = [authority.root.certificate().clone()];
    let verdict = || judge(&lasting, &Policy::new(&roots, authority.now)).verdict;
    if verdict() != FileVerdict::Valid {
        return Err(format!("the signed document does not verify: {:?}", verdict()).into());
    }
    let mut act = || {
        black_box(verdict());
        Ok(())
    };
    let words = ["judge", "root.der", "lasting.pdf", "2"];
    let (ours, theirs) = both(20, &mut act, &words, directory)?;
    let detail = "1 MB, ten signers, B-LTA, against pyHanko";
    Ok(vec![line("verify", ours, theirs, Target::AtMost(0.02), detail)])
}

/// The cheapest run of either side, in alternation.
fn both(
    times: u32,
    act: &mut dyn FnMut() -> BenchResult<()>,
    words: &[&str],
    directory: &Path,
) -> BenchResult<(Duration, Duration)> {
    let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
    for _ in 0..3 {
        ours = ours.min(cheapest(times, act)?);
        theirs = theirs.min(pyhanko(words, directory)?);
    }
    Ok((ours, theirs))
}

/// What pyHanko takes for one run.
fn pyhanko(words: &[&str], directory: &Path) -> BenchResult<Duration> {
    let python = Venv::of(&PYHANKO)?.program("python");
    let mut command = Command::new(python);
    command.arg("-c").arg(include_str!("pyhanko.py"));
    let printed = parts::run(command.args(words).current_dir(directory))?;
    Ok(Duration::from_secs_f64(printed.trim().parse()?))
}
