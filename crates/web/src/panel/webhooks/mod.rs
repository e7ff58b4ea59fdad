//! Webhooks: the registered addresses, and the deliveries to each.

pub(super) mod delivery;
pub(super) mod kinds;
pub(super) mod replay;
mod samples;

pub(super) use samples::samples;

use super::auth::{PanelRequest, RequireAdministrator};
use super::confirm::ConfirmPage;
use super::csrf_form::CsrfForm;
use super::layout::{PanelLayout, Section};
use crate::page::{PageError, PageResult};
use app::Error;
use app::webhooks::DeliveryLog;
use askama::Template;
use axum::extract::Path;
use domain::{DeliveryId, WebhookId};
use kinds::KindsForm;
use replay::ReplayForm;
use store::{AttemptRow, DeliveryRow, DeliveryState, WebhookDelivery, WebhookRow};

/// Deliveries on a page.
const DELIVERIES_PER_PAGE: usize = 20;
/// Attempts shown of a message: the last ones, as many as are made before it is given up.
const MAX_SHOWN_ATTEMPTS: usize = 10;
/// Characters of what an address is for.
const MAX_LABEL_CHARS: usize = 60;

/// The list, with the form for one more.
#[derive(Debug, Template)]
#[template(path = "panel/webhooks.html")]
pub(crate) struct WebhooksPage {
    pub(crate) f: PanelLayout,
    pub(crate) webhooks: Vec<WebhookRow>,
    pub(crate) typed: WebhookForm,
}

/// The form of a new webhook, and its errors.
#[derive(Debug, Default)]
pub(crate) struct WebhookForm {
    pub(crate) address: String,
    pub(crate) label: String,
    pub(crate) kinds: KindsForm,
    /// The error of the address.
    pub(crate) error: Option<&'static str>,
}

/// A secret, shown once.
#[derive(Debug, Template)]
#[template(path = "panel/webhook_secret.html")]
pub(crate) struct SecretPage {
    pub(crate) f: PanelLayout,
    pub(crate) id: WebhookId,
    pub(crate) secret: String,
    /// Whether there was another before, which signs for a day longer.
    pub(crate) again: bool,
}

/// A webhook and its deliveries.
#[derive(Debug, Template)]
#[template(path = "panel/webhook.html")]
pub(crate) struct WebhookPage {
    pub(crate) f: PanelLayout,
    pub(crate) webhook: WebhookRow,
    pub(crate) kinds: KindsForm,
    pub(crate) replay: ReplayForm,
    pub(crate) deliveries: Vec<(WebhookDelivery, Vec<AttemptRow>)>,
    /// Where older messages begin.
    pub(crate) older: Option<DeliveryRow>,
}

/// `GET /panel/webhooks`.
pub(crate) async fn page(RequireAdministrator(request): RequireAdministrator) -> PageResult {
    let notice = (request.done().as_deref() == Some("removed")).then(|| request.l.webhook_removed());
    let page = load_page(&request, WebhookForm::default())
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.page(&WebhooksPage {
        f: page.f.with_notice(notice),
        ..page
    }))
}

async fn load_page(request: &PanelRequest, typed: WebhookForm) -> Result<WebhooksPage, Error> {
    Ok(WebhooksPage {
        f: request.frame(Section::Webhooks),
        webhooks: request.web.app.webhooks(request.user().company).await?,
        typed,
    })
}

