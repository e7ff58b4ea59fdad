//! Checks of the parts that the service needs: disks, database, storage, transports, clocks.

use super::CheckResult;
use crate::settings::Settings;
use crate::wiring::{open_blobs, open_store, watched_directories};
use app::operator::storage_owner::owns_storage;
use app::{Clock, SystemRandom};
use domain::{Random, Timestamp};
use rustix::fs::statvfs;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::time::Duration;

/// Less room than this is too little for a day's work.
const MIN_FREE_BYTES: u64 = 1 << 30;
/// When this program was written, in seconds since 1970: a clock that shows less is wrong.
pub(super) const OLDEST_RIGHT_TIME: i64 = 1_790_000_000;
/// How long a finished folio may wait to be moved: a storage that was away for a while is no matter.
const MAX_MOVE_AGE: Duration = Duration::from_hours(1);
/// How far apart two clocks may be.
const MAX_CLOCK_DIFFERENCE: Duration = Duration::from_mins(1);

pub(super) async fn data_directory(settings: &Settings) -> CheckResult {
    let directory = settings.data_dir.clone();
    let tried = tokio::task::spawn_blocking(move || {
        DirBuilder::new().recursive(true).mode(0o700).create(&directory)?;
        let probe = directory.join(format!(".doctor-{}", std::process::id()));
        std::fs::write(&probe, b"probe")?;
        std::fs::remove_file(&probe)?;
        Ok::<_, std::io::Error>(format!("{} can be written", directory.display()))
    });
    Ok(tried.await??)
}

/// Whether the render workers have their sandbox.
pub(super) async fn render_sandbox() -> CheckResult {
    let sandbox = tokio::task::spawn_blocking(|| app::PageRenderer::of_this_program().sandbox()).await??;
    match (sandbox.holds(), sandbox.landlock) {
        (true, true) => Ok("closed in by seccomp and Landlock".to_owned()),
        (true, false) => Ok("closed in by seccomp; this kernel has no Landlock".to_owned()),
        (false, _) => Err("they are not closed in: this system has no seccomp".into()),
    }
}

/// The room where the installation itself writes.
pub(super) fn disk_space(settings: &Settings) -> CheckResult {
    let places = watched_directories(settings);
    let mut least: Option<u64> = None;
    for (_, place) in places.iter().filter(|(_, place)| place.exists()) {
        let room = statvfs(place)?;
        let free = room.f_bavail.saturating_mul(room.f_frsize);
        if free < MIN_FREE_BYTES {
            return Err(format!("{} MB are left at {}", free >> 20, place.display()).into());
        }
        least = Some(least.map_or(free, |least| least.min(free)));
    }
    let least = least.ok_or_else(|| format!("{} does not exist", settings.data_dir.display()))?;
    Ok(format!("{} GB are left", least >> 30))
}

pub(super) async fn database(settings: &Settings) -> CheckResult {
    let kind = match &settings.database {
        store::Settings::Sqlite(_) => "SQLite",
        store::Settings::Postgres(_) => "PostgreSQL",
    };
    let store = open_store(settings).await?;
    let version = store.read(store::applied_version).await?;
    let id = random_id();
    store.write(move |tx| tx.probe_write(&id)).await?;
    Ok(format!(
        "{kind} answers and can be written, at migration {version}"
    ))
}

pub(super) async fn documents(settings: &Settings) -> CheckResult {
    let blobs = open_blobs(settings).await?;
    blobs.probe().await?;
    let place = match &settings.blobs {
        blobs::Location::Directory(path) => path.display().to_string(),
        blobs::Location::S3(url) => url.clone(),
    };
    Ok(format!("{place} takes, gives back and removes"))
}

pub(super) async fn storage_owner(settings: &Settings) -> CheckResult {
    let (store, blobs) = (open_store(settings).await?, open_blobs(settings).await?);
    let owned = owns_storage(&store, &blobs).await?;
    let said = if owned {
        "the documents are this installation's"
    } else {
        "none yet: the next start makes it this installation's"
    };
    Ok(said.to_owned())
}

