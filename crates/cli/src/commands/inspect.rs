//! `firmeza inspect`: everything is looked at, now.

use crate::settings::Settings;
use crate::terminal::say;
use crate::wiring::{master_key, open_blobs, open_spare_blobs, open_with_histories};
use app::operator::backup::IncrementBackup;
use app::operator::integrity::{IntegrityReport, check_and_mend};
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

pub(crate) async fn run(settings: &Settings, mend_from: Option<&Path>) -> Result<ExitCode, Box<dyn Error>> {
    let (store, _) = open_with_histories(settings, master_key(settings).await?).await?;
    let blobs = open_blobs(settings).await?;
    let spare = open_spare_blobs(settings).await?;
    let spare_backup = settings
        .spare_blobs
        .as_ref()
        .and_then(IncrementBackup::directory_of);
    let backup = match (mend_from, spare_backup) {
        (Some(directory), _) => Some(IncrementBackup::open(directory).await?),
        (None, Some(directory)) => IncrementBackup::find_in(&directory).await?,
        (None, None) => None,
    };
    let (spare, backup) = (spare.as_ref(), backup.as_ref());
    Ok(report(
        &check_and_mend(&settings.database, &store, &blobs, spare, backup).await?,
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
            "{} of the documents were damaged, and were mended from the other storage or the backup.",
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
