//! The second factor: set up with a picture, recovery codes shown once, taken off with the password and a code.

use super::account::{self, Wrong};
use super::cookie;
use super::desk::{Desk, Enrol, Read, SECOND_FACTOR};
use super::frame::{Frame, Place};
use super::posted::Posted;
use super::qr::Qr;
use app::panel::{Enrolment, Secured};
use askama::Template;
use axum::response::Response;

/// The page that sets it up.
#[derive(Debug, Template)]
#[template(path = "panel/second_factor.html")]
pub(crate) struct SecondFactorPage {
    pub(crate) f: Frame,
    pub(crate) enrolment: Enrolment,
    pub(crate) qr: Option<Qr>,
    pub(crate) wrong: WrongProof,
}

impl SecondFactorPage {
    /// Whether nothing else may be done before.
    pub(crate) fn is_required(&self) -> bool {
        let person = self.f.person.as_ref();
        person.is_some_and(|person| person.lacks_second_factor)
    }
}

/// The errors of the code and password fields.
#[derive(Debug, Default)]
pub(crate) struct WrongProof {
    pub(crate) code: Option<String>,
    pub(crate) password: Option<String>,
}

impl WrongProof {
    /// Whether anything was.
    pub(crate) const fn any(&self) -> bool {
        self.code.is_some() || self.password.is_some()
    }

    /// The errors of an act that asks for password and code; or its failure.
    fn of(desk: &Desk, secured: Result<Secured, app::Error>) -> Result<Self, app::Error> {
        let mut wrong = Self::default();
        match secured {
            Ok(Secured::WrongPassword) => wrong.password = Some(desk.l.wrong_own_password().to_owned()),
            Ok(Secured::Required) => wrong.password = Some(desk.l.second_required().to_owned()),
            Ok(_) => wrong.code = Some(desk.l.wrong_code_panel().to_owned()),
            Err(app::Error::TooOften { retry_after }) => wrong.password = Some(desk.too_often(retry_after)),
            Err(error) => return Err(error),
        }
        Ok(wrong)
    }
}

/// The page with the recovery codes.
#[derive(Debug, Template)]
#[template(path = "panel/recovery.html")]
pub(crate) struct RecoveryPage {
    pub(crate) f: Frame,
    pub(crate) codes: Vec<String>,
}

/// `GET /panel/account/second-factor`.
pub(crate) async fn page(Enrol(desk): Enrol) -> Response {
    let app = &desk.web.app;
    match app.second_factor(desk.user()).await {
        Ok(standing) if standing.on => return desk.go("/panel/account"),
        Ok(_) => {}
        Err(error) => return desk.trouble(error),
    }
    let enrolment = app.begin_second_factor(desk.user(), &issuer(&desk));
    desk.page(&made(&desk, enrolment, WrongProof::default()))
}

/// `POST /panel/account/second-factor`.
pub(crate) async fn finish(Enrol(desk): Enrol, Posted(form): Posted) -> Response {
    let app = &desk.web.app;
    let token = form.get("secret");
    let Some(enrolment) = app.resume_second_factor(desk.user(), &issuer(&desk), token) else {
        return desk.go(SECOND_FACTOR);
    };
    let password = form.get("password").to_owned();
    let finished = app.finish_second_factor(&desk.signed, desk.hand(), token, form.get("code"), password);
    let mut wrong = WrongProof::default();
    match finished.await {
        Ok(Secured::Done { token, codes }) => return show_codes(&desk, &token, codes).await,
        Ok(Secured::Standing | Secured::Required) => return desk.go("/panel/account"),
        Ok(Secured::WrongCode) => wrong.code = Some(desk.l.wrong_setup_code().to_owned()),
        Ok(Secured::WrongPassword) => wrong.password = Some(desk.l.wrong_own_password().to_owned()),
        Err(app::Error::TooOften { retry_after }) => wrong.password = Some(desk.too_often(retry_after)),
        Err(error) => return desk.trouble(error),
    }
    desk.wrong(&made(&desk, enrolment, wrong))
}

/// `POST /panel/account/recovery`.
pub(crate) async fn renew(Read(desk): Read, Posted(form): Posted) -> Response {
    let (app, password) = (&desk.web.app, form.get("password").to_owned());
    let renewed = app.renew_recovery_codes(&desk.signed, desk.hand(), password, form.get("code"));
    let wrong = match renewed.await {
        Ok(Secured::Done { token, codes }) => return show_codes(&desk, &token, codes).await,
        other => WrongProof::of(&desk, other),
    };
    match wrong {
        Ok(renew) => {
            let wrong = Wrong {
                renew,
                ..Wrong::default()
            };
            account::wrong(&desk, wrong).await
        }
        Err(error) => desk.trouble(error),
    }
}

/// `POST /panel/account/second-factor/remove`.
pub(crate) async fn remove(Read(desk): Read, Posted(form): Posted) -> Response {
    let (app, password) = (&desk.web.app, form.get("password").to_owned());
    let removed = app.remove_second_factor(&desk.signed, desk.hand(), password, form.get("code"));
    let wrong = match removed.await {
        Ok(Secured::Done { token, .. }) => {
            let mut answer = desk.go("/panel/account?done=second-off");
            cookie::keep_session(&mut answer, &token, desk.is_https());
            return answer;
        }
        other => WrongProof::of(&desk, other),
    };
    match wrong {
        Ok(remove) => {
            let wrong = Wrong {
                remove,
                ..Wrong::default()
            };
            account::wrong(&desk, wrong).await
        }
        Err(error) => desk.trouble(error),
    }
}

/// The issuer that authenticator apps show.
fn issuer(desk: &Desk) -> String {
    format!("Firmeza {}", desk.signed.company.name)
}

fn made(desk: &Desk, enrolment: Enrolment, wrong: WrongProof) -> SecondFactorPage {
    SecondFactorPage {
        f: desk.frame(Place::Account),
        qr: Qr::of(&enrolment.address),
        enrolment,
        wrong,
    }
}

/// Shows the recovery codes once: they are stored as hashes, and the page cannot be reloaded.
async fn show_codes(desk: &Desk, token: &str, codes: Vec<String>) -> Response {
    // The session and its CSRF token were replaced.
    let signed = match desk.web.app.panel_session(token).await {
        Ok(Some(signed)) => signed,
        Ok(None) => return desk.go("/panel/sign-in"),
        Err(error) => return desk.trouble(error),
    };
    let f = desk.frame(Place::Account).with(&signed);
    let mut answer = desk.page(&RecoveryPage { f, codes });
    cookie::keep_session(&mut answer, token, desk.is_https());
    answer
}

/// The pages with made-up data.
pub(super) fn samples(l: crate::page::Lang) -> Vec<crate::signer::samples::Sample> {
    use super::samples::{frame, sample};
    let f = || frame(l, Place::Account, app::panel::Role::Reader);
    let mut required = f();
    if let Some(person) = &mut required.person {
        person.lacks_second_factor = true;
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
        wrong: WrongProof::default(),
    };
    let page = SecondFactorPage {
        f: f(),
        enrolment,
        qr: Qr::of(address),
        wrong: WrongProof {
            code: Some(l.wrong_setup_code().to_owned()),
            password: Some(l.wrong_own_password().to_owned()),
        },
    };
    let codes = (0..10).map(|number| format!("ab{number}d-efgh-jkmn")).collect();
    vec![
        sample(l, "second-factor", &page),
        sample(l, "second-factor-required", &first),
        sample(l, "recovery", &RecoveryPage { f: f(), codes }),
    ]
}
