//! `firmeza verify`: judges signed PDFs and evidence bundles, with nothing but the files themselves.

mod files;
mod found;
mod pdf;
mod roots;
mod text;

use app::Clock;
use found::{File, Found};
use roots::Trusted;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub(crate) fn run(paths: &[PathBuf], json: bool, root: Option<&Path>) -> Result<ExitCode, Box<dyn Error>> {
    let trusted = Trusted::read(root)?;
    let now = jiff::Timestamp::from_microsecond(Clock::System.now().as_micros())?;
    let files: Vec<File> = paths.iter().map(|path| judge(path, &trusted, now)).collect();
    let found = Found {
        valid: files.iter().all(File::is_valid),
        files,
    };
    if json {
        println!("{}", serde_json::to_string_pretty(&found)?);
    } else {
        print!("{}", text::of(&found));
    }
    Ok(if found.valid {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn judge(path: &Path, trusted: &Trusted, now: jiff::Timestamp) -> File {
    let name = path.display().to_string();
    match files::read(path) {
        Ok(bytes) => File::Pdf(pdf::judge(name, &bytes, trusted, now)),
        Err(message) => File::Unreadable {
            file: name,
            verdict: "unreadable",
            message,
        },
    }
}
