//! Pages as two other programs draw them, and what of them is missing from ours.

use std::path::Path;
use std::process::Command;

/// Differences of a colour from white that count as ink.
const INK: u8 = 56;

/// Ours counts as ink from here on: lines may be paler.
const FAINT_INK: u8 = 20;

/// Pixels in each direction in which our ink may be.
const NEAR: usize = 2;

/// A page in pixels of three bytes.
pub(crate) struct Pixels {
    width: usize,
    height: usize,
    bytes: Vec<u8>,
}

impl Pixels {
    /// Reads a portable pixmap, as both programs write it.
    fn read(path: &Path) -> Option<Self> {
        let file = std::fs::read(path).ok().filter(|file| file.len() > 20)?;
        let mut at = 0;
        let mut word = || {
            while file[at].is_ascii_whitespace() || file[at] == b'#' {
                at += match file[at] {
                    b'#' => file[at..].iter().position(|byte| *byte == b'\n').unwrap(),
                    _ => 1,
                };
            }
            let start = at;
            at += file[at..].iter().position(u8::is_ascii_whitespace).unwrap();
            String::from_utf8_lossy(&file[start..at]).into_owned()
        };
        assert_eq!(word(), "P6", "{}", path.display());
        let (width, height): (usize, usize) = (word().parse().unwrap(), word().parse().unwrap());
        assert_eq!(word(), "255", "{}", path.display());
        let bytes = file[at + 1..].to_vec();
        // A program that was stopped may have left a part.
        (bytes.len() == width * height * 3).then_some(Self { width, height, bytes })
    }

    pub(crate) fn of_png(file: &[u8]) -> Self {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        if info.color_type.samples() == 1 {
            bytes = bytes.iter().flat_map(|shade| [*shade; 3]).collect();
        }
        Self {
            width: usize::try_from(info.width).unwrap(),
            height: usize::try_from(info.height).unwrap(),
            bytes,
        }
    }

    /// How far a pixel is from white.
    fn ink(&self, x: usize, y: usize) -> u8 {
        let at = (y * self.width + x) * 3;
        255 - self.bytes[at..at + 3].iter().min().unwrap()
    }

    fn has_ink_near(&self, x: usize, y: usize) -> bool {
        let (across, down) = (
            x.saturating_sub(NEAR)..=(x + NEAR).min(self.width - 1),
            y.saturating_sub(NEAR)..=(y + NEAR).min(self.height - 1),
        );
        down.flat_map(|y| across.clone().map(move |x| (x, y)))
            .any(|(x, y)| self.ink(x, y) >= FAINT_INK)
    }

    /// How many pixels have ink in both other pictures and none near them here.
    pub(crate) fn missing(&self, one: &Self, two: &Self) -> usize {
        let all = [self, one, two];
        let width = all.iter().map(|picture| picture.width).min().unwrap();
        let height = all.iter().map(|picture| picture.height).min().unwrap();
        assert!(
            all.iter()
                .all(|picture| picture.width <= width + 2 && picture.height <= height + 2)
        );
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        places
            .filter(|(x, y)| one.ink(*x, *y) >= INK && two.ink(*x, *y) >= INK && !self.has_ink_near(*x, *y))
            .count()
    }
}

/// A page of a file, counted from one, drawn by Poppler and by `MuPDF`. A page that a program refuses, or that takes
/// it too long, is none.
pub(crate) fn draw(folder: &Path, name: &str, page: u32, resolution: u32) -> [Option<Pixels>; 2] {
    let file = format!("{name}.pdf");
    let (page, resolution) = (page.to_string(), resolution.to_string());
    let poppler = format!("{name}-{page}-poppler");
    let options = ["pdftoppm", "-q", "-cropbox", "-singlefile", "-r", &resolution];
    run(
        folder,
        &[&options[..], &["-f", &page, "-l", &page, &file, &poppler]].concat(),
    );
    let mupdf = format!("{name}-{page}-mupdf");
    let options = ["mutool", "draw", "-q", "-r", &resolution, "-o"];
    run(
        folder,
        &[&options[..], &[&format!("{mupdf}.ppm"), &file, &page]].concat(),
    );
    [poppler, mupdf].map(|picture| Pixels::read(&folder.join(format!("{picture}.ppm"))))
}

/// Runs a program for two seconds of processor time at most. It may complain about a page.
fn run(folder: &Path, command: &[&str]) {
    let mut limited = Command::new("prlimit");
    limited.arg("--cpu=2").args(command).current_dir(folder);
    let output = limited.output();
    output.unwrap_or_else(|error| panic!("{command:?}: {error}; run through `cargo xtask test`"));
}
