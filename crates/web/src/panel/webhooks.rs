//! Webhooks: the registered addresses, and the deliveries to each.

mod samples;

pub(super) use samples::samples;

use super::confirm::ConfirmPage;
use super::desk::{Administer, Desk};
use super::frame::{Frame, Place};
use super::posted::Posted;
use app::Error;
use app::webhooks::DeliveryLog;
use askama::Template;
use axum::extract::Path;
use axum::response::Response;
use domain::WebhookId;
use store::{AttemptRow, DeliveryRow, DeliveryState, WebhookRow};

/// Deliveries on a page.
const PAGE: usize = 20;
/// Attempts shown of a message: the last ones, as many as are made before it is given up.
const ATTEMPTS: usize = 10;
/// Characters of what an address is for.
const LABEL: usize = 60;

/// The list, with the form for one more.
#[derive(Debug, Template)]
#[template(path = "panel/webhooks.html")]
pub(crate) struct WebhooksPage {
    pub(crate) f: Frame,
    pub(crate) webhooks: Vec<WebhookRow>,
    pub(crate) typed: Typed,
}

/// The form of a new webhook, and its errors.
#[derive(Debug, Default)]
pub(crate) struct Typed {
    pub(crate) address: String,
    pub(crate) label: String,
    pub(crate) error: Option<&'static str>,
}

/// A secret, shown once.
#[derive(Debug, Template)]
#[template(path = "panel/webhook_secret.html")]
pub(crate) struct SecretPage {
    pub(crate) f: Frame,
    pub(crate) id: WebhookId,
    pub(crate) secret: String,
    /// Whether there was another before, which signs for a day longer.
    pub(crate) again: bool,
}

/// A webhook and its deliveries.
#[derive(Debug, Template)]
#[template(path = "panel/webhook.html")]
pub(crate) struct WebhookPage {
    pub(crate) f: Frame,
    pub(crate) webhook: WebhookRow,
    pub(crate) told: Vec<(DeliveryRow, Vec<AttemptRow>)>,
    /// Where older messages begin.
    pub(crate) older: Option<i64>,
}

/// `GET /panel/webhooks`.
pub(crate) async fn page(Administer(desk): Administer) -> Response {
    let notice = (desk.done().as_deref() == Some("removed")).then(|| desk.l.webhook_removed());
    match made(&desk, Typed::default()).await {
        Ok(page) => desk.page(&WebhooksPage {
            f: page.f.saying(notice),
            ..page
        }),
        Err(error) => desk.trouble(error),
    }
}

async fn made(desk: &Desk, typed: Typed) -> Result<WebhooksPage, Error> {
    Ok(WebhooksPage {
        f: desk.frame(Place::Webhooks),
        webhooks: desk.web.app.webhooks(desk.user().company).await?,
        typed,
    })
}

/// `POST /panel/webhooks`: adds an address, and shows its secret.
pub(crate) async fn add(Administer(desk): Administer, Posted(form): Posted) -> Response {
    let app = &desk.web.app;
    let mut typed = Typed {
        address: form.get("address").trim().chars().take(2048).collect(),
        label: form.get("label").trim().chars().take(LABEL).collect(),
        error: None,
    };
    match app.policy.webhooks.address(&typed.address) {
        Err(bad) => typed.error = Some(desk.l.bad_address(bad)),
        Ok(address) => match app.add_webhook(desk.hand(), address, typed.label.clone()).await {
            Ok(Some((id, secret))) => {
                return desk.page(&SecretPage {
                    f: desk.frame(Place::Webhooks),
                    id,
                    secret: secret.reveal().to_owned(),
                    again: false,
                });
            }
            Ok(None) => typed.error = Some(desk.l.webhooks_full()),
            Err(error) => return desk.trouble(error),
        },
    }
    match made(&desk, typed).await {
        Ok(page) => desk.wrong(&page),
        Err(error) => desk.trouble(error),
    }
}

/// `GET /panel/webhooks/{webhook}`.
pub(crate) async fn one(Administer(desk): Administer, Path(webhook): Path<String>) -> Response {
    let l = desk.l;
    let notice = match desk.done().as_deref() {
        Some("test") => Some(l.webhook_tested()),
        Some("resent") => Some(l.webhook_resent()),
        Some("disabled") => Some(l.webhook_disabled()),
        Some("enabled") => Some(l.webhook_enabled()),
        _ => None,
    };
    let before = desk.query("before").and_then(|number| number.parse().ok());
    let shown = match webhook.parse() {
        Ok(id) => {
            desk.web
                .app
                .webhook_log(desk.user().company, id, before, PAGE + 1, ATTEMPTS)
                .await
        }
        Err(_) => Err(Error::NotFound),
    };
    match shown {
        Ok((webhook, log)) => desk.page(&shown_page(
            desk.frame(Place::Webhooks).saying(notice),
            webhook,
            log,
        )),
        Err(error) => desk.trouble(error),
    }
}

