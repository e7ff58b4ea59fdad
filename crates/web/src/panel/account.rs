//! The user's own things: the password and the open sessions; the second factor has a file of its own.

use super::auth::{PanelRequest, RequireReader};
use super::cookies;
use super::csrf_form::CsrfForm;
use super::layout::{PanelLayout, Section};
use super::proof_errors::ProofErrors;
use crate::page::PageResult;
use app::panel::{OpenSession, SecondFactor};
use askama::Template;
use axum::extract::Path;
use domain::SessionId;

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/account.html")]
pub(crate) struct AccountPage {
    pub(crate) f: PanelLayout,
    pub(crate) second: SecondFactor,
    /// Whether the company demands one.
    pub(crate) second_required: bool,
    pub(crate) sessions: Vec<SessionView>,
    pub(crate) wrong: AccountErrors,
}

/// The errors of the page's forms.
#[derive(Debug, Default)]
pub(crate) struct AccountErrors {
    pub(crate) old: Option<String>,
    pub(crate) new: Option<&'static str>,
    pub(crate) renew: ProofErrors,
    pub(crate) remove: ProofErrors,
}

/// A session as it is listed.
#[derive(Debug)]
pub(crate) struct SessionView {
    pub(crate) session: OpenSession,
    /// Whether it is the session of this request.
    pub(crate) own: bool,
}

/// `GET /panel/account`.
pub(crate) async fn page(RequireReader(request): RequireReader) -> PageResult {
    let l = request.l;
    let notice = match request.done().as_deref() {
        Some("session") => Some(l.session_ended()),
        Some("sessions") => Some(l.sessions_ended()),
        Some("password") => Some(l.password_changed()),
        Some("second-off") => Some(l.second_removed()),
        _ => None,
    };
    let page = load_page(&request, AccountErrors::default())
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.page(&AccountPage {
        f: page.f.with_notice(notice),
        ..page
    }))
}

/// The page with the errors of a form.
pub(super) async fn wrong(request: &PanelRequest, wrong: AccountErrors) -> PageResult {
    let page = load_page(request, wrong)
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.page_with_errors(&page))
}

async fn load_page(request: &PanelRequest, wrong: AccountErrors) -> Result<AccountPage, app::Error> {
    let app = &request.web.app;
    let open = app.panel_sessions(request.user()).await?;
    let view = |session: OpenSession| SessionView {
        own: session.id == request.session.session,
        session,
    };
    Ok(AccountPage {
        f: request.frame(Section::Account),
        second: app.second_factor(request.user()).await?,
        second_required: request.session.company.second_factor_required,
        sessions: open.into_iter().map(view).collect(),
        wrong,
    })
}

/// `POST /panel/account/password`.
pub(crate) async fn password(RequireReader(request): RequireReader, CsrfForm(form): CsrfForm) -> PageResult {
    let app = &request.web.app;
    let judged = app.check_new_password(form.get("new"), request.password_owner());
    let new = match judged.await.map_err(|error| request.error_page(error))? {
        Ok(new) => new,
        Err(weak) => {
            let new = Some(request.l.weak_password(weak));
            return wrong(
                &request,
                AccountErrors {
                    new,
                    ..AccountErrors::default()
                },
            )
            .await;
        }
    };
    let old = form.get("old").to_owned();
    let changed = app.change_password(&request.session, request.actor(), old, new);
    match changed.await {
        Ok(Some(token)) => {
            let mut response = request.redirect("/panel/account?done=password");
            cookies::set_session(&mut response, &token, request.is_https());
            Ok(response)
        }
        Ok(None) => {
            let old = Some(request.l.wrong_own_password().to_owned());
            wrong(
                &request,
                AccountErrors {
                    old,
                    ..AccountErrors::default()
                },
            )
            .await
        }
        Err(app::Error::TooOften { retry_after }) => {
            let old = Some(request.too_often(retry_after));
            wrong(
                &request,
                AccountErrors {
                    old,
                    ..AccountErrors::default()
                },
            )
            .await
        }
        Err(error) => Err(request.error_page(error).into()),
    }
}

/// `POST /panel/account/sessions/{session}/end`.
pub(crate) async fn end(
    RequireReader(request): RequireReader,
    Path(session): Path<String>,
    _: CsrfForm,
) -> PageResult {
    let Ok(session) = session.parse::<SessionId>() else {
        return Err(request.error_page(app::Error::NotFound).into());
    };
    request
        .web
        .app
        .end_panel_session(request.actor(), session)
        .await
        .map_err(|error| request.error_page(error))?;
    // A session that has ended already counts as ended.
    Ok(request.redirect("/panel/account?done=session"))
}

/// `POST /panel/account/sessions`: ends all other sessions.
pub(crate) async fn end_others(RequireReader(request): RequireReader, _: CsrfForm) -> PageResult {
    let ended = request
        .web
        .app
        .end_other_panel_sessions(&request.session, request.actor());
    ended.await.map_err(|error| request.error_page(error))?;
    Ok(request.redirect("/panel/account?done=sessions"))
}

/// The page with made-up data.
pub(super) fn samples(l: crate::page::PanelLang) -> Vec<crate::signer::samples::Sample> {
    use super::sample_data::{NOW, frame, sample};
    use std::time::Duration;
    let session = |id: u8, hours: u64, agent: &str| SessionView {
        session: OpenSession {
            id: SessionId::from_bytes([id; 16]),
            created_at: NOW.before(Duration::from_hours(hours)),
            used_at: NOW.before(Duration::from_mins(hours)),
            address: Some("203.0.113.7".to_owned()),
            agent: agent.to_owned(),
        },
        own: id == 1,
    };
    let page = |on: bool, required: bool, wrong: AccountErrors| AccountPage {
        f: frame(l, Section::Account, app::panel::Role::Administrator).with_notice(Some(l.session_ended())),
        second: SecondFactor {
            on,
            recovery_left: if on { 7 } else { 0 },
            has_password: true,
        },
        second_required: required,
        sessions: vec![
            session(
                1,
                0,
                "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0",
            ),
            session(
                2,
                3,
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Safari/604.1",
            ),
        ],
        wrong,
    };
    let errors = AccountErrors {
        old: Some(l.wrong_own_password().to_owned()),
        new: Some(l.weak_password(app::panel::WeakPassword::Short)),
        renew: ProofErrors {
            code: Some(l.wrong_code_panel().to_owned()),
            ..ProofErrors::default()
        },
        remove: ProofErrors {
            password: Some(l.wrong_own_password().to_owned()),
            ..ProofErrors::default()
        },
    };
    vec![
        sample(l, "account", &page(false, false, AccountErrors::default())),
        sample(l, "account-required", &page(true, true, AccountErrors::default())),
        sample(l, "account-wrong", &page(true, false, errors)),
    ]
}