/// `POST /panel/webhooks`: adds an address, and shows its secret.
pub(crate) async fn add(
    RequireAdministrator(request): RequireAdministrator,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let app = &request.web.app;
    let mut typed = WebhookForm {
        address: form.get("address").trim().chars().take(2048).collect(),
        label: form.get("label").trim().chars().take(MAX_LABEL_CHARS).collect(),
        kinds: KindsForm::sent(&form),
        error: None,
    };
    let (address, kinds) = (app.policy.webhooks.address(&typed.address), typed.kinds.choice());
    if kinds.is_none() {
        typed.kinds.error = Some(request.l.webhook_kinds_none());
    }
    match (address, kinds) {
        (Err(bad), _) => typed.error = Some(request.l.bad_address(bad)),
        (Ok(_), None) => {}
        (Ok(address), Some(kinds)) => match app
            .add_webhook(request.actor(), address, typed.label.clone(), kinds)
            .await
        {
            Ok(Some((id, secret))) => {
                return Ok(request.page(&SecretPage {
                    f: request.frame(Section::Webhooks),
                    id,
                    secret: secret.reveal().to_owned(),
                    again: false,
                }));
            }
            Ok(None) => typed.error = Some(request.l.webhooks_full()),
            Err(error) => return Err(request.error_page(error).into()),
        },
    }
    let page = load_page(&request, typed)
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.page_with_errors(&page))
}

/// `GET /panel/webhooks/{webhook}`.
pub(crate) async fn one(
    RequireAdministrator(request): RequireAdministrator,
    Path(webhook): Path<String>,
) -> PageResult {
    let l = request.l;
    let id = webhook_id(&request, &webhook)?;
    if request.done().as_deref() == Some("replayed") {
        let notice = l.replayed(replay::queued(&request));
        let mut page = endpoint_page(&request, id, Some(&notice)).await?;
        page.replay = ReplayForm::after_replay(&request);
        return Ok(request.page(&page));
    }
    let notice = match request.done().as_deref() {
        Some("test") => Some(l.webhook_tested()),
        Some("resent") => Some(l.webhook_resent()),
        Some("disabled") => Some(l.webhook_disabled()),
        Some("enabled") => Some(l.webhook_enabled()),
        Some("kinds") => Some(l.webhook_kinds_saved()),
        _ => None,
    };
    Ok(request.page(&endpoint_page(&request, id, notice).await?))
}

/// The page of a webhook.
async fn endpoint_page(
    request: &PanelRequest,
    id: WebhookId,
    notice: Option<&str>,
) -> Result<WebhookPage, PageError> {
    let before = request.query("before").and_then(|number| number.parse().ok());
    let company = request.user().company;
    let shown = request
        .web
        .app
        .webhook_log(company, id, before, DELIVERIES_PER_PAGE + 1, MAX_SHOWN_ATTEMPTS)
        .await;
    let (webhook, log) = shown.map_err(|error| request.error_page(error))?;
    let f = request.frame(Section::Webhooks).with_notice(notice);
    Ok(shown_page(f, webhook, log))
}

fn shown_page(f: PanelLayout, webhook: WebhookRow, mut log: DeliveryLog) -> WebhookPage {
    let more = log.deliveries.len() > DELIVERIES_PER_PAGE;
    log.deliveries.truncate(DELIVERIES_PER_PAGE);
    let older = log.deliveries.last().filter(|_| more).map(|last| last.seq);
    let with_attempts = |delivery: WebhookDelivery| {
        let attempts = log.attempts.remove(&delivery.seq).unwrap_or_default();
        (delivery, attempts)
    };
    WebhookPage {
        f,
        kinds: KindsForm::of(&webhook.kinds),
        replay: ReplayForm::default(),
        webhook,
        deliveries: log.deliveries.into_iter().map(with_attempts).collect(),
        older,
    }
}

/// `POST /panel/webhooks/{webhook}/test`.
pub(crate) async fn test(
    RequireAdministrator(request): RequireAdministrator,
    Path(webhook): Path<String>,
    _: CsrfForm,
) -> PageResult {
    let id = webhook_id(&request, &webhook)?;
    let tried = request.web.app.try_webhook(request.actor(), id).await;
    after(&request, id, tried, "test")
}