pub(super) async fn scrub(settings: &Settings) -> CheckResult {
    let store = open_store(settings).await?;
    let report = store.read(|tx| tx.scrub_report()).await?;
    if report.damaged > 0 {
        return Err(format!("{} documents have other bytes than were stored", report.damaged).into());
    }
    if settings.policy.scrub_round.is_none() {
        return Ok("off: firmeza inspect checks all documents".into());
    }
    Ok(match (report.finished_at, report.started_at) {
        (Some(at), _) => format!("all documents were whole on {}", date(at)),
        (None, Some(at)) => format!("the first round has been under way since {}", date(at)),
        (None, None) => "the first round has not begun".into(),
    })
}

/// Whether what signatures appended reaches the document storage.
pub(super) async fn increment_moves(settings: &Settings) -> CheckResult {
    let store = open_store(settings).await?;
    let (moves, why) = store
        .read(|tx| Ok::<_, store::Error>((tx.waiting_moves()?, tx.last_move_error()?)))
        .await?;
    let overdue = moves
        .oldest
        .filter(|oldest| Clock::System.now().since(*oldest) > MAX_MOVE_AGE);
    let Some(oldest) = overdue else {
        return Ok(format!("{} finished folios wait", moves.waiting));
    };
    let why = why.unwrap_or_else(|| "none of them failed".to_owned());
    Err(format!(
        "{} finished folios wait to be moved, the first since {}; {} failed, the last with: {why}",
        moves.waiting,
        date(oldest),
        moves.failed
    )
    .into())
}

fn date(at: Timestamp) -> String {
    let at = jiff::Timestamp::from_microsecond(at.as_micros());
    at.map(|at| at.strftime("%F").to_string()).unwrap_or_default()
}

pub(super) async fn mail_server(settings: &Settings) -> CheckResult {
    match settings.smtp()? {
        Some(smtp) => Ok(smtp.check().await?),
        None => Ok("none: emails go into the mailbox at /mailbox".into()),
    }
}

pub(super) async fn sms_gateway(settings: &Settings) -> CheckResult {
    match (settings.gateway()?, settings.has_mailbox()) {
        (Some(gateway), _) => Ok(gateway.check().await?),
        (None, true) => Ok("none: text messages go into the mailbox at /mailbox".into()),
        (None, false) => Ok("none".into()),
    }
}

/// A clock before the day this program was written is certainly wrong; one that is not the database's, perhaps.
pub(super) async fn clock(settings: &Settings) -> CheckResult {
    let now = Clock::System.now();
    let instant = jiff::Timestamp::from_microsecond(now.as_micros())?;
    if instant.as_second() < OLDEST_RIGHT_TIME {
        return Err(format!("it says {instant}, which is in the past").into());
    }
    // The check of the database has reported its failure.
    if let Ok(store) = open_store(settings).await {
        let id = random_id();
        let theirs = store.write(move |tx| tx.probe_write(&id)).await?;
        compare(theirs, Clock::System.now(), "the database's")?;
    }
    Ok(format!("{instant}"))
}

/// Whether another clock shows about the same time.
pub(super) fn compare(theirs: Timestamp, ours: Timestamp, whose: &str) -> Result<(), String> {
    let apart = ours.since(theirs).max(theirs.since(ours));
    if apart > MAX_CLOCK_DIFFERENCE {
        return Err(format!("it is {} seconds from {whose}", apart.as_secs()));
    }
    Ok(())
}

fn random_id() -> [u8; 16] {
    let mut id = [0; 16];
    SystemRandom.fill(&mut id);
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_may_differ_a_little() {
        let at = |seconds: i64| Timestamp::from_micros(seconds * 1_000_000);
        assert_eq!(compare(at(100), at(130), "theirs"), Ok(()));
        assert_eq!(compare(at(130), at(100), "theirs"), Ok(()));
        let apart = Err("it is 70 seconds from theirs".to_owned());
        assert_eq!(compare(at(100), at(170), "theirs"), apart);
        assert_eq!(compare(at(170), at(100), "theirs"), apart);
    }
}
