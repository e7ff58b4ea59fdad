//! Sends account emails to panel users. They are leased and settled like messages to signers. They are few,
//! so a small batch is enough.

use crate::backoff;
use crate::failure::stage;
use crate::panel_letter;
use crate::post::{Office, Post, private};
use crate::worker::{Settings, told_to_stop};
use crate::{Failure, MessageId};
use app::{App, SystemRandom};
use domain::limits::PASSWORD_LINK_LIFETIME;
use domain::{Channel, LetterKind, Timestamp};
use std::sync::Arc;
use std::time::Duration;
use store::{AccountEmailRow, Mail, SendOutcome, SettledAccountEmail};
use tokio::sync::watch;

/// Emails that are sent at the same time.
const AT_ONCE: usize = 8;
/// How long an email without a link is tried.
const PATIENCE: Duration = Duration::from_hours(48);

/// An email and its result; with the built-in mailbox, the mail to store.
type Tried = (AccountEmailRow, Result<Option<Mail>, Failure>);

/// Sends what is due until it is told to stop.
pub(crate) async fn run(
    app: App,
    post: Arc<Post>,
    office: Office,
    settings: Settings,
    stopping: watch::Receiver<bool>,
) {
    let bell = app.letter_bell.clone();
    let mut told = stopping.clone();
    while !*stopping.borrow() {
        let more = send_some(&app, &post, &office, settings).await;
        if more {
            continue;
        }
        tokio::select! {
            () = bell.rung() => {}
            () = tokio::time::sleep(settings.poll) => {}
            () = told_to_stop(&mut told) => {}
        }
    }
}

/// Takes what is due and sends it; whether there may be more.
async fn send_some(app: &App, post: &Arc<Post>, office: &Office, settings: Settings) -> bool {
    let now = app.clock.now();
    let until = now.after(settings.lease);
    let taken = app
        .store
        .write(move |tx| tx.take_account_emails(now, until, AT_ONCE));
    let letters = match taken.await {
        Ok(letters) => letters,
        Err(error) => {
            tracing::warn!(%error, "letters cannot be read");
            return false;
        }
    };
    let full = letters.len() == AT_ONCE;
    let mut sending = tokio::task::JoinSet::new();
    for letter in letters {
        let (post, office) = (post.clone(), office.clone());
        sending.spawn(async move {
            let sent = tokio::time::timeout(settings.attempt, post.send_letter(&letter, &office)).await;
            let sent = sent.unwrap_or_else(|_| Err(Failure::passing("no answer in time")));
            (letter, sent)
        });
    }
    let tried = sending.join_all().await;
    if tried.is_empty() {
        return false;
    }
    settle(app, tried).await && full
}

/// Writes down what came of them. Where the database does not take it, they are sent again when the lease ends.
async fn settle(app: &App, tried: Vec<Tried>) -> bool {
    let now = app.clock.now();
    let mut mails = Vec::new();
    let mut settled = Vec::with_capacity(tried.len());
    for (letter, sent) in tried {
        let outcome = match sent {
            Ok(mail) => {
                mails.extend(mail);
                SendOutcome::Sent { at: now }
            }
            Err(failure) => put_off(&letter, &failure, now),
        };
        note(app, &letter, &outcome);
        settled.push(SettledAccountEmail {
            seq: letter.seq,
            attempt: letter.attempt,
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

fn put_off(letter: &AccountEmailRow, failure: &Failure, now: Timestamp) -> SendOutcome {
    let reason = failure.reason().to_owned();
    let next = now.after(backoff::pause(letter.created_at, now, &mut SystemRandom));
    match failure {
        Failure::Passing(_) if next < worthless_at(letter) => SendOutcome::Postponed { until: next, reason },
        _ => SendOutcome::Dead { reason },
    }
}

/// When the email is no longer worth sending.
pub(crate) fn worthless_at(letter: &AccountEmailRow) -> Timestamp {
    letter.created_at.after(match letter.kind {
        LetterKind::FirstPassword | LetterKind::NewPassword => PASSWORD_LINK_LIFETIME,
        LetterKind::AccountExists
        | LetterKind::PasswordChanged
        | LetterKind::SecondFactorOff
        | LetterKind::RecoveryCodesRenewed => PATIENCE,
    })
}

fn note(app: &App, letter: &AccountEmailRow, outcome: &SendOutcome) {
    use app::deliveries::Outcome;
    let (seq, attempt) = (letter.seq, letter.attempt);
    let outcome = match outcome {
        SendOutcome::Postponed { reason, .. } => {
            tracing::warn!(seq, attempt, stage = stage(reason), "a letter was put off");
            Outcome::PutOff
        }
        SendOutcome::Dead { reason } => {
            tracing::error!(seq, attempt, stage = stage(reason), "a letter was given up");
            Outcome::GivenUp
        }
        SendOutcome::Sent { .. } | SendOutcome::Returned => Outcome::Sent,
    };
    app.deliveries.count(Channel::Email, outcome);
}

impl Post {
    async fn send_letter(&self, letter: &AccountEmailRow, office: &Office) -> Result<Option<Mail>, Failure> {
        let link = open_link(letter, office)?;
        let composed = panel_letter::compose(letter, &link);
        let id = MessageId::of_letter(letter.seq, letter.created_at, &self.host);
        let sent = self
            .send_email(
                id,
                &letter.company,
                &letter.recipient,
                Some(&letter.name),
                composed,
                office,
            )
            .await;
        sent.map_err(|failure| failure.without(&private(&letter.recipient, Some(&link))))
    }
}

/// The link that the email carries, while it is worth sending.
fn open_link(letter: &AccountEmailRow, office: &Office) -> Result<String, Failure> {
    match letter.kind {
        LetterKind::FirstPassword | LetterKind::NewPassword => {}
        LetterKind::AccountExists
        | LetterKind::PasswordChanged
        | LetterKind::SecondFactorOff
        | LetterKind::RecoveryCodesRenewed => return Ok(String::new()),
    }
    if office.clock.now() >= worthless_at(letter) {
        return Err(Failure::permanent("the link expired before it could be sent"));
    }
    let sealed = letter.secret.as_deref().unwrap_or_default();
    let link = office.secrets.open("letter", sealed);
    let link = link.and_then(|link| String::from_utf8(link).ok());
    link.ok_or_else(|| Failure::permanent("the link cannot be opened: is the master key the right one?"))
}
