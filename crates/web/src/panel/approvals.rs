//! `/panel/approvals`: signed folios that await approval, in companies that use it. A verdict over several
//! asks for confirmation first: it is final.

use super::auth::{PanelRequest, RequireSupervisor};
use super::csrf_form::CsrfForm;
use super::folios::{FolioListItem, FolioQuery, ListPages, caller};
use super::layout::{PanelLayout, Section};
use crate::page::{FormFields, PageResult};
use app::folios::list::Listing;
use app::folios::read::Lookup;
use app::{BatchOutcome, BatchOutcomes, Error};
use askama::Template;
use axum::response::Response;
use domain::{FolioId, FolioState, Observation, limits};

/// The queue.
#[derive(Debug, Template)]
#[template(path = "panel/approvals.html")]
pub(crate) struct ApprovalsPage {
    pub(crate) f: PanelLayout,
    pub(crate) rows: Vec<FolioListItem>,
    pub(crate) pages: ListPages,
    pub(crate) error: Option<&'static str>,
}

/// The question before a verdict.
#[derive(Debug, Template)]
#[template(path = "panel/verdict.html")]
pub(crate) struct VerdictPage {
    pub(crate) f: PanelLayout,
    pub(crate) approve: bool,
    /// Identifiers and names.
    pub(crate) folios: Vec<(String, String)>,
    pub(crate) typed: String,
    pub(crate) error: Option<String>,
}

pub(crate) async fn page(RequireSupervisor(request): RequireSupervisor) -> PageResult {
    let number = |name| {
        request
            .query(name)
            .and_then(|text| text.parse().ok())
            .unwrap_or(0)
    };
    let notice = request.done().map(|done| {
        request
            .l
            .approved_or_rejected(done == "approved", number("n"), number("failed"))
    });
    queue(&request, notice, None).await
}

async fn queue(request: &PanelRequest, notice: Option<String>, error: Option<&'static str>) -> PageResult {
    if !request.session.company.approval {
        return Err(request.error_page(Error::NotFound).into());
    }
    let query = FolioQuery::unfiltered(request);
    let listing = Listing {
        state: Some(FolioState::Signed),
        kept: true,
        before: query.start.before,
        ..Listing::default()
    };
    let page = request
        .web
        .app
        .list_folios(request.user().company, listing)
        .await
        .map_err(|error| request.error_page(error))?;
    let f = request.frame(Section::Approvals).with_notice(notice);
    let page = ApprovalsPage {
        rows: page
            .folios
            .iter()
            .map(|folio| FolioListItem::new(folio, f.now))
            .collect(),
        pages: query.pages(f.l, "/panel/approvals", &page, None),
        error,
        f,
    };
    if error.is_some() {
        return Ok(request.page_with_errors(&page));
    }
    Ok(request.page(&page))
}

/// `POST /panel/approvals`: a verdict over the folios that were ticked.
pub(crate) async fn decide(
    RequireSupervisor(request): RequireSupervisor,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let mut ids: Vec<FolioId> = form.all("folio").filter_map(|id| id.parse().ok()).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.truncate(limits::BATCH_FOLIOS);
    if ids.is_empty() {
        return queue(&request, None, Some(request.l.approvals_nobody())).await;
    }
    let approve = form.get("verdict") == "approve";
    if !form.has("sure") {
        return ask(&request, approve, ids, String::new(), None).await;
    }
    let outcomes = if approve {
        request.web.app.approve_folios(caller(&request), ids).await
    } else {
        let typed = form.get("observation").to_owned();
        match Observation::new(typed.clone()) {
            Ok(why) => {
                request
                    .web
                    .app
                    .disapprove_folios(caller(&request), ids, why)
                    .await
            }
            Err(problem) => {
                let error = Some(request.l.problem(&problem));
                return ask(&request, approve, ids, typed, error).await;
            }
        }
    };
    let outcomes = outcomes.map_err(|error| request.error_page(error))?;
    Ok(redirect_with_outcome(&request, approve, &outcomes, &form))
}

/// Redirects to the page the user came from, with the outcome.
fn redirect_with_outcome(
    request: &PanelRequest,
    approve: bool,
    outcomes: &BatchOutcomes,
    form: &FormFields,
) -> Response {
    let done = outcomes
        .iter()
        .filter(|(_, outcome)| *outcome == BatchOutcome::Done)
        .count();
    let word = if approve { "approved" } else { "disapproved" };
    match outcomes.as_slice() {
        [(id, BatchOutcome::Done)] if form.all("folio").count() == 1 => {
            request.redirect(&format!("/panel/folios/{id}?done={word}"))
        }
        _ => {
            let failed = outcomes.len() - done;
            request.redirect(&format!("/panel/approvals?done={word}&n={done}&failed={failed}"))
        }
    }
}

async fn ask(
    request: &PanelRequest,
    approve: bool,
    ids: Vec<FolioId>,
    typed: String,
    error: Option<String>,
) -> PageResult {
    if !request.session.company.approval {
        return Err(request.error_page(Error::NotFound).into());
    }
    let found = request
        .web
        .app
        .read_folios(caller(request).into(), ids.clone())
        .await
        .map_err(|error| request.error_page(error))?;
    let own = |id: &FolioId| match found.get(id) {
        Some(Lookup::Own(stored)) => Some((id.to_string(), stored.folio.name.as_str().to_owned())),
        _ => None,
    };
    let folios: Vec<(String, String)> = ids.iter().filter_map(own).collect();
    if folios.is_empty() {
        return Err(request.error_page(Error::NotFound).into());
    }
    let wrong = error.is_some();
    let page = VerdictPage {
        f: request.frame(Section::Approvals),
        approve,
        folios,
        typed,
        error,
    };
    if wrong {
        return Ok(request.page_with_errors(&page));
    }
    Ok(request.page(&page))
}

/// The pages with made-up data.
pub(super) fn samples(l: crate::page::PanelLang) -> Vec<crate::signer::samples::Sample> {
    use super::folios::samples::listed;
    use super::sample_data::{NOW, frame, sample};
    let f = || frame(l, Section::Approvals, app::panel::Role::Supervisor);
    let queue = |count, error| ApprovalsPage {
        f: f(),
        rows: listed(count, Some(FolioState::Signed))
            .iter()
            .map(|folio| FolioListItem::new(folio, NOW))
            .collect(),
        pages: ListPages {
            range: (count > 0).then(|| l.range(26, 25 + count, None)),
            own: "/panel/approvals".to_owned(),
            previous: (count > 0).then(|| "/panel/approvals".to_owned()),
            next: (count > 0).then(|| "/panel/approvals?before=7".to_owned()),
        },
        error,
    };
    let verdict = |approve, error: Option<String>| VerdictPage {
        f: f(),
        approve,
        folios: listed(3, None)
            .into_iter()
            .map(|folio| (folio.id.to_string(), folio.name))
            .collect(),
        typed: String::new(),
        error,
    };
    let missing = l.problem(&domain::FieldError::Missing);
    vec![
        sample(l, "approvals", &queue(4, None)),
        sample(l, "approvals-nobody", &queue(2, Some(l.approvals_nobody()))),
        sample(l, "approvals-none", &queue(0, None)),
        sample(l, "approve", &verdict(true, None)),
        sample(l, "disapprove", &verdict(false, Some(missing))),
    ]
}
