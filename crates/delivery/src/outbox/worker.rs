//! The outbox worker: leases due messages, sends them, and records the outcome. It runs the account emails, too.

use crate::Failure;
use crate::account_emails::AccountEmails;
use crate::lease_worker::{LeaseWorker, LeasedWork, UnderWay};
use crate::outbox::attachments::{Attached, Attachments};
use crate::outbox::settings::OutboxSettings;
use crate::outbox::settle::{SettledMessages, settled_messages};
use crate::transports::{ComposeContext, SendResult, Transports};
use app::messages::SendFailure;
use app::workers::queue_position::QueuePosition;
use app::{App, Heartbeat, Wakeup};
use domain::{AccountEmailKind, Causes};
use std::collections::BTreeMap;
use std::sync::Arc;
use store::{LeasedMessage, Mail, MessageRow, Queue, SendOutcome};

/// Messages leased together with the first ones of their recipients.
const MAX_QUEUED_BEHIND: usize = 48;

/// The running workers of the outbox and of the account emails.
#[derive(Debug)]
pub struct OutboxWorker {
    outbox: LeaseWorker,
    account_emails: LeaseWorker,
}

impl OutboxWorker {
    /// Starts it. Needs a tokio runtime.
    pub fn start(app: App, transports: Transports, settings: OutboxSettings) -> Self {
        let transports = Arc::new(transports);
        let context = ComposeContext {
            clock: app.clock.clone(),
            secrets: app.outbox_secrets.clone(),
            links: app.links.clone(),
            zone: app.notary.timezone().clone(),
            base_url: app.notary.base_url().into(),
        };
        let account_emails = AccountEmails {
            app: app.clone(),
            transports: transports.clone(),
            context: context.clone(),
            settings,
        };
        let outbox = Outbox {
            app,
            transports,
            context,
            settings,
            position: QueuePosition::start(Queue::Outbox),
            attachments: Attachments::default(),
        };
        Self {
            outbox: LeaseWorker::start(outbox, settings.lease_settings()),
            account_emails: LeaseWorker::start(account_emails, settings.lease_settings()),
        }
    }

    /// Finishes what is under way and gives back the rest, unless the database does not take it in time: then it is
    /// taken over by others.
    pub async fn stop(self) {
        tokio::join!(self.outbox.stop(), self.account_emails.stop());
    }
}

struct Outbox {
    app: App,
    transports: Arc<Transports>,
    context: ComposeContext,
    settings: OutboxSettings,
    position: QueuePosition,
    attachments: Attachments,
}

/// A message that was taken, and whether it takes of the capacity for codes.
#[derive(Clone)]
pub(crate) struct TakenMessage {
    pub(crate) leased: LeasedMessage,
    as_code: bool,
}

impl Outbox {
    /// Free capacity: for codes, for recipients of other messages, and in total. Neither kind takes all of
    /// it, however slow the server is.
    fn free_capacity(&self, under_way: &UnderWay<TakenMessage>) -> (usize, usize, usize) {
        let parallel = self.settings.parallel;
        let share = parallel.saturating_sub((parallel / 4).max(1)).max(1);
        let is_of_codes = |group: &&Vec<TakenMessage>| group.first().is_some_and(|taken| taken.as_code);
        let codes = under_way.values().filter(is_of_codes).count();
        let others = under_way.len() - codes;
        let free = parallel.saturating_sub(codes + others);
        (
            share.saturating_sub(codes).min(free),
            share.saturating_sub(others).min(free),
            free,
        )
    }

    /// Writes outcomes in one transaction.
    async fn write_together(&self, settled: Arc<SettledMessages>) -> Result<(), store::Error> {
        let now = self.app.clock.now();
        let dead = settled
            .messages
            .iter()
            .filter(|one| matches!(one.outcome, SendOutcome::Dead { .. }));
        let given_up: Vec<MessageRow> = dead.map(|one| one.seq).collect();
        let any_given_up = !given_up.is_empty();
        let written = self.app.store.write(move |tx| {
            let erased = tx.settle_messages(&settled.messages)?;
            tx.queue_sender_notices(&given_up, AccountEmailKind::MessageUndelivered, now)?;
            let is_kept = |mail: &&Mail| {
                !erased
                    .iter()
                    .any(|seq| mail.message_id.starts_with(&format!("{seq}.")))
            };
            let mails: Vec<Mail> = settled.mails.iter().filter(is_kept).cloned().collect();
            if mails.is_empty() {
                return Ok(());
            }
            tx.put_into_mailbox(&mails)
        });
        written.await?;
        if any_given_up {
            self.app.wakeups.account_emails.notify();
        }
        Ok(())
    }

