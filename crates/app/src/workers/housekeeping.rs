//! Hourly housekeeping: deletes old responses, codes, sessions, account emails, acts of the audit, logged API requests,
//! webhook deliveries and sheets of expired folios, and drops folios past their retention.

use crate::panel::FAILURE_RETENTION;
use crate::workers::run_span::run_span;
use crate::{App, Error};
use domain::Causes;
use domain::limits::{CODES_DAY, DRAFT_LIFETIME, IDEMPOTENCY_LIFETIME, PANEL_IDLE};
use std::time::Duration;
use store::Tx;
use tracing::Instrument;

/// The time between two runs.
const RUN_INTERVAL: Duration = Duration::from_hours(1);
/// Rows deleted or changed in one transaction: a long one holds up the others.
const MAX_BATCH_ROWS: usize = 1000;
/// How long the outcome of an account email is kept.
const ACCOUNT_EMAIL_RETENTION: Duration = Duration::from_hours(24 * 30);

/// How long after its end a folio keeps sheets: acts and clocks that are late find what they expect.
const EXPIRED_SHEET_RETENTION: Duration = Duration::from_hours(24);
/// Only folios that expired within this time are searched. If every run missed one, its sheets stay until it is cancelled or
/// erased.
const EXPIRED_SHEET_WINDOW: Duration = Duration::from_hours(24 * 7);

/// How long an invitation that was not accepted is kept.
const INVITATION_RETENTION: Duration = Duration::from_hours(24 * 30);
/// How long a completed sign-in by an identity provider is known: longer than its browser may take.
const USED_SIGN_IN_RETENTION: Duration = Duration::from_hours(1);
/// How long a draft of which a folio was made is known: its form sent again leads to the folio.
const MADE_DRAFT_RETENTION: Duration = Duration::from_hours(24);
/// How long a document's row outlives its draft: until the sweeper has removed the blob.
const RELEASED_FILE_RETENTION: Duration = Duration::from_hours(24 * 7);

impl App {
    /// Runs every hour until the task is dropped. Several instances may run at the same time.
    pub async fn run_housekeeping(self) {
        let mut period = tokio::time::interval(RUN_INTERVAL);
        loop {
            period.tick().await;
            match self.delete_old_responses().await {
                Ok(deleted) => tracing::debug!(deleted, "old responses of idempotency keys deleted"),
                Err(error) => {
                    tracing::warn!(error = %Causes(&error), "old responses of idempotency keys could not be deleted");
                }
            }
            if let Err(error) = self.delete_old_signing_rows().await {
                tracing::warn!(error = %Causes(&error), "old codes, resends and signers' sessions could not be deleted");
            }
            if let Err(error) = self.delete_old_panel_rows().await {
                tracing::warn!(error = %Causes(&error), "old rows of the panel could not be deleted");
            }
            match self.delete_old_acts().await {
                Ok(deleted) => tracing::debug!(deleted, "old acts of the audit deleted"),
                Err(error) => {
                    tracing::warn!(error = %Causes(&error), "old acts of the audit could not be deleted");
                }
            }
            match self.delete_old_api_requests().await {
                Ok(deleted) => tracing::debug!(deleted, "old API requests deleted from the log"),
                Err(error) => {
                    tracing::warn!(error = %Causes(&error), "old API requests could not be deleted from the log");
                }
            }
            match self.delete_old_deliveries().await {
                Ok(deleted) => tracing::debug!(deleted, "old webhook deliveries deleted"),
                Err(error) => {
                    tracing::warn!(error = %Causes(&error), "old webhook deliveries could not be deleted");
                }
            }
            match self.delete_expired_sheets().await {
                Ok(folios) => tracing::debug!(folios, "sheets of expired folios deleted"),
                Err(error) => {
                    tracing::warn!(error = %Causes(&error), "sheets of expired folios could not be deleted");
                }
            }
            match self.drop_past_retention().await {
                Ok(dropped) => tracing::debug!(dropped, "folios past their retention dropped"),
                Err(error) => {
                    tracing::warn!(error = %Causes(&error), "folios past their retention could not be dropped");
                }
            }
        }
    }

    /// Deletes responses that are no longer kept, by the database's clock. Returns how many.
    pub async fn delete_old_responses(&self) -> Result<u64, Error> {
        let renewed = self.in_batches(|tx, max| {
            let clock = tx.database_clock()?;
            tx.renew_responses_ahead(clock, max)
        });
        renewed.await?;
        let deleted = self.in_batches(|tx, max| {
            let clock = tx.database_clock()?;
            tx.delete_old_responses(clock.before(IDEMPOTENCY_LIFETIME), max)
        });
        Ok(deleted.await?)
    }

    /// Deletes the sheets that were drawn for folios which expired unsigned; of how many folios.
    pub async fn delete_expired_sheets(&self) -> Result<u64, Error> {
        let until = self.clock.now().before(EXPIRED_SHEET_RETENTION);
        let from = until.before(EXPIRED_SHEET_WINDOW);
        let deleted = self.in_batches(move |tx, max| tx.delete_expired_sheets(from, until, max));
        Ok(deleted.await?)
    }

    /// Deletes or changes a batch after the other, until there is no full one. Returns how many rows.
    pub(super) async fn in_batches(
        &self,
        change: impl Fn(&mut Tx<'_>, usize) -> Result<u64, store::Error> + Clone + Send + 'static,
    ) -> Result<u64, store::Error> {
        let mut all = 0;
        loop {
            let change = change.clone();
            let changed = self.store.write(move |tx| change(tx, MAX_BATCH_ROWS));
            let changed = changed.instrument(run_span("housekeeping")).await?;
            all += changed;
            if changed < MAX_BATCH_ROWS as u64 {
                return Ok(all);
            }
        }
    }

    /// Deletes codes, resends and signers' sessions of which no rule knows any more. Returns how many rows of the most
    /// numerous kind.
    async fn delete_old_signing_rows(&self) -> Result<u64, Error> {
        let yesterday = self.clock.now().before(CODES_DAY);
        let deleted = self.in_batches(move |tx, max| {
            let deleted = [
                tx.delete_old_codes(yesterday, max)?,
                tx.delete_old_signer_sessions(yesterday, max)?,
                tx.delete_old_resends(yesterday, max)?,
            ];
            Ok(deleted.into_iter().max().unwrap_or(0))
        });
        Ok(deleted.await?)
    }

    /// Deletes expired sessions, password links, invitations, drafts, counters of failures and account emails. Returns how
    /// many rows.
    pub async fn delete_old_panel_rows(&self) -> Result<u64, Error> {
        let now = self.clock.now();
        let deleted = self.in_batches(move |tx, max| {
            let deleted = [
                tx.delete_old_panel_sessions(now.before(PANEL_IDLE), max)?,
                tx.delete_old_password_links(now, max)?,
                tx.delete_used_sign_ins(now.before(USED_SIGN_IN_RETENTION), max)?,
                tx.delete_old_invitations(now.before(INVITATION_RETENTION), max)?,
                tx.delete_old_failures(now.before(FAILURE_RETENTION), max)?,
                tx.delete_old_drafts(
                    now.before(DRAFT_LIFETIME),
                    now.before(MADE_DRAFT_RETENTION),
                    max,
                    now,
                )?,
                tx.delete_released_draft_files(now.before(RELEASED_FILE_RETENTION), max)?,
                tx.delete_old_account_emails(now.before(ACCOUNT_EMAIL_RETENTION), max)?,
            ];
            Ok(deleted.into_iter().max().unwrap_or(0))
        });
        Ok(deleted.await?)
    }
}
