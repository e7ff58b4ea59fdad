//! The second factor: set up with a picture, recovery codes shown once, taken off with the password and a code.

use super::account::{self, AccountErrors};
use super::auth::{PanelRequest, RequireReader, RequireSignedIn, SECOND_FACTOR};
use super::cookies;
use super::csrf_form::CsrfForm;
use super::layout::{PanelLayout, Section};
use super::proof_errors::ProofErrors;
use super::qr::Qr;
use crate::page::PageResult;
use app::panel::{Enrolment, SecondFactorOutcome};
use askama::Template;

/// The page that sets it up.
#[derive(Debug, Template)]
#[template(path = "panel/second_factor.html")]
pub(crate) struct SecondFactorPage {
    pub(crate) f: PanelLayout,
    pub(crate) enrolment: Enrolment,
    pub(crate) qr: Option<Qr>,
    pub(crate) wrong: ProofErrors,
    /// Whether the user has a password to confirm with.
    pub(crate) has_password: bool,
}

impl SecondFactorPage {
    /// Whether nothing else may be done before.
    pub(crate) fn is_required(&self) -> bool {
        let user = self.f.user.as_ref();
        user.is_some_and(|user| user.lacks_second_factor)
    }
}

/// The page with the recovery codes.
#[derive(Debug, Template)]
#[template(path = "panel/recovery.html")]
pub(crate) struct RecoveryPage {
    pub(crate) f: PanelLayout,
    pub(crate) codes: Vec<String>,
}

/// `GET /panel/account/second-factor`.
pub(crate) async fn page(RequireSignedIn(request): RequireSignedIn) -> PageResult {
    let app = &request.web.app;
    let second_factor = app.second_factor(request.user()).await;
    let second_factor = second_factor.map_err(|error| request.error_page(error))?;
    if second_factor.on {
        return Ok(request.redirect("/panel/account"));
    }
    let enrolment = app.begin_second_factor(request.user(), &issuer(&request));
    Ok(request.page(&build_page(
        &request,
        enrolment,
        ProofErrors::default(),
        second_factor.has_password,
    )))
}

/// `POST /panel/account/second-factor`.
pub(crate) async fn finish(
    RequireSignedIn(request): RequireSignedIn,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let app = &request.web.app;
    let token = form.get("secret");
    let Some(enrolment) = app.resume_second_factor(request.user(), &issuer(&request), token) else {
        return Ok(request.redirect(SECOND_FACTOR));
    };
    let password = form.get("password").to_owned();
    let finished = app.finish_second_factor(
        &request.session,
        request.actor(),
        token,
        form.get("code"),
        password,
    );
    let mut wrong = ProofErrors::default();
    match finished.await {
        Ok(SecondFactorOutcome::Done { token, codes }) => return show_codes(&request, &token, codes).await,
        Ok(SecondFactorOutcome::AlreadyOn | SecondFactorOutcome::Required) => {
            return Ok(request.redirect("/panel/account"));
        }
        Ok(SecondFactorOutcome::WrongCode) => wrong.code = Some(request.l.wrong_setup_code().to_owned()),
        Ok(SecondFactorOutcome::OldSession) => wrong.password = Some(request.l.session_too_old().to_owned()),
        Ok(SecondFactorOutcome::WrongPassword) => {
            wrong.password = Some(request.l.wrong_own_password().to_owned());
        }
        Err(app::Error::TooOften { retry_after }) => wrong.password = Some(request.too_often(retry_after)),
        Err(error) => return Err(request.error_page(error).into()),
    }
    let second_factor = app.second_factor(request.user()).await;
    let has_password = second_factor
        .map_err(|error| request.error_page(error))?
        .has_password;
    Ok(request.page_with_errors(&build_page(&request, enrolment, wrong, has_password)))
}

