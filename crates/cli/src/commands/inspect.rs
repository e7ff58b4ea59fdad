//! `firmeza inspect`: everything is looked at, now.

use crate::settings::Settings;
use crate::terminal::say;
use crate::wiring::{master_key, open_blobs, open_spare_blobs, open_with_histories};
use app::operator::integrity::{IntegrityReport, check_integrity};
use std::error::Error;
use std::process::ExitCode;

pub(crate) async fn run(settings: &Settings) -> Result<ExitCode, Box<dyn Error>> {
    let (store, _) = open_with_histories(settings, master_key(settings).await?).await?;
    let blobs = open_blobs(settings).await?;
    let spare = open_spare_blobs(settings).await?;
    Ok(report(
        &check_integrity(&settings.database, &store, &blobs, spare.as_ref()).await?,
    ))
}

/// Says what was found; a success is a report without a fault.
pub(crate) fn report(found: &IntegrityReport) -> ExitCode {
    say!(
        "Looked at {} histories and {} documents: {}.",
        found.folios,
        found.documents,
        match found.faults {
            0 => "all of them are whole".to_owned(),
            faults => format!("{faults} faults"),
        }
    );
    if found.mended > 0 {
        say!(
            "{} of the documents were damaged, and were mended from the other storage.",
            found.mended
        );
    }
    for fault in &found.messages {
        say!("  {fault}");
    }
    if found.faults == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
