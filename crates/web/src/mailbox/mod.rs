//! `/mailbox`: the messages that a sandbox without a mail server or SMS gateway would have sent, newest
//! first. It has one-time codes and signing links, so it requires this machine or the operator's token.

mod access;

use crate::Web;
use crate::page::{PageError, PageResult, see_other};
pub(crate) use access::MailboxAccess;
pub use access::MailboxToken;
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use domain::{Causes, Channel};
use serde::Deserialize;
use store::{Mail, MailRow};
use wire::Date;

/// Messages on the page.
const PAGE_MESSAGES: usize = 100;
/// Messages for programs: all that are kept.
const JSON_MESSAGES: usize = 500;

const PAGE_POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; \
                           frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/// An email is untrusted HTML: it may have styles and links, and nothing else.
const EMAIL_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; \
                            form-action 'none'; sandbox allow-popups allow-popups-to-escape-sandbox";

#[derive(Template)]
#[template(path = "mailbox.html")]
struct MailboxPage {
    messages: String,
    newest: MailRow,
    empty: bool,
}

#[derive(Template)]
#[template(path = "mailbox_messages.html")]
struct MailboxMessages {
    messages: Vec<MailboxMessage>,
}

struct MailboxMessage {
    seq: MailRow,
    email: bool,
    recipient: String,
    subject: String,
    text: String,
    at: Date,
}

#[derive(Deserialize)]
struct MailboxQuery {
    #[serde(default)]
    after: i64,
}

pub(crate) fn routes() -> Router<Web> {
    let asset = |kind: &'static str, text: &'static str| {
        get(
            move |_: MailboxAccess| async move { ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")], text) },
        )
    };
    Router::new()
        .route("/mailbox", get(page))
        .route("/mailbox.json", get(list))
        .route("/mailbox/letters", get(messages))
        .route("/mailbox/{seq}/html", get(email))
        .route(
            "/mailbox/style.css",
            asset("text/css; charset=utf-8", include_str!("../assets/mailbox.css")),
        )
        .route(
            "/mailbox/script.js",
            asset(
                "text/javascript; charset=utf-8",
                include_str!("../assets/mailbox.js"),
            ),
        )
}

/// The token goes from the address into a cookie, so that it is neither in the browser's history nor on the screen.
async fn page(access: MailboxAccess, State(web): State<Web>) -> PageResult {
    if access.is_by_address
        && let Some(token) = &web.settings.mailbox
    {
        let mut response = see_other("/mailbox");
        access::remember(&mut response, token, web.settings.base_url.starts_with("https:"));
        return Ok(response);
    }
    let mails = read(&web, MailRow::ZERO, PAGE_MESSAGES).await?;
    let newest = mails.first().map_or(MailRow::ZERO, |mail| mail.seq);
    let page = MailboxPage {
        empty: mails.is_empty(),
        messages: render_messages(&web, mails),
        newest,
    };
    // The template is checked when the program is built, and it writes to memory.
    Ok(html(PAGE_POLICY, page.render().unwrap_or_default()))
}

/// The messages after a sequence number, as HTML.
async fn messages(_: MailboxAccess, State(web): State<Web>, Query(query): Query<MailboxQuery>) -> PageResult {
    let mails = read(&web, MailRow(query.after), PAGE_MESSAGES).await?;
    if mails.is_empty() {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Ok(html(PAGE_POLICY, render_messages(&web, mails)))
}

/// The same for programs.
async fn list(_: MailboxAccess, State(web): State<Web>, Query(query): Query<MailboxQuery>) -> PageResult {
    let mails = read(&web, MailRow(query.after), JSON_MESSAGES).await?;
    let mails = mails.into_iter().map(|mail| {
        serde_json::json!({
            "seq": mail.seq.0,
            "messageId": mail.message_id,
            "channel": channel(mail.channel),
            "to": mail.recipient,
            "subject": mail.subject,
            "text": mail.text,
            "html": mail.html,
            "at": Date::new(mail.at, &web.settings.timezone),
        })
    });
    let mails: Vec<_> = mails.collect();
    let messages = Json(serde_json::json!({ "messages": mails }));
    Ok(([(CACHE_CONTROL, "no-store")], messages).into_response())
}

/// The HTML of an email, for its iframe.
async fn email(_: MailboxAccess, State(web): State<Web>, Path(seq): Path<i64>) -> PageResult {
    let mail = web.app.store.read(move |tx| tx.mail(MailRow(seq))).await;
    let Some(mail) = mail.map_err(|error| unavailable(&error))? else {
        return Ok(StatusCode::NOT_FOUND.into_response());
    };
    // Its links lead out of the frame.
    let email = mail.html.replacen("<head>", "<head><base target=\"_blank\">", 1);
    Ok(html(EMAIL_POLICY, email))
}

async fn read(web: &Web, after: MailRow, limit: usize) -> Result<Vec<Mail>, PageError> {
    let mails = web.app.store.read(move |tx| tx.mailbox(after, limit)).await;
    mails.map_err(|error| unavailable(&error).into())
}

fn unavailable(error: &store::Error) -> Response {
    tracing::error!(error = %Causes(&error), "the mailbox cannot be read");
    (
        StatusCode::INTERNAL_SERVER_ERROR,
        "El buzón no está disponible.\n",
    )
        .into_response()
}

fn render_messages(web: &Web, mails: Vec<Mail>) -> String {
    let message = |mail: Mail| MailboxMessage {
        seq: mail.seq,
        email: mail.channel == Channel::Email,
        recipient: mail.recipient,
        subject: mail.subject,
        text: mail.text,
        at: Date::new(mail.at, &web.settings.timezone),
    };
    let messages = MailboxMessages {
        messages: mails.into_iter().map(message).collect(),
    };
    messages.render().unwrap_or_default()
}

const fn channel(channel: Channel) -> &'static str {
    match channel {
        Channel::Email => "email",
        Channel::Sms => "sms",
    }
}

fn html(policy: &'static str, body: String) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, policy),
        (CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("referrer-policy"), "no-referrer"),
        (HeaderName::from_static("x-content-type-options"), "nosniff"),
    ];
    (headers, body).into_response()
}
