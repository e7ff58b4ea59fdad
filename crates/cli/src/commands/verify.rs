//! `firmeza verify`: judges signed PDFs and evidence bundles, with nothing but the files themselves.

mod evidence;
mod files;
mod found;
mod pdf;
mod roots;
mod text;
mod words;

use app::Clock;
use found::{Bundle, File, Found};
use pades::cms::Certificate;
use roots::Trusted;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub(crate) fn run(
    paths: &[PathBuf],
    json: bool,
    root: Option<&Path>,
    tsa_root: Option<&Path>,
) -> Result<ExitCode, Box<dyn Error>> {
    let trusted = Trusted::read(root, tsa_root)?;
    let now = jiff::Timestamp::from_microsecond(Clock::System.now().as_micros())?;
    let files = judge(paths, &trusted, now);
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

/// Judges every file; bundles first, since they name PDFs. Holds one file at a time.
fn judge(paths: &[PathBuf], trusted: &Trusted, now: jiff::Timestamp) -> Vec<File> {
    let mut judged: Vec<Option<File>> = Vec::new();
    let mut bundles: Vec<(Bundle, Vec<Certificate>)> = Vec::new();
    let mut places = Vec::new();
    for (place, path) in paths.iter().enumerate() {
        let name = path.display().to_string();
        judged.push(match files::read(path) {
            Ok(bytes) if evidence::is_bundle(&bytes) => {
                let (found, checked) = evidence::judge(name, &bytes, trusted);
                bundles.push((found, checked.roots));
                places.push(place);
                None
            }
            Ok(_) => None,
            Err(message) => Some(File::Unreadable {
                file: name,
                verdict: "unreadable",
                message,
            }),
        });
    }
    for (place, path) in paths.iter().enumerate() {
        if judged[place].is_none() && !places.contains(&place) {
            judged[place] = Some(judge_pdf(path, trusted, &mut bundles, now));
        }
    }
    for (place, (bundle, _)) in places.into_iter().zip(bundles) {
        judged[place] = Some(File::Evidence(Box::new(bundle)));
    }
    judged.into_iter().flatten().collect()
}

fn judge_pdf(
    path: &Path,
    trusted: &Trusted,
    bundles: &mut [(Bundle, Vec<Certificate>)],
    now: jiff::Timestamp,
) -> File {
    let name = path.display().to_string();
    let bytes = match files::read(path) {
        Ok(bytes) => bytes,
        Err(message) => {
            return File::Unreadable {
                file: name,
                verdict: "unreadable",
                message,
            };
        }
    };
    let sha256 = pdf::sha256(&bytes);
    let (mut named, mut vouched) = (Vec::new(), Vec::new());
    for (bundle, roots) in bundles {
        let Some(found) = bundle.names(&sha256) else {
            continue;
        };
        let document = bundle.documents.iter_mut().find(|one| one.id == found.document);
        if let Some(document) = document {
            document.files.push(name.clone());
        }
        if found.valid && trusted.given().is_none() {
            vouched.extend(roots.iter().cloned());
        }
        named.push(found);
    }
    File::Pdf(pdf::judge(name, &bytes, trusted, (named, vouched), now))
}
