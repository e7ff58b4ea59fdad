//! The company's users, as its administrators look after them. There is always one administrator left.

use super::audit::{AuditAct, last_change};
use super::second_factor::take_second_factor;
use super::{PanelActor, Role};
use crate::{App, Error};
use domain::limits::USERS;
use domain::{CompanyId, Timestamp, UserId};
use store::{AuditRow, StoredUser, Tx};

/// A user as administrators see one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The identifier.
    pub id: UserId,
    /// The address the user signs in with.
    pub email: String,
    /// The full name.
    pub name: String,
    /// What the user may do.
    pub role: Role,
    /// Whether a password was chosen.
    pub has_password: bool,
    /// Whether there is a second factor.
    pub has_second_factor: bool,
    /// Since when the user may not sign in.
    pub disabled_at: Option<Timestamp>,
    /// Whether the company's identity provider knows the user.
    pub has_identity: bool,
    /// When the user last signed in.
    pub last_sign_in_at: Option<Timestamp>,
}

impl From<StoredUser> for Member {
    fn from(row: StoredUser) -> Self {
        Self {
            id: row.id,
            email: row.email,
            name: row.name,
            role: row.role,
            has_password: row.password.is_some(),
            has_identity: row.identity.is_some(),
            has_second_factor: row.totp_secret.is_some(),
            disabled_at: row.disabled_at,
            last_sign_in_at: row.last_sign_in_at,
        }
    }
}

/// The outcome of an act on a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberChange {
    /// Done.
    Done,
    /// Nothing: it was so already.
    Same,
    /// Nothing: the act to be undone is no longer the user's last change.
    Overtaken,
    /// The last administrator cannot be removed.
    LastAdministrator,
    /// Nothing: users turn off their own second factor with the password and a code.
    Own,
    /// The address is of one of the company's users already, or was invited.
    Taken,
    /// There are as many users as there may be.
    Full,
}

impl App {
    /// The company's users, by address.
    pub async fn members(&self, company: CompanyId) -> Result<Vec<Member>, Error> {
        let rows = self.store.read(move |tx| tx.users_of(company, USERS)).await?;
        Ok(rows.into_iter().map(Member::from).collect())
    }

    /// A user of the company.
    pub async fn member(&self, company: CompanyId, id: UserId) -> Result<Member, Error> {
        let row = self.store.read(move |tx| tx.user(company, id)).await?;
        row.map(Member::from).ok_or(Error::NotFound)
    }

    /// Writes a user who has no password yet another link.
    pub async fn invite_again(&self, actor: PanelActor, id: UserId) -> Result<MemberChange, Error> {
        let app = self.clone();
        let done = self.on_member(actor, id, move |tx, user, actor, now| {
            if user.password.is_none() && user.disabled_at.is_none() {
                tx.end_password_links(user.seq)?;
                app.send_password_link(tx, user, now)?;
                actor.record_act(tx, AuditAct::UserInvitedAgain, &user.email, now)?;
                return Ok(MemberChange::Done);
            }
            Ok(MemberChange::Same)
        });
        let done = done.await?;
        self.wakeups.account_emails.notify();
        Ok(done)
    }

    /// Gives a user another role, which ends the sessions of the old one; where that takes an act back, only while
    /// it is the last.
    pub async fn set_role(
        &self,
        actor: PanelActor,
        id: UserId,
        role: Role,
        undoes: Option<AuditRow>,
    ) -> Result<MemberChange, Error> {
        let done = self.on_member(actor, id, move |tx, user, actor, now| {
            if is_overtaken(tx, user.company, undoes, now)? {
                return Ok(MemberChange::Overtaken);
            }
            if user.role == role {
                return Ok(MemberChange::Same);
            }
            if is_last(tx, user)? {
                return Ok(MemberChange::LastAdministrator);
            }
            tx.set_role(user.seq, role)?;
            tx.end_panel_sessions(user.seq, None)?;
            let detail = format!("{}: {} → {role}", user.email, user.role);
            actor.record_act(tx, AuditAct::RoleChanged, &detail, now)?;
            Ok(MemberChange::Done)
        });
        done.await
    }

