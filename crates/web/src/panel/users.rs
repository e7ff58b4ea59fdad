//! The company's people: invite, change a role, stop, let in again.

use super::confirm::ConfirmPage;
use super::desk::{Administer, Desk};
use super::frame::{Frame, Place, Undo};
use super::leaves::Leaves;
use super::news::News;
use super::posted::Posted;
use crate::page::{Form, Lang};
use app::Error;
use app::panel::{Act, InvitationRow, Member, MemberChange, Role};
use askama::Template;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use domain::{Email, InvitationId, PersonName, UserId};
use std::time::Duration;

/// How long a change of a member can be undone.
const UNDONE: Duration = Duration::from_mins(10);

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/users.html")]
pub(crate) struct UsersPage {
    pub(crate) f: Frame,
    pub(crate) members: Vec<Member>,
    pub(crate) leaves: Leaves,
    pub(crate) invitations: Vec<InvitationRow>,
    /// The user of this request.
    pub(crate) own: UserId,
    pub(crate) typed: Typed,
}

/// The form of an invitation, and its errors.
#[derive(Debug, Default)]
pub(crate) struct Typed {
    pub(crate) email: String,
    pub(crate) name: String,
    pub(crate) role: String,
    pub(crate) email_error: Option<&'static str>,
    pub(crate) name_error: Option<&'static str>,
}

/// One person's page.
#[derive(Debug, Template)]
#[template(path = "panel/user.html")]
pub(crate) struct UserPage {
    pub(crate) f: Frame,
    pub(crate) member: Member,
    pub(crate) error: Option<&'static str>,
}

/// `GET /panel/users`.
pub(crate) async fn page(Administer(desk): Administer) -> Response {
    let done = desk.done();
    let notice = match done.as_deref() {
        Some("invited") => Some(desk.l.user_invited()),
        Some("withdrawn") => Some(desk.l.invitation_withdrawn()),
        Some("changed") => Some(desk.l.user_changed()),
        Some("same") => Some(desk.l.user_same()),
        _ => None,
    };
    let undo = match done.as_deref() {
        Some("changed") => match undo(&desk).await {
            Ok(undo) => undo,
            Err(error) => return desk.trouble(error),
        },
        _ => None,
    };
    match made(&desk, Typed::default()).await {
        Ok(page) => desk.page(&UsersPage {
            f: Frame {
                undo,
                ..page.f.saying(notice)
            },
            ..page
        }),
        Err(error) => desk.trouble(error),
    }
}

/// The form that undoes the last change of a member, if this user made it within ten minutes. It is built
/// from the audit log, since the address could be forged. The form names the act, and fails once there is a
/// newer one.
async fn undo(desk: &Desk) -> Result<Option<Undo>, Error> {
    let own = desk.user();
    let last = desk.web.app.last_change(own.company).await?;
    let recent = desk.web.app.clock.now().before(UNDONE);
    let Some(last) = last.filter(|last| last.who == own.email && last.at > recent) else {
        return Ok(None);
    };
    let (email, act, mut fields) = match Act::from_word(&last.what) {
        Some(Act::UserDisabled) => (last.detail.as_str(), "enable", Vec::new()),
        Some(Act::RoleChanged) => {
            let Some((email, roles)) = last.detail.rsplit_once(": ") else {
                return Ok(None);
            };
            let was = roles.split(' ').next().unwrap_or_default();
            (email, "role", vec![("role", was.to_owned())])
        }
        _ => return Ok(None),
    };
    fields.push(("undoes", last.seq.to_string()));
    let members = desk.web.app.members(own.company).await?;
    let member = members.iter().find(|member| member.email == email);
    Ok(member.map(|member| Undo {
        action: format!("/panel/users/{}/{act}", member.id),
        fields,
        button: desk.l.undo(&member.name),
    }))
}

/// The number of the act that a form undoes, if any.
fn undoes(form: &Form) -> Option<i64> {
    form.has("undoes")
        .then(|| form.get("undoes").parse().unwrap_or_default())
}

async fn made(desk: &Desk, typed: Typed) -> Result<UsersPage, Error> {
    let mut members = desk.web.app.members(desk.user().company).await?;
    let invitations = desk.web.app.invitations(desk.user().company).await?;
    Ok(UsersPage {
        f: desk.frame(Place::Users),
        invitations,
        leaves: Leaves::take(&mut members, desk.query("page").as_deref()),
        members,
        own: desk.user().id,
        typed,
    })
}

