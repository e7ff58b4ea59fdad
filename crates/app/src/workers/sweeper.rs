//! Sweeping blobs that no document names: left by clients that went away, or by creates that failed.
//!
//! One instance sweeps, and leases the sweep meanwhile: all names in the storage are listed for it. If it dies, its heartbeat and
//! with it the lease ends, and another begins anew.

use crate::operator::storage_owner::{StorageOwnerError, check_before_removal};
use crate::workers::run_span::run_span;
use crate::{App, Heartbeat};
use blobs::BlobId;
use domain::{Causes, Timestamp};
use futures_util::future::join_all;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use store::{MAX_LEASE, Tx};
use tracing::Instrument;

/// The time between two looks whether a sweep is due.
const POLL_INTERVAL: Duration = Duration::from_mins(1);
/// The time from the end of a sweep to the next one, of whichever instance.
const SWEEP_INTERVAL: Duration = Duration::from_hours(1);
/// Younger blobs are not checked: their folio may not be committed yet.
const MIN_BLOB_AGE: Duration = Duration::from_hours(24);
/// How long a marked blob waits for its removal. No create takes this long.
const REMOVAL_DELAY: Duration = Duration::from_hours(1);
/// Blobs looked at, or claimed, in one step.
const PAGE_BLOBS: usize = 500;
/// Blobs removed at once: a bucket answers each removal late.
const MAX_CONCURRENT_REMOVALS: usize = 16;

/// Up to so many orphans are removed whatever their share: a small installation may have more of them than documents.
const PLAUSIBLE_ORPHANS: usize = 10;
/// At most one blob in this many may look orphaned. More suggest a wrong database, not clients that went away.
const BLOBS_PER_ORPHAN: usize = 10;

/// Why a sweep removed nothing, or not all.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The storage is not this installation's, or the database an older copy; or one of them did not answer.
    #[error(transparent)]
    Owner(#[from] StorageOwnerError),
    /// Too many blobs look orphaned.
    #[error(
        "{orphans} of {listed} documents in the storage have no row in the database, which is more than clients leave behind. If it is right, run firmeza storage sweep --force"
    )]
    Implausible {
        /// Blobs that no row names.
        orphans: usize,
        /// Blobs that are old enough to be looked at.
        listed: usize,
    },
    /// The lease ended before the sweep.
    #[error("another instance took the sweep over")]
    TakenOver,
}

impl SweepError {
    /// Whether the sweep refused, as opposed to a database or a storage that did not answer.
    pub const fn is_refusal(&self) -> bool {
        match self {
            Self::Owner(error) => error.is_refusal(),
            Self::Implausible { .. } => true,
            Self::TakenOver => false,
        }
    }
}

impl From<store::Error> for SweepError {
    fn from(error: store::Error) -> Self {
        Self::Owner(error.into())
    }
}

impl From<blobs::Error> for SweepError {
    fn from(error: blobs::Error) -> Self {
        Self::Owner(error.into())
    }
}

/// What a sweep did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    /// Blobs that are to be removed by a later sweep.
    pub marked: usize,
    /// Blobs removed.
    pub removed: usize,
}

