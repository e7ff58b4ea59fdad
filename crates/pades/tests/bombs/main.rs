//! Files made to exhaust their reader. Each must be answered within bounds of time and memory, measured.

#![allow(
    clippy::unwrap_used,
    clippy::format_collect,
    clippy::format_push_string,
    clippy::too_many_lines,
    clippy::semicolon_if_nothing_returned,
    reason = "generators of test files"
)]

#[path = "../../../pdf/tests/cases/build.rs"]
#[allow(dead_code, reason = "shared with the corpus, which uses all of it")]
mod build;
mod compressed;
mod repeated;
mod structural;
mod syntactic;

use std::time::Duration;

use pades::verify::{Policy, verify};
use pdf::inspect::{Refused, inspect};
use pdf::{Damage, Limits};

/// A file made to exhaust its reader.
pub(crate) struct Bomb {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

pub(crate) fn bomb(name: impl Into<String>, bytes: Vec<u8>) -> Bomb {
    Bomb {
        name: name.into(),
        bytes,
    }
}

/// A contract of one page with something changed in it.
pub(crate) fn changed(name: &str, change: &dyn Fn(&mut build::Doc)) -> Bomb {
    let mut doc = build::Doc::contract(1);
    change(&mut doc);
    bomb(name, doc.table())
}

/// Processor time of unoptimised code; optimised, none takes a tenth of it.
const MAX_TIME: Duration = Duration::from_secs(20);
/// The file itself, the generators' copies and what reading takes.
const MAX_KILOBYTES: u64 = 700_000;

#[test]
fn every_bomb_is_answered_within_bounds() {
    let bombs = [
        syntactic::all(),
        compressed::all(),
        structural::all(),
        repeated::all(),
    ];
    let count: usize = bombs.iter().map(Vec::len).sum();
    assert!(count >= 40, "only {count} bombs are left");
    let now = "2026-11-15T12:00:00Z".parse().unwrap();
    let mut slow = Vec::new();
    for Bomb { name, bytes } in bombs.into_iter().flatten() {
        assert!(
            bytes.len() <= Limits::default().bytes,
            "{name} is refused for its size alone"
        );
        let start = own_time();
        let accepted = inspect(&bytes, &Limits::default()).is_ok();
        let inspected = own_time().saturating_sub(start);
        let start = own_time();
        let report = verify(&bytes, &Policy::new(&[], now));
        let verified = own_time().saturating_sub(start);
        println!(
            "{name}: {} bytes, inspected in {inspected:?} ({accepted}), verified in {verified:?} ({:?})",
            bytes.len(),
            report.verdict
        );
        if inspected + verified > MAX_TIME {
            slow.push(name);
        }
    }
    assert!(slow.is_empty(), "too slow: {slow:?}");
    let peak = peak_kilobytes();
    println!("peak memory: {peak} kB");
    assert!(peak < MAX_KILOBYTES, "{peak} kB of memory");
}

#[test]
fn the_time_that_is_set_is_kept() {
    let limits = Limits {
        time: Duration::from_millis(50),
        values: u64::MAX,
        ..Limits::default()
    };
    let Bomb { bytes, .. } = structural::far_away(1 << 20);
    let before = own_time();
    let refused = inspect(&bytes, &limits).map(|seen| seen.pages);
    let took = own_time().saturating_sub(before);
    assert_eq!(refused, Err(Refused::TooComplex(Damage::TooSlow)));
    assert!(took < Limits::default().time / 2, "took {took:?}");
}

/// Processor time that this thread has used.
fn own_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(text.split_whitespace().next().unwrap().parse().unwrap())
}

/// The most memory this process ever held.
fn peak_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
