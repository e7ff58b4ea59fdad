//! Which kinds of events a webhook gets.

use super::{after, endpoint_page, webhook_id};
use crate::page::{FormFields, PageResult};
use crate::panel::auth::RequireAdministrator;
use crate::panel::csrf_form::CsrfForm;
use axum::extract::Path;
use domain::{WantedKinds, WebhookKind};

/// The boxes of a form, and its error.
#[derive(Debug, Clone)]
pub(crate) struct KindsForm {
    /// The ticked ones.
    pub(super) ticked: Vec<WebhookKind>,
    pub(crate) error: Option<&'static str>,
}

impl Default for KindsForm {
    /// Every box is ticked.
    fn default() -> Self {
        Self::of(&WantedKinds::All)
    }
}

impl KindsForm {
    /// The boxes as an endpoint has them.
    pub(super) fn of(kinds: &WantedKinds) -> Self {
        let ticked = WebhookKind::ALL.into_iter().filter(|kind| kinds.wants(*kind));
        Self {
            ticked: ticked.collect(),
            error: None,
        }
    }

    /// The boxes as they were sent.
    pub(super) fn sent(form: &FormFields) -> Self {
        let ticked = form.all("kind").filter_map(|word| word.parse().ok());
        Self {
            ticked: ticked.collect(),
            error: None,
        }
    }

    /// The choice; `None` if no box is ticked.
    pub(super) fn choice(&self) -> Option<WantedKinds> {
        WantedKinds::choose(&self.ticked)
    }

    /// Every box: its kind, and whether it is ticked.
    pub(crate) fn boxes(&self) -> [(WebhookKind, bool); WebhookKind::ALL.len()] {
        WebhookKind::ALL.map(|kind| (kind, self.ticked.contains(&kind)))
    }
}

/// `POST /panel/webhooks/{webhook}/kinds`.
pub(crate) async fn save(
    RequireAdministrator(request): RequireAdministrator,
    Path(webhook): Path<String>,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let id = webhook_id(&request, &webhook)?;
    let sent = KindsForm::sent(&form);
    if let Some(kinds) = sent.choice() {
        let saved = request
            .web
            .app
            .set_webhook_kinds(request.actor(), id, kinds)
            .await;
        return after(&request, id, saved, "kinds");
    }
    let mut page = endpoint_page(&request, id, None).await?;
    page.kinds = KindsForm {
        error: Some(request.l.webhook_kinds_none()),
        ..sent
    };
    Ok(request.page_with_errors(&page))
}
