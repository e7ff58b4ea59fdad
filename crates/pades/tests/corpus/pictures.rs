//! Pages as independent programs draw them: Poppler, `MuPDF`, Ghostscript, `PDFium` and pdf.js.

use std::path::Path;

use crate::cms_tools::{attempt, run};

/// The programs, in the order of their pictures.
pub(crate) const RENDERERS: [&str; 5] = ["poppler", "mupdf", "ghostscript", "pdfium", "pdfjs"];

/// A page in pixels of three bytes, one to a point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Picture {
    width: usize,
    pixels: Vec<u8>,
}

impl Picture {
    /// Reads a portable pixmap.
    fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut header = Vec::new();
        let mut at = 0;
        while header.len() < 4 {
            let end = bytes[at..]
                .iter()
                .position(|byte| byte.is_ascii_whitespace())
                .unwrap()
                + at;
            if bytes[at] == b'#' {
                at += bytes[at..].iter().position(|byte| *byte == b'\n').unwrap() + 1;
                continue;
            }
            header.push(String::from_utf8_lossy(&bytes[at..end]).into_owned());
            at = end + 1;
        }
        assert_eq!((header[0].as_str(), header[3].as_str()), ("P6", "255"));
        let (width, height): (usize, usize) = (header[1].parse().unwrap(), header[2].parse().unwrap());
        let pixels = bytes[at..].to_vec();
        assert_eq!(pixels.len(), width * height * 3, "{}", path.display());
        Self { width, pixels }
    }

    /// The points, from the lower left corner, at which another picture differs.
    pub(crate) fn differences(&self, other: &Self) -> Vec<(usize, usize)> {
        assert_eq!(self.width, other.width, "the pages have one size");
        assert_eq!(self.pixels.len(), other.pixels.len(), "the pages have one size");
        let height = self.pixels.len() / 3 / self.width;
        let pairs = self.pixels.chunks(3).zip(other.pixels.chunks(3)).enumerate();
        pairs
            .filter(|(_, (one, two))| one != two)
            .map(|(at, _)| (at % self.width, height - 1 - at / self.width))
            .collect()
    }

    /// Whether anything is on it.
    pub(crate) fn is_blank(&self) -> bool {
        self.pixels.iter().all(|byte| *byte == 255)
    }
}

fn given(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set; run through `cargo xtask test`"))
}

/// The first page of each file, drawn by each program.
pub(crate) fn draw(files: &[Vec<u8>]) -> Vec<[Picture; RENDERERS.len()]> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let names: Vec<_> = (0..files.len()).map(|at| format!("{at}.pdf")).collect();
    for (name, bytes) in names.iter().zip(files) {
        std::fs::write(path.join(name), bytes).unwrap();
    }
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    // These two are slow to start, and draw all files in one process.
    std::fs::write(path.join("draw.py"), include_str!("draw.py")).unwrap();
    run(
        path,
        &given("FIRMEZA_TEST_PDFIUM"),
        &[&["draw.py"], &names[..]].concat(),
    );
    std::fs::write(path.join("draw.mjs"), include_str!("draw.mjs")).unwrap();
    let packages = given("FIRMEZA_TEST_PDFJS");
    run(
        path,
        &given("FIRMEZA_TEST_NODE"),
        &[&["draw.mjs", &packages], &names[..]].concat(),
    );
    let drawn = (0..files.len()).map(|at| {
        let file = format!("{at}.pdf");
        let poppler = format!("{at}-poppler");
        let options = ["-cropbox", "-r", "72", "-f", "1", "-l", "1", "-singlefile"];
        run(path, "pdftoppm", &[&options[..], &[&file, &poppler]].concat());
        let mupdf = format!("{at}-mupdf.ppm");
        // It may complain about a field, and goes on.
        attempt(
            path,
            "mutool",
            &["draw", "-q", "-r", "72", "-o", &mupdf, &file, "1"],
        );
        let ghostscript = format!("-sOutputFile={at}-ghostscript.ppm");
        let options = [
            "-q",
            "-dBATCH",
            "-dNOPAUSE",
            "-dSAFER",
            "-sDEVICE=ppmraw",
            "-r72",
            "-dLastPage=1",
        ];
        run(path, "gs", &[&options[..], &[&ghostscript, &file]].concat());
        RENDERERS.map(|renderer| Picture::read(&path.join(format!("{at}-{renderer}.ppm"))))
    });
    drawn.collect()
}
