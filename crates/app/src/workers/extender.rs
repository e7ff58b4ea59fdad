//! The worker that extends signed documents for the long term. Any number of instances share the work: a folio is
//! leased, for longer than any authority takes to answer for all its documents, and one whose instance died is taken over
//! when its heartbeat ends.

use crate::notary::result;
use crate::shared::blocking::run_blocking;
use crate::workers::queue_position::QueuePosition;
use crate::workers::retry::retry_at;
use crate::workers::run_span::run_span;
use crate::{App, Error};
use blobs::BlobId;
use domain::{Actor, Causes, Client, Event, EventKind, Origin, Timestamp};
use pades::sign::certificates_in;
use pki::cms::Certificate;
use std::sync::Arc;
use std::time::Duration;
use store::{FolioQueue, LeasedFolio, NewIncrement, Queue, SigningState};
use tracing::Instrument;

/// Folios extended before the worker looks at anything else.
const MAX_BATCH_FOLIOS: usize = 8;
/// How often the worker looks by itself. With the end of a heartbeat, what a dead instance leased lies for no more than 15 seconds.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

impl App {
    /// Extends due folios until the task is dropped.
    pub async fn run_extender(self) {
        let position = QueuePosition::start(Queue::Extensions);
        loop {
            if let Err(error) = self.notary.refresh(&self.store).await {
                tracing::warn!(error = %Causes(&error), "the authority's certificates could not be reloaded");
            }
            let found = match self.extend_due_from(&position).await {
                Ok(found) => found,
                Err(error) => {
                    tracing::warn!(error = %Causes(&error), "the extender could not lease or postpone folios");
                    0
                }
            };
            if found == 0 {
                // A wakeup and the timeout mean the same: look again.
                let _ = tokio::time::timeout(POLL_INTERVAL, self.wakeups.extensions.notified()).await;
            }
        }
    }

    /// Extends folios that are due, at most a few. Returns how many it tried. Each is leased when its turn comes: however
    /// slow the authority is, the lease of one does not run out while others are extended.
    pub async fn extend_due(&self) -> Result<usize, Error> {
        self.extend_due_from(&QueuePosition::start(Queue::Extensions))
            .await
    }

    async fn extend_due_from(&self, position: &QueuePosition) -> Result<usize, Error> {
        for done in 0..MAX_BATCH_FOLIOS {
            let due = position.due_times(&self.store, self.clock.now()).await?;
            let heartbeat = self.heartbeat.clone();
            let leased = self.store.write(move |tx| {
                let lease = heartbeat.lease(tx, store::MAX_LEASE)?;
                tx.lease_extension(due, &lease)
            });
            let Some(extension) = leased.await? else {
                return Ok(done);
            };
            let extended = self.extend_folio(extension).instrument(run_span("extender"));
            if let Err(error) = extended.await {
                tracing::warn!(folio = %extension.id, error = %Causes(&error), "a folio could not be extended");
                if !self.postpone(extension, &error).await? {
                    tracing::info!(folio = %extension.id, "another instance has taken over the folio's extension");
                }
            }
        }
        Ok(MAX_BATCH_FOLIOS)
    }

    async fn extend_folio(&self, extension: LeasedFolio) -> Result<(), Error> {
        let now = self.clock.now();
        let (signing_states, mut increments, appended) = self
            .store
            .read(move |tx| {
                let signing_states = tx.signing_states(&[extension.folio])?;
                let increments = tx.folio_increments(extension.folio)?;
                Ok::<_, store::Error>((signing_states, increments, tx.appended_blobs(extension.folio)?))
            })
            .await?;
        for (position, blob) in appended {
            let bytes = self.blobs.read_whole(BlobId::from_bytes(blob.sha256), blob.size);
            increments.push((position, bytes.await?.to_vec()));
        }
        let (notary, key) = (Arc::clone(&self.notary), self.signing_state_key.clone());
        let extended = run_blocking(move || {
            let extend = |signing_state: &SigningState| {
                let prepared = key.open(extension.id, signing_state.position, &signing_state.prepared)?;
                let own = increments.iter().filter(|(at, _)| *at == signing_state.position);
                let signers: Vec<Certificate> = own
                    .flat_map(|(_, increment)| certificates_in(increment))
                    .collect();
                notary.extend(&prepared, &signers, extension.id, signing_state.increments, now)
            };
            signing_states
                .into_iter()
                .map(|signing_state| extend(&signing_state).map(|extended| (signing_state, extended)))
                .collect::<Result<Vec<_>, Error>>()
        });
        let extended = extended.await?;
        let key = self.signing_state_key.clone();
        self.store
            .write(move |tx| {
                let locked = tx.lock_folios(extension.company, &[extension.id])?;
                let Some(stored) = locked.first() else {
                    return Err(Error::NotFound);
                };
                if stored.folio.erased {
                    return Ok(());
                }
                let mut next = Timestamp::from_micros(i64::MAX);
                let mut documents = Vec::with_capacity(extended.len());
                let mut increments = Vec::with_capacity(extended.len());
                for (signing_state, extended) in extended {
                    let sha256 = extended.next.sha256();
                    if let Some(document) = stored.folio.document(signing_state.position) {
                        documents.push(result(document, &sha256));
                    }
                    next = next.min(extended.due);
                    increments.push(NewIncrement {
                        folio: signing_state.folio,
                        position: signing_state.position,
                        after: signing_state.increments,
                        bytes: extended.bytes,
                        prepared: key.seal(extension.id, signing_state.position, extended.next.to_bytes()),
                        sha256,
                        size: extended.next.length(),
                    });
                }
                tx.append_increments(&increments, now)?;
                let origin = Origin {
                    actor: Actor::Service,
                    client: Client::default(),
                };
                let what = EventKind::Extended { documents };
                tx.append_events(&[(
                    extension.id,
                    Event {
                        at: now,
                        origin,
                        what,
                    },
                )])?;
                tx.settle_extension(extension.folio, next)?;
                Ok(tx.plan_increment_moves(&[extension.folio], now)?)
            })
            .await
    }

    /// Puts a folio off. Returns whether it was still to be extended by this instance.
    async fn postpone(&self, extension: LeasedFolio, error: &Error) -> Result<bool, Error> {
        let now = self.clock.now();
        let next = retry_at(extension.attempts, now);
        let why = Causes(error).to_string();
        let postponed = self
            .store
            .write(move |tx| tx.postpone_folio(FolioQueue::Extensions, &extension, now, next, &why));
        Ok(postponed.await?)
    }
}
