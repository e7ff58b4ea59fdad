//! `/panel/folios/{folio}/erase` and `/panel/folios/{folio}/hold`: ask why, and erase a finished folio, place a folio under
//! legal hold, or lift it.

use super::page::open;
use super::{address, caller};
use crate::page::{FormFields, PageError, PageResult};
use crate::panel::auth::{PanelRequest, RequireAdministrator};
use crate::panel::csrf_form::CsrfForm;
use crate::panel::layout::{PanelLayout, Section};
use app::Error;
use askama::Template;
use axum::extract::Path;
use domain::{Folio, Observation, Refusal};

/// The question.
#[derive(Debug, Template)]
#[template(path = "panel/folio_reason.html")]
pub(crate) struct ReasonPage {
    pub(crate) f: PanelLayout,
    pub(crate) title: &'static str,
    pub(crate) lead: &'static str,
    pub(crate) lasting: bool,
    pub(crate) name: String,
    pub(crate) action: String,
    pub(crate) button: &'static str,
    /// The act that the form asks for, whatever happens to the folio before it is sent.
    pub(crate) act: &'static str,
    pub(crate) back: String,
    pub(crate) typed: String,
    pub(crate) error: Option<String>,
}

/// What is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question {
    Erase,
    PlaceHold,
    LiftHold,
}

impl Question {
    pub(crate) fn page(
        self,
        f: PanelLayout,
        folio: &Folio,
        typed: &str,
        error: Option<String>,
    ) -> ReasonPage {
        let l = f.l;
        let back = address(folio.id);
        let (title, lead, button, place) = match self {
            Self::Erase => (l.erase_title(), l.erase_lead(), l.erase_do(), "erase"),
            Self::PlaceHold => (l.hold_title(), l.hold_lead(), l.hold_do(), "hold"),
            Self::LiftHold => (l.lift_title(), l.lift_lead(), l.lift_do(), "hold"),
        };
        ReasonPage {
            f,
            title,
            lead,
            lasting: self == Self::Erase,
            name: folio.name.as_str().to_owned(),
            action: format!("{back}/{place}"),
            button,
            act: self.word(),
            back,
            typed: typed.to_owned(),
            error,
        }
    }

    const fn of_hold(folio: &Folio) -> Self {
        if folio.held {
            Self::LiftHold
        } else {
            Self::PlaceHold
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Erase => "erase",
            Self::PlaceHold => "place",
            Self::LiftHold => "lift",
        }
    }

    /// What an administrator was asked about a hold, as the form says. The folio's state does not tell it: a form that is sent
    /// twice, or after another administrator's, would do the opposite of what was read.
    fn of_form(form: &FormFields) -> Option<Self> {
        let asked = form.get("act");
        [Self::PlaceHold, Self::LiftHold]
            .into_iter()
            .find(|question| question.word() == asked)
    }
}

/// A folio that can be erased.
async fn erasable(request: &PanelRequest, id: &str) -> Result<Folio, PageError> {
    let folio = open(request, id).await?.folio;
    let refusal = match (folio.erased, folio.held, folio.state.is_final()) {
        (true, ..) => Refusal::Erased,
        (_, true, _) => Refusal::Held,
        (.., false) => Refusal::NotFinal,
        _ => return Ok(folio),
    };
    Err(request.error_page(Error::Refused(refusal)).into())
}

/// A folio that is there to be held.
async fn holdable(request: &PanelRequest, id: &str) -> Result<Folio, PageError> {
    let folio = open(request, id).await?.folio;
    if folio.erased {
        return Err(request.error_page(Error::Refused(Refusal::Erased)).into());
    }
    Ok(folio)
}

pub(crate) async fn page(
    RequireAdministrator(request): RequireAdministrator,
    Path(id): Path<String>,
) -> PageResult {
    let folio = erasable(&request, &id).await?;
    let frame = request.frame(Section::Folios);
    Ok(request.page(&Question::Erase.page(frame, &folio, "", None)))
}

pub(crate) async fn erase(
    RequireAdministrator(request): RequireAdministrator,
    Path(id): Path<String>,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let folio = erasable(&request, &id).await?;
    let typed = form.get("reason");
    let reason = match Observation::new(typed) {
        Ok(reason) => reason,
        Err(problem) => {
            let error = Some(request.l.problem(&problem));
            let frame = request.frame(Section::Folios);
            return Ok(request.page_with_errors(&Question::Erase.page(frame, &folio, typed, error)));
        }
    };
    let erased = request
        .web
        .app
        .erase_folio(caller(&request), folio.id, reason)
        .await;
    erased.map_err(|error| request.error_page(error))?;
    Ok(request.redirect(&format!("{}?done=erased", address(folio.id))))
}

pub(crate) async fn hold_page(
    RequireAdministrator(request): RequireAdministrator,
    Path(id): Path<String>,
) -> PageResult {
    let folio = holdable(&request, &id).await?;
    let frame = request.frame(Section::Folios);
    Ok(request.page(&Question::of_hold(&folio).page(frame, &folio, "", None)))
}

pub(crate) async fn hold(
    RequireAdministrator(request): RequireAdministrator,
    Path(id): Path<String>,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let folio = holdable(&request, &id).await?;
    let typed = form.get("reason");
    let Some(question) = Question::of_form(&form) else {
        let frame = request.frame(Section::Folios);
        return Ok(request.page_with_errors(&Question::of_hold(&folio).page(frame, &folio, typed, None)));
    };
    let reason = match Observation::new(typed) {
        Ok(reason) => reason,
        Err(problem) => {
            let error = Some(request.l.problem(&problem));
            let frame = request.frame(Section::Folios);
            return Ok(request.page_with_errors(&question.page(frame, &folio, typed, error)));
        }
    };
    let hold = question == Question::PlaceHold;
    let set = request
        .web
        .app
        .set_hold(caller(&request), folio.id, hold, reason)
        .await;
    let done = match set {
        Ok(()) if hold => "held",
        Ok(()) => "lifted",
        Err(Error::Refused(Refusal::Held)) => "held-before",
        Err(Error::Refused(Refusal::NotHeld)) => "not-held",
        Err(error) => return Err(request.error_page(error).into()),
    };
    Ok(request.redirect(&format!("{}?done={done}", address(folio.id))))
}
