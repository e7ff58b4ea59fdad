//! `/panel/folios/{folio}/resend`: writes to signers again, at a corrected contact where it was wrong.

use super::page::open;
use super::{address, caller};
use crate::page::{FormFields, PageError, PageResult};
use crate::panel::auth::{PanelRequest, RequireSupervisor};
use crate::panel::csrf_form::CsrfForm;
use crate::panel::layout::{PanelLayout, Section};
use app::Error;
use askama::Template;
use axum::extract::Path;
use domain::{Correction, Email, FieldError, Folio, FolioState, Mobile, Refusal, ReturnUrl};
use domain::{SignerIndex, SignerState, limits};

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/resend_folio.html")]
pub(crate) struct ResendPage {
    pub(crate) f: PanelLayout,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) signers: Vec<PendingView>,
    pub(crate) return_url: String,
    pub(crate) return_error: Option<String>,
    pub(crate) error: Option<&'static str>,
}

/// A signer who has not acted, and what was typed about them.
#[derive(Debug, Clone)]
pub(crate) struct PendingView {
    pub(crate) index: SignerIndex,
    pub(crate) name: String,
    pub(crate) document: String,
    pub(crate) chosen: bool,
    pub(crate) email: String,
    pub(crate) email_error: Option<String>,
    pub(crate) mobile: String,
    pub(crate) mobile_error: Option<String>,
}

/// A folio that can still be signed.
async fn pending(request: &PanelRequest, id: &str) -> Result<Folio, PageError> {
    let folio = open(request, id).await?.folio;
    let now = request.web.app.clock.now();
    if folio.state != FolioState::Pending || folio.dropped || folio.is_expired(now) {
        return Err(request.error_page(Error::Refused(Refusal::NotPending)).into());
    }
    Ok(folio)
}

fn asked(request: &PanelRequest, folio: &Folio) -> ResendPage {
    let waiting = |(index, signer): (SignerIndex, &domain::Signer)| {
        (signer.state == SignerState::Pending).then(|| PendingView {
            index,
            name: signer.name.as_str().to_owned(),
            document: format!(
                "{} {}",
                signer.document_type.code(),
                signer.document_number.as_str()
            ),
            chosen: true,
            email: signer.contact.email.as_str().to_owned(),
            email_error: None,
            mobile: signer.contact.mobile.as_str().to_owned(),
            mobile_error: None,
        })
    };
    ResendPage {
        f: request.frame(Section::Folios),
        id: folio.id.to_string(),
        name: folio.name.as_str().to_owned(),
        signers: folio.indexed_signers().filter_map(waiting).collect(),
        return_url: folio.return_url.as_str().to_owned(),
        return_error: None,
        error: None,
    }
}

pub(crate) async fn page(
    RequireSupervisor(request): RequireSupervisor,
    Path(id): Path<String>,
) -> PageResult {
    let folio = pending(&request, &id).await?;
    let mut page = asked(&request, &folio);
    // The link beside one signer of the folio's page.
    if let Some(only) = request.query("signer").and_then(|index| index.parse().ok()) {
        for signer in &mut page.signers {
            signer.chosen = signer.index == SignerIndex(only);
        }
    }
    Ok(request.page(&page))
}

pub(crate) async fn send(
    RequireSupervisor(request): RequireSupervisor,
    Path(id): Path<String>,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let folio = pending(&request, &id).await?;
    let mut page = asked(&request, &folio);
    let Some((corrections, return_url)) = read(&request, &folio, &mut page, &form) else {
        return Ok(request.page_with_errors(&page));
    };
    let app = &request.web.app;
    let resent = app.resend_emails(caller(&request), folio.id, corrections, return_url, None);
    resent.await.map_err(|error| request.error_page(error))?;
    Ok(request.redirect(&format!("{}?done=resent#messages", address(folio.id))))
}

/// The corrections to send; `None` where a field is invalid, and then the page has the errors.
fn read(
    request: &PanelRequest,
    folio: &Folio,
    page: &mut ResendPage,
    form: &FormFields,
) -> Option<(Vec<Correction>, ReturnUrl)> {
    let l = request.l;
    let mut corrections = Vec::new();
    let mut wrong = false;
    for view in &mut page.signers {
        let index = view.index;
        view.chosen = form.has(&format!("signer{index}"));
        form.get(&format!("email{index}"))
            .trim()
            .clone_into(&mut view.email);
        form.get(&format!("mobile{index}"))
            .trim()
            .clone_into(&mut view.mobile);
        if !view.chosen {
            continue;
        }
        let told = |problem: FieldError| l.problem(&problem);
        let email = Email::new(view.email.clone()).map_err(told);
        let mobile = Mobile::new(&view.mobile).map_err(told);
        view.email_error = email.as_ref().err().cloned();
        view.mobile_error = mobile.as_ref().err().cloned();
        match (email, mobile, folio.signer(index)) {
            (Ok(email), Ok(mobile), Some(signer)) => corrections.push(Correction {
                document_number: signer.document_number.clone(),
                email: Some(email),
                mobile: Some(mobile),
            }),
            _ => wrong = true,
        }
    }
    form.get("returnUrl").trim().clone_into(&mut page.return_url);
    // An address that was longer on creation stays valid while it is unchanged.
    let max_chars = if page.return_url == folio.return_url.as_str() {
        limits::RETURN_URL
    } else {
        limits::RETURN_URL_SHORT
    };
    let return_url = ReturnUrl::new(page.return_url.clone(), max_chars);
    page.return_error = return_url.as_ref().err().map(|problem| l.problem(problem));
    if corrections.is_empty() && !wrong {
        page.error = Some(l.resend_nobody());
        return None;
    }
    return_url.ok().filter(|_| !wrong).map(|url| (corrections, url))
}
