//! Chooses a new password: with the old one, or by an emailed link. Both end the sessions that the old one
//! opened.

use super::audit::AuditAct;
use super::lockout::{
    PASSWORD_PER_SOURCE, RESET_PER_ACCOUNT, RESET_PER_SOURCE, count_try, own_scopes, reset_failures,
};
use super::required_provider::required_provider;
use super::sessions::{Token, digest};
use super::{
    Panel, PanelActor, PanelSession, Password, PasswordOwner, User, Visitor, WeakPassword, keyed, normal,
};
use crate::shared::secrets::{ACCOUNT_EMAIL_PURPOSE, SystemRandom};
use crate::{App, Error};
use domain::limits::{PASSWORD_LINK_LIFETIME, PASSWORD_MAX};
use domain::{AccountEmailKind, ProviderId, Timestamp, UserId};
use std::net::IpAddr;
use std::time::Duration;
use store::{NewAccountEmail, NewUser, StoredInvitation, StoredUser, Tx};

/// The outcome of choosing a password by a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chosen {
    /// Done.
    Done,
    /// The link was used or has expired.
    DeadLink,
    /// The link was an invitation's, and the address has an account since.
    AccountExists,
    /// The company lets the user in by its identity provider alone.
    ByProvider(ProviderId),
}

/// What a link to choose a password opens.
#[derive(Debug, Clone)]
pub struct PasswordLink {
    /// Who may choose one.
    pub owner: PasswordOwner,
    /// The company's identity provider, if people sign in by it.
    pub provider: Option<ProviderId>,
    /// Whether they do by it alone: then there is no password to choose.
    pub provider_only: bool,
}

/// Whether a user has shown that it is them who sits at the browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OwnProof {
    Right,
    Wrong,
    /// A user without a password has only a recent sign-in to show, and it is not recent.
    OldSession,
}

/// For how long after a sign-in a user without a password need not sign in again.
const RECENT_SIGN_IN: Duration = Duration::from_mins(10);

impl App {
    /// Checks a new password on a thread of the blocking pool.
    pub async fn check_new_password(
        &self,
        text: &str,
        owner: PasswordOwner,
    ) -> Result<Result<Password, WeakPassword>, Error> {
        // Bounded before it is handed on. Accents that are written apart become one character with their letters.
        let text: String = text.chars().take(4 * PASSWORD_MAX).collect();
        self.panel.passwords.check(text, owner).await
    }

    /// Whether that is the user's password. Wrong ones are counted, and too many make wait. A user without one, who signs in
    /// by an identity provider, has done so recently.
    pub(super) async fn prove_self(&self, signed: &PanelSession, typed: String) -> Result<OwnProof, Error> {
        let (now, user) = (self.clock.now(), &signed.user);
        let (company, id) = (user.company, user.id);
        let row = self.store.read(move |tx| tx.user(company, id)).await?;
        if row.is_some_and(|row| row.password.is_none()) {
            let recent = signed.began_at.after(RECENT_SIGN_IN) > now && !signed.began_at.is_ahead_of(now);
            return Ok(if recent {
                OwnProof::Right
            } else {
                OwnProof::OldSession
            });
        }
        let scope_rules = [(
            keyed(&self.panel.scopes, &[b"own", user.id.as_bytes()]),
            PASSWORD_PER_SOURCE,
        )];
        let email = user.email.clone();
        let found = self.store.write_retryable(move |tx| {
            let tried = count_try(tx, &scope_rules, now)?;
            Ok::<_, Error>((tried, tx.user_with_email(&email)?))
        });
        let (tried, user) = found.await?;
        let kept = user.and_then(|user| user.password);
        let right = self.verify_password(&tried, kept, typed).await?;
        if right {
            self.store
                .write_retryable(move |tx| reset_failures(tx, &tried))
                .await?;
            return Ok(OwnProof::Right);
        }
        Ok(OwnProof::Wrong)
    }

    /// Changes the password. The present session continues under another token, the others end. Nothing if
    /// the old password is wrong.
    pub async fn change_password(
        &self,
        signed: &PanelSession,
        actor: PanelActor,
        old: String,
        new: Password,
    ) -> Result<Option<String>, Error> {
        if self.prove_self(signed, old).await? != OwnProof::Right {
            return Ok(None);
        }
        let hash = self.panel.passwords.hash(new).await?;
        let (now, signed) = (self.clock.now(), signed.clone());
        let changed = self.store.write_retryable(move |tx| {
            tx.set_password(signed.user.seq, &hash)?;
            tx.end_password_links(signed.user.seq)?;
            queue_change_email(tx, &signed.user, AccountEmailKind::PasswordChanged, now)?;
            actor.record_act(tx, AuditAct::PasswordChanged, "", now)?;
            rotate(tx, &signed)
        });
        let token = changed.await?;
        self.wakeups.account_emails.notify();
        Ok(Some(token))
    }

