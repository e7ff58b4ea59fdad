//! The worker that moves the increments of finished folios from rows to the document storage: a blob for each document, with
//! all that was appended to it so far. Any number of instances share the work; a folio is leased, and one whose instance died
//! is taken over.
//!
//! The blob is durable before one transaction names it and deletes the rows. An instance that dies before that leaves an
//! orphan, which the sweeper removes.

use crate::workers::queue_position::QueuePosition;
use crate::workers::retry::retry_at;
use crate::workers::run_span::run_span;
use crate::{App, Error};
use blobs::{BlobId, PendingBlob};
use domain::Causes;
use futures_util::{StreamExt, stream};
use sha2::Digest;
use std::time::Duration;
use store::{AppendedBlob, FolioQueue, LeasedFolio, MAX_LEASE, MovableDocument, MovedIncrements, Queue};
use tokio::time::Instant;
use tracing::Instrument;

/// Folios leased at once.
const MAX_BATCH_FOLIOS: usize = 32;
/// Folios moved at once: a bucket answers each access late. Their increments are in memory meanwhile.
const MAX_CONCURRENT_MOVES: usize = 8;
/// How often the worker looks by itself. With the end of a heartbeat, what a dead instance leased lies for no more than 15 seconds.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

impl App {
    /// Moves increments until the task is dropped.
    pub async fn run_increment_mover(self) {
        let position = QueuePosition::start(Queue::IncrementMoves);
        loop {
            let moved = self.move_due_increments(&position);
            let found = match moved.instrument(run_span("increment mover")).await {
                Ok(found) => found,
                Err(error) => {
                    tracing::warn!(error = %Causes(&error), "folios could not be leased to move what was appended to them");
                    0
                }
            };
            if found == 0 {
                tokio::time::sleep(POLL_INTERVAL).await;
            }
        }
    }

    /// Moves the increments of folios that are due, at most a batch. Returns how many folios were due.
    pub async fn move_increments(&self) -> Result<usize, Error> {
        self.move_due_increments(&QueuePosition::start(Queue::IncrementMoves))
            .await
    }

    async fn move_due_increments(&self, position: &QueuePosition) -> Result<usize, Error> {
        let due = position.due_times(&self.store, self.clock.now()).await?;
        let heartbeat = self.heartbeat.clone();
        let leased = self.store.write(move |tx| {
            let lease = heartbeat.lease(tx, MAX_LEASE)?;
            tx.lease_increment_moves(due, &lease, MAX_BATCH_FOLIOS)
        });
        let leased = leased.await?;
        let found = leased.len();
        let mut moves = stream::iter(leased)
            .map(|leased| async move { (leased, self.move_folio(leased).await) })
            .buffer_unordered(MAX_CONCURRENT_MOVES);
        while let Some((leased, moved)) = moves.next().await {
            if let Err(error) = moved {
                tracing::warn!(folio = %leased.id, error = %Causes(&error), "what was appended to a folio's documents could not be moved to the document storage");
                // The others of the batch are leased too, and go on; the lease of this one ends by itself.
                if let Err(error) = self.postpone_move(leased, &error).await {
                    tracing::warn!(folio = %leased.id, error = %Causes(&error), "the move of a folio could not be put off");
                }
            }
        }
        Ok(found)
    }

    async fn move_folio(&self, leased: LeasedFolio) -> Result<(), Error> {
        let documents = self
            .store
            .read(move |tx| tx.documents_to_move(leased.folio))
            .await?;
        let begun = Instant::now();
        let mut moved = Vec::with_capacity(documents.len());
        for document in documents {
            let pending = PendingBlob::of(self.joined(&document).await?);
            moved.push(MovedIncrements {
                position: document.position,
                current_sha256: document.current_sha256,
                appended: AppendedBlob {
                    sha256: *pending.id().as_bytes(),
                    size: pending.len(),
                    number: document.last_number,
                },
            });
            self.blobs.persist(vec![pending]).await?;
        }
        let named = self.store.write(move |tx| {
            let hashes: Vec<[u8; 32]> = moved.iter().map(|one| one.appended.sha256).collect();
            // Marks are locked before folios, as creates do.
            if !tx.keep_blobs(&hashes, begun.elapsed())? {
                return Err(Error::Overloaded);
            }
            let locked = tx.lock_folios(leased.company, &[leased.id])?;
            if locked.first().is_none_or(|stored| stored.folio.erased) {
                return Ok(());
            }
            Ok(tx.name_moved_increments(&leased, &moved)?)
        });
        named.await
    }

    /// All that was appended to a document, if the document is whole with it: what is moved is the truth from then on.
    async fn joined(&self, document: &MovableDocument) -> Result<Vec<u8>, Error> {
        let original = BlobId::from_bytes(document.sha256);
        let mut hash = self.blobs.verify(original, document.size).await?;
        let mut bytes = match document.appended {
            Some(blob) => {
                let before = self.blobs.read_whole(BlobId::from_bytes(blob.sha256), blob.size);
                before.await?.to_vec()
            }
            None => Vec::new(),
        };
        for increment in &document.increments {
            bytes.extend_from_slice(increment);
        }
        hash.update(&bytes);
        let whole = document.size + bytes.len() as u64 == document.current_size
            && <[u8; 32]>::from(hash.finalize()) == document.current_sha256;
        if whole {
            Ok(bytes)
        } else {
            let broken = format!("what was appended to document {original} is not what it should be");
            Err(Error::Internal(broken.into()))
        }
    }

    /// Puts a folio off, if it is still this instance's.
    async fn postpone_move(&self, leased: LeasedFolio, error: &Error) -> Result<(), Error> {
        let now = self.clock.now();
        let next = retry_at(leased.attempts, now);
        let why = Causes(error).to_string();
        let postponed = self
            .store
            .write(move |tx| tx.postpone_folio(FolioQueue::IncrementMoves, &leased, now, next, &why));
        postponed.await?;
        Ok(())
    }
}