    /// Writes each outcome in a transaction of its own. Where the database refuses one, as that of a folio with a damaged
    /// history, only the message's row is written: it holds up no other message, and is not sent again.
    async fn write_one_by_one(&self, settled: &SettledMessages) -> Result<(), store::Error> {
        for message in &settled.messages {
            let Err(error) = self.write_together(Arc::new(settled.only(message))).await else {
                continue;
            };
            if !error.is_refusal() {
                return Err(error);
            }
            let seq = message.seq.0;
            tracing::error!(error = %Causes(&error), seq, "what became of a message is missing in the history of its folio: the database refuses it");
            self.write_together(Arc::new(SettledMessages::untold(message)))
                .await?;
        }
        Ok(())
    }
}

impl LeasedWork for Outbox {
    type Row = TakenMessage;
    type Outcome = SendResult;
    type Settled = SettledMessages;

    const NAME: &'static str = "outbox worker";

    fn row_number(taken: &TakenMessage) -> i64 {
        taken.leased.seq.0
    }

    fn wakeup(&self) -> &Wakeup {
        &self.app.wakeups.outbox
    }

    fn heartbeat(&self) -> &Heartbeat {
        &self.app.heartbeat
    }

    /// Codes first. A group is one recipient's.
    async fn take(&self, under_way: &UnderWay<TakenMessage>) -> Result<Vec<Vec<TakenMessage>>, store::Error> {
        let (codes, others, free) = self.free_capacity(under_way);
        if codes + others == 0 {
            return Ok(Vec::new());
        }
        let now = self.app.clock.now();
        let due = self.position.due_times(&self.app.store, now).await?;
        let (heartbeat, length) = (self.app.heartbeat.clone(), self.settings.lease);
        let taken = self.app.store.write(move |tx| {
            let lease = heartbeat.lease(tx, length)?;
            let codes = tx.take_codes(due, &lease, codes)?;
            let others = others.min(free.saturating_sub(codes.len()));
            let rest = tx.take_messages(due, &lease, others, MAX_QUEUED_BEHIND)?;
            Ok::<_, store::Error>((codes, rest))
        });
        let (codes, rest) = taken.await?;
        let mut groups = by_recipient(codes, true);
        groups.extend(by_recipient(rest, false));
        Ok(groups)
    }

    async fn attempt(&self, taken: &TakenMessage) -> SendResult {
        let sending = async {
            let leased = &taken.leased;
            let attached = if self.transports.takes_attachments() {
                self.attachments.of(&self.app, leased).await
            } else {
                Attached::default()
            };
            self.transports
                .send(leased, &attached.copies, &self.context)
                .await
        };
        let sent = tokio::time::timeout(self.settings.attempt, sending).await;
        sent.unwrap_or_else(|_| Err(Failure::transient(SendFailure::NoAnswer)))
    }

    /// A message must not overtake one that is postponed.
    fn ends_group(sent: &SendResult) -> bool {
        matches!(sent, Err(Failure::Transient(_)))
    }

    fn settled(&self, reports: Vec<(TakenMessage, Option<SendResult>)>) -> SettledMessages {
        let reports = reports.into_iter().map(|(taken, sent)| (taken.leased, sent));
        settled_messages(&self.app, &self.transports, reports)
    }

    async fn write(&self, settled: Arc<SettledMessages>) -> Result<(), store::Error> {
        match self.write_together(Arc::clone(&settled)).await {
            Err(error) if error.is_refusal() => self.write_one_by_one(&settled).await,
            written => written,
        }
    }

    /// A message that was sent and not recorded would be sent again.
    fn may_retry(error: &store::Error) -> bool {
        !matches!(error, store::Error::Closed)
    }
}

/// The messages of each recipient, in their order.
fn by_recipient(messages: Vec<LeasedMessage>, as_code: bool) -> Vec<Vec<TakenMessage>> {
    let mut groups: BTreeMap<String, Vec<TakenMessage>> = BTreeMap::new();
    for leased in messages {
        let group = groups.entry(leased.recipient.clone()).or_default();
        group.push(TakenMessage { leased, as_code });
    }
    groups.into_values().collect()
}
