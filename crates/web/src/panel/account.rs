//! The person's own things: the password and the open sessions; the second factor has a file of its own.

use super::cookie;
use super::desk::{Desk, Read};
use super::frame::{Frame, Place};
use super::posted::Posted;
use super::second_factor::WrongProof;
use app::panel::{OpenSession, SecondFactor};
use askama::Template;
use axum::extract::Path;
use axum::response::Response;
use domain::SessionId;

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/account.html")]
pub(crate) struct AccountPage {
    pub(crate) f: Frame,
    pub(crate) second: SecondFactor,
    /// Whether the company demands one.
    pub(crate) second_required: bool,
    pub(crate) sessions: Vec<SessionView>,
    pub(crate) wrong: Wrong,
}

/// The errors of the page's forms.
#[derive(Debug, Default)]
pub(crate) struct Wrong {
    pub(crate) old: Option<String>,
    pub(crate) new: Option<&'static str>,
    pub(crate) renew: WrongProof,
    pub(crate) remove: WrongProof,
}

/// A session as it is listed.
#[derive(Debug)]
pub(crate) struct SessionView {
    pub(crate) session: OpenSession,
    /// Whether it is the session of this request.
    pub(crate) own: bool,
}

/// `GET /panel/account`.
pub(crate) async fn page(Read(desk): Read) -> Response {
    let l = desk.l;
    let notice = match desk.done().as_deref() {
        Some("session") => Some(l.session_ended()),
        Some("sessions") => Some(l.sessions_ended()),
        Some("password") => Some(l.password_changed()),
        Some("second-off") => Some(l.second_removed()),
        _ => None,
    };
    match made(&desk, Wrong::default()).await {
        Ok(page) => desk.page(&AccountPage {
            f: page.f.saying(notice),
            ..page
        }),
        Err(error) => desk.trouble(error),
    }
}

/// The page with the errors of a form.
pub(super) async fn wrong(desk: &Desk, wrong: Wrong) -> Response {
    match made(desk, wrong).await {
        Ok(page) => desk.wrong(&page),
        Err(error) => desk.trouble(error),
    }
}

async fn made(desk: &Desk, wrong: Wrong) -> Result<AccountPage, app::Error> {
    let app = &desk.web.app;
    let open = app.panel_sessions(desk.user()).await?;
    let view = |session: OpenSession| SessionView {
        own: session.id == desk.signed.session,
        session,
    };
    Ok(AccountPage {
        f: desk.frame(Place::Account),
        second: app.second_factor(desk.user()).await?,
        second_required: desk.signed.company.second_factor_required,
        sessions: open.into_iter().map(view).collect(),
        wrong,
    })
}

/// `POST /panel/account/password`.
pub(crate) async fn password(Read(desk): Read, Posted(form): Posted) -> Response {
    let app = &desk.web.app;
    let judged = app.judge_new_password(form.get("new"), desk.password_owner());
    let new = match judged.await {
        Err(error) => return desk.trouble(error),
        Ok(Ok(new)) => new,
        Ok(Err(weak)) => {
            let new = Some(desk.l.weak_password(weak));
            return wrong(
                &desk,
                Wrong {
                    new,
                    ..Wrong::default()
                },
            )
            .await;
        }
    };
    let old = form.get("old").to_owned();
    let changed = app.change_password(&desk.signed, desk.hand(), old, new);
    match changed.await {
        Ok(Some(token)) => {
            let mut answer = desk.go("/panel/account?done=password");
            cookie::keep_session(&mut answer, &token, desk.is_https());
            answer
        }
        Ok(None) => {
            let old = Some(desk.l.wrong_own_password().to_owned());
            wrong(
                &desk,
                Wrong {
                    old,
                    ..Wrong::default()
                },
            )
            .await
        }
        Err(app::Error::TooOften { retry_after }) => {
            let old = Some(desk.too_often(retry_after));
            wrong(
                &desk,
                Wrong {
                    old,
                    ..Wrong::default()
                },
            )
            .await
        }
        Err(error) => desk.trouble(error),
    }
}

/// `POST /panel/account/sessions/{session}/end`.
pub(crate) async fn end(Read(desk): Read, Path(session): Path<String>, _: Posted) -> Response {
    let Ok(session) = session.parse::<SessionId>() else {
        return desk.trouble(app::Error::NotFound);
    };
    match desk.web.app.end_panel_session(desk.hand(), session).await {
        // A session that has ended already counts as ended.
        Ok(_) => desk.go("/panel/account?done=session"),
        Err(error) => desk.trouble(error),
    }
}

/// `POST /panel/account/sessions`: ends all other sessions.
pub(crate) async fn end_others(Read(desk): Read, _: Posted) -> Response {
    let ended = desk.web.app.end_other_panel_sessions(&desk.signed, desk.hand());
    match ended.await {
        Ok(_) => desk.go("/panel/account?done=sessions"),
        Err(error) => desk.trouble(error),
    }
}

/// The page with made-up data.
pub(super) fn samples(l: crate::page::Lang) -> Vec<crate::signer::samples::Sample> {
    use super::samples::{NOW, frame, sample};
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
    let page = |on: bool, required: bool, wrong: Wrong| AccountPage {
        f: frame(l, Place::Account, app::panel::Role::Administrator).saying(Some(l.session_ended())),
        second: SecondFactor {
            on,
            recovery_left: if on { 7 } else { 0 },
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
    let errors = Wrong {
        old: Some(l.wrong_own_password().to_owned()),
        new: Some(l.weak_password(app::panel::WeakPassword::Short)),
        renew: WrongProof {
            code: Some(l.wrong_code_panel().to_owned()),
            ..WrongProof::default()
        },
        remove: WrongProof {
            password: Some(l.wrong_own_password().to_owned()),
            ..WrongProof::default()
        },
    };
    vec![
        sample(l, "account", &page(false, false, Wrong::default())),
        sample(l, "account-required", &page(true, true, Wrong::default())),
        sample(l, "account-wrong", &page(true, false, errors)),
    ]
}
