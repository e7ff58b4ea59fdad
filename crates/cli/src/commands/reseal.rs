//! `firmeza reseal`: timestamps for signed documents, now.

use crate::settings::Settings;
use crate::terminal::say;
use crate::wiring::open_instance;
use app::App;
use domain::FolioId;
use std::collections::HashSet;
use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;
use store::HEARTBEAT_LIFETIME;
use tokio::time::Instant;

/// Folios of one query.
const PAGE_SIZE: usize = 500;
/// How often it looks whether an instance that holds a folio is done, or dead.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

pub(crate) async fn run(
    settings: &Settings,
    folios: Vec<FolioId>,
    all_due: bool,
) -> Result<ExitCode, Box<dyn Error>> {
    let app = open_instance(settings).await?;
    // As every instance does that starts: what got no timestamp is due.
    app.check_clock_and_instances().await?;
    let heartbeat = tokio::spawn(app.clone().run_heartbeat());
    let ended = reseal(&app, folios, all_due).await;
    heartbeat.abort();
    app.end_heartbeat().await;
    app.close().await;
    ended
}

async fn reseal(app: &App, folios: Vec<FolioId>, all_due: bool) -> Result<ExitCode, Box<dyn Error>> {
    let (mut tried, mut failed) = (folios.len(), 0);
    if all_due {
        tried += extend_all_due(app).await?;
        say!("Folios tried: {tried}");
    }
    for page in folios.chunks(PAGE_SIZE) {
        failed += extend_folios(app, page.to_vec()).await?;
    }
    Ok(if failed == 0 && tried > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Extends every folio that is due. Returns how many were tried.
async fn extend_all_due(app: &App) -> Result<usize, Box<dyn Error>> {
    let deadline = takeover_deadline();
    let mut tried = 0;
    loop {
        tried += extend(app).await?;
        let now = app.clock.now();
        let held = app.store.read(move |tx| tx.due_extensions(now)).await?;
        if held == 0 || Instant::now() > deadline {
            return Ok(tried);
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// Extends the given folios. Returns how many failed.
async fn extend_folios(app: &App, folios: Vec<FolioId>) -> Result<usize, Box<dyn Error>> {
    let (now, asked) = (app.clock.now(), folios.clone());
    let hastened = app.store.write(move |tx| tx.hasten_extensions(&asked, now));
    let hastened: HashSet<FolioId> = hastened.await?.into_iter().collect();
    let deadline = takeover_deadline();
    let left = loop {
        extend(app).await?;
        let asked = folios.clone();
        let left = app.store.read(move |tx| tx.unextended(&asked, now)).await?;
        let is_held = |(_, reason): &(FolioId, Option<String>)| reason.is_none();
        if !left.iter().any(is_held) || Instant::now() > deadline {
            break left;
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    };
    let mut failed = 0;
    for folio in folios {
        let left = left.iter().find(|(id, _)| *id == folio);
        match left {
            _ if !hastened.contains(&folio) => say!("{folio}  not signed by everybody, or unknown"),
            None => say!("{folio}  done"),
            Some((_, Some(reason))) => say!("{folio}  failed: {reason}"),
            Some((_, None)) => say!("{folio}  an instance is at it"),
        }
        failed += usize::from(!hastened.contains(&folio) || left.is_some());
    }
    Ok(failed)
}

/// By then an instance that died is known to be dead, and what it held is free.
fn takeover_deadline() -> Instant {
    Instant::now() + HEARTBEAT_LIFETIME + 2 * POLL_INTERVAL
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