impl App {
    /// Sweeps every hour until the task is dropped. Several instances may run at the same time.
    pub async fn run_sweeper(self) {
        loop {
            let swept = self.sweep_if_due(SWEEP_INTERVAL).instrument(run_span("sweeper"));
            match swept.await {
                Ok(Some(swept)) => tracing::debug!(?swept, "blobs swept"),
                Ok(None) => {}
                Err(error) if error.is_refusal() => {
                    tracing::error!(error = %Causes(&error), "no document without a row was removed");
                }
                Err(error) => tracing::warn!(error = %Causes(&error), "blobs could not be swept"),
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Sweeps, if the last sweep ended at least so long ago and no other instance is at it.
    pub async fn sweep_if_due(&self, interval: Duration) -> Result<Option<Swept>, SweepError> {
        let heartbeat = self.heartbeat.clone();
        let claimed = self.store.write(move |tx| {
            let lease = heartbeat.lease(tx, MAX_LEASE)?;
            tx.claim_sweep(&lease, interval)
        });
        if !claimed.await? {
            return Ok(None);
        }
        let swept = self.sweep(false, Some(&self.heartbeat)).await;
        swept.map(Some)
    }

    /// Marks blobs that no row names, and removes those that an earlier sweep marked. Refuses where the storage is not
    /// this installation's, the database is an older copy, or too many blobs look orphaned. Asks for no lease: several sweeps
    /// at the same time only ask for more.
    pub async fn sweep_blobs(&self) -> Result<Swept, SweepError> {
        self.sweep(false, None).await
    }

    /// The same whatever the share of orphans.
    pub async fn sweep_any_share(&self) -> Result<Swept, SweepError> {
        self.sweep(true, None).await
    }

    /// Sweeps, under the lease of an instance with that heartbeat if there is one.
    async fn sweep(&self, any_share: bool, leased_by: Option<&Heartbeat>) -> Result<Swept, SweepError> {
        let swept = self.mark_and_remove(any_share, leased_by).await;
        if matches!(swept, Err(SweepError::TakenOver)) {
            return swept;
        }
        // Also after an error: this instance runs on, and no heartbeat would end its lease.
        let refused = swept.as_ref().is_err_and(SweepError::is_refusal);
        let by = self.heartbeat.instance;
        let noted = self.store.write(move |tx| {
            let now = tx.database_clock()?;
            tx.note_sweep(by, now, refused)
        });
        let noted = noted.await;
        let swept = swept?;
        noted?;
        Ok(swept)
    }

    async fn mark_and_remove(
        &self,
        any_share: bool,
        leased_by: Option<&Heartbeat>,
    ) -> Result<Swept, SweepError> {
        check_before_removal(&self.store, &self.blobs).await?;
        let forgotten = self.in_batches(|tx, max| {
            let now = tx.database_clock()?;
            tx.forget_removed(now, now.before(REMOVAL_DELAY), max)
        });
        forgotten.await?;
        let (listed, marked, erased) = self.mark_orphans(leased_by).await?;
        // Erased documents explain their orphans, so these do not count.
        let orphans = marked - erased;
        if !any_share && orphans > PLAUSIBLE_ORPHANS && orphans > listed / BLOBS_PER_ORPHAN {
            return Err(SweepError::Implausible { orphans, listed });
        }
        let removed = self.remove_marked(leased_by).await?;
        Ok(Swept { marked, removed })
    }

    async fn remove_marked(&self, leased_by: Option<&Heartbeat>) -> Result<usize, SweepError> {
        let mut removed = 0;
        loop {
            let leased_by = leased_by.cloned();
            let claimed = self.store.write(move |tx| {
                renew(tx, leased_by.as_ref())?;
                let now = tx.database_clock()?;
                let claimed = tx.claim_for_removal(now, now.before(REMOVAL_DELAY), PAGE_BLOBS)?;
                Ok::<_, SweepError>((now, claimed))
            });
            let (claimed_at, claimed) = claimed.await?;
            if claimed.is_empty() {
                return Ok(removed);
            }
            let mut gone = Vec::with_capacity(claimed.len());
            let ended = self.remove_claimed(&claimed, claimed_at, &mut gone).await;
            removed += gone.len();
            let noted = self.store.write(move |tx| {
                let now = tx.database_clock()?;
                tx.mark_removed(&gone, claimed_at, now)
            });
            noted.await?;
            ended?;
        }
    }

    /// Removes blobs that were claimed at that time, as long as the claim is sure to last. Those that are gone are added to
    /// `gone`, also if others fail.
    async fn remove_claimed(
        &self,
        claimed: &[[u8; 32]],
        claimed_at: Timestamp,
        gone: &mut Vec<[u8; 32]>,
    ) -> Result<(), SweepError> {
        for some in claimed.chunks(MAX_CONCURRENT_REMOVALS) {
            let may_remove = self.store.read(move |tx| tx.may_still_remove(claimed_at));
            // The claim may have passed to another instance, and a create may have stored the bytes again.
            if !may_remove.await? {
                return Ok(());
            }
            let removals = some.iter().map(|sha256| async {
                let blob = BlobId::from_bytes(*sha256);
                (blob, self.blobs.delete(blob).await)
            });
            let mut failed = None;
            for (blob, removal) in join_all(removals).await {
                match removal {
                    Ok(()) => {
                        tracing::info!(%blob, "a blob was removed: no document names it");
                        self.sweep_counts.count_removed();
                        gone.push(*blob.as_bytes());
                    }
                    Err(error) => failed = Some(error),
                }
            }
            if let Some(error) = failed {
                return Err(error.into());
            }
        }
        Ok(())
    }

    /// How many blobs are old enough to be looked at, how many of those no row names, and how many of those were erased.
    async fn mark_orphans(&self, leased_by: Option<&Heartbeat>) -> Result<(usize, usize, usize), SweepError> {
        let (mut listed, mut marked, mut erased) = (0, 0, 0);
        let mut after = None;
        loop {
            // Only whether a blob is old goes by this instance's clock, since its storage has a clock of its own. A blob that
            // is marked too soon is removed an hour later, unless a create names it until then.
            let now = self.clock.now();
            let page = self.blobs.list(after, PAGE_BLOBS).await?;
            let Some(last) = page.last() else {
                return Ok((listed, marked, erased));
            };
            after = Some(last.id);
            let old = |blob: &&blobs::ListedBlob| micros(blob.modified) < now.before(MIN_BLOB_AGE);
            let old: Vec<[u8; 32]> = page.iter().filter(old).map(|blob| *blob.id.as_bytes()).collect();
            listed += old.len();
            // The listing may take longer than the removal delay. Each page is marked with its own time, so
            // the last blobs get the full delay.
            let leased_by = leased_by.cloned();
            let looked_at = self.store.write(move |tx| {
                renew(tx, leased_by.as_ref())?;
                let clock = tx.database_clock()?;
                Ok::<_, SweepError>((tx.mark_orphans(&old, clock)?, tx.erased_blobs(&old)?))
            });
            let (orphans, known) = looked_at.await?;
            marked += orphans;
            erased += known;
        }
    }
}

/// Renews the lease of a sweep that has one. A page takes far less time than a lease lasts.
fn renew(tx: &mut Tx<'_>, leased_by: Option<&Heartbeat>) -> Result<(), SweepError> {
    let Some(heartbeat) = leased_by else {
        return Ok(());
    };
    let lease = heartbeat.lease(tx, MAX_LEASE)?;
    if tx.renew_sweep(&lease)? {
        Ok(())
    } else {
        Err(SweepError::TakenOver)
    }
}

fn micros(time: SystemTime) -> Timestamp {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}
