//! The PDF engine next to what it cannot do without, to itself at another size, to pyHanko and to pdfium.

mod inspect;
mod pyhanko;
pub(crate) mod render;
mod sign;
mod test_authority;

pub(super) use inspect::measure as inspect;
pub(super) use pyhanko::{sign as sign_unprepared, verify};
pub(super) use sign::measure as sign;

use crate::report::{Line, Target};
use parts::{Error, Result};
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

type BenchResult<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Batches of a comparison; the cheapest counts.
const BATCHES: usize = 7;

fn to_parts_error(outcome: BenchResult<Vec<Line>>) -> Result<Vec<Line>> {
    outcome.map_err(|error| Error::new(error.to_string()))
}

fn line(name: &'static str, ours: Duration, theirs: Duration, target: Target, detail: &str) -> Line {
    Line {
        name,
        value: ours.as_secs_f64() / theirs.as_secs_f64(),
        spread: None,
        unit: "x",
        target,
        detail: format!("{detail} ({ours:.1?} and {theirs:.1?})"),
    }
}

/// The cheapest batch of either side, in alternation.
fn alternating(
    times: u32,
    ours: &mut dyn FnMut() -> BenchResult<()>,
    theirs: &mut dyn FnMut() -> BenchResult<()>,
) -> BenchResult<(Duration, Duration)> {
    let mut best = (Duration::MAX, Duration::MAX);
    for _ in 0..BATCHES {
        best.0 = best.0.min(batch(times, ours)?);
        best.1 = best.1.min(batch(times, theirs)?);
    }
    Ok(best)
}

fn cheapest(times: u32, work: &mut dyn FnMut() -> BenchResult<()>) -> BenchResult<Duration> {
    (0..BATCHES)
        .map(|_| batch(times, work))
        .try_fold(Duration::MAX, |best, cost| Ok(best.min(cost?)))
}

/// The processor's time for one run; what other programs take of the machine is not counted.
fn batch(times: u32, work: &mut dyn FnMut() -> BenchResult<()>) -> BenchResult<Duration> {
    let start = processor_time()?;
    for _ in 0..times {
        work()?;
    }
    Ok(processor_time()?.saturating_sub(start) / times)
}

/// What this thread has used.
fn processor_time() -> BenchResult<Duration> {
    Ok(clock_gettime(ClockId::ThreadCPUTime).try_into()?)
}
