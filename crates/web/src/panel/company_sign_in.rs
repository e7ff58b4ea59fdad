//! Signing in with the company's own account: to its identity provider, and back.

use super::HOME;
use super::anonymous::AnonymousRequest;
use super::auth::RequireAdministrator;
use super::cookies;
use super::layout::PanelLayout;
use super::sign_in::{safe_next, signed_in_response, with_next};
use crate::page::{PageError, PageResult, PanelLang, see_other};
use app::Error;
use app::panel::PanelSession;
use app::panel::identity_provider::{Begun, ProviderAnswer, ProviderOutcome, ProviderRefusal, ProviderStart};
use askama::Template;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::HeaderMap;
use axum::response::Response;
use domain::{ProviderId, Role};

/// Says why a person was not let in, or what happens next.
#[derive(Debug, Template)]
#[template(path = "panel/company_sign_in.html")]
pub(crate) struct CompanySignInPage {
    pub(crate) f: PanelLayout,
    pub(crate) title: &'static str,
    pub(crate) lead: String,
    /// What failed, for administrators.
    pub(crate) detail: Option<String>,
    pub(crate) back: &'static str,
}

impl PanelLang {
    /// Why a person is not let in, and what to do about it.
    pub(crate) fn refusal(self, refusal: &ProviderRefusal) -> &'static str {
        match refusal {
            ProviderRefusal::Off => self.refused_off(),
            ProviderRefusal::Stale => self.refused_stale(),
            ProviderRefusal::Denied(_) => self.refused_denied(),
            ProviderRefusal::Failed(_) => self.refused_failed(),
            ProviderRefusal::NoGroup => self.refused_no_group(),
            ProviderRefusal::TooManyGroups => self.refused_too_many_groups(),
            ProviderRefusal::NoAddress => self.refused_no_address(),
            ProviderRefusal::UnverifiedAddress => self.refused_unverified(),
            ProviderRefusal::ForeignDomain => self.refused_foreign_domain(),
            ProviderRefusal::OtherPerson => self.refused_other_person(),
            ProviderRefusal::NotInvited => self.refused_not_invited(),
            ProviderRefusal::Disabled => self.refused_disabled(),
            ProviderRefusal::AccountExists => self.account_exists_lead(),
            ProviderRefusal::Full => self.users_full(),
        }
    }
}

/// What a provider or our client said of a failure: for administrators who try it, and the log.
fn detail(refusal: &ProviderRefusal) -> Option<String> {
    match refusal {
        ProviderRefusal::Denied(said) | ProviderRefusal::Failed(said) => Some(said.clone()),
        _ => None,
    }
}

/// The page of a refusal. Strangers see it too, and learn nothing of the company's network by it.
fn refused(f: PanelLayout, refusal: &ProviderRefusal, back: &'static str) -> Response {
    let l = f.l;
    let page = CompanySignInPage {
        title: l.refused_title(),
        lead: l.refusal(refusal).to_owned(),
        detail: None,
        back,
        f,
    };
    super::layout::render_page(StatusCode::FORBIDDEN, &page)
}

/// The page of a try that failed, for the administrator who tried.
fn try_failed(f: PanelLayout, refusal: &ProviderRefusal) -> Response {
    let l = f.l;
    let page = CompanySignInPage {
        title: l.refused_title(),
        lead: l.refusal(refusal).to_owned(),
        detail: detail(refusal),
        back: super::identity_provider::PAGE,
        f,
    };
    super::layout::render_page(StatusCode::FORBIDDEN, &page)
}

/// Sends the browser to the provider.
fn depart(begun: &Begun, https: bool) -> Response {
    let mut response = see_other(&begun.address);
    cookies::set_flow(&mut response, &begun.flow, https);
    response
}

fn provider_id(request: &AnonymousRequest, provider: &str) -> Result<ProviderId, PageError> {
    let id = provider.parse();
    id.map_err(|_| request.error_page(Error::NotFound).into())
}

/// `GET /panel/sign-in/with/{provider}`.
pub(crate) async fn begin(request: AnonymousRequest, Path(provider): Path<String>) -> PageResult {
    let id = provider_id(&request, &provider)?;
    let next = safe_next(&request.query("next").unwrap_or_default());
    let invitation = request.query("t");
    let app = &request.web.app;
    let begun = app.begin_provider_sign_in(id, &next, invitation.as_deref()).await;
    Ok(match begun.map_err(|error| request.error_page(error))? {
        ProviderStart::Begun(begun) => depart(&begun, request.is_https()),
        ProviderStart::Refused(refusal) => refused(request.frame(), &refusal, "/panel/sign-in"),
    })
}

