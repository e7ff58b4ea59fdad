//! The worker that reminds signers of pending folios by the schedule of their company. Any number of instances share the
//! work: a transaction locks the folios, and queues a reminder only for those that are still due, so that each is queued
//! once. Nothing is leased, and a dead instance holds nothing.

use crate::folios::reminder_schedule::{NextReminder, PendingFolio};
use crate::workers::projector::zone_named;
use crate::workers::queue_position::QueuePosition;
use crate::workers::run_span::run_span;
use crate::{App, Error};
use domain::limits::MAX_CLOCK_SKEW;
use domain::{Causes, Timestamp};
use jiff::tz::TimeZone;
use std::collections::HashSet;
use std::time::Duration;
use store::{DueReminders, FolioRow, Queue, Reminded, ReminderDays, ReminderPlan, StoredFolio, Tx};
use tracing::Instrument;

/// Folios of one transaction: it locks them, and acts on them wait.
const MAX_BATCH_FOLIOS: usize = 50;
/// Folios that are planned anew in one transaction.
const MAX_REPLANNED_FOLIOS: usize = 1000;
const POLL_INTERVAL: Duration = Duration::from_secs(30);
/// How long after a change of the schedule the folios are planned anew. No transaction of an act or of the projector that
/// read the earlier schedule is open for so long.
pub(crate) const REPLAN_DELAY: Duration = Duration::from_mins(1);

/// What a look at the folios that were due did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReminderRun {
    /// Folios that were looked at.
    pub folios: usize,
    /// Reminders that were queued.
    pub queued: usize,
}

impl App {
    /// Reminds signers until the task is dropped.
    pub async fn run_reminders(self) {
        let position = QueuePosition::start(Queue::Reminders);
        loop {
            let looked = self.remind_due_from(&position).instrument(run_span("reminders"));
            let looked = match looked.await {
                Ok(run) => run.folios,
                Err(error) => {
                    tracing::warn!(error = %Causes(&error), "reminders could not be queued");
                    0
                }
            };
            if looked == 0 {
                // A wakeup and the timeout mean the same: look again.
                let _ = tokio::time::timeout(POLL_INTERVAL, self.wakeups.reminders.notified()).await;
            }
        }
    }

    /// Looks at a batch of folios that are due.
    pub async fn remind_due(&self) -> Result<ReminderRun, Error> {
        self.remind_due_from(&QueuePosition::start(Queue::Reminders))
            .await
    }

    async fn remind_due_from(&self, position: &QueuePosition) -> Result<ReminderRun, Error> {
        let now = self.clock.now();
        let replanned = self.replan(now).await?;
        let due = position.due_times(&self.store, now).await?;
        let due = self.store.read(move |tx| tx.due_reminders(due, MAX_BATCH_FOLIOS));
        let Some(due) = due.await? else {
            return Ok(ReminderRun {
                folios: replanned,
                queued: 0,
            });
        };
        let folios = replanned + due.folios.len();
        let zone = self.notary.timezone().clone();
        let queued = self.store.write(move |tx| remind(tx, &due, &zone, now)).await?;
        if queued > 0 {
            self.reminder_counts.add(queued as u64);
            self.wakeups.outbox.notify();
        }
        Ok(ReminderRun { folios, queued })
    }

    /// Has a batch of folios looked at whose company changed its schedule. Returns how many.
    async fn replan(&self, now: Timestamp) -> Result<usize, Error> {
        let horizon = now.after(REPLAN_DELAY).after(MAX_CLOCK_SKEW);
        let waits = self
            .store
            .read(move |tx| tx.has_reminder_replan(now, horizon))
            .await?;
        if !waits {
            return Ok(0);
        }
        let replanned = move |tx: &mut Tx<'_>| tx.replan_some_reminders(now, horizon, MAX_REPLANNED_FOLIOS);
        Ok(self.store.write(replanned).await?)
    }
}

/// Queues the reminders of those of these folios that are still due. Returns how many.
fn remind(
    tx: &mut Tx<'_>,
    due: &DueReminders,
    installation: &TimeZone,
    now: Timestamp,
) -> Result<usize, Error> {
    let Some((days, zone)) = tx.reminder_days(due.company)? else {
        return Ok(0);
    };
    let zone = zone_named(zone.as_deref()).unwrap_or_else(|| installation.clone());
    let locked = tx.lock_folios(due.company, &due.folios)?;
    let rows: Vec<FolioRow> = locked.iter().map(|stored| stored.seq).collect();
    // Another instance may have looked at them while this one waited for the locks.
    let reminded = tx.reminded_folios(&rows, now)?;
    let unreachable = tx.unreachable_signers(&rows)?;
    let mut plans = Vec::new();
    let mut over = Vec::new();
    for stored in &locked {
        let Some(reminded) = reminded.get(&stored.seq) else {
            continue;
        };
        match plan(stored, *reminded, days, &zone, &unreachable, now) {
            Some(plan) => plans.push(plan),
            None => over.push(stored.seq),
        }
    }
    tx.settle_reminders(due.company, &plans, now)?;
    tx.end_reminders(&over)?;
    Ok(plans.iter().map(|plan| plan.messages.len()).sum())
}

/// What becomes of a folio; nothing where it can no longer be signed.
fn plan(
    stored: &StoredFolio,
    reminded: Reminded,
    days: ReminderDays,
    zone: &TimeZone,
    unreachable: &HashSet<(FolioRow, domain::SignerIndex)>,
    now: Timestamp,
) -> Option<ReminderPlan> {
    let folio = &stored.folio;
    if !folio.may_remind(now) {
        return None;
    }
    let pending = |reminded| PendingFolio {
        created_at: folio.created_at,
        expires_at: folio.expires_at,
        reminded,
    };
    let reminded = pending(reminded).counted_from(now).reminded;
    let mut plan = ReminderPlan {
        folio: stored.seq,
        messages: Vec::new(),
        reminded,
        next: None,
    };
    let mut next = NextReminder::of(days, &pending(reminded), zone, now);
    if let NextReminder::Now { counts } = next {
        plan.messages = folio
            .remind(|signer| unreachable.contains(&(stored.seq, signer)), now)
            .ok()?;
        plan.reminded = Reminded {
            sent: reminded.sent + i64::from(counts),
            last: Some(now),
        };
        next = NextReminder::of(days, &pending(plan.reminded), zone, now);
    }
    plan.next = match next {
        NextReminder::At(at) => Some(at),
        // One reminder a look: what a schedule would have due at once waits for the next.
        NextReminder::Now { .. } => Some(now.after(POLL_INTERVAL)),
        NextReminder::Never => None,
    };
    Some(plan)
}
