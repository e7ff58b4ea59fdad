//! Sends account emails to panel users. They are leased and settled like messages to signers. They are few,
//! so a small batch is enough.

pub mod compose;

use crate::backoff;
use crate::failure::stage;
use crate::outbox::settings::OutboxSettings;
use crate::shutdown::stop_requested;
use crate::transports::{ComposeContext, Transports, redactions};
use crate::{Failure, MessageId};
use app::{App, SystemRandom};
use domain::limits::PASSWORD_LINK_LIFETIME;
use domain::{AccountEmailKind, Channel, Timestamp};
use std::sync::Arc;
use std::time::Duration;
use store::{LeasedAccountEmail, Mail, SendOutcome, SettledAccountEmail};
use tokio::sync::watch;

/// Emails that are sent at the same time.
const MAX_CONCURRENT_EMAILS: usize = 8;
/// How long an email without a link is tried.
const NOTICE_TTL: Duration = Duration::from_hours(48);

/// An email and its result; with the built-in mailbox, the mail to store.
type TriedEmail = (LeasedAccountEmail, Result<Option<Mail>, Failure>);

/// Sends what is due until it is stop to stop.
pub(crate) async fn run(
    app: App,
    transports: Arc<Transports>,
    context: ComposeContext,
    settings: OutboxSettings,
    stopping: watch::Receiver<bool>,
) {
    let wakeup = app.wakeups.account_emails.clone();
    let mut stop = stopping.clone();
    while !*stopping.borrow() {
        let more = send_some(&app, &transports, &context, settings).await;
        if more {
            continue;
        }
        tokio::select! {
            () = wakeup.notified() => {}
            () = tokio::time::sleep(settings.poll) => {}
            () = stop_requested(&mut stop) => {}
        }
    }
}

/// Takes what is due and sends it; whether there may be more.
async fn send_some(
    app: &App,
    transports: &Arc<Transports>,
    context: &ComposeContext,
    settings: OutboxSettings,
) -> bool {
    let now = app.clock.now();
    let until = now.after(settings.lease);
    let taken = app
        .store
        .write(move |tx| tx.take_account_emails(now, until, MAX_CONCURRENT_EMAILS));
    let emails = match taken.await {
        Ok(emails) => emails,
        Err(error) => {
            tracing::warn!(%error, "letters cannot be read");
            return false;
        }
    };
    let full = emails.len() == MAX_CONCURRENT_EMAILS;
    let mut sending = tokio::task::JoinSet::new();
    for email in emails {
        let (transports, context) = (transports.clone(), context.clone());
        sending.spawn(async move {
            let sent =
                tokio::time::timeout(settings.attempt, transports.send_account_email(&email, &context)).await;
            let sent = sent.unwrap_or_else(|_| Err(Failure::transient("no answer in time")));
            (email, sent)
        });
    }
    let tried = sending.join_all().await;
    if tried.is_empty() {
        return false;
    }
    settle(app, tried).await && full
}

/// Writes down what came of them. Where the database does not take it, they are sent again when the lease ends.
async fn settle(app: &App, tried: Vec<TriedEmail>) -> bool {
    let now = app.clock.now();
    let mut mails = Vec::new();
    let mut settled = Vec::with_capacity(tried.len());
    for (email, sent) in tried {
        let outcome = match sent {
            Ok(mail) => {
                mails.extend(mail);
                SendOutcome::Sent { at: now }
            }
            Err(failure) => put_off(&email, &failure, now),
        };
        note(app, &email, &outcome);
        settled.push(SettledAccountEmail {
            seq: email.seq,
            attempt: email.attempt,
            outcome,
        });
    }
    let written = app.store.write(move |tx| {
        tx.settle_account_emails(&settled)?;
        if mails.is_empty() {
            return Ok(());
        }
        tx.put_into_mailbox(&mails)
    });
    match written.await {
        Ok(()) => true,
        Err(error) => {
            tracing::warn!(%error, "what came of letters is not written down");
            false
        }
    }
}

fn put_off(email: &LeasedAccountEmail, failure: &Failure, now: Timestamp) -> SendOutcome {
    let reason = failure.reason().to_owned();
    let next = now.after(backoff::pause(email.created_at, now, &mut SystemRandom));
    match failure {
        Failure::Transient(_) if next < send_deadline(email) => {
            SendOutcome::Postponed { until: next, reason }
        }
        _ => SendOutcome::Dead { reason },
    }
}

/// When the email is no longer worth sending.
pub(crate) fn send_deadline(email: &LeasedAccountEmail) -> Timestamp {
    email.created_at.after(match email.kind {
        AccountEmailKind::FirstPassword | AccountEmailKind::NewPassword => PASSWORD_LINK_LIFETIME,
        AccountEmailKind::AccountExists
        | AccountEmailKind::PasswordChanged
        | AccountEmailKind::SecondFactorOff
        | AccountEmailKind::RecoveryCodesRenewed => NOTICE_TTL,
    })
}

fn note(app: &App, email: &LeasedAccountEmail, outcome: &SendOutcome) {
    use app::shared::delivery_counts::DeliveryOutcome;
    let (seq, attempt) = (email.seq.0, email.attempt);
    let outcome = match outcome {
        SendOutcome::Postponed { reason, .. } => {
            tracing::warn!(seq, attempt, stage = stage(reason), "a letter was put off");
            DeliveryOutcome::PutOff
        }
        SendOutcome::Dead { reason } => {
            tracing::error!(seq, attempt, stage = stage(reason), "a letter was given up");
            DeliveryOutcome::GivenUp
        }
        SendOutcome::Sent { .. } | SendOutcome::Returned => DeliveryOutcome::Sent,
    };
    app.delivery_counts.count(Channel::Email, outcome);
}

impl Transports {
    async fn send_account_email(
        &self,
        email: &LeasedAccountEmail,
        context: &ComposeContext,
    ) -> Result<Option<Mail>, Failure> {
        let link = open_link(email, context)?;
        let composed = compose::compose(email, &link);
        let id = MessageId::of_account_email(email.seq, email.created_at, &self.host);
        let sent = self
            .send_email(
                id,
                &email.company,
                &email.recipient,
                Some(&email.name),
                composed,
                context,
            )
            .await;
        sent.map_err(|failure| failure.without(&redactions(&email.recipient, Some(&link))))
    }
}

/// The link that the email carries, while it is worth sending.
fn open_link(email: &LeasedAccountEmail, context: &ComposeContext) -> Result<String, Failure> {
    match email.kind {
        AccountEmailKind::FirstPassword | AccountEmailKind::NewPassword => {}
        AccountEmailKind::AccountExists
        | AccountEmailKind::PasswordChanged
        | AccountEmailKind::SecondFactorOff
        | AccountEmailKind::RecoveryCodesRenewed => return Ok(String::new()),
    }
    if context.clock.now() >= send_deadline(email) {
        return Err(Failure::permanent("the link expired before it could be sent"));
    }
    let sealed = email.secret.as_deref().unwrap_or_default();
    let link = context.secrets.open("letter", sealed);
    let link = link.and_then(|link| String::from_utf8(link).ok());
    link.ok_or_else(|| Failure::permanent("the link cannot be opened: is the master key the right one?"))
}
