//! `firmeza backup`: everything into a directory, while the service runs.

use crate::key_file;
use crate::logging;
use crate::settings::Settings;
use crate::terminal::say;
use crate::wiring::{master_key, open_blobs, open_store};
use app::Clock;
use app::operator::backup::{Faults, Manifest, Thoroughness, prune, take, verify};
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

/// The file of the master key in a backup with `--with-master-key`.
pub(crate) const MASTER_KEY: &str = "master.key";

pub(crate) async fn run(
    settings: &Settings,
    directory: &Path,
    with_master_key: bool,
    quick: bool,
) -> Result<ExitCode, Box<dyn Error>> {
    logging::start(settings, None);
    let key = directory.join(MASTER_KEY);
    // It may be the only key to some data: the operator has to move it away.
    if !with_master_key && key.try_exists()? {
        return Err(format!(
            "{} is there, from a backup with the master key: say --with-master-key again, or move it to a safe place",
            key.display()
        )
        .into());
    }
    let master = master_key(settings).await?;
    let store = open_store(settings).await?;
    let blobs = open_blobs(settings).await?;
    let taken = take(
        &settings.database,
        &store,
        &blobs,
        &master,
        &Clock::System,
        directory,
        if quick {
            Thoroughness::Length
        } else {
            Thoroughness::Both
        },
    )
    .await?;
    say!(
        "Backed up into {}: {} rows ({} bytes of them new), {} documents ({} new, {} bytes).",
        directory.display(),
        taken.rows,
        taken.page_copies.new.bytes,
        taken.documents.count.saturating_sub(taken.faults.count),
        taken.copies.new.count,
        taken.copies.new.bytes
    );
    let mended = taken.page_copies.mended + taken.copies.mended;
    if mended > 0 {
        say!("Files that were damaged in the backup, and are copied anew: {mended}");
    }
    if with_master_key {
        key_file::write(&key, &master.to_hex())?;
        say!("The master key is in it: whoever has the backup can sign in the installation's name.");
    } else {
        say!(
            "The master key is not in it. Keep {} somewhere else: without it, what is sealed is lost.",
            settings.master_key_place()
        );
    }
    let mended = "Documents that the storage lost or damaged, and that the backup has";
    let in_storage = report_faults(&taken.source_faults, mended);
    let in_backup = report_faults(
        &taken.faults,
        "Documents that are lost or damaged, and not in the backup",
    );
    Ok(if taken.faults.count == 0 {
        in_storage
    } else {
        in_backup
    })
}

pub(crate) async fn run_verify(directory: &Path) -> Result<ExitCode, Box<dyn Error>> {
    let manifest = Manifest::read(directory)?;
    let taken_at = manifest.taken_at.clone();
    let found = verify(manifest, directory).await?;
    say!(
        "The backup of {taken_at}: {} rows, {} documents ({} bytes), hashed.",
        found.rows,
        found.documents.count,
        found.documents.bytes
    );
    let rows = report_faults(&found.row_faults, "Rows that the backup lacks or has damaged");
    let documents = report_faults(&found.faults, "Documents that the backup lacks or has damaged");
    Ok(if found.row_faults.count == 0 {
        documents
    } else {
        rows
    })
}

pub(crate) async fn run_prune(directory: &Path, older_than: u32) -> Result<ExitCode, Box<dyn Error>> {
    let days = jiff::SignedDuration::from_hours(24 * i64::from(older_than));
    let now = jiff::Timestamp::from_microsecond(Clock::System.now().as_micros())?;
    let pruned = prune(directory, now - days).await?;
    say!(
        "Backups removed: {}. Documents removed from backups that stay: {}.",
        pruned.backups,
        pruned.documents
    );
    Ok(ExitCode::SUCCESS)
}

/// Lists documents that could not be copied; a success is one without any.
pub(crate) fn report_faults(faults: &Faults, what: &str) -> ExitCode {
    if faults.count == 0 {
        return ExitCode::SUCCESS;
    }
    say!("{what}: {}", faults.count);
    for fault in &faults.messages {
        say!("  {fault}");
    }
    let untold = faults.count.saturating_sub(faults.messages.len() as u64);
    if untold > 0 {
        say!("  and {untold} more");
    }
    ExitCode::FAILURE
}
