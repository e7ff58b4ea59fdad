//! Drops finished folios whose company's retention has ended.

use crate::{App, Error};
use domain::{Actor, Client, Origin};
use std::time::Duration;
use store::Retention;

/// Folios dropped in one transaction.
const MAX_BATCH_FOLIOS: usize = 100;
const DAY: Duration = Duration::from_hours(24);

impl App {
    /// Drops folios past their company's retention. Returns how many.
    pub async fn drop_past_retention(&self) -> Result<usize, Error> {
        let mut dropped = 0;
        for retention in self.store.read(|tx| tx.retentions()).await? {
            dropped += self.drop_past_retention_of(retention).await?;
        }
        Ok(dropped)
    }

    async fn drop_past_retention_of(&self, retention: Retention) -> Result<usize, Error> {
        let (now, company) = (self.clock.now(), retention.company);
        let days = u32::try_from(retention.days).unwrap_or(u32::MAX);
        let before = now.before(DAY.saturating_mul(days));
        let mut all = 0;
        loop {
            let batch = self.store.write(move |tx| {
                let ids = tx.finished_before(retention, before, MAX_BATCH_FOLIOS)?;
                let stored = tx.lock_folios(company, &ids)?;
                let origin = Origin {
                    actor: Actor::Service,
                    client: Client::default(),
                };
                // Another instance may have dropped it already; then there is nothing left to do.
                let old = stored
                    .iter()
                    .filter(|folio| folio.folio.updated_at < Some(before));
                let changes: Vec<_> = old
                    .filter_map(|folio| Some((folio, folio.folio.drop_finished(origin.clone(), now).ok()?)))
                    .collect();
                tx.apply(company, now, &changes)?;
                Ok::<_, Error>(changes.len())
            });
            let batch = batch.await?;
            all += batch;
            self.wakeups.projector.notify();
            if batch < MAX_BATCH_FOLIOS {
                return Ok(all);
            }
        }
    }
}