/// `POST /panel/account/recovery`.
pub(crate) async fn renew(RequireReader(request): RequireReader, CsrfForm(form): CsrfForm) -> PageResult {
    let (app, password) = (&request.web.app, form.get("password").to_owned());
    let renewed = app.renew_recovery_codes(&request.session, request.actor(), password, form.get("code"));
    let wrong = match renewed.await {
        Ok(SecondFactorOutcome::Done { token, codes }) => return show_codes(&request, &token, codes).await,
        other => ProofErrors::of(&request, other),
    };
    let wrong = AccountErrors {
        renew: wrong.map_err(|error| request.error_page(error))?,
        ..AccountErrors::default()
    };
    account::wrong(&request, wrong).await
}

/// `POST /panel/account/second-factor/remove`.
pub(crate) async fn remove(RequireReader(request): RequireReader, CsrfForm(form): CsrfForm) -> PageResult {
    let (app, password) = (&request.web.app, form.get("password").to_owned());
    let removed = app.remove_second_factor(&request.session, request.actor(), password, form.get("code"));
    let wrong = match removed.await {
        Ok(SecondFactorOutcome::Done { token, .. }) => {
            let mut response = request.redirect("/panel/account?done=second-off");
            cookies::set_session(&mut response, &token, request.is_https());
            return Ok(response);
        }
        other => ProofErrors::of(&request, other),
    };
    let wrong = AccountErrors {
        remove: wrong.map_err(|error| request.error_page(error))?,
        ..AccountErrors::default()
    };
    account::wrong(&request, wrong).await
}

/// The issuer that authenticator apps show.
fn issuer(request: &PanelRequest) -> String {
    format!("Firmeza {}", request.session.company.name)
}

fn build_page(
    request: &PanelRequest,
    enrolment: Enrolment,
    wrong: ProofErrors,
    has_password: bool,
) -> SecondFactorPage {
    SecondFactorPage {
        f: request.frame(Section::Account),
        qr: Qr::of(&enrolment.address),
        enrolment,
        wrong,
        has_password,
    }
}

/// Shows the recovery codes once: they are stored as hashes, and the page cannot be reloaded.
async fn show_codes(request: &PanelRequest, token: &str, codes: Vec<String>) -> PageResult {
    // The session and its CSRF token were replaced.
    let signed = request.web.app.panel_session(token).await;
    let Some(signed) = signed.map_err(|error| request.error_page(error))? else {
        return Ok(request.redirect("/panel/sign-in"));
    };
    let f = request.frame(Section::Account).with(&signed);
    let mut response = request.page(&RecoveryPage { f, codes });
    cookies::set_session(&mut response, token, request.is_https());
    Ok(response)
}

/// The pages with made-up data.
pub(super) fn samples(l: crate::page::PanelLang) -> Vec<crate::signer::samples::Sample> {
    use super::sample_data::{frame, sample};
    let f = || frame(l, Section::Account, app::panel::Role::Reader);
    let mut required = f();
    if let Some(user) = &mut required.user {
        user.lacks_second_factor = true;
    }
    let address = "otpauth://totp/Firmeza:luisa@example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
    let enrolment = Enrolment {
        token: "c2FtcGxl".to_owned(),
        secret: "JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP".to_owned(),
        address: address.to_owned(),
    };
    let first = SecondFactorPage {
        f: required,
        enrolment: enrolment.clone(),
        qr: Qr::of(address),
        wrong: ProofErrors::default(),
        has_password: false,
    };
    let page = SecondFactorPage {
        f: f(),
        enrolment,
        qr: Qr::of(address),
        wrong: ProofErrors {
            code: Some(l.wrong_setup_code().to_owned()),
            password: Some(l.wrong_own_password().to_owned()),
        },
        has_password: true,
    };
    let codes = (0..10).map(|number| format!("ab{number}d-efgh-jkmn")).collect();
    vec![
        sample(l, "second-factor", &page),
        sample(l, "second-factor-required", &first),
        sample(l, "recovery", &RecoveryPage { f: f(), codes }),
    ]
}