/// `GET /panel/company/sign-in/try`.
pub(crate) async fn try_it(RequireAdministrator(request): RequireAdministrator) -> PageResult {
    let begun = request.web.app.try_identity_provider(&request.session).await;
    let begun = match begun {
        Ok(begun) => begun,
        // Another administrator has removed it.
        Err(Error::NotFound) => return Ok(request.redirect(super::identity_provider::PAGE)),
        Err(error) => return Err(request.error_page(error).into()),
    };
    Ok(match begun {
        ProviderStart::Begun(begun) => depart(&begun, request.is_https()),
        ProviderStart::Refused(refusal) => {
            try_failed(request.frame(super::layout::Section::Company), &refusal)
        }
    })
}

fn frame_of(request: &AnonymousRequest, signed: Option<&PanelSession>) -> PanelLayout {
    let f = request.frame();
    match signed {
        Some(signed) => f.with(signed),
        None => f,
    }
}

/// `GET /panel/sign-in/with/{provider}/callback`: back from the provider. The answer counts in the browser that left, once.
pub(crate) async fn finish(
    request: AnonymousRequest,
    headers: HeaderMap,
    Path(provider): Path<String>,
) -> PageResult {
    let (id, https) = (provider_id(&request, &provider)?, request.is_https());
    let app = &request.web.app;
    let signed = match cookies::session(&headers, https) {
        Some(token) => app.panel_session(token).await,
        None => Ok(None),
    };
    let signed = signed.map_err(|error| request.error_page(error))?;
    let signed = signed.filter(|signed| !signed.lacks_second_factor);
    let flow = cookies::flow(&headers, https).unwrap_or_default();
    let answer = ProviderAnswer {
        state: request.query("state").unwrap_or_default(),
        code: request.query("code").unwrap_or_default(),
        issuer: request.query("iss"),
        error: request.query("error"),
    };
    let done = app.finish_provider_sign_in(id, flow, answer, request.visitor(), signed.clone());
    let mut response = match done.await.map_err(|error| request.error_page(error))? {
        ProviderOutcome::Entered(entered, next) => {
            let mut response = signed_in_response(&request, &entered, &next);
            cookies::set_company(&mut response, &id.to_string(), https);
            response
        }
        ProviderOutcome::CodeWanted(halfway, next) => {
            let mut response = see_other(&with_next("/panel/sign-in/code", &next));
            cookies::set_halfway(&mut response, &halfway, https);
            cookies::set_company(&mut response, &id.to_string(), https);
            response
        }
        ProviderOutcome::ConfirmAddress => {
            let l = request.l;
            let page = CompanySignInPage {
                f: request.frame(),
                title: l.confirm_address_title(),
                lead: l.confirm_address_lead().to_owned(),
                detail: None,
                back: "/panel/sign-in",
            };
            super::layout::render_page(StatusCode::OK, &page)
        }
        ProviderOutcome::Tried(tried) => {
            super::identity_provider::tried_page(frame_of(&request, signed.as_ref()), tried)
        }
        ProviderOutcome::TryFailed(refusal) => try_failed(frame_of(&request, signed.as_ref()), &refusal),
        ProviderOutcome::Refused(refusal) => {
            let back = if signed.is_some() { HOME } else { "/panel/sign-in" };
            refused(request.frame(), &refusal, back)
        }
    };
    cookies::remove_flow(&mut response, https);
    Ok(response)
}

/// The pages with made-up data.
pub(super) fn samples(l: PanelLang) -> Vec<crate::signer::samples::Sample> {
    use super::layout::Section;
    use super::sample_data::{anonymous_layout, frame, sample};
    let page = |f: PanelLayout, refusal: &ProviderRefusal, detail: Option<String>| CompanySignInPage {
        f,
        title: l.refused_title(),
        lead: l.refusal(refusal).to_owned(),
        detail,
        back: "/panel/sign-in",
    };
    let administrator = frame(l, Section::Company, Role::Administrator);
    let stranger = anonymous_layout(l, Section::Nowhere);
    let failed = ProviderRefusal::Failed("id.losandes.example: no answer in time".to_owned());
    vec![
        sample(
            l,
            "company-sign-in-failed",
            &page(administrator, &failed, detail(&failed)),
        ),
        sample(
            l,
            "company-sign-in-no-group",
            &page(stranger, &ProviderRefusal::NoGroup, None),
        ),
    ]
}
