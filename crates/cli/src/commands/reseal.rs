//! `firmeza reseal`: timestamps for signed documents, now.

use crate::settings::Settings;
use crate::terminal::say;
use crate::wiring::open_app;
use app::{App, Clock};
use domain::FolioId;
use std::collections::HashSet;
use std::error::Error;
use std::process::ExitCode;

/// Folios of one query.
const PAGE_SIZE: usize = 500;

pub(crate) async fn run(
    settings: &Settings,
    folios: Vec<FolioId>,
    all_due: bool,
) -> Result<ExitCode, Box<dyn Error>> {
    let app = open_app(settings).await?;
    let mut failed = 0;
    if all_due {
        say!("Folios tried: {}", extend(&app).await?);
    }
    for page in folios.chunks(PAGE_SIZE) {
        failed += extend_folios(&app, page.to_vec()).await?;
    }
    app.close().await;
    Ok(if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Extends the given folios. Returns how many failed.
async fn extend_folios(app: &App, folios: Vec<FolioId>) -> Result<usize, Box<dyn Error>> {
    let (now, asked) = (Clock::System.now(), folios.clone());
    let hastened = app.store.write(move |tx| tx.hasten_extensions(&asked, now));
    let hastened: HashSet<FolioId> = hastened.await?.into_iter().collect();
    extend(app).await?;
    let asked = folios.clone();
    let left = app.store.read(move |tx| tx.unextended(&asked, now)).await?;
    let mut failed = 0;
    for folio in folios {
        let left = left.iter().find(|(id, _)| *id == folio);
        match left {
            _ if !hastened.contains(&folio) => say!("{folio}  not signed by everybody, or unknown"),
            None => say!("{folio}  done"),
            Some((_, Some(reason))) => say!("{folio}  failed: {reason}"),
            Some((_, None)) => say!("{folio}  an instance is at it"),
        }
        let done = hastened.contains(&folio) && left.is_none_or(|(_, reason)| reason.is_none());
        failed += usize::from(!done);
    }
    Ok(failed)
}

async fn extend(app: &App) -> Result<usize, app::Error> {
    let mut all = 0;
    loop {
        match app.extend_due().await? {
            0 => return Ok(all),
            some => all += some,
        }
    }
}
