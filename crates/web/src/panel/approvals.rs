//! `/panel/approvals`: signed folios that await approval, in companies that use it. A verdict over several
//! asks for confirmation first: it is final.

use super::desk::{Desk, Supervise};
use super::folios::{FolioRow, caller};
use super::frame::{Frame, Place};
use super::posted::Posted;
use crate::page::Form;
use app::list_folios::Listing;
use app::read_folios::Sought;
use app::{Error, Judged, Judgements};
use askama::Template;
use axum::response::Response;
use domain::{FolioId, FolioState, Observation, limits};

/// The queue.
#[derive(Debug, Template)]
#[template(path = "panel/approvals.html")]
pub(crate) struct ApprovalsPage {
    pub(crate) f: Frame,
    pub(crate) rows: Vec<FolioRow>,
    pub(crate) next: Option<i64>,
    pub(crate) error: Option<&'static str>,
}

/// The question before a verdict.
#[derive(Debug, Template)]
#[template(path = "panel/verdict.html")]
pub(crate) struct VerdictPage {
    pub(crate) f: Frame,
    pub(crate) approve: bool,
    /// Identifiers and names.
    pub(crate) folios: Vec<(String, String)>,
    pub(crate) typed: String,
    pub(crate) error: Option<String>,
}

pub(crate) async fn page(Supervise(desk): Supervise) -> Response {
    let number = |name| desk.query(name).and_then(|text| text.parse().ok()).unwrap_or(0);
    let notice = desk
        .done()
        .map(|done| desk.l.judged(done == "approved", number("n"), number("failed")));
    queue(&desk, notice, None).await
}

async fn queue(desk: &Desk, notice: Option<String>, error: Option<&'static str>) -> Response {
    if !desk.signed.company.approval {
        return desk.trouble(Error::NotFound);
    }
    let listing = Listing {
        state: Some(FolioState::Signed),
        kept: true,
        before: desk.query("before").and_then(|text| text.parse().ok()),
        ..Listing::default()
    };
    let page = match desk.web.app.list_folios(desk.user().company, listing).await {
        Ok(page) => page,
        Err(error) => return desk.trouble(error),
    };
    let f = desk.frame(Place::Approvals).saying(notice);
    let page = ApprovalsPage {
        rows: page
            .folios
            .iter()
            .map(|folio| FolioRow::new(folio, f.now))
            .collect(),
        next: page.next,
        error,
        f,
    };
    if error.is_some() {
        return desk.wrong(&page);
    }
    desk.page(&page)
}

/// `POST /panel/approvals`: a verdict over the folios that were ticked.
pub(crate) async fn judge(Supervise(desk): Supervise, Posted(form): Posted) -> Response {
    let mut ids: Vec<FolioId> = form.all("folio").filter_map(|id| id.parse().ok()).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.truncate(limits::JUDGED_FOLIOS);
    if ids.is_empty() {
        return queue(&desk, None, Some(desk.l.approvals_nobody())).await;
    }
    let approve = form.get("verdict") == "approve";
    if !form.has("sure") {
        return ask(&desk, approve, ids, String::new(), None).await;
    }
    let judged = if approve {
        desk.web.app.approve_folios(caller(&desk), ids).await
    } else {
        let typed = form.get("observation").to_owned();
        match Observation::new(typed.clone()) {
            Ok(why) => desk.web.app.disapprove_folios(caller(&desk), ids, why).await,
            Err(problem) => {
                let error = Some(desk.l.problem(&problem));
                return ask(&desk, approve, ids, typed, error).await;
            }
        }
    };
    match judged {
        Ok(judged) => told(&desk, approve, &judged, &form),
        Err(error) => desk.trouble(error),
    }
}

/// Redirects to the page the person came from, with the outcome.
fn told(desk: &Desk, approve: bool, judged: &Judgements, form: &Form) -> Response {
    let done = judged
        .iter()
        .filter(|(_, outcome)| *outcome == Judged::Done)
        .count();
    let word = if approve { "approved" } else { "disapproved" };
    match judged.as_slice() {
        [(id, Judged::Done)] if form.all("folio").count() == 1 => {
            desk.go(&format!("/panel/folios/{id}?done={word}"))
        }
        _ => {
            let failed = judged.len() - done;
            desk.go(&format!("/panel/approvals?done={word}&n={done}&failed={failed}"))
        }
    }
}

async fn ask(
    desk: &Desk,
    approve: bool,
    ids: Vec<FolioId>,
    typed: String,
    error: Option<String>,
) -> Response {
    if !desk.signed.company.approval {
        return desk.trouble(Error::NotFound);
    }
    let found = match desk.web.app.read_folios(caller(desk).into(), ids.clone()).await {
        Ok(found) => found,
        Err(error) => return desk.trouble(error),
    };
    let own = |id: &FolioId| match found.get(id) {
        Some(Sought::Own(stored)) => Some((id.to_string(), stored.folio.name.as_str().to_owned())),
        _ => None,
    };
    let folios: Vec<(String, String)> = ids.iter().filter_map(own).collect();
    if folios.is_empty() {
        return desk.trouble(Error::NotFound);
    }
    let wrong = error.is_some();
    let page = VerdictPage {
        f: desk.frame(Place::Approvals),
        approve,
        folios,
        typed,
        error,
    };
    if wrong {
        return desk.wrong(&page);
    }
    desk.page(&page)
}

/// The pages with made-up data.
pub(super) fn samples(l: crate::page::Lang) -> Vec<crate::signer::samples::Sample> {
    use super::folios::samples::listed;
    use super::samples::{NOW, frame, sample};
    let f = || frame(l, Place::Approvals, app::panel::Role::Supervisor);
    let queue = |count, error| ApprovalsPage {
        f: f(),
        rows: listed(count, Some(FolioState::Signed))
            .iter()
            .map(|folio| FolioRow::new(folio, NOW))
            .collect(),
        next: (count > 0).then_some(7),
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
    let missing = l.problem(&domain::Problem::Missing);
    vec![
        sample(l, "approvals", &queue(4, None)),
        sample(l, "approvals-nobody", &queue(2, Some(l.approvals_nobody()))),
        sample(l, "approvals-none", &queue(0, None)),
        sample(l, "approve", &verdict(true, None)),
        sample(l, "disapprove", &verdict(false, Some(missing))),
    ]
}
