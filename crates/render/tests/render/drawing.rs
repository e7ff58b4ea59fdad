//! Pools of real workers, and images compared loosely.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use render::{Launch, Limits, Pool, Source};
use sha2::{Digest, Sha256};

/// The worker that `cargo test` builds beside the tests.
pub(crate) fn launch() -> Launch {
    let tests = std::env::current_exe().unwrap();
    let program = tests.ancestors().nth(2).unwrap().join("examples/render_worker");
    assert!(
        program.exists(),
        "{} is missing; run through `cargo xtask test`",
        program.display()
    );
    Launch {
        program,
        arguments: Vec::new(),
    }
}

pub(crate) fn pool() -> Pool {
    Pool::new(launch(), 1, Limits::default())
}

pub(crate) fn source(bytes: &[u8]) -> Source {
    Source {
        key: Sha256::digest(bytes).into(),
        bytes: Arc::from(bytes),
    }
}

/// A folder of build output for files to be looked at.
pub(crate) fn output(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("render")
        .join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A name that no other test uses.
pub(crate) fn unique(stem: &str) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!(
        "{stem}-{}-{}",
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    )
}

/// An image in shades of grey.
pub(crate) struct GreyImage {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pixels: Vec<u8>,
}

impl GreyImage {
    pub(crate) fn read(file: &[u8]) -> Self {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        let samples = info.color_type.samples();
        let shade = |pixel: &[u8]| {
            if samples < 3 {
                pixel[0]
            } else {
                pixel[..3].iter().map(|part| part / 3).sum()
            }
        };
        Self {
            width: usize::try_from(info.width).unwrap(),
            height: usize::try_from(info.height).unwrap(),
            pixels: bytes.chunks_exact(samples).map(shade).collect(),
        }
    }

    /// The mean shade of each square of twelve pixels.
    fn squares(&self) -> Vec<f64> {
        const SIDE: usize = 12;
        let mut out = Vec::new();
        for row in (0..self.height - SIDE).step_by(SIDE) {
            for column in (0..self.width - SIDE).step_by(SIDE) {
                let line = |y: usize| {
                    self.pixels[y * self.width + column..][..SIDE]
                        .iter()
                        .map(|shade| f64::from(*shade))
                };
                out.push((row..row + SIDE).flat_map(line).sum::<f64>() / 144.0);
            }
        }
        out
    }

    /// The largest difference between the means of neighbourhoods, leaving out the worst of a hundred.
    pub(crate) fn difference(&self, other: &Self) -> f64 {
        assert!(self.width == other.width && self.height.abs_diff(other.height) <= 1);
        let mut apart: Vec<f64> = self
            .squares()
            .iter()
            .zip(other.squares())
            .map(|(one, two)| (one - two).abs())
            .collect();
        apart.sort_by(f64::total_cmp);
        apart[apart.len() * 99 / 100]
    }
}
