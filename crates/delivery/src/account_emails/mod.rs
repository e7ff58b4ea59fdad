//! Sends account emails to panel users. They are leased and settled like messages to signers. They are few,
//! so a few at the same time are enough.

pub mod compose;
mod texts;

use crate::backoff;
use crate::failure::stage;
use crate::lease_worker::{LeasedWork, UnderWay};
use crate::outbox::settings::OutboxSettings;
use crate::transports::{ComposeContext, SendResult, Transports, redactions};
use crate::{Failure, MessageId};
use app::messages::SendFailure;
use app::shared::secrets::ACCOUNT_EMAIL_PURPOSE;
use app::{App, Heartbeat, SystemRandom, Wakeup};
use domain::limits::PASSWORD_LINK_LIFETIME;
use domain::{AccountEmailKind, Channel, Timestamp};
use std::sync::Arc;
use std::time::Duration;
use store::{AccountEmailRow, LeasedAccountEmail, Mail, SendOutcome, SettledAccountEmail};

/// Emails that are sent at the same time.
const MAX_CONCURRENT_EMAILS: usize = 8;
/// How long an email without a link is tried.
const NOTICE_TTL: Duration = Duration::from_hours(48);

/// The account emails, as a lease worker sends them.
pub(crate) struct AccountEmails {
    pub(crate) app: App,
    pub(crate) transports: Arc<Transports>,
    pub(crate) context: ComposeContext,
    pub(crate) settings: OutboxSettings,
}

/// The outcomes of emails as they are written.
pub(crate) struct SettledEmails {
    emails: Vec<SettledAccountEmail>,
    /// What goes into the built-in mailbox.
    mails: Vec<(AccountEmailRow, Mail)>,
}

impl LeasedWork for AccountEmails {
    type Row = LeasedAccountEmail;
    type Outcome = SendResult;
    type Settled = SettledEmails;

    const NAME: &'static str = "account email worker";

    fn row_number(email: &LeasedAccountEmail) -> i64 {
        email.seq.0
    }

    fn wakeup(&self) -> &Wakeup {
        &self.app.wakeups.account_emails
    }

    fn heartbeat(&self) -> &Heartbeat {
        &self.app.heartbeat
    }

    async fn take(
        &self,
        under_way: &UnderWay<LeasedAccountEmail>,
    ) -> Result<Vec<Vec<LeasedAccountEmail>>, store::Error> {
        let room = MAX_CONCURRENT_EMAILS.saturating_sub(under_way.len());
        if room == 0 {
            return Ok(Vec::new());
        }
        let now = self.app.clock.now();
        let (heartbeat, length) = (self.app.heartbeat.clone(), self.settings.lease);
        let taken = self.app.store.write(move |tx| {
            let lease = heartbeat.lease(tx, length)?;
            tx.take_account_emails(now, &lease, room)
        });
        Ok(taken.await?.into_iter().map(|email| vec![email]).collect())
    }

    async fn attempt(&self, email: &LeasedAccountEmail) -> SendResult {
        let sending = self.transports.send_account_email(email, &self.context);
        let sent = tokio::time::timeout(self.settings.attempt, sending).await;
        sent.unwrap_or_else(|_| Err(Failure::transient(SendFailure::NoAnswer)))
    }

    fn settled(&self, reports: Vec<(LeasedAccountEmail, Option<SendResult>)>) -> SettledEmails {
        let now = self.app.clock.now();
        let mut mails = Vec::new();
        let settled = |(email, sent): (LeasedAccountEmail, Option<SendResult>)| {
            let outcome = match sent {
                None => SendOutcome::Returned,
                Some(Ok(handed_over)) => {
                    mails.extend(handed_over.mail.map(|mail| (email.seq, mail)));
                    SendOutcome::Sent { at: now }
                }
                Some(Err(failure)) => put_off(&email, &failure, now),
            };
            count(&self.app, &email, &outcome);
            SettledAccountEmail {
                seq: email.seq,
                attempt: email.attempt,
                outcome,
            }
        };
        let emails = reports.into_iter().map(settled).collect();
        SettledEmails { emails, mails }
    }

    async fn write(&self, settled: Arc<SettledEmails>) -> Result<(), store::Error> {
        let written = self.app.store.write(move |tx| {
            let left = tx.settle_account_emails(&settled.emails)?;
            let kept = settled.mails.iter().filter(|(seq, _)| left.contains(seq));
            let mails: Vec<Mail> = kept.map(|(_, mail)| mail.clone()).collect();
            if mails.is_empty() {
                return Ok(());
            }
            tx.put_into_mailbox(&mails)
        });
        written.await
    }
}

fn put_off(email: &LeasedAccountEmail, failure: &Failure, now: Timestamp) -> SendOutcome {
    let reason = failure.reason().to_owned();
    let next = now.after(backoff::pause(
        email.created_at,
        email.attempt,
        now,
        &mut SystemRandom,
    ));
    match failure {
        Failure::Transient(_) if next < send_deadline(email) => SendOutcome::Postponed {
            at: now,
            until: next,
            reason,
        },
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
        | AccountEmailKind::RecoveryCodesRenewed
        | AccountEmailKind::CompanySignIn
        | AccountEmailKind::MessageUndelivered
        | AccountEmailKind::MessageComplained => NOTICE_TTL,
    })
}

/// Counts the outcome and logs a failure.
fn count(app: &App, email: &LeasedAccountEmail, outcome: &SendOutcome) {
    use app::shared::delivery_counts::DeliveryOutcome;
    let (seq, attempt) = (email.seq.0, email.attempt);
    let outcome = match outcome {
        SendOutcome::Postponed { reason, .. } => {
            tracing::warn!(
                seq,
                attempt,
                stage = stage(reason),
                "an account email was postponed"
            );
            DeliveryOutcome::Postponed
        }
        SendOutcome::Dead { reason } => {
            tracing::error!(
                seq,
                attempt,
                stage = stage(reason),
                "an account email was given up"
            );
            DeliveryOutcome::GivenUp
        }
        SendOutcome::Sent { .. } => DeliveryOutcome::Sent,
        SendOutcome::Superseded | SendOutcome::Returned => return,
    };
    app.delivery_counts.count(Channel::Email, outcome);
}

impl Transports {
    async fn send_account_email(&self, email: &LeasedAccountEmail, context: &ComposeContext) -> SendResult {
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
        AccountEmailKind::FirstPassword | AccountEmailKind::NewPassword | AccountEmailKind::CompanySignIn => {
        }
        AccountEmailKind::MessageUndelivered | AccountEmailKind::MessageComplained => {
            let about = email.about.as_ref();
            let page = about.map(|about| format!("{}/panel/folios/{}", context.base_url, about.folio));
            return page.ok_or_else(|| Failure::permanent(SendFailure::FolioErased));
        }
        AccountEmailKind::AccountExists
        | AccountEmailKind::PasswordChanged
        | AccountEmailKind::SecondFactorOff
        | AccountEmailKind::RecoveryCodesRenewed => return Ok(String::new()),
    }
    if context.clock.now() >= send_deadline(email) {
        return Err(Failure::permanent(SendFailure::LinkExpired));
    }
    let sealed = email.secret.as_deref().unwrap_or_default();
    let link = context.secrets.open(ACCOUNT_EMAIL_PURPOSE, sealed);
    let link = link.and_then(|link| String::from_utf8(link).ok());
    link.ok_or_else(|| Failure::permanent(SendFailure::LinkSealed))
}
