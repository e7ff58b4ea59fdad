//! `firmeza storage`: whose the document storage is, and what is removed from it.

use crate::arguments::StorageAction;
use crate::settings::Settings;
use crate::terminal::say;
use crate::wiring::{open_app, open_blobs, open_store};
use app::operator::storage_owner::claim_storage;
use std::error::Error;
use std::process::ExitCode;

pub(crate) async fn run(settings: &Settings, action: StorageAction) -> Result<ExitCode, Box<dyn Error>> {
    match action {
        StorageAction::Claim => {
            claim_storage(&open_store(settings).await?, &open_blobs(settings).await?).await?;
            say!("The document storage is this installation's.");
        }
        StorageAction::Compact => {
            let app = open_app(settings).await?;
            let compacted = app.compact(&settings.database).await;
            app.close().await;
            if !compacted? {
                return Err(
                    "a long read kept the log of the database from being emptied: try again later".into(),
                );
            }
            say!("What was erased is no longer in the free space of the database.");
        }
        StorageAction::Sweep { force } => {
            let app = open_app(settings).await?;
            let swept = if force {
                app.sweep_any_share().await
            } else {
                app.sweep_blobs().await
            };
            app.close().await;
            let swept = swept?;
            say!(
                "Documents removed: {}. Documents without a row that wait for their removal: {}.",
                swept.removed,
                swept.marked.saturating_sub(swept.removed)
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}