    /// Sends a link to choose another password to that address, if a user has it, or it was invited. The asker does not learn whether;
    /// too many in too short a time do nothing.
    pub async fn request_password_reset(&self, email: &str, address: IpAddr) -> Result<(), Error> {
        let (now, email) = (self.clock.now(), normal(email));
        let app = self.clone();
        let asked = self.store.write_retryable(move |tx| {
            let scope_rules = [
                (app.panel.account_scope("forgotten", &email), RESET_PER_ACCOUNT),
                (app.panel.address_scope("forgotten", address), RESET_PER_SOURCE),
            ];
            count_try(tx, &scope_rules, now)?;
            match tx.user_with_email(&email)? {
                Some(user) if user.disabled_at.is_none() => {
                    match required_provider(tx, user.company, user.role)? {
                        Some(provider) => app.send_sign_in_address(tx, &user, provider, now),
                        None => app.send_password_link(tx, &user, now),
                    }
                }
                Some(_) => Ok(()),
                None => match tx.last_invitation(&email)? {
                    Some(invitation) => app.renew_invitation(tx, &invitation, now),
                    None => Ok(()),
                },
            }
        });
        match asked.await {
            Ok(()) => self.wakeups.account_emails.notify(),
            Err(Error::TooOften { .. }) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Writes a user a link to choose a password: the first, or another.
    pub(super) fn send_password_link(
        &self,
        tx: &mut Tx<'_>,
        user: &StoredUser,
        now: Timestamp,
    ) -> Result<(), Error> {
        let token = Token::random();
        tx.add_password_link(&token.digest, user.seq, now, now.after(PASSWORD_LINK_LIFETIME))?;
        let link = link(self.notary.base_url(), &token);
        let kind = if user.password.is_none() {
            AccountEmailKind::FirstPassword
        } else {
            AccountEmailKind::NewPassword
        };
        Ok(tx.queue_account_email(&NewAccountEmail {
            company: user.company,
            kind,
            recipient: &user.email,
            name: &user.name,
            language: user.language,
            secret: Some(&self.outbox_secrets.seal(ACCOUNT_EMAIL_PURPOSE, link.as_bytes())),
            at: now,
        })?)
    }

    /// Writes a user where people of the company sign in.
    fn send_sign_in_address(
        &self,
        tx: &mut Tx<'_>,
        user: &StoredUser,
        provider: ProviderId,
        now: Timestamp,
    ) -> Result<(), Error> {
        let address = self.sign_in_address(provider);
        Ok(tx.queue_account_email(&NewAccountEmail {
            company: user.company,
            kind: AccountEmailKind::CompanySignIn,
            recipient: &user.email,
            name: &user.name,
            language: user.language,
            secret: Some(
                &self
                    .outbox_secrets
                    .seal(ACCOUNT_EMAIL_PURPOSE, address.as_bytes()),
            ),
            at: now,
        })?)
    }

    /// The user who may choose a password by that link, if it still works. Looking uses nothing up: mail programs
    /// look, too.
    pub async fn password_link(&self, token: &str) -> Result<Option<PasswordLink>, Error> {
        let (now, digest) = (self.clock.now(), digest(token));
        let found = self.store.read(move |tx| {
            let (company, email, name, role) = match tx.password_link(&digest, now)? {
                Some(user) => (user.company, user.email, user.name, user.role),
                None => match tx.invitation_by_link(&digest, now)? {
                    Some(invitation) => {
                        let StoredInvitation {
                            company,
                            email,
                            name,
                            role,
                            ..
                        } = invitation;
                        (company, email, name, role)
                    }
                    None => return Ok(None),
                },
            };
            let settings = tx.company_settings(company)?.ok_or(Error::NotFound)?;
            let provider = tx.identity_provider(company)?;
            let provider = provider.filter(|provider| provider.enabled_at.is_some());
            Ok::<_, Error>(Some(PasswordLink {
                owner: PasswordOwner {
                    email,
                    name,
                    company: settings.name,
                },
                provider: provider.map(|provider| provider.id),
                provider_only: required_provider(tx, company, role)?.is_some(),
            }))
        });
        found.await
    }

    /// Chooses a password by a link, which is used up. Every session ends, and earlier wrong guesses of
    /// this browser are forgotten. The link of an invitation creates the account.
    pub async fn choose_password(
        &self,
        token: &str,
        new: Password,
        visitor: Visitor,
    ) -> Result<Chosen, Error> {
        if self.password_link(token).await?.is_none() {
            return Ok(Chosen::DeadLink);
        }
        let hash = self.panel.passwords.hash(new).await?;
        let (now, digest, panel) = (self.clock.now(), digest(token), self.panel.clone());
        let chosen = self
            .store
            .write_retryable(move |tx| match tx.password_link(&digest, now)? {
                Some(user) => replace(tx, &panel, &user, &digest, &hash, &visitor, now),
                None => match tx.invitation_by_link(&digest, now)? {
                    Some(invitation) => accept(tx, &panel, &invitation, &hash, &visitor, now),
                    None => Ok(Chosen::DeadLink),
                },
            });
        let chosen = chosen.await?;
        self.wakeups.account_emails.notify();
        Ok(chosen)
    }
}

/// The address under which a password is chosen.
pub(super) fn link(base_url: &str, token: &Token) -> String {
    format!("{base_url}/panel/reset?t={}", token.text)
}

/// Gives a user another password, by the link with that hash.
fn replace(
    tx: &mut Tx<'_>,
    panel: &Panel,
    user: &StoredUser,
    digest: &[u8; 32],
    hash: &str,
    visitor: &Visitor,
    now: Timestamp,
) -> Result<Chosen, Error> {
    if let Some(provider) = required_provider(tx, user.company, user.role)? {
        return Ok(Chosen::ByProvider(provider));
    }
    if !tx.use_password_link(digest)? {
        return Ok(Chosen::DeadLink);
    }
    tx.set_password(user.seq, hash)?;
    tx.end_password_links(user.seq)?;
    tx.end_panel_sessions(user.seq, None)?;
    reset_guesses(tx, panel, &user.email, visitor, now)?;
    let user_now = User::from(user);
    if user.password.is_some() {
        queue_change_email(tx, &user_now, AccountEmailKind::PasswordChanged, now)?;
    }
    let actor = PanelActor {
        user: user_now,
        address: visitor.address,
    };
    actor.record_act(tx, AuditAct::PasswordReset, "", now)?;
    Ok(Chosen::Done)
}

/// Makes the account of a user who was invited.
fn accept(
    tx: &mut Tx<'_>,
    panel: &Panel,
    invitation: &StoredInvitation,
    hash: &str,
    visitor: &Visitor,
    now: Timestamp,
) -> Result<Chosen, Error> {
    if let Some(provider) = required_provider(tx, invitation.company, invitation.role)? {
        return Ok(Chosen::ByProvider(provider));
    }
    // The lock orders this against another acceptance, a withdrawal and a resend.
    if tx.lock_invitation(invitation.company, invitation.id)?.is_none() {
        return Ok(Chosen::DeadLink);
    }
    let new = NewUser {
        id: UserId::random(&mut SystemRandom),
        company: invitation.company,
        email: &invitation.email,
        name: &invitation.name,
        role: invitation.role,
        password: Some(hash),
        at: now,
    };
    match tx.savepoint(|tx| tx.add_user(&new)) {
        Ok(_) => {}
        Err(store::Error::Duplicate(_)) => return Ok(Chosen::AccountExists),
        Err(error) => return Err(error.into()),
    }
    tx.remove_invitation(invitation.seq)?;
    reset_guesses(tx, panel, &invitation.email, visitor, now)?;
    let user = tx.user(new.company, new.id)?.ok_or(Error::NotFound)?;
    let actor = PanelActor {
        user: User::from(&user),
        address: visitor.address,
    };
    let detail = format!("{} ({})", user.email, user.role);
    actor.record_act(tx, AuditAct::InvitationAccepted, &detail, now)?;
    Ok(Chosen::Done)
}

/// Forgets a user's wrong guesses after a password was chosen.
fn reset_guesses(
    tx: &mut Tx<'_>,
    panel: &Panel,
    email: &str,
    visitor: &Visitor,
    now: Timestamp,
) -> Result<(), Error> {
    let mut scopes = own_scopes(&panel.scope_rules(email, visitor, now));
    scopes.push(panel.account_scope("password", email));
    // In one order with those who count.
    tx.lock_failures(&scopes, now)?;
    Ok(tx.reset_failures(&scopes)?)
}

/// Notifies the user by email, in case another person did it.
pub(super) fn queue_change_email(
    tx: &mut Tx<'_>,
    user: &User,
    kind: AccountEmailKind,
    now: Timestamp,
) -> Result<(), Error> {
    Ok(tx.queue_account_email(&NewAccountEmail {
        company: user.company,
        kind,
        recipient: &user.email,
        name: &user.name,
        language: user.language,
        secret: None,
        at: now,
    })?)
}

/// Ends the user's other sessions and gives the present one another token.
pub(super) fn rotate(tx: &mut Tx<'_>, signed: &PanelSession) -> Result<String, Error> {
    tx.end_panel_sessions(signed.user.seq, Some(signed.session))?;
    let token = Token::random();
    if !tx.rotate_panel_session(&signed.digest, &token.digest)? {
        return Err(Error::NotFound);
    }
    Ok(token.text)
}