fn shown_page(f: Frame, webhook: WebhookRow, mut log: DeliveryLog) -> WebhookPage {
    let more = log.deliveries.len() > PAGE;
    log.deliveries.truncate(PAGE);
    let older = log.deliveries.last().filter(|_| more).map(|last| last.seq);
    let with_attempts = |delivery: DeliveryRow| {
        let attempts = log.attempts.remove(&delivery.seq).unwrap_or_default();
        (delivery, attempts)
    };
    WebhookPage {
        f,
        webhook,
        told: log.deliveries.into_iter().map(with_attempts).collect(),
        older,
    }
}

/// `POST /panel/webhooks/{webhook}/test`.
pub(crate) async fn test(Administer(desk): Administer, Path(webhook): Path<String>, _: Posted) -> Response {
    let Ok(id) = webhook.parse() else {
        return desk.trouble(Error::NotFound);
    };
    let tried = desk.web.app.try_webhook(desk.hand(), id).await;
    after(&desk, id, tried, "test")
}

/// `POST /panel/webhooks/deliveries/{delivery}/resend`.
pub(crate) async fn resend(
    Administer(desk): Administer,
    Path(delivery): Path<String>,
    _: Posted,
) -> Response {
    let Ok(delivery) = delivery.parse() else {
        return desk.trouble(Error::NotFound);
    };
    match desk.web.app.resend_webhook(desk.hand(), delivery).await {
        Ok(id) => after(&desk, id, Ok(()), "resent"),
        Err(error) => desk.trouble(error),
    }
}

/// `POST /panel/webhooks/{webhook}/disable`.
pub(crate) async fn disable(
    Administer(desk): Administer,
    Path(webhook): Path<String>,
    _: Posted,
) -> Response {
    let Ok(id) = webhook.parse() else {
        return desk.trouble(Error::NotFound);
    };
    let set = desk.web.app.set_webhook_enabled(desk.hand(), id, false).await;
    after(&desk, id, set, "disabled")
}

/// `POST /panel/webhooks/{webhook}/enable`.
pub(crate) async fn enable(Administer(desk): Administer, Path(webhook): Path<String>, _: Posted) -> Response {
    let Ok(id) = webhook.parse() else {
        return desk.trouble(Error::NotFound);
    };
    let set = desk.web.app.set_webhook_enabled(desk.hand(), id, true).await;
    after(&desk, id, set, "enabled")
}

/// `POST /panel/webhooks/{webhook}/secret`: asks first, and shows the new one.
pub(crate) async fn secret(
    Administer(desk): Administer,
    Path(webhook): Path<String>,
    Posted(form): Posted,
) -> Response {
    let l = desk.l;
    let row = match found(&desk, &webhook).await {
        Ok(row) => row,
        Err(error) => return desk.trouble(error),
    };
    if form.get("sure").is_empty() {
        let question = (
            l.webhook_secret_title(),
            l.webhook_secret_lead(),
            l.webhook_new_secret(),
        );
        return desk.page(&ConfirmPage {
            lasting: false,
            ..confirm(&desk, &row, "secret", question)
        });
    }
    match desk.web.app.rotate_webhook_secret(desk.hand(), row.id).await {
        Ok(secret) => desk.page(&SecretPage {
            f: desk.frame(Place::Webhooks),
            id: row.id,
            secret: secret.reveal().to_owned(),
            again: true,
        }),
        Err(error) => desk.trouble(error),
    }
}

/// `POST /panel/webhooks/{webhook}/remove`: asks first.
pub(crate) async fn remove(
    Administer(desk): Administer,
    Path(webhook): Path<String>,
    Posted(form): Posted,
) -> Response {
    let l = desk.l;
    let row = match found(&desk, &webhook).await {
        Ok(row) => row,
        Err(error) => return desk.trouble(error),
    };
    if form.get("sure").is_empty() {
        let question = (
            l.webhook_remove_title(),
            l.webhook_remove_lead(),
            l.webhook_remove(),
        );
        return desk.page(&confirm(&desk, &row, "remove", question));
    }
    match desk.web.app.remove_webhook(desk.hand(), row.id).await {
        Ok(()) => desk.go("/panel/webhooks?done=removed"),
        Err(error) => desk.trouble(error),
    }
}

async fn found(desk: &Desk, webhook: &str) -> Result<WebhookRow, Error> {
    let id = webhook.parse().map_err(|_| Error::NotFound)?;
    desk.web.app.webhook(desk.user().company, id).await
}

fn confirm(
    desk: &Desk,
    row: &WebhookRow,
    act: &str,
    (title, lead, button): (&str, &str, &str),
) -> ConfirmPage {
    ConfirmPage {
        f: desk.frame(Place::Webhooks),
        title: title.to_owned(),
        lead: lead.to_owned(),
        lasting: true,
        about: vec![row.address.clone()],
        action: format!("/panel/webhooks/{}/{act}", row.id),
        fields: vec![("sure", "yes".to_owned())],
        button: button.to_owned(),
        back: format!("/panel/webhooks/{}", row.id),
    }
}

fn after(desk: &Desk, id: WebhookId, outcome: Result<(), Error>, done: &str) -> Response {
    match outcome {
        Ok(()) => desk.go(&format!("/panel/webhooks/{id}?done={done}")),
        Err(error) => desk.trouble(error),
    }
}