/// `POST /panel/users`: invites.
pub(crate) async fn invite(Administer(desk): Administer, Posted(form): Posted) -> Response {
    let l = desk.l;
    let mut typed = Typed {
        email: form
            .get("email")
            .trim()
            .chars()
            .take(domain::limits::EMAIL)
            .collect(),
        name: form
            .get("name")
            .trim()
            .chars()
            .take(domain::limits::PERSON_NAME)
            .collect(),
        role: form.get("role").to_owned(),
        ..Typed::default()
    };
    let (email, name) = (
        Email::new(typed.email.clone()),
        PersonName::new(typed.name.clone()),
    );
    let role = typed.role.parse::<Role>().unwrap_or(Role::Reader);
    typed.email_error = email.is_err().then(|| l.email_malformed());
    typed.name_error = name.is_err().then(|| l.name_malformed());
    if let (Ok(email), Ok(name)) = (email, name) {
        match desk.web.app.invite(desk.hand(), email, name, role).await {
            Ok(
                MemberChange::Done
                | MemberChange::Same
                | MemberChange::Overtaken
                | MemberChange::LastAdministrator,
            ) => {
                return desk.go("/panel/users?done=invited");
            }
            Ok(MemberChange::Taken) => typed.email_error = Some(l.email_taken()),
            Ok(MemberChange::Full) => typed.email_error = Some(l.users_full()),
            Err(error) => return desk.trouble(error),
        }
    }
    match made(&desk, typed).await {
        Ok(page) => desk.wrong(&page),
        Err(error) => desk.trouble(error),
    }
}

/// `POST /panel/users/invitations/{invitation}/resend`.
pub(crate) async fn resend_invitation(
    Administer(desk): Administer,
    Path(invitation): Path<String>,
    _: Posted,
) -> Response {
    let Ok(id) = invitation.parse::<InvitationId>() else {
        return desk.trouble(Error::NotFound);
    };
    match desk.web.app.resend_invitation(desk.hand(), id).await {
        Ok(()) => desk.go("/panel/users?done=invited"),
        Err(error) => desk.trouble(error),
    }
}

/// `POST /panel/users/invitations/{invitation}/withdraw`.
pub(crate) async fn withdraw_invitation(
    Administer(desk): Administer,
    Path(invitation): Path<String>,
    _: Posted,
) -> Response {
    let Ok(id) = invitation.parse::<InvitationId>() else {
        return desk.trouble(Error::NotFound);
    };
    match desk.web.app.withdraw_invitation(desk.hand(), id).await {
        Ok(()) => desk.go("/panel/users?done=withdrawn"),
        Err(error) => desk.trouble(error),
    }
}

/// `GET /panel/users/{user}`.
pub(crate) async fn one(Administer(desk): Administer, Path(user): Path<String>) -> Response {
    match member(&desk, &user).await {
        Ok(member) => desk.page(&UserPage {
            f: desk.frame(Place::Users),
            member,
            error: None,
        }),
        Err(error) => desk.trouble(error),
    }
}

async fn member(desk: &Desk, user: &str) -> Result<Member, Error> {
    let id = user.parse::<UserId>().map_err(|_| Error::NotFound)?;
    desk.web.app.member(desk.user().company, id).await
}

/// `POST /panel/users/{user}/role`.
pub(crate) async fn role(
    Administer(desk): Administer,
    Path(user): Path<String>,
    Posted(form): Posted,
) -> Response {
    let member = match member(&desk, &user).await {
        Ok(member) => member,
        Err(error) => return desk.trouble(error),
    };
    let role = form.get("role").parse::<Role>().unwrap_or(member.role);
    let changed = desk
        .web
        .app
        .set_role(desk.hand(), member.id, role, undoes(&form))
        .await;
    after(&desk, member, changed)
}

/// `POST /panel/users/{user}/invite`.
pub(crate) async fn invite_again(
    Administer(desk): Administer,
    Path(user): Path<String>,
    _: Posted,
) -> Response {
    let member = match member(&desk, &user).await {
        Ok(member) => member,
        Err(error) => return desk.trouble(error),
    };
    match desk.web.app.invite_again(desk.hand(), member.id).await {
        Ok(MemberChange::Same) => desk.go("/panel/users?done=same"),
        Ok(_) => desk.go("/panel/users?done=invited"),
        Err(error) => desk.trouble(error),
    }
}

/// `POST /panel/users/{user}/disable`: asks first, since it ends what the person has open.
pub(crate) async fn disable(
    Administer(desk): Administer,
    Path(user): Path<String>,
    Posted(form): Posted,
) -> Response {
    let member = match member(&desk, &user).await {
        Ok(member) => member,
        Err(error) => return desk.trouble(error),
    };
    let l = desk.l;
    if form.get("sure").is_empty() {
        return desk.page(&ConfirmPage {
            lasting: false,
            ..confirm(
                &desk,
                &member,
                "disable",
                l.user_disable_title(),
                l.user_disable_lead(),
                l.user_disable(),
            )
        });
    }
    let changed = desk.web.app.let_member(desk.hand(), member.id, false, None).await;
    after(&desk, member, changed)
}

/// `POST /panel/users/{user}/enable`.
pub(crate) async fn enable(
    Administer(desk): Administer,
    Path(user): Path<String>,
    Posted(form): Posted,
) -> Response {
    let member = match member(&desk, &user).await {
        Ok(member) => member,
        Err(error) => return desk.trouble(error),
    };
    let changed = desk
        .web
        .app
        .let_member(desk.hand(), member.id, true, undoes(&form))
        .await;
    after(&desk, member, changed)
}

