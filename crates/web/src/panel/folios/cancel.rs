//! `/panel/folios/{folio}/cancel`: asks why, and cancels.

use super::page::open;
use super::{address, caller};
use crate::page::{PageError, PageResult};
use crate::panel::auth::{PanelRequest, RequireSupervisor};
use crate::panel::csrf_form::CsrfForm;
use crate::panel::layout::{PanelLayout, Section};
use app::{BatchOutcome, Error, IdempotentResult};
use askama::Template;
use axum::extract::Path;
use domain::{FolioState, Observation, Refusal};

/// The question.
#[derive(Debug, Template)]
#[template(path = "panel/cancel_folio.html")]
pub(crate) struct CancelPage {
    pub(crate) f: PanelLayout,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) typed: String,
    pub(crate) error: Option<String>,
}

/// A folio that can still be cancelled.
async fn pending(request: &PanelRequest, id: &str) -> Result<domain::Folio, PageError> {
    let folio = open(request, id).await?.folio;
    if folio.state != FolioState::Pending || folio.dropped {
        return Err(request.error_page(Error::Refused(Refusal::NotPending)).into());
    }
    Ok(folio)
}

fn question(
    request: &PanelRequest,
    folio: &domain::Folio,
    typed: String,
    error: Option<String>,
) -> CancelPage {
    CancelPage {
        f: request.frame(Section::Folios),
        id: folio.id.to_string(),
        name: folio.name.as_str().to_owned(),
        typed,
        error,
    }
}

pub(crate) async fn page(
    RequireSupervisor(request): RequireSupervisor,
    Path(id): Path<String>,
) -> PageResult {
    let folio = pending(&request, &id).await?;
    Ok(request.page(&question(&request, &folio, String::new(), None)))
}

pub(crate) async fn cancel(
    RequireSupervisor(request): RequireSupervisor,
    Path(id): Path<String>,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let folio = pending(&request, &id).await?;
    let typed = form.get("observation");
    let observation = match Observation::new(typed) {
        Ok(observation) => observation,
        Err(problem) => {
            let error = Some(request.l.problem(&problem));
            return Ok(request.page_with_errors(&question(&request, &folio, typed.to_owned(), error)));
        }
    };
    let app = &request.web.app;
    let judged = app.cancel_folios(caller(&request), vec![folio.id], false, observation, None);
    match judged.await.map_err(|error| request.error_page(error))? {
        IdempotentResult::Fresh(judged) => match judged.first() {
            Some((_, BatchOutcome::Refused(refusal))) => {
                Err(request.error_page(Error::Refused(*refusal)).into())
            }
            _ => Ok(request.redirect(&format!("{}?done=cancelled", address(folio.id)))),
        },
        IdempotentResult::Replayed(_) => Ok(request.redirect(&address(folio.id))),
    }
}
