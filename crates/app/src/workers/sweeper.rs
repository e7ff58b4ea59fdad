//! Sweeping blobs that no document names: left by clients that went away, or by creates that failed.

use crate::{App, Error};
use blobs::BlobId;
use domain::Timestamp;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Younger blobs are not checked: their folio may not be committed yet.
const MIN_BLOB_AGE: Duration = Duration::from_hours(24);
/// How long a marked blob waits for its removal. No create takes this long.
const REMOVAL_DELAY: Duration = Duration::from_hours(1);
/// Blobs looked at in one step.
const PAGE_BLOBS: usize = 500;

/// What a sweep did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    /// Blobs that are to be removed by a later sweep.
    pub marked: usize,
    /// Blobs removed.
    pub removed: usize,
}

impl App {
    /// Removes blobs that an earlier sweep marked, and marks those that no row names now.
    pub async fn sweep_blobs(&self) -> Result<Swept, Error> {
        let removed = self.remove_marked().await?;
        let marked = self.mark_orphans().await?;
        Ok(Swept { marked, removed })
    }

    async fn remove_marked(&self) -> Result<usize, Error> {
        let mut removed = 0;
        loop {
            let now = self.clock.now();
            let marked = self
                .store
                .write(move |tx| tx.claim_for_removal(now, now.before(REMOVAL_DELAY), PAGE_BLOBS))
                .await?;
            if marked.is_empty() {
                return Ok(removed);
            }
            // Past its time another instance may be at it, and the bytes stored again: better left to that one.
            let late = now.after(store::REMOVAL_LEASE / 2);
            let mut gone = Vec::with_capacity(marked.len());
            for sha256 in marked {
                if self.clock.now() > late {
                    break;
                }
                self.blobs.delete(BlobId::from_bytes(sha256)).await?;
                gone.push(sha256);
            }
            removed += gone.len();
            let now = self.clock.now();
            self.store
                .write(move |tx| tx.mark_removed(&gone, now, now.before(REMOVAL_DELAY)))
                .await?;
        }
    }

    async fn mark_orphans(&self) -> Result<usize, Error> {
        let mut marked = 0;
        let mut after = None;
        loop {
            // The listing may take longer than the removal delay. Each page is marked with its own time, so
            // the last blobs get the full delay.
            let now = self.clock.now();
            let page = self.blobs.list(after, PAGE_BLOBS).await?;
            let Some(last) = page.last() else {
                return Ok(marked);
            };
            after = Some(last.id);
            let old = |listed: &&blobs::ListedBlob| micros(listed.modified) < now.before(MIN_BLOB_AGE);
            let old: Vec<[u8; 32]> = page
                .iter()
                .filter(old)
                .map(|listed| *listed.id.as_bytes())
                .collect();
            marked += self.store.write(move |tx| tx.mark_orphans(&old, now)).await?;
        }
    }
}

fn micros(time: SystemTime) -> Timestamp {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}
