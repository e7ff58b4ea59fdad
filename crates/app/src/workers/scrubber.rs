//! Reads every document once in a round and compares it with its row: a disk or a bucket that loses bits is noticed
//! while a backup still has the document.
//!
//! The instances share one round. An instance leases it for a page of documents, and notes how far it came. If it dies, its
//! heartbeat and with it the lease ends, and another goes on.

use crate::operator::backup::IncrementBackup;
use crate::operator::document_check::{CheckedDocument, check_document};
use crate::workers::run_span::run_span;
use crate::{App, Error};
use domain::{Causes, Timestamp};
use std::time::Duration;
use store::{DocumentFacts, DocumentPlace, Lease, MAX_LEASE, ScrubRound};
use tracing::Instrument;

/// Documents checked under one lease, and damaged ones checked again in one go.
const PAGE_DOCUMENTS: i64 = 16;
/// The time between two looks whether documents are due.
const POLL_INTERVAL: Duration = Duration::from_mins(1);
/// The scrubber of an instance never reads faster than this, even when its round is late: requests are hardly slowed down. While it
/// pauses, other instances read.
const MAX_BYTES_PER_SECOND: u64 = 32 << 20;
/// The same for small documents.
const PAGE_PAUSE: Duration = Duration::from_millis(250);

impl App {
    /// Runs until the task is dropped. Several instances may run at the same time.
    pub async fn run_scrubber(self) {
        let Some(round) = self.policy.scrub_round else {
            return;
        };
        loop {
            let pause = match self.scrub(round).instrument(run_span("scrubber")).await {
                Ok(Some(bytes)) => pause_after(bytes),
                Ok(None) => POLL_INTERVAL,
                Err(error) => {
                    tracing::warn!(error = %Causes(&error), "documents could not be checked for damage");
                    POLL_INTERVAL
                }
            };
            tokio::time::sleep(pause).await;
        }
    }

    /// Checks the documents that are due, up to a page of them; returns their bytes. If none is due, looks at damaged ones
    /// again.
    pub async fn scrub(&self, round: Duration) -> Result<Option<u64>, Error> {
        let scrubbed = self.scrub_page(round).await?;
        if scrubbed.is_none() {
            self.recheck_damaged().await?;
        }
        Ok(scrubbed)
    }

    async fn scrub_page(&self, round: Duration) -> Result<Option<u64>, Error> {
        let (heartbeat, now) = (self.heartbeat.clone(), self.clock.now());
        let claimed = self.store.write(move |tx| {
            let lease = heartbeat.lease(tx, MAX_LEASE)?;
            Ok::<_, store::Error>((lease, tx.claim_scrub(&lease, now)?))
        });
        let (lease, Some(state)) = claimed.await? else {
            return Ok(None);
        };
        let checked = self.check_page(&lease, state, round).await;
        if checked.is_err() {
            // This instance runs on: no heartbeat would end its lease.
            self.store.write(move |tx| tx.release_scrub(&lease)).await?;
        }
        checked
    }

    async fn check_page(
        &self,
        lease: &Lease,
        state: ScrubRound,
        round: Duration,
    ) -> Result<Option<u64>, Error> {
        let (lease, now) = (*lease, self.clock.now());
        let due = due_documents(&state, now, round).min(PAGE_DOCUMENTS);
        if due <= 0 {
            self.store.write(move |tx| tx.release_scrub(&lease)).await?;
            return Ok(None);
        }
        let page = self
            .store
            .read(move |tx| tx.documents_after(state.place, due))
            .await?;
        let Some(last) = page.last().map(|document| document.place) else {
            self.store
                .write(move |tx| tx.finish_scrub_round(&lease, now))
                .await?;
            tracing::info!(documents = state.checked, "all documents were checked for damage");
            return Ok(None);
        };
        let mut damaged = Vec::new();
        for document in &page {
            if let CheckedDocument::AppendedDamaged(_) = self.check(document).await? {
                damaged.push(document);
            }
        }
        let checked = i64::try_from(page.len()).unwrap_or(i64::MAX);
        self.store
            .write(move |tx| tx.advance_scrub(&lease, last, checked))
            .await?;
        // The first time it reads the increments of a whole backup, and the next page does not wait for it.
        if let Err(error) = self.mend_increments(&damaged).await {
            tracing::warn!(error = %Causes(&error), "what was appended to damaged documents could not be put back from the backup");
        }
        let read = |document: &DocumentFacts| document.size + document.appended.map_or(0, |blob| blob.size);
        Ok(Some(page.iter().map(read).sum()))
    }

