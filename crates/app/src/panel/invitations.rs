//! Invitations to the panel. An address belongs to one user of one company, and who invites must not learn whether it
//! is another company's: the answer, the list and the time it takes are the same, and only the email differs.

use super::audit::AuditAct;
use super::own_password::link;
use super::sessions::Token;
use super::{MemberChange, PanelActor, Role, normal};
use crate::shared::secrets::{ACCOUNT_EMAIL_PURPOSE, SystemRandom};
use crate::{App, Error};
use domain::limits::{PASSWORD_LINK_LIFETIME, USERS};
use domain::{AccountEmailKind, CompanyId, Email, InvitationId, PersonName, Timestamp};
use store::{NewAccountEmail, NewInvitation, StoredInvitation, Tx};

/// The recipient of an invitation.
pub(super) struct Invited<'i> {
    pub(super) company: CompanyId,
    pub(super) email: &'i str,
    pub(super) name: &'i str,
    /// Whether the address has an account already.
    pub(super) has_account: bool,
}

impl App {
    /// The company's invitations that were not accepted yet, by address.
    pub async fn invitations(&self, company: CompanyId) -> Result<Vec<StoredInvitation>, Error> {
        Ok(self
            .store
            .read(move |tx| tx.invitations_of(company, USERS))
            .await?)
    }

    /// Invites a user, who chooses a password by an emailed link. The owner of an address that has an account in
    /// another company gets an email that says so instead.
    pub async fn invite(
        &self,
        actor: PanelActor,
        email: Email,
        name: PersonName,
        role: Role,
    ) -> Result<MemberChange, Error> {
        let now = self.clock.now();
        let (app, email) = (self.clone(), normal(email.as_str()));
        let invited = self.store.write_retryable(move |tx| {
            let company = actor.user.company;
            let people = tx.users_of(company, USERS)?.len() + tx.invitations_of(company, USERS)?.len();
            if people >= USERS {
                return Ok(MemberChange::Full);
            }
            let account = tx.user_with_email(&email)?;
            if account.as_ref().is_some_and(|account| account.company == company) {
                return Ok(MemberChange::Taken);
            }
            let token = Token::random();
            let new = NewInvitation {
                id: InvitationId::random(&mut SystemRandom),
                company,
                email: &email,
                name: name.as_str(),
                role,
                digest: &token.digest,
                at: now,
                expires_at: now.after(PASSWORD_LINK_LIFETIME),
            };
            match tx.savepoint(|tx| tx.add_invitation(&new)) {
                Ok(()) => {}
                Err(store::Error::Duplicate(_)) => return Ok(MemberChange::Taken),
                Err(error) => return Err(Error::from(error)),
            }
            let invited = Invited {
                company,
                email: &email,
                name: name.as_str(),
                has_account: account.is_some(),
            };
            app.send_invitation(tx, &invited, &token, now)?;
            actor.record_act(tx, AuditAct::UserInvited, &format!("{email} ({role})"), now)?;
            Ok(MemberChange::Done)
        });
        let invited = invited.await?;
        self.wakeups.account_emails.notify();
        Ok(invited)
    }

    /// Sends an invitation again, with another link.
    pub async fn resend_invitation(&self, actor: PanelActor, id: InvitationId) -> Result<(), Error> {
        let (app, now) = (self.clone(), self.clock.now());
        let sent = self.store.write_retryable(move |tx| {
            let invitation = tx
                .lock_invitation(actor.user.company, id)?
                .ok_or(Error::NotFound)?;
            app.renew_invitation(tx, &invitation, now)?;
            actor.record_act(tx, AuditAct::UserInvitedAgain, &invitation.email, now)
        });
        sent.await?;
        self.wakeups.account_emails.notify();
        Ok(())
    }

    /// Withdraws an invitation; its link stops working.
    pub async fn withdraw_invitation(&self, actor: PanelActor, id: InvitationId) -> Result<(), Error> {
        let now = self.clock.now();
        let withdrawn = self.store.write_retryable(move |tx| {
            let invitation = tx
                .lock_invitation(actor.user.company, id)?
                .ok_or(Error::NotFound)?;
            tx.remove_invitation(invitation.seq)?;
            actor.record_act(tx, AuditAct::InvitationWithdrawn, &invitation.email, now)
        });
        withdrawn.await
    }

    /// Sends an invitation with another link in the place of the one before.
    pub(super) fn renew_invitation(
        &self,
        tx: &mut Tx<'_>,
        invitation: &StoredInvitation,
        now: Timestamp,
    ) -> Result<(), Error> {
        let account = tx.user_with_email(&invitation.email)?;
        let token = Token::random();
        let expires_at = now.after(PASSWORD_LINK_LIFETIME);
        tx.renew_invitation(invitation.seq, &token.digest, now, expires_at)?;
        let invited = Invited {
            company: invitation.company,
            email: &invitation.email,
            name: &invitation.name,
            has_account: account.is_some(),
        };
        self.send_invitation(tx, &invited, &token, now)
    }

    pub(super) fn send_invitation(
        &self,
        tx: &mut Tx<'_>,
        invited: &Invited<'_>,
        token: &Token,
        now: Timestamp,
    ) -> Result<(), Error> {
        // The link is made and sealed in either case: it takes as long.
        let link = self.outbox_secrets.seal(
            ACCOUNT_EMAIL_PURPOSE,
            link(self.notary.base_url(), token).as_bytes(),
        );
        let kind = if invited.has_account {
            AccountEmailKind::AccountExists
        } else {
            AccountEmailKind::FirstPassword
        };
        Ok(tx.queue_account_email(&NewAccountEmail {
            company: invited.company,
            kind,
            recipient: invited.email,
            name: invited.name,
            language: None,
            secret: (!invited.has_account).then_some(link.as_slice()),
            at: now,
        })?)
    }
}
