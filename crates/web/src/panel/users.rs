//! The company's users: invite, change a role, stop, let in again.

use super::auth::{PanelRequest, RequireAdministrator};
use super::confirm::ConfirmPage;
use super::csrf_form::CsrfForm;
use super::layout::{PanelLayout, Section, Undo};
use super::message_page::PanelMessage;
use super::pagination::Pagination;
use crate::page::{FormFields, PageError, PageResult, PanelLang};
use app::Error;
use app::panel::{AuditAct, Member, MemberChange, Role, StoredInvitation};
use askama::Template;
use axum::extract::Path;
use axum::http::StatusCode;
use domain::{Email, InvitationId, PersonName, UserId};
use std::time::Duration;
use store::{AuditRow, InvitationRow};

/// How long a change of a member can be undone.
const UNDO_TIMEOUT: Duration = Duration::from_mins(10);

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/users.html")]
pub(crate) struct UsersPage {
    pub(crate) f: PanelLayout,
    pub(crate) members: Vec<Member>,
    pub(crate) pagination: Pagination,
    pub(crate) invitations: Vec<StoredInvitation>,
    /// The user of this request.
    pub(crate) own: UserId,
    pub(crate) typed: InvitationForm,
}

/// The form of an invitation, and its errors.
#[derive(Debug, Default)]
pub(crate) struct InvitationForm {
    pub(crate) email: String,
    pub(crate) name: String,
    pub(crate) role: String,
    pub(crate) email_error: Option<&'static str>,
    pub(crate) name_error: Option<&'static str>,
}

/// One user's page.
#[derive(Debug, Template)]
#[template(path = "panel/user.html")]
pub(crate) struct UserPage {
    pub(crate) f: PanelLayout,
    pub(crate) member: Member,
    /// Whether it is the user of this request.
    pub(crate) own: bool,
    pub(crate) error: Option<&'static str>,
}

/// `GET /panel/users`.
pub(crate) async fn page(RequireAdministrator(request): RequireAdministrator) -> PageResult {
    let done = request.done();
    let notice = match done.as_deref() {
        Some("invited") => Some(request.l.user_invited()),
        Some("withdrawn") => Some(request.l.invitation_withdrawn()),
        Some("changed") => Some(request.l.user_changed()),
        Some("same") => Some(request.l.user_same()),
        _ => None,
    };
    let undo = match done.as_deref() {
        Some("changed") => undo(&request).await.map_err(|error| request.error_page(error))?,
        _ => None,
    };
    let page = load_page(&request, InvitationForm::default())
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.page(&UsersPage {
        f: PanelLayout {
            undo,
            ..page.f.with_notice(notice)
        },
        ..page
    }))
}

/// The form that undoes the last change of a member, if this user made it within ten minutes. It is built
/// from the audit log, since the address could be forged. The form names the act, and fails once there is a
/// newer one.
async fn undo(request: &PanelRequest) -> Result<Option<Undo>, Error> {
    let own = request.user();
    let last = request.web.app.last_change(own.company).await?;
    let recent = request.web.app.clock.now().before(UNDO_TIMEOUT);
    let Some(last) = last.filter(|last| last.who == own.email && last.at > recent) else {
        return Ok(None);
    };
    let (email, act, mut fields) = match AuditAct::from_word(&last.what) {
        Some(AuditAct::UserDisabled) => (last.detail.as_str(), "enable", Vec::new()),
        Some(AuditAct::RoleChanged) => {
            let Some((email, roles)) = last.detail.rsplit_once(": ") else {
                return Ok(None);
            };
            let was = roles.split(' ').next().unwrap_or_default();
            (email, "role", vec![("role", was.to_owned())])
        }
        _ => return Ok(None),
    };
    fields.push(("undoes", last.seq.to_string()));
    let members = request.web.app.members(own.company).await?;
    let member = members.iter().find(|member| member.email == email);
    Ok(member.map(|member| Undo {
        action: format!("/panel/users/{}/{act}", member.id),
        fields,
        button: request.l.undo(&member.name),
    }))
}

/// The number of the act that a form undoes, if any.
fn undoes(form: &FormFields) -> Option<AuditRow> {
    form.has("undoes")
        .then(|| form.get("undoes").parse().unwrap_or(AuditRow::ZERO))
}

async fn load_page(request: &PanelRequest, typed: InvitationForm) -> Result<UsersPage, Error> {
    let mut members = request.web.app.members(request.user().company).await?;
    let invitations = request.web.app.invitations(request.user().company).await?;
    Ok(UsersPage {
        f: request.frame(Section::Users),
        invitations,
        pagination: Pagination::take(&mut members, request.query("page").as_deref()),
        members,
        own: request.user().id,
        typed,
    })
}