/// `POST /panel/users/{user}/second-factor`: takes away a second factor that was lost.
pub(crate) async fn second_factor(
    Administer(desk): Administer,
    Path(user): Path<String>,
    Posted(form): Posted,
) -> Response {
    let member = match member(&desk, &user).await {
        Ok(member) => member,
        Err(error) => return desk.trouble(error),
    };
    let l = desk.l;
    if form.get("sure").is_empty() {
        let lead = l.user_second_factor_lead();
        return desk.page(&confirm(
            &desk,
            &member,
            "second-factor",
            l.user_second_factor_title(),
            lead,
            l.user_second_factor(),
        ));
    }
    let changed = desk
        .web
        .app
        .remove_members_second_factor(desk.hand(), member.id)
        .await;
    after(&desk, member, changed)
}

fn confirm(desk: &Desk, member: &Member, act: &str, title: &str, lead: &str, button: &str) -> ConfirmPage {
    ConfirmPage {
        f: desk.frame(Place::Users),
        title: title.to_owned(),
        lead: lead.to_owned(),
        lasting: true,
        about: vec![format!("{} · {}", member.name, member.email)],
        action: format!("/panel/users/{}/{act}", member.id),
        fields: vec![("sure", "yes".to_owned())],
        button: button.to_owned(),
        back: format!("/panel/users/{}", member.id),
    }
}

fn after(desk: &Desk, member: Member, changed: Result<MemberChange, Error>) -> Response {
    match changed {
        Ok(MemberChange::LastAdministrator) => desk.wrong(&UserPage {
            f: desk.frame(Place::Users),
            member,
            error: Some(desk.l.last_administrator()),
        }),
        Ok(MemberChange::Same) => desk.go("/panel/users?done=same"),
        Ok(MemberChange::Overtaken) => desk.news(StatusCode::CONFLICT, News::Refused),
        Ok(_) => desk.go("/panel/users?done=changed"),
        Err(error) => desk.trouble(error),
    }
}

impl Lang {
    /// The state of a member: an icon and a word.
    pub(crate) const fn standing(self, member: &Member) -> (&'static str, &'static str) {
        if member.disabled_at.is_some() {
            ("over", self.user_state_disabled())
        } else if !member.has_password {
            ("wait", self.user_state_invited())
        } else {
            ("good", self.user_state_active())
        }
    }
}

/// The pages with made-up data.
pub(super) fn samples(l: Lang) -> Vec<crate::signer::samples::Sample> {
    use super::samples::{NOW, frame, sample};
    use std::time::Duration;
    let member = |id: u8, name: &str, role: Role| Member {
        id: UserId::from_bytes([id; 16]),
        email: format!("{}@losandes.example", name.to_lowercase().replace(' ', ".")),
        name: name.to_owned(),
        role,
        has_password: id != 3,
        has_second_factor: id == 1,
        disabled_at: (id == 4).then_some(NOW),
        last_sign_in_at: (id != 3).then(|| NOW.before(Duration::from_hours(u64::from(id) * 9))),
    };
    let members = vec![
        member(1, "Luisa Gomez", Role::Administrator),
        member(2, "Omar Pardo", Role::Supervisor),
        member(3, "Nora Vélez", Role::Reader),
        member(4, "Iván Castaño", Role::Reader),
    ];
    let f = || frame(l, Place::Users, Role::Administrator);
    let one = UserPage {
        f: f(),
        member: members[0].clone(),
        error: Some(l.last_administrator()),
    };
    let invited = UserPage {
        f: f(),
        member: members[2].clone(),
        error: None,
    };
    let invitation = InvitationRow {
        seq: 1,
        id: InvitationId::from_bytes([5; 16]),
        company: domain::CompanyId(1),
        email: "elena.mora@losandes.example".to_owned(),
        name: "Elena Mora".to_owned(),
        role: Role::Supervisor,
        sent_at: NOW.before(Duration::from_hours(3)),
    };
    let undo = Some(Undo {
        action: "/panel/users/1/enable".to_owned(),
        fields: vec![("role", "reader".to_owned())],
        button: l.undo("Iván Castaño"),
    });
    let page = UsersPage {
        f: Frame {
            undo,
            ..f().saying(Some(l.user_changed()))
        },
        members,
        leaves: Leaves { here: 2, last: 3 },
        invitations: vec![invitation],
        own: UserId::from_bytes([1; 16]),
        typed: Typed {
            email: "luisa".to_owned(),
            email_error: Some(l.email_malformed()),
            name_error: Some(l.name_malformed()),
            ..Typed::default()
        },
    };
    vec![
        sample(l, "users-wrong", &page),
        sample(l, "user-last", &one),
        sample(l, "user-invited", &invited),
    ]
}
