//! The worker that erases folios past their company's retention, a batch at a time, and compacts the database afterwards.
//! Any number of instances share the work and its pace.

use crate::workers::run_span::run_span;
use crate::{App, Error};
use domain::Causes;
use std::time::Duration;
use store::Settings;
use tracing::Instrument;

/// The time between two looks after one that found nothing.
const POLL_INTERVAL: Duration = Duration::from_mins(1);
/// The time after a batch: other instances may take the next.
const BATCH_PAUSE: Duration = Duration::from_secs(1);
/// A larger file is compacted by the operator (`firmeza storage compact`): writers wait while it is rewritten.
const MAX_COMPACTED_BYTES: u64 = 256 << 20;

impl App {
    /// Runs until the task is dropped.
    pub async fn run_eraser(self, database: Settings) {
        let mut told = false;
        loop {
            let erased = self.erase_past_retention().instrument(run_span("eraser"));
            let pause = match erased.await {
                Ok(0) => {
                    match self.compact_small(&database).await {
                        Ok(compacted) if !compacted && !told => {
                            told = true;
                            tracing::warn!(
                                "what was erased is still in the free space of a large database: run firmeza storage compact"
                            );
                        }
                        Ok(_) => {}
                        Err(error) => {
                            tracing::warn!(error = %Causes(&error), "the database could not be compacted");
                        }
                    }
                    POLL_INTERVAL
                }
                Ok(_) => BATCH_PAUSE,
                Err(error) => {
                    tracing::warn!(error = %Causes(&error), "folios past their retention could not be erased");
                    POLL_INTERVAL
                }
            };
            tokio::time::sleep(pause).await;
        }
    }

    /// Compacts a small file of rows, if something was erased since the last time; false if the file is too large. A
    /// database server does so by itself.
    pub async fn compact_small(&self, database: &Settings) -> Result<bool, Error> {
        let waiting = self.store.read(|tx| tx.uncompacted_erasure()).await?;
        let size = database.file_size()?;
        let (Some(_), Some(size)) = (waiting, size) else {
            return Ok(true);
        };
        if size > MAX_COMPACTED_BYTES {
            return Ok(false);
        }
        self.compact(database).await?;
        Ok(true)
    }

    /// Removes what was erased from the free space of the database's files. False if a reader kept the WAL from being
    /// emptied: it is tried again.
    pub async fn compact(&self, database: &Settings) -> Result<bool, Error> {
        let until = self.store.read(|tx| tx.uncompacted_erasure()).await?;
        let database = database.clone();
        let compacted = tokio::task::spawn_blocking(move || database.compact());
        let compacted = compacted.await.map_err(|error| Error::Internal(error.into()))??;
        if let Some(until) = until.filter(|_| compacted) {
            self.store.write(move |tx| tx.note_compacted(until)).await?;
        }
        Ok(compacted)
    }
}