/// `POST /panel/users`: invites.
pub(crate) async fn invite(
    RequireAdministrator(request): RequireAdministrator,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let l = request.l;
    let mut typed = InvitationForm {
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
        ..InvitationForm::default()
    };
    let (email, name) = (
        Email::new(typed.email.clone()),
        PersonName::new(typed.name.clone()),
    );
    let role = typed.role.parse::<Role>().unwrap_or(Role::Reader);
    typed.email_error = email.is_err().then(|| l.email_malformed());
    typed.name_error = name.is_err().then(|| l.name_malformed());
    if let (Ok(email), Ok(name)) = (email, name) {
        let invited = request.web.app.invite(request.actor(), email, name, role).await;
        match invited.map_err(|error| request.error_page(error))? {
            MemberChange::Done
            | MemberChange::Same
            | MemberChange::Overtaken
            | MemberChange::LastAdministrator
            | MemberChange::Own => {
                return Ok(request.redirect("/panel/users?done=invited"));
            }
            MemberChange::Taken => typed.email_error = Some(l.email_taken()),
            MemberChange::Full => typed.email_error = Some(l.users_full()),
        }
    }
    let page = load_page(&request, typed)
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.page_with_errors(&page))
}

/// The invitation that an address names.
fn invitation_id(request: &PanelRequest, invitation: &str) -> Result<InvitationId, PageError> {
    let id = invitation.parse();
    id.map_err(|_| request.error_page(Error::NotFound).into())
}

/// `POST /panel/users/invitations/{invitation}/resend`.
pub(crate) async fn resend_invitation(
    RequireAdministrator(request): RequireAdministrator,
    Path(invitation): Path<String>,
    _: CsrfForm,
) -> PageResult {
    let id = invitation_id(&request, &invitation)?;
    request
        .web
        .app
        .resend_invitation(request.actor(), id)
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.redirect("/panel/users?done=invited"))
}

/// `POST /panel/users/invitations/{invitation}/withdraw`.
pub(crate) async fn withdraw_invitation(
    RequireAdministrator(request): RequireAdministrator,
    Path(invitation): Path<String>,
    _: CsrfForm,
) -> PageResult {
    let id = invitation_id(&request, &invitation)?;
    request
        .web
        .app
        .withdraw_invitation(request.actor(), id)
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.redirect("/panel/users?done=withdrawn"))
}

/// `GET /panel/users/{user}`.
pub(crate) async fn one(
    RequireAdministrator(request): RequireAdministrator,
    Path(user): Path<String>,
) -> PageResult {
    let member = member(&request, &user).await?;
    Ok(request.page(&user_page(&request, member, None)))
}

fn user_page(request: &PanelRequest, member: Member, error: Option<&'static str>) -> UserPage {
    UserPage {
        f: request.frame(Section::Users),
        own: member.id == request.user().id,
        member,
        error,
    }
}

async fn member(request: &PanelRequest, user: &str) -> Result<Member, PageError> {
    let Ok(id) = user.parse::<UserId>() else {
        return Err(request.error_page(Error::NotFound).into());
    };
    let found = request.web.app.member(request.user().company, id).await;
    found.map_err(|error| request.error_page(error).into())
}

/// `POST /panel/users/{user}/role`.
pub(crate) async fn role(
    RequireAdministrator(request): RequireAdministrator,
    Path(user): Path<String>,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let member = member(&request, &user).await?;
    let role = form.get("role").parse::<Role>().unwrap_or(member.role);
    let changed = request
        .web
        .app
        .set_role(request.actor(), member.id, role, undoes(&form))
        .await;
    after(&request, member, changed)
}

/// `POST /panel/users/{user}/invite`.
pub(crate) async fn invite_again(
    RequireAdministrator(request): RequireAdministrator,
    Path(user): Path<String>,
    _: CsrfForm,
) -> PageResult {
    let member = member(&request, &user).await?;
    let invited = request.web.app.invite_again(request.actor(), member.id).await;
    match invited.map_err(|error| request.error_page(error))? {
        MemberChange::Same => Ok(request.redirect("/panel/users?done=same")),
        _ => Ok(request.redirect("/panel/users?done=invited")),
    }
}

/// `POST /panel/users/{user}/disable`: asks first, since it ends what the user has open.
pub(crate) async fn disable(
    RequireAdministrator(request): RequireAdministrator,
    Path(user): Path<String>,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let member = member(&request, &user).await?;
    let l = request.l;
    if form.get("sure").is_empty() {
        return Ok(request.page(&ConfirmPage {
            lasting: false,
            ..confirm(
                &request,
                &member,
                "disable",
                l.user_disable_title(),
                l.user_disable_lead(),
                l.user_disable(),
            )
        }));
    }
    let changed = request
        .web
        .app
        .set_member_enabled(request.actor(), member.id, false, None)
        .await;
    after(&request, member, changed)
}

