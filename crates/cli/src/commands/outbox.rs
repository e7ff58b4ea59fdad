//! `firmeza outbox`: messages that did not arrive.

use crate::arguments::OutboxAction;
use crate::commands::key::show;
use crate::settings::Settings;
use crate::terminal::say;
use crate::wiring::open_store;
use domain::{AccountEmailKind, Channel, Template};
use std::error::Error;
use std::process::ExitCode;
use store::{AccountEmailRow, HEARTBEAT_LIFETIME, MessageRow, Store, Undelivered, UndeliveredAccountEmail};

/// Messages of one query.
const PAGE_SIZE: usize = 500;

pub(crate) async fn run(settings: &Settings, action: OutboxAction) -> Result<ExitCode, Box<dyn Error>> {
    let store = open_store(settings).await?;
    match action {
        OutboxAction::List { waiting } => {
            list(settings, &store, !waiting).await?;
            list_account_emails(settings, &store, !waiting).await?;
        }
        OutboxAction::Retry { numbers, all } => {
            let now = app::Clock::System.now();
            let named = numbers.len() as u64;
            let asked = (!all).then_some(numbers);
            let retried = store.write(move |tx| {
                let asked = asked.as_deref();
                Ok::<_, store::Error>(tx.retry_messages(now, asked)? + tx.free_messages(now, asked)?)
            });
            let retried = retried.await?;
            say!("Messages to be tried again: {retried}");
            if retried < named {
                say!(
                    "The others were not given up, or are not worth it: codes, messages to an address that was \
                     corrected, and invitations to what can no longer be signed. What an instance is sending is left \
                     to it, until its heartbeat has been missing for {} seconds.",
                    HEARTBEAT_LIFETIME.as_secs()
                );
            }
            if retried == 0 {
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn list(settings: &Settings, store: &Store, given_up: bool) -> Result<(), Box<dyn Error>> {
    say!(
        "{:>8}  {:19}  {:32}  {:5}  {:15}  {:>8}  {:32}  reason",
        "number",
        "written",
        "folio",
        "by",
        "about",
        "attempts",
        "to"
    );
    let mut after = MessageRow::ZERO;
    loop {
        let page = store
            .read(move |tx| tx.undelivered(given_up, after, PAGE_SIZE))
            .await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = last.seq;
        for message in &page {
            say!("{}", line(settings, message));
        }
    }
}

/// Account emails. They cannot be retried: the link is deleted when an email is given up, and people request another.
async fn list_account_emails(
    settings: &Settings,
    store: &Store,
    given_up: bool,
) -> Result<(), Box<dyn Error>> {
    let mut after = AccountEmailRow::ZERO;
    loop {
        let page = store
            .read(move |tx| tx.undelivered_account_emails(given_up, after, PAGE_SIZE))
            .await?;
        let Some(last) = page.last() else { return Ok(()) };
        if after == AccountEmailRow::ZERO {
            println!();
            say!("To people of the panel, who ask for another if one is given up:");
            say!(
                "{:>8}  {:19}  {:16}  {:>8}  {:32}  reason",
                "number",
                "written",
                "about",
                "attempts",
                "to"
            );
        }
        after = last.seq;
        for email in &page {
            say!("{}", account_email_line(settings, email));
        }
    }
}

fn account_email_line(settings: &Settings, email: &UndeliveredAccountEmail) -> String {
    let about = match email.kind {
        AccountEmailKind::FirstPassword => "first password",
        AccountEmailKind::AccountExists => "account exists",
        AccountEmailKind::NewPassword => "new password",
        AccountEmailKind::PasswordChanged => "password changed",
        AccountEmailKind::SecondFactorOff => "second step off",
        AccountEmailKind::RecoveryCodesRenewed => "recovery codes",
        AccountEmailKind::CompanySignIn => "sign-in address",
        AccountEmailKind::MessageUndelivered => "came back",
        AccountEmailKind::MessageComplained => "complaint",
    };
    format!(
        "{:>8}  {:19}  {about:16}  {:>8}  {:32}  {}",
        email.seq,
        show(email.created_at, &settings.timezone),
        email.attempts,
        email.recipient,
        email.last_error.as_deref().unwrap_or("-")
    )
}

fn line(settings: &Settings, message: &Undelivered) -> String {
    let by = match message.channel {
        Channel::Email => "email",
        Channel::Sms => "sms",
    };
    let about = match message.template {
        Template::Invitation => "invitation",
        Template::Reminder => "reminder",
        Template::Cancelled => "cancelled",
        Template::Rejected => "rejected",
        Template::Receipt => "receipt",
        Template::Completed => "completed",
        Template::ContactChanged => "contact changed",
        Template::OtherContact => "other contact",
        Template::Code => "code",
    };
    format!(
        "{:>8}  {:19}  {}  {by:5}  {about:15}  {:>8}  {:32}  {}",
        message.seq,
        show(message.created_at, &settings.timezone),
        message.folio,
        message.attempts,
        message.recipient,
        message.last_error.as_deref().unwrap_or("-")
    )
}
