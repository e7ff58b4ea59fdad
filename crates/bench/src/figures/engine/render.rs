//! A page drawn as an image, as people look at it, against pdfium with a fast encoder of the same kind of image.

use super::{BenchResult, to_parts_error};
use crate::cpu;
use crate::report::{Line, Target};
use parts::{PDFIUM, Result, Scratch, Venv};
use render::{ImageFormat, Launch, Limits, Photographs, Pool, Rendered, Source};
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

const WIDTH: u32 = 1200;
const ROUNDS: u32 = 15;
/// What a page of 1080 pixels may take, at this width.
const PHOTOGRAPHS: Photographs = Photographs::Jpeg { max_bytes: 430_000 };
const CONTRACTS: [&str; 5] = ["standard", "embedded", "typeset", "table", "scan"];

/// What this program is called with to draw pages.
pub(crate) const WORKER: &str = "--draw";

pub(in crate::figures) fn measure() -> Result<Vec<Line>> {
    to_parts_error(rendering())
}

fn rendering() -> BenchResult<Vec<Line>> {
    let scratch = Scratch::new()?;
    let directory = scratch.directory();
    let python = Venv::of(&PDFIUM)?.program("python");
    let contracts = include_str!("contracts.py");
    parts::run(Command::new(&python).arg("-c").arg(contracts).arg(directory))?;
    let (mut ratios, mut details) = (Vec::new(), Vec::new());
    for name in CONTRACTS {
        let file = directory.join(name).with_extension("pdf");
        // In alternation, so that other load on the machine affects both sides alike.
        let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
        for _ in 0..3 {
            let (cost, format) = draw(&file)?;
            ours = ours.min(cost);
            theirs = theirs.min(pdfium(&python, &file, format)?);
        }
        let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
        ratios.push(ratio);
        details.push(format!("{name} {ratio:.2} ({ours:.1?} and {theirs:.1?})"));
    }
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = ratios.iter().copied().fold(0.0, f64::max);
    Ok(vec![Line {
        name: "render",
        value: greatest,
        spread: Some((least, greatest)),
        unit: "x",
        target: Target::AtMost(0.8),
        detail: details.join(", "),
    }])
}

/// What a page costs us, from the bytes to the image: this process and the one that draws. And the format of the image.
fn draw(file: &Path) -> BenchResult<(Duration, ImageFormat)> {
    let launch = Launch {
        program: env::current_exe()?,
        arguments: vec![WORKER.into()],
    };
    let pool = Pool::new(launch, 1, Limits::default());
    let source = Source {
        key: [0; 32],
        bytes: Arc::from(fs::read(file)?),
    };
    let image = || -> BenchResult<ImageFormat> {
        match pool.image_with(&source, 0, WIDTH, PHOTOGRAPHS)? {
            Rendered::Faithful(picture) => Ok(picture.format),
            Rendered::WithWarnings { warnings, .. } => {
                Err(format!("{}: {warnings:?}", file.display()).into())
            }
        }
    };
    let format = image()?;
    let this = std::process::id();
    let both = [cpu::children(this)?, vec![this]].concat();
    let mut costs = Vec::new();
    for _ in 0..ROUNDS {
        let before = cpu::nanoseconds(&both)?;
        image()?;
        costs.push(cpu::nanoseconds(&both)? - before);
    }
    costs.sort_unstable();
    let middle = costs.get(costs.len() / 2).copied().unwrap_or(0);
    Ok((Duration::from_nanos(middle), format))
}

/// What a page costs pdfium, in its own process.
fn pdfium(python: &Path, file: &Path, format: ImageFormat) -> BenchResult<Duration> {
    let mut command = Command::new(python);
    command.arg("-c").arg(include_str!("pdfium.py"));
    let numbers = [WIDTH, ROUNDS].map(|number| number.to_string());
    let format = match format {
        ImageFormat::Jpeg => "jpeg",
        _ => "png",
    };
    let printed = parts::run(command.args(numbers).arg(format).arg(file))?;
    Ok(Duration::from_secs_f64(printed.trim().parse()?))
}
