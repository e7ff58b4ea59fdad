//! `/panel/folios/{folio}/cancel`: asks why, and cancels.

use super::page::open;
use super::{address, caller};
use crate::panel::desk::{Desk, Supervise};
use crate::panel::frame::{Frame, Place};
use crate::panel::posted::Posted;
use app::{Answered, Error, Judged};
use askama::Template;
use axum::extract::Path;
use axum::response::Response;
use domain::{FolioState, Observation, Refusal};

/// The question.
#[derive(Debug, Template)]
#[template(path = "panel/cancel_folio.html")]
pub(crate) struct CancelPage {
    pub(crate) f: Frame,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) typed: String,
    pub(crate) error: Option<String>,
}

/// A folio that can still be cancelled.
async fn pending(desk: &Desk, id: &str) -> Result<domain::Folio, Response> {
    let folio = open(desk, id).await?.folio;
    if folio.state != FolioState::Pending || folio.dropped {
        return Err(desk.trouble(Error::Refused(Refusal::NotPending)));
    }
    Ok(folio)
}

fn question(desk: &Desk, folio: &domain::Folio, typed: String, error: Option<String>) -> CancelPage {
    CancelPage {
        f: desk.frame(Place::Folios),
        id: folio.id.to_string(),
        name: folio.name.as_str().to_owned(),
        typed,
        error,
    }
}

pub(crate) async fn page(Supervise(desk): Supervise, Path(id): Path<String>) -> Response {
    match pending(&desk, &id).await {
        Ok(folio) => desk.page(&question(&desk, &folio, String::new(), None)),
        Err(answer) => answer,
    }
}

pub(crate) async fn cancel(
    Supervise(desk): Supervise,
    Path(id): Path<String>,
    Posted(form): Posted,
) -> Response {
    let folio = match pending(&desk, &id).await {
        Ok(folio) => folio,
        Err(answer) => return answer,
    };
    let typed = form.get("observation");
    let observation = match Observation::new(typed) {
        Ok(observation) => observation,
        Err(problem) => {
            let error = Some(desk.l.problem(&problem));
            return desk.wrong(&question(&desk, &folio, typed.to_owned(), error));
        }
    };
    let app = &desk.web.app;
    let judged = app.cancel_folios(caller(&desk), vec![folio.id], observation, None);
    match judged.await {
        Ok(Answered::Now(judged)) => match judged.first() {
            Some((_, Judged::Refused(refusal))) => desk.trouble(Error::Refused(*refusal)),
            _ => desk.go(&format!("{}?done=cancelled", address(folio.id))),
        },
        Ok(Answered::Before(_)) => desk.go(&address(folio.id)),
        Err(error) => desk.trouble(error),
    }
}
