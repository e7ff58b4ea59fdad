//! `POST /panel/folios/acts`: cancels the folios that were chosen in the list, or writes to their signers again. Asks first.

use super::caller;
use super::list::list_page;
use super::list_query::FolioQuery;
use crate::page::PageResult;
use crate::panel::auth::{PanelRequest, RequireSupervisor};
use crate::panel::csrf_form::CsrfForm;
use crate::panel::layout::{PanelLayout, Section};
use app::folios::read::Lookup;
use app::{BatchOutcome, Error, IdempotentResult};
use askama::Template;
use domain::{Correction, Folio, FolioId, FolioState, Observation, SignerState, limits};

/// The question.
#[derive(Debug, Template)]
#[template(path = "panel/several_folios.html")]
pub(crate) struct SeveralPage {
    pub(crate) f: PanelLayout,
    pub(crate) cancels: bool,
    /// Identifiers and names.
    pub(crate) folios: Vec<(String, String)>,
    pub(crate) action: String,
    pub(crate) back: String,
    pub(crate) typed: String,
    pub(crate) error: Option<String>,
}

impl SeveralPage {
    pub(crate) const fn title(&self) -> &'static str {
        if self.cancels {
            self.f.l.several_cancel_title()
        } else {
            self.f.l.several_resend_title()
        }
    }

    pub(crate) const fn lead(&self) -> &'static str {
        if self.cancels {
            self.f.l.several_cancel_lead()
        } else {
            self.f.l.several_resend_lead()
        }
    }
}

pub(crate) async fn act(
    RequireSupervisor(request): RequireSupervisor,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let mut ids: Vec<FolioId> = form.all("folio").filter_map(|id| id.parse().ok()).collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() {
        return list_page(&request, None, Some(request.l.several_nobody())).await;
    }
    if ids.len() > limits::CANCEL_FOLIOS {
        return list_page(&request, None, Some(request.l.several_many())).await;
    }
    let cancels = form.get("act") == "cancel";
    let folios = own_folios(&request, &ids).await?;
    if folios.is_empty() {
        return Err(request.error_page(Error::NotFound).into());
    }
    let typed = form.get("observation");
    if !form.has("sure") {
        return Ok(request.page(&question(&request, cancels, &folios, "", None)));
    }
    if !cancels {
        return resend(&request, folios, ids.len()).await;
    }
    match Observation::new(typed) {
        Ok(observation) => cancel(&request, ids, observation).await,
        Err(problem) => {
            let error = Some(request.l.problem(&problem));
            Ok(request.page_with_errors(&question(&request, cancels, &folios, typed, error)))
        }
    }
}

async fn own_folios(request: &PanelRequest, ids: &[FolioId]) -> Result<Vec<Folio>, crate::page::PageError> {
    let app = &request.web.app;
    let mut found = app
        .read_folios(caller(request).into(), ids.to_vec())
        .await
        .map_err(|error| request.error_page(error))?;
    let own = |id: &FolioId| match found.remove(id) {
        Some(Lookup::Own(stored)) => Some(stored.folio),
        _ => None,
    };
    Ok(ids.iter().filter_map(own).collect())
}

fn question(
    request: &PanelRequest,
    cancels: bool,
    folios: &[Folio],
    typed: &str,
    error: Option<String>,
) -> SeveralPage {
    let query = FolioQuery::of(request);
    SeveralPage {
        f: request.frame(Section::Folios),
        cancels,
        folios: folios
            .iter()
            .map(|folio| (folio.id.to_string(), folio.name.as_str().to_owned()))
            .collect(),
        action: query.address("/panel/folios/acts", query.state),
        back: query.address("/panel/folios", query.state),
        typed: typed.to_owned(),
        error,
    }
}

async fn cancel(request: &PanelRequest, ids: Vec<FolioId>, observation: Observation) -> PageResult {
    let count = ids.len();
    let cancelled = request
        .web
        .app
        .cancel_folios(caller(request), ids, false, observation, None)
        .await
        .map_err(|error| request.error_page(error))?;
    let done = match &cancelled {
        IdempotentResult::Fresh(outcomes) => outcomes
            .iter()
            .filter(|(_, outcome)| *outcome == BatchOutcome::Done)
            .count(),
        IdempotentResult::Replayed(_) => 0,
    };
    Ok(back_with(request, "cancelled", done, count - done))
}

/// One act after the other, each with its own limit against too many messages: of several, some may be refused.
async fn resend(request: &PanelRequest, folios: Vec<Folio>, count: usize) -> PageResult {
    let (app, now) = (&request.web.app, request.web.app.clock.now());
    let mut done = 0;
    for folio in folios {
        if folio.state != FolioState::Pending || folio.dropped || folio.is_expired(now) {
            continue;
        }
        let waiting = folio
            .signers
            .iter()
            .filter(|signer| signer.state == SignerState::Pending);
        // The contacts of the folio as it was read are not named: a system that corrects one meanwhile is not undone.
        let again = |signer: &domain::Signer| Correction {
            document_number: signer.document_number.clone(),
            email: None,
            mobile: None,
        };
        let corrections = waiting.map(again).collect();
        let resent = app.resend_emails(caller(request), folio.id, corrections, None, None);
        match resent.await {
            Ok(_) => done += 1,
            Err(Error::TooOften { .. } | Error::Refused(_)) => {}
            Err(error) => return Err(request.error_page(error).into()),
        }
    }
    Ok(back_with(request, "resent", done, count - done))
}

fn back_with(request: &PanelRequest, word: &str, done: usize, failed: usize) -> axum::response::Response {
    let query = FolioQuery::of(request);
    let back = query.address("/panel/folios", query.state);
    let mark = if back.contains('?') { '&' } else { '?' };
    request.redirect(&format!("{back}{mark}done={word}&n={done}&failed={failed}"))
}