    /// Puts back what acts appended to these documents, where the second storage belongs to a backup that has it. Once in a
    /// round: for the rest there is `firmeza inspect`.
    async fn mend_increments(&self, damaged: &[&DocumentFacts]) -> Result<(), Error> {
        let Some(directory) = self.spare_backup.as_deref().filter(|_| !damaged.is_empty()) else {
            return Ok(());
        };
        let backup = IncrementBackup::find_in(directory).await;
        let Some(backup) = backup.map_err(|error| Error::Internal(error.into()))? else {
            return Ok(());
        };
        let backup = backup.with_ranges(self.spare_ranges.clone());
        let mended = backup.mend(&self.store, &self.blobs, damaged).await?;
        for document in damaged.iter().filter(|one| mended.contains(&one.place)) {
            let (place, folio) = (document.place, document.folio);
            self.store.write(move |tx| tx.note_whole(place)).await?;
            let name = blobs::BlobId::from_bytes(document.sha256);
            tracing::warn!(%folio, document = %name, "what was appended to a damaged document was put back from the backup");
        }
        Ok(())
    }

    /// Looks at documents again that were damaged: an operator may have put them back.
    async fn recheck_damaged(&self) -> Result<(), Error> {
        let damaged = self.store.read(|tx| tx.damaged_documents(PAGE_DOCUMENTS)).await?;
        for place in damaged {
            let before = DocumentPlace {
                position: place.position - 1,
                ..place
            };
            let found = self.store.read(move |tx| tx.documents_after(before, 1)).await?;
            let gone_or_whole = match found.first().filter(|document| document.place == place) {
                Some(document) => {
                    let checked = self.check(document).await?;
                    matches!(checked, CheckedDocument::Whole | CheckedDocument::Mended)
                }
                None => true,
            };
            if gone_or_whole {
                self.store.write(move |tx| tx.note_whole(place)).await?;
            }
        }
        Ok(())
    }

    /// Checks a document, and notes its damage.
    async fn check(&self, document: &DocumentFacts) -> Result<CheckedDocument, Error> {
        let (place, folio) = (document.place, document.folio);
        let name = blobs::BlobId::from_bytes(document.sha256);
        let checked = check_document(&self.blobs, self.spare_blobs.as_ref(), document).await?;
        match &checked {
            CheckedDocument::Whole => {}
            CheckedDocument::Mended => {
                tracing::warn!(%folio, document = %name, "a damaged document was mended from the other storage");
            }
            CheckedDocument::FileDamaged(reason) | CheckedDocument::AppendedDamaged(reason) => {
                let now = self.clock.now();
                let noted = reason.clone();
                let new = self
                    .store
                    .write(move |tx| tx.note_damaged(place, &noted, now))
                    .await?;
                if new {
                    tracing::error!(%folio, document = %name, reason, "a document is damaged");
                }
            }
        }
        Ok(checked)
    }
}

/// How many documents should have been checked by now and were not. Past the end of the round, any number: documents
/// were added meanwhile. The same in the first round, which does not know how many there are, and if the clock went back since
/// the round began: the next one begins by the right time.
fn due_documents(state: &ScrubRound, now: Timestamp, round: Duration) -> i64 {
    let elapsed = now.since(state.started_at);
    if state.finished_at.is_none() || elapsed >= round || state.started_at.is_ahead_of(now) {
        return i64::MAX;
    }
    let share = elapsed.as_secs_f64() / round.as_secs_f64();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "a document more or less makes no difference"
    )]
    let due = (state.documents as f64 * share) as i64;
    due - state.checked
}

fn pause_after(bytes: u64) -> Duration {
    let paced = Duration::from_micros(bytes.saturating_mul(1_000_000) / MAX_BYTES_PER_SECOND);
    paced.max(PAGE_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_come_due_evenly_over_the_round() {
        let round = Duration::from_hours(100);
        let begin = Timestamp::from_micros(1_000_000);
        let state = |checked| ScrubRound {
            place: DocumentPlace::START,
            checked,
            documents: 1_000,
            started_at: begin,
            finished_at: Some(begin),
        };
        let at = |hours| begin.after(Duration::from_hours(hours));
        assert_eq!(due_documents(&state(0), begin, round), 0);
        assert_eq!(due_documents(&state(0), at(1), round), 10);
        assert_eq!(due_documents(&state(10), at(1), round), 0);
        assert_eq!(due_documents(&state(10), at(50), round), 490);
        assert_eq!(due_documents(&state(1_000), at(100), round), i64::MAX);
        // A clock that was set back.
        let before = begin.before(Duration::from_hours(1));
        assert_eq!(due_documents(&state(10), before, round), i64::MAX);
        let first = ScrubRound {
            finished_at: None,
            ..state(10)
        };
        assert_eq!(due_documents(&first, at(1), round), i64::MAX);
    }

    #[test]
    fn large_documents_are_followed_by_longer_pauses() {
        assert_eq!(pause_after(0), PAGE_PAUSE);
        assert_eq!(pause_after(MAX_BYTES_PER_SECOND), Duration::from_secs(1));
    }
}