/// `POST /panel/users/{user}/enable`.
pub(crate) async fn enable(
    RequireAdministrator(request): RequireAdministrator,
    Path(user): Path<String>,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let member = member(&request, &user).await?;
    let changed = request
        .web
        .app
        .set_member_enabled(request.actor(), member.id, true, undoes(&form))
        .await;
    after(&request, member, changed)
}

/// `POST /panel/users/{user}/second-factor`: takes away another user's second factor that was lost.
pub(crate) async fn second_factor(
    RequireAdministrator(request): RequireAdministrator,
    Path(user): Path<String>,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let member = member(&request, &user).await?;
    let l = request.l;
    let own = member.id == request.user().id;
    if form.get("sure").is_empty() && !own {
        let lead = l.user_second_factor_lead();
        return Ok(request.page(&confirm(
            &request,
            &member,
            "second-factor",
            l.user_second_factor_title(),
            lead,
            l.user_second_factor(),
        )));
    }
    let changed = request
        .web
        .app
        .remove_members_second_factor(request.actor(), member.id)
        .await;
    after(&request, member, changed)
}

/// `POST /panel/users/{user}/identity`: forgets as whom the company's identity provider knows the user.
pub(crate) async fn unlink(
    RequireAdministrator(request): RequireAdministrator,
    Path(user): Path<String>,
    _: CsrfForm,
) -> PageResult {
    let member = member(&request, &user).await?;
    let changed = request.web.app.unlink_member(request.actor(), member.id).await;
    after(&request, member, changed)
}

fn confirm(
    request: &PanelRequest,
    member: &Member,
    act: &str,
    title: &str,
    lead: &str,
    button: &str,
) -> ConfirmPage {
    ConfirmPage {
        f: request.frame(Section::Users),
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

fn after(request: &PanelRequest, member: Member, changed: Result<MemberChange, Error>) -> PageResult {
    match changed {
        Ok(MemberChange::LastAdministrator) => {
            let error = Some(request.l.last_administrator());
            Ok(request.page_with_errors(&user_page(request, member, error)))
        }
        Ok(MemberChange::Own) => {
            let error = Some(request.l.own_second_factor());
            Ok(request.page_with_errors(&user_page(request, member, error)))
        }
        Ok(MemberChange::Same) => Ok(request.redirect("/panel/users?done=same")),
        Ok(MemberChange::Overtaken) => Ok(request.message_page(StatusCode::CONFLICT, PanelMessage::Refused)),
        Ok(_) => Ok(request.redirect("/panel/users?done=changed")),
        Err(error) => Err(request.error_page(error).into()),
    }
}

impl PanelLang {
    /// The state of a member: an icon and a word.
    pub(crate) const fn user_state_label(self, member: &Member) -> (&'static str, &'static str) {
        if member.disabled_at.is_some() {
            ("over", self.user_state_disabled())
        } else if !member.has_password && !member.has_identity {
            ("wait", self.user_state_invited())
        } else {
            ("good", self.user_state_active())
        }
    }
}

/// The pages with made-up data.
pub(super) fn samples(l: PanelLang) -> Vec<crate::signer::samples::Sample> {
    use super::sample_data::{NOW, frame, sample};
    use std::time::Duration;
    let member = |id: u8, name: &str, role: Role| Member {
        id: UserId::from_bytes([id; 16]),
        email: format!("{}@losandes.example", name.to_lowercase().replace(' ', ".")),
        name: name.to_owned(),
        role,
        has_password: id != 3,
        has_second_factor: id == 1,
        has_identity: id == 2,
        disabled_at: (id == 4).then_some(NOW),
        last_sign_in_at: (id != 3).then(|| NOW.before(Duration::from_hours(u64::from(id) * 9))),
    };
    let members = vec![
        member(1, "Luisa Gomez", Role::Administrator),
        member(2, "Omar Pardo", Role::Supervisor),
        member(3, "Nora Vélez", Role::Reader),
        member(4, "Iván Castaño", Role::Reader),
    ];
    let f = || frame(l, Section::Users, Role::Administrator);
    let one = UserPage {
        f: f(),
        member: members[0].clone(),
        own: true,
        error: Some(l.last_administrator()),
    };
    let invited = UserPage {
        f: f(),
        member: members[2].clone(),
        own: false,
        error: None,
    };
    let invitation = StoredInvitation {
        seq: InvitationRow(1),
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
        f: PanelLayout {
            undo,
            ..f().with_notice(Some(l.user_changed()))
        },
        members,
        pagination: Pagination { here: 2, last: 3 },
        invitations: vec![invitation],
        own: UserId::from_bytes([1; 16]),
        typed: InvitationForm {
            email: "luisa".to_owned(),
            email_error: Some(l.email_malformed()),
            name_error: Some(l.name_malformed()),
            ..InvitationForm::default()
        },
    };
    vec![
        sample(l, "users-wrong", &page),
        sample(l, "user-last", &one),
        sample(l, "user-invited", &invited),
    ]
}
