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
    /// As it was when the form was asked for: what a person leaves as it is, corrects nothing.
    pub(crate) return_url_was: String,
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
    pub(crate) email_was: String,
    pub(crate) email_error: Option<String>,
    pub(crate) mobile: String,
    pub(crate) mobile_was: String,
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
            email_was: signer.contact.email.as_str().to_owned(),
            email_error: None,
            mobile: signer.contact.mobile.as_str().to_owned(),
            mobile_was: signer.contact.mobile.as_str().to_owned(),
            mobile_error: None,
        })
    };
    ResendPage {
        f: request.frame(Section::Folios),
        id: folio.id.to_string(),
        name: folio.name.as_str().to_owned(),
        signers: folio.indexed_signers().filter_map(waiting).collect(),
        return_url: folio.return_url.as_str().to_owned(),
        return_url_was: folio.return_url.as_str().to_owned(),
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
) -> Option<(Vec<Correction>, Option<ReturnUrl>)> {
    let l = request.l;
    let mut corrections = Vec::new();
    let mut wrong = false;
    for view in &mut page.signers {
        let index = view.index;
        view.chosen = form.has(&format!("signer{index}"));
        let take = |field: &str, typed: &mut String, was: &mut String| {
            form.get(&format!("{field}{index}")).trim().clone_into(typed);
            form.get(&format!("{field}{index}-was")).clone_into(was);
        };
        take("email", &mut view.email, &mut view.email_was);
        take("mobile", &mut view.mobile, &mut view.mobile_was);
        if !view.chosen {
            continue;
        }
        let told = |problem: FieldError| l.problem(&problem);
        let email = changed(&view.email, &view.email_was).map(|typed| Email::new(typed.to_owned()));
        let mobile = changed(&view.mobile, &view.mobile_was).map(Mobile::new);
        let (email, mobile) = (email.transpose().map_err(told), mobile.transpose().map_err(told));
        view.email_error = email.as_ref().err().cloned();
        view.mobile_error = mobile.as_ref().err().cloned();
        match (email, mobile, folio.signer(index)) {
            (Ok(email), Ok(mobile), Some(signer)) => corrections.push(Correction {
                document_number: signer.document_number.clone(),
                email,
                mobile,
            }),
            _ => wrong = true,
        }
    }
    form.get("returnUrl").trim().clone_into(&mut page.return_url);
    form.get("returnUrl-was").clone_into(&mut page.return_url_was);
    // An address that was longer on creation stays valid while it is unchanged.
    let max_chars = if page.return_url == folio.return_url.as_str() {
        limits::RETURN_URL
    } else {
        limits::RETURN_URL_SHORT
    };
    let return_url = changed(&page.return_url, &page.return_url_was)
        .map(|typed| ReturnUrl::new(typed.to_owned(), max_chars))
        .transpose();
    page.return_error = return_url.as_ref().err().map(|problem| l.problem(problem));
    if corrections.is_empty() && !wrong {
        page.error = Some(l.resend_nobody());
        return None;
    }
    return_url.ok().filter(|_| !wrong).map(|url| (corrections, url))
}

/// What was typed, unless it is what the form came with. It may have been corrected meanwhile, and stays as it is now.
fn changed<'t>(typed: &'t str, was: &str) -> Option<&'t str> {
    (typed.is_empty() || typed != was).then_some(typed)
}
