//! The switch of languages at the foot of every page: kept with the user who is signed in, and in the browser, where the
//! sign-in page finds it.

use super::anonymous::AnonymousRequest;
use super::auth::RequireSignedIn;
use super::cookies;
use super::csrf_form::{AnonymousForm, CsrfForm};
use super::{HOME, is_panel_path};
use crate::page::{FormFields, PageResult, PanelLang, see_other};
use axum::response::Response;

/// The language that a form chooses.
fn chosen(form: &FormFields) -> Option<PanelLang> {
    PanelLang::from_code(form.get("language"))
}

/// Back to the page that has the form, with the choice kept in the browser.
fn back(form: &FormFields, chosen: Option<PanelLang>, https: bool) -> Response {
    let page = form.get("back");
    let mut response = see_other(if is_panel_path(page) { page } else { HOME });
    if let Some(lang) = chosen {
        cookies::set_language(&mut response, lang.code(), https);
    }
    response
}

/// `POST /panel/language`.
pub(crate) async fn choose(request: AnonymousRequest, AnonymousForm(form): AnonymousForm) -> Response {
    back(&form, chosen(&form), request.is_https())
}

/// `POST /panel/account/language`.
pub(crate) async fn keep(RequireSignedIn(request): RequireSignedIn, CsrfForm(form): CsrfForm) -> PageResult {
    let chosen = chosen(&form);
    if let Some(lang) = chosen {
        let kept = request
            .web
            .app
            .set_user_language(request.user(), lang.lang().language());
        kept.await.map_err(|error| request.error_page(error))?;
    }
    Ok(back(&form, chosen, request.is_https()))
}
