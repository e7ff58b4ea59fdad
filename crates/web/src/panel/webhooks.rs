//! Webhooks: the addresses that are told of what happens, and what each of them was told.

use super::confirm::ConfirmPage;
use super::desk::{Administer, Desk};
use super::frame::{Frame, Place};
use super::posted::Posted;
use crate::page::Lang;
use app::Error;
use app::webhooks::{BadAddress, DeliveryLog};
use askama::Template;
use axum::extract::Path;
use axum::response::Response;
use domain::{DeliveryId, WebhookId};
use store::{AttemptRow, DeliveryRow, DeliveryState, WebhookRow};

/// Messages shown at once.
const PAGE: usize = 25;
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

/// An address as it was typed, and what is wrong with it.
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

/// One address, and what it was told.
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
                .webhook_log(desk.user().company, id, before, PAGE)
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
    let full = log.deliveries.len() == PAGE;
    let older = log.deliveries.last().filter(|_| full).map(|last| last.seq);
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
    let tried = desk.web.app.try_webhook(desk.user().company, id).await;
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
    match desk.web.app.resend_webhook(desk.user().company, delivery).await {
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

impl Lang {
    /// What is wrong with an address.
    pub(crate) const fn bad_address(self, bad: BadAddress) -> &'static str {
        match bad {
            BadAddress::Malformed => self.webhook_malformed(),
            BadAddress::NotHttps => self.webhook_not_https(),
            BadAddress::Credentials => self.webhook_credentials(),
            BadAddress::TooLong => self.webhook_too_long(),
            BadAddress::NotPublic => self.webhook_not_public(),
        }
    }

    /// How an address is: a shape and a word.
    pub(crate) const fn webhook_state(self, row: &WebhookRow) -> (&'static str, &'static str) {
        if row.disabled_at.is_some() {
            ("over", self.webhook_state_off())
        } else if row.failing_since.is_some() {
            ("bad", self.webhook_state_failing())
        } else {
            ("good", self.webhook_state_on())
        }
    }

    /// Why the service told an address nothing any more.
    pub(crate) fn webhook_note(self, note: &str) -> &'static str {
        match note {
            "gone" => self.webhook_note_gone(),
            _ => self.webhook_note_failing(),
        }
    }

    /// Why an attempt failed, as far as people can do something about it.
    pub(crate) fn attempt_error(self, error: &str) -> &'static str {
        let told = [
            ("redirects", self.attempt_redirect()),
            ("in time", self.attempt_late()),
            ("public address", self.attempt_inside()),
            ("lookup", self.attempt_unknown()),
            ("refused", self.attempt_refused()),
            ("certificate", self.attempt_certificate()),
        ];
        let known = told.into_iter().find(|(mark, _)| error.contains(mark));
        known.map_or_else(|| self.attempt_failed(), |(_, words)| words)
    }

    /// How a message stands: a shape and a word.
    pub(crate) const fn delivery_state(self, state: DeliveryState) -> (&'static str, &'static str) {
        match state {
            DeliveryState::Waiting => ("wait", self.delivery_waiting()),
            DeliveryState::Sent => ("good", self.delivery_sent()),
            DeliveryState::Dead => ("bad", self.delivery_dead()),
        }
    }

    /// What a message tells of.
    pub(crate) fn told_of(self, kind: &str) -> &'static str {
        match kind {
            "folio.created" => self.told_created(),
            "folio.signer_signed" => self.told_signer_signed(),
            "folio.signed" => self.told_signed(),
            "folio.rejected" => self.told_rejected(),
            "folio.cancelled" => self.told_cancelled(),
            "folio.resent" => self.told_resent(),
            "folio.approved" => self.told_approved(),
            "folio.disapproved" => self.told_disapproved(),
            "folio.dropped" => self.told_dropped(),
            _ => self.told_test(),
        }
    }
}

/// The pages with made-up data.
pub(super) fn samples(l: Lang) -> Vec<crate::signer::samples::Sample> {
    use super::samples::{NOW, frame, sample};
    use app::panel::Role;
    use domain::FolioId;
    use std::time::Duration;
    let f = || frame(l, Place::Webhooks, Role::Administrator);
    let ago = |minutes| NOW.before(Duration::from_mins(minutes));
    let webhook = |seq: u8, failing: bool, note: Option<&str>| WebhookRow {
        seq: seq.into(),
        id: WebhookId::from_bytes([seq; 16]),
        address: format!("https://sistemas.losandes.example/firmeza/avisos/{seq}?origen=contratos"),
        label: "ERP de contratos".to_owned(),
        created_at: ago(90_000),
        failing_since: failing.then(|| ago(300)),
        disabled_at: note.map(|_| ago(60)),
        note: note.map(str::to_owned),
        previous_until: None,
    };
    let attempt = |number, status: Option<i64>, error: Option<&str>| AttemptRow {
        delivery: 1,
        number,
        at: ago(40 - u64::try_from(number).unwrap_or_default()),
        millis: 183 * number,
        status,
        error: error.map(str::to_owned),
    };
    let delivery = |seq: u8, kind: &str, state| DeliveryRow {
        seq: seq.into(),
        id: DeliveryId::from_bytes([seq; 16]),
        kind: kind.to_owned(),
        folio: (kind != "webhook.test").then(|| FolioId::from_bytes([seq; 16])),
        state,
        created_at: ago(u64::from(seq) * 7),
        due_at: NOW.after(Duration::from_mins(30)),
        attempts: 2,
    };
    let told = vec![
        (delivery(1, "webhook.test", DeliveryState::Waiting), Vec::new()),
        (
            delivery(2, "folio.signed", DeliveryState::Waiting),
            vec![
                attempt(1, Some(503), None),
                attempt(2, None, Some("connection refused (os error 111)")),
            ],
        ),
        (
            delivery(3, "folio.created", DeliveryState::Sent),
            vec![attempt(1, Some(204), None)],
        ),
        (
            delivery(4, "folio.cancelled", DeliveryState::Dead),
            vec![attempt(1, Some(302), Some("redirects are not followed"))],
        ),
    ];
    let list = |webhooks, typed| WebhooksPage {
        f: f(),
        webhooks,
        typed,
    };
    let wrong = Typed {
        address: "http://10.0.0.1/".to_owned(),
        label: "ERP".to_owned(),
        error: Some(l.webhook_not_public()),
    };
    let one = |webhook, told| WebhookPage {
        f: f().saying(Some(l.webhook_tested())),
        webhook,
        told,
        older: Some(1),
    };
    let secret = |again| SecretPage {
        f: f(),
        id: WebhookId::from_bytes([1; 16]),
        secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=".to_owned(),
        again,
    };
    let some = vec![
        webhook(1, false, None),
        webhook(2, true, None),
        webhook(3, true, Some("failing")),
    ];
    vec![
        sample(l, "webhooks", &list(some, Typed::default())),
        sample(l, "webhooks-empty", &list(Vec::new(), wrong)),
        sample(l, "webhook", &one(webhook(2, true, None), told)),
        sample(
            l,
            "webhook-disabled",
            &one(webhook(3, true, Some("failing")), Vec::new()),
        ),
        sample(l, "webhook-secret", &secret(false)),
        sample(l, "webhook-secret-again", &secret(true)),
    ]
}