/// `POST /panel/webhooks/deliveries/{delivery}/resend`.
pub(crate) async fn resend(
    RequireAdministrator(request): RequireAdministrator,
    Path(delivery): Path<String>,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let Ok(delivery): Result<DeliveryId, _> = delivery.parse() else {
        return Err(request.error_page(Error::NotFound).into());
    };
    let id = request
        .web
        .app
        .resend_webhook(request.actor(), delivery)
        .await
        .map_err(|error| request.error_page(error))?;
    if form.get("from") == "delivery" {
        return Ok(request.redirect(&format!("/panel/webhooks/deliveries/{delivery}?done=resent")));
    }
    after(&request, id, Ok(()), "resent")
}

/// `POST /panel/webhooks/{webhook}/disable`.
pub(crate) async fn disable(
    RequireAdministrator(request): RequireAdministrator,
    Path(webhook): Path<String>,
    _: CsrfForm,
) -> PageResult {
    let id = webhook_id(&request, &webhook)?;
    let set = request
        .web
        .app
        .set_webhook_enabled(request.actor(), id, false)
        .await;
    after(&request, id, set, "disabled")
}

/// `POST /panel/webhooks/{webhook}/enable`.
pub(crate) async fn enable(
    RequireAdministrator(request): RequireAdministrator,
    Path(webhook): Path<String>,
    _: CsrfForm,
) -> PageResult {
    let id = webhook_id(&request, &webhook)?;
    let set = request
        .web
        .app
        .set_webhook_enabled(request.actor(), id, true)
        .await;
    after(&request, id, set, "enabled")
}

/// `POST /panel/webhooks/{webhook}/secret`: asks first, and shows the new one.
pub(crate) async fn secret(
    RequireAdministrator(request): RequireAdministrator,
    Path(webhook): Path<String>,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let l = request.l;
    let row = found(&request, &webhook).await?;
    if form.get("sure").is_empty() {
        let question = (
            l.webhook_secret_title(),
            l.webhook_secret_lead(),
            l.webhook_new_secret(),
        );
        return Ok(request.page(&ConfirmPage {
            lasting: false,
            ..confirm(&request, &row, "secret", question)
        }));
    }
    let secret = request
        .web
        .app
        .rotate_webhook_secret(request.actor(), row.id)
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.page(&SecretPage {
        f: request.frame(Section::Webhooks),
        id: row.id,
        secret: secret.reveal().to_owned(),
        again: true,
    }))
}

/// `POST /panel/webhooks/{webhook}/remove`: asks first.
pub(crate) async fn remove(
    RequireAdministrator(request): RequireAdministrator,
    Path(webhook): Path<String>,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let l = request.l;
    let row = found(&request, &webhook).await?;
    if form.get("sure").is_empty() {
        let question = (
            l.webhook_remove_title(),
            l.webhook_remove_lead(),
            l.webhook_remove(),
        );
        return Ok(request.page(&confirm(&request, &row, "remove", question)));
    }
    request
        .web
        .app
        .remove_webhook(request.actor(), row.id)
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.redirect("/panel/webhooks?done=removed"))
}

async fn found(request: &PanelRequest, webhook: &str) -> Result<WebhookRow, PageError> {
    let id = webhook_id(request, webhook)?;
    let found = request.web.app.webhook(request.user().company, id).await;
    found.map_err(|error| request.error_page(error).into())
}

/// The webhook that an address names.
fn webhook_id(request: &PanelRequest, webhook: &str) -> Result<WebhookId, PageError> {
    let id = webhook.parse();
    id.map_err(|_| request.error_page(Error::NotFound).into())
}

fn confirm(
    request: &PanelRequest,
    row: &WebhookRow,
    act: &str,
    (title, lead, button): (&str, &str, &str),
) -> ConfirmPage {
    ConfirmPage {
        f: request.frame(Section::Webhooks),
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

fn after(request: &PanelRequest, id: WebhookId, outcome: Result<(), Error>, done: &str) -> PageResult {
    outcome.map_err(|error| request.error_page(error))?;
    Ok(request.redirect(&format!("/panel/webhooks/{id}?done={done}")))
}
