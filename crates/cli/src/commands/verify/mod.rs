//! `firmeza verify`: verifies signed PDFs and evidence bundles offline, or with the lists of an
//! installation.

mod cross_check;
mod evidence;
mod files;
mod pdf;
mod plain_report;
mod report;
mod roots;
mod texts;

use self::pdf::Vouched;
use crate::settings::Settings;
use crate::wiring::{notary_settings, open_store};
use app::{Clock, Notary};
use cross_check::GivenBundle;
use domain::Timestamp;
use pki::escape::escape_json;
use report::{File, Outcome, VerifyReport};
pub(crate) use roots::TrustOptions;
use roots::Trusted;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Ends the program where every file is intact and a file's issuer is not known; 2 is the code of wrong arguments.
const UNKNOWN_ISSUER_CODE: u8 = 3;

pub(crate) fn run(paths: &[PathBuf], json: bool, options: &TrustOptions) -> Result<ExitCode, Box<dyn Error>> {
    report(paths, json, &Trusted::read(options)?)
}

/// The same, trusting the root of an installation and knowing what it has revoked.
pub(crate) async fn run_with_installation(
    settings: &Settings,
    paths: &[PathBuf],
    json: bool,
    options: &TrustOptions,
) -> Result<ExitCode, Box<dyn Error>> {
    let notary = authority(settings).await?;
    let mut trusted = Trusted::read(options)?;
    trusted.take(&notary, Clock::System.now())?;
    report(paths, json, &trusted)
}

/// The authority of an installation. The first start creates it, and `verify` must not: a new root has signed nothing, and
/// every file would be judged untrusted where the settings are wrong.
async fn authority(settings: &Settings) -> Result<Notary, Box<dyn Error>> {
    if let store::Settings::Sqlite(path) = &settings.database
        && !path.exists()
    {
        let message = "there is no installation here: FIRMEZA_DATA_DIR names another directory, or it was never started";
        return Err(format!("{}: {message}", path.display()).into());
    }
    let store = open_store(settings).await?;
    if store.read(|tx| tx.authority()).await?.is_empty() {
        return Err("the database has no certificate authority: the installation was never started".into());
    }
    let master = settings.given_master_key()?;
    let master = master.ok_or("there is no master key, and the authority's keys are sealed with it")?;
    let master = master.with_kept_keys(&store).await?;
    Ok(Notary::open(&store, &master, &Clock::System, notary_settings(settings)?).await?)
}

fn report(paths: &[PathBuf], json: bool, trusted: &Trusted) -> Result<ExitCode, Box<dyn Error>> {
    let now = Clock::System.now();
    let files = verify_files(paths, trusted, now);
    let outcome = files.iter().map(File::outcome).max().unwrap_or(Outcome::NotValid);
    let found = VerifyReport {
        valid: outcome == Outcome::Valid,
        files,
    };
    if json {
        println!("{}", escape_json(&serde_json::to_string_pretty(&found)?));
    } else {
        print!("{}", plain_report::of(&found));
    }
    Ok(match outcome {
        Outcome::Valid => ExitCode::SUCCESS,
        Outcome::UnknownIssuer => ExitCode::from(UNKNOWN_ISSUER_CODE),
        Outcome::NotValid => ExitCode::FAILURE,
    })
}

/// Verifies every file, bundles first, since they name PDFs. Holds one file in memory at a time.
fn verify_files(paths: &[PathBuf], trusted: &Trusted, now: Timestamp) -> Vec<File> {
    let mut results: Vec<Option<File>> = Vec::new();
    let mut bundles: Vec<GivenBundle> = Vec::new();
    let mut bundle_indices = Vec::new();
    for (index, path) in paths.iter().enumerate() {
        let name = path.display().to_string();
        results.push(match files::read(path) {
            Ok(bytes) if evidence::is_bundle(&bytes) => {
                let (found, checked) = evidence::verify_bundle(name, &bytes, trusted, now);
                bundles.push(GivenBundle {
                    found,
                    roots: checked.roots,
                    crls: checked.revocation_lists,
                    evidence: checked.evidence,
                });
                bundle_indices.push(index);
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
    for (index, path) in paths.iter().enumerate() {
        if results[index].is_none() && !bundle_indices.contains(&index) {
            results[index] = Some(verify_pdf(path, trusted, &mut bundles, now));
        }
    }
    for (index, bundle) in bundle_indices.into_iter().zip(bundles) {
        results[index] = Some(File::Evidence(Box::new(bundle.found)));
    }
    results.into_iter().flatten().collect()
}

fn verify_pdf(path: &Path, trusted: &Trusted, bundles: &mut [GivenBundle], now: Timestamp) -> File {
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
    let (mut named, mut vouched) = (Vec::new(), Vouched::default());
    let reported = cross_check::reported_folios(&bytes);
    for bundle in &mut *bundles {
        if bundle.is_about(&reported) && bundle.found.is_intact() {
            vouched.add(bundle, trusted);
        }
        let Some(found) = bundle.found.names(&sha256) else {
            continue;
        };
        let mut documents = bundle.found.documents.iter_mut();
        if let Some(document) = documents.find(|one| one.id == found.document) {
            document.files.push(name.clone());
        }
        if found.intact {
            vouched.add(bundle, trusted);
        }
        named.push(found);
    }
    let mut found = pdf::verify_pdf(name, &bytes, trusted, (named, vouched), now);
    cross_check::compare(&mut found, &reported, bundles);
    File::Pdf(found)
}