    /// Enables or disables a user. With `undoes`, only while that act is the last one.
    pub async fn set_member_enabled(
        &self,
        actor: PanelActor,
        id: UserId,
        enabled: bool,
        undoes: Option<AuditRow>,
    ) -> Result<MemberChange, Error> {
        let done = self.on_member(actor, id, move |tx, user, actor, now| {
            if is_overtaken(tx, user.company, undoes, now)? {
                return Ok(MemberChange::Overtaken);
            }
            if user.disabled_at.is_none() == enabled {
                return Ok(MemberChange::Same);
            }
            if !enabled && is_last(tx, user)? {
                return Ok(MemberChange::LastAdministrator);
            }
            tx.set_disabled(user.seq, (!enabled).then_some(now))?;
            tx.end_panel_sessions(user.seq, None)?;
            tx.end_password_links(user.seq)?;
            let act = if enabled {
                AuditAct::UserEnabled
            } else {
                AuditAct::UserDisabled
            };
            actor.record_act(tx, act, &user.email, now)?;
            Ok(MemberChange::Done)
        });
        done.await
    }

    /// Removes another user's lost second factor. A stranger at an administrator's open browser must not be able to turn off
    /// that administrator's own.
    pub async fn remove_members_second_factor(
        &self,
        actor: PanelActor,
        id: UserId,
    ) -> Result<MemberChange, Error> {
        let done = self.on_member(actor, id, move |tx, user, actor, now| {
            if user.id == actor.user.id {
                return Ok(MemberChange::Own);
            }
            if user.totp_secret.is_none() {
                return Ok(MemberChange::Same);
            }
            take_second_factor(tx, user, now)?;
            actor.record_act(tx, AuditAct::SecondFactorRemoved, &user.email, now)?;
            Ok(MemberChange::Done)
        });
        let done = done.await?;
        self.wakeups.account_emails.notify();
        Ok(done)
    }

    /// Forgets as whom the company's identity provider knows a user: the next sign-in by it is linked by the address again.
    pub async fn unlink_member(&self, actor: PanelActor, id: UserId) -> Result<MemberChange, Error> {
        let done = self.on_member(actor, id, move |tx, user, actor, now| {
            if user.identity.is_none() {
                return Ok(MemberChange::Same);
            }
            tx.set_identity(user.seq, None)?;
            tx.end_panel_sessions(user.seq, None)?;
            actor.record_act(tx, AuditAct::IdentityUnlinked, &user.email, now)?;
            Ok(MemberChange::Done)
        });
        done.await
    }

    async fn on_member(
        &self,
        actor: PanelActor,
        id: UserId,
        act: impl Fn(&mut Tx<'_>, &StoredUser, &PanelActor, Timestamp) -> Result<MemberChange, Error>
        + Send
        + 'static,
    ) -> Result<MemberChange, Error> {
        let now = self.clock.now();
        let done = self.store.write_retryable(move |tx| {
            // All changes of a company's users take this lock first, so that they cannot deadlock.
            tx.lock_administrators(actor.user.company)?;
            let user = tx.user(actor.user.company, id)?.ok_or(Error::NotFound)?;
            act(tx, &user, &actor, now)
        });
        done.await
    }
}

/// Whether another user of the company was changed after the act of that number.
fn is_overtaken(
    tx: &mut Tx<'_>,
    company: CompanyId,
    undoes: Option<AuditRow>,
    now: Timestamp,
) -> Result<bool, Error> {
    let Some(undoes) = undoes else {
        return Ok(false);
    };
    let last = last_change(tx, company, now)?;
    Ok(last.is_none_or(|last| last.seq != undoes))
}

/// Whether the user is the only administrator who can sign in.
pub(super) fn is_last(tx: &mut Tx<'_>, user: &StoredUser) -> Result<bool, Error> {
    Ok(tx.lock_administrators(user.company)? == [user.id])
}
