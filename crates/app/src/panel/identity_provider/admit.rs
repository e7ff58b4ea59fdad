//! Lets in a person whom the provider vouches for: finds the user, by the address the first time, or makes one; links the user
//! and gives the role that the groups give; begins the session. All of it within the provider's company. If our second
//! factor is asked for, an existing user is found and nothing is written.

use super::pending_sign_in::{PendingProviderSignIn, actor, settle};
use super::refusal::ProviderRefusal;
use crate::panel::audit::{AuditAct, record_frequent_act};
use crate::panel::invitations::Invited;
use crate::panel::lockout::{RESET_PER_ACCOUNT, count_try};
use crate::panel::sessions::{self, Token};
use crate::panel::{Entered, Visitor};
use crate::shared::secrets::SystemRandom;
use crate::{App, Error};
use domain::limits::{PASSWORD_LINK_LIFETIME, USERS};
use domain::{InvitationId, PersonName, Role, Timestamp, UserId};
use store::{Identity, NewInvitation, NewUser, StoredInvitation, StoredProvider, StoredUser, Tx};

/// A person who comes back from the provider.
pub(super) struct Arrival {
    /// What is written down of the sign-in.
    pub(super) used: [u8; 32],
    /// The hash of the link of an invitation that was opened before.
    pub(super) invitation: Option<[u8; 32]>,
    /// As whom the provider knows the person.
    pub(super) identity: Identity,
    /// The role that the groups give; none where groups give no roles.
    pub(super) role: Result<Option<Role>, ProviderRefusal>,
    /// The address, if it counts.
    pub(super) address: Result<String, ProviderRefusal>,
    /// What the audit calls a person who is not let in.
    pub(super) called: String,
    /// The name.
    pub(super) name: Option<String>,
    /// Whether the provider asked for a second factor.
    pub(super) second_factor: bool,
}

/// What came of it.
pub(super) enum Admitted {
    Entered(Entered),
    CodeWanted(String),
    ConfirmAddress,
    Refused(ProviderRefusal),
}

/// The user behind a person, or what happens instead.
type Found = Result<StoredUser, Admitted>;

fn refused(why: ProviderRefusal) -> Found {
    Err(Admitted::Refused(why))
}

/// Lets the person in. The answer of a provider counts once.
pub(super) fn admit(
    app: &App,
    tx: &mut Tx<'_>,
    provider: &StoredProvider,
    arrival: &Arrival,
    visitor: &Visitor,
    now: Timestamp,
) -> Result<Admitted, Error> {
    // All changes of a company's users take this lock first, so that they cannot deadlock.
    tx.lock_administrators(provider.company)?;
    if !tx.use_sign_in(&arrival.used, now)? {
        return Ok(Admitted::Refused(ProviderRefusal::Stale));
    }
    let admitted = let_in(app, tx, provider, arrival, visitor, now)?;
    if matches!(admitted, Admitted::Refused(_)) {
        let called: String = arrival.called.chars().take(domain::limits::EMAIL).collect();
        record_frequent_act(
            tx,
            provider.company,
            &called,
            visitor.address,
            AuditAct::ProviderRefused,
            now,
        )?;
    }
    Ok(admitted)
}

fn let_in(
    app: &App,
    tx: &mut Tx<'_>,
    provider: &StoredProvider,
    arrival: &Arrival,
    visitor: &Visitor,
    now: Timestamp,
) -> Result<Admitted, Error> {
    let role = match &arrival.role {
        Ok(role) => *role,
        Err(why) => return Ok(Admitted::Refused(why.clone())),
    };
    let user = match find(app, tx, provider, arrival, visitor, now)? {
        Ok(user) => user,
        Err(other) => return Ok(other),
    };
    if user.totp_secret.is_some() && !arrival.second_factor {
        let pending = PendingProviderSignIn::new(provider, &arrival.identity, role);
        return Ok(Admitted::CodeWanted(app.panel.halfway(&user, Some(pending), now)));
    }
    let settled = settle(tx, user, &arrival.identity, role, visitor.address, now)?;
    let Some(user) = settled else {
        return Ok(Admitted::Refused(ProviderRefusal::OtherPerson));
    };
    let token = sessions::begin(
        tx,
        &user,
        visitor.address,
        &visitor.agent,
        arrival.second_factor,
        now,
    )?;
    let device = app.panel.issue_device_token(&user.email, now);
    Ok(Admitted::Entered(Entered { token, device }))
}

/// The user behind the person: the one who is linked, or has the address, or one who is made. Nothing of a user who was
/// there before is changed.
fn find(
    app: &App,
    tx: &mut Tx<'_>,
    provider: &StoredProvider,
    arrival: &Arrival,
    visitor: &Visitor,
    now: Timestamp,
) -> Result<Found, Error> {
    let known = tx.lock_user_with_identity(provider.company, &arrival.identity)?;
    let user = match known {
        Some(user) => user,
        None => match find_by_address(app, tx, provider, arrival, visitor, now)? {
            Ok(user) => user,
            other => return Ok(other),
        },
    };
    if user.disabled_at.is_some() {
        return Ok(refused(ProviderRefusal::Disabled));
    }
    Ok(Ok(user))
}

/// The user with the person's address, or an account that is made for the person.
fn find_by_address(
    app: &App,
    tx: &mut Tx<'_>,
    provider: &StoredProvider,
    arrival: &Arrival,
    visitor: &Visitor,
    now: Timestamp,
) -> Result<Found, Error> {
    let email = match &arrival.address {
        Ok(email) => email.as_str(),
        Err(why) => return Ok(refused(why.clone())),
    };
    let account = tx.lock_user_with_email(email)?;
    let Some(user) = account.filter(|user| user.company == provider.company) else {
        return make(app, tx, provider, arrival, email, visitor, now);
    };
    let issuer = &arrival.identity.issuer;
    if user
        .identity
        .as_ref()
        .is_some_and(|known| known.issuer == *issuer)
    {
        return Ok(refused(ProviderRefusal::OtherPerson));
    }
    Ok(Ok(user))
}

/// Makes an account for a person who was invited, or whose groups give a role. The provider's word for an address is the
/// company's own. Where the installation has other companies, whose address it may be, the person confirms it by a link in an
/// email first, as every person who is invited does.
fn make(
    app: &App,
    tx: &mut Tx<'_>,
    provider: &StoredProvider,
    arrival: &Arrival,
    email: &str,
    visitor: &Visitor,
    now: Timestamp,
) -> Result<Found, Error> {
    let role = arrival.role.clone().unwrap_or_default();
    let invited = tx.lock_invitation_of(provider.company, email)?;
    let opened = match &arrival.invitation {
        Some(link) => tx.invitation_by_link(link, now)?,
        None => None,
    };
    let is_confirmed = opened
        .zip(invited.as_ref())
        .is_some_and(|(opened, invited)| opened.id == invited.id);
    let creates = provider.settings.creates_users && role.is_some();
    if invited.is_none() && !creates {
        return Ok(refused(ProviderRefusal::NotInvited));
    }
    if is_confirmed || tx.company_names()?.len() == 1 {
        return add(tx, provider, arrival, email, invited, visitor, now);
    }
    ask_to_confirm(app, tx, provider, arrival, email, invited, now)
}

fn person_name(arrival: &Arrival, email: &str) -> String {
    let name = arrival.name.clone().and_then(|name| PersonName::new(name).ok());
    let local = email.split('@').next().unwrap_or(email);
    name.map_or_else(|| local.to_owned(), |name| name.as_str().to_owned())
}

fn is_full(tx: &mut Tx<'_>, provider: &StoredProvider) -> Result<bool, Error> {
    let people = tx.users_of(provider.company, USERS)?.len();
    Ok(people + tx.invitations_of(provider.company, USERS)?.len() >= USERS)
}

fn add(
    tx: &mut Tx<'_>,
    provider: &StoredProvider,
    arrival: &Arrival,
    email: &str,
    invited: Option<StoredInvitation>,
    visitor: &Visitor,
    now: Timestamp,
) -> Result<Found, Error> {
    if invited.is_none() && is_full(tx, provider)? {
        return Ok(refused(ProviderRefusal::Full));
    }
    let given = arrival.role.clone().unwrap_or_default();
    let role = given.or(invited.as_ref().map(|invited| invited.role));
    let name = match &invited {
        Some(invited) => invited.name.clone(),
        None => person_name(arrival, email),
    };
    let new = NewUser {
        id: UserId::random(&mut SystemRandom),
        company: provider.company,
        email,
        name: &name,
        role: role.unwrap_or(Role::Reader),
        password: None,
        at: now,
    };
    match tx.savepoint(|tx| tx.add_user(&new)) {
        Ok(_) => {}
        Err(store::Error::Duplicate(_)) => return Ok(refused(ProviderRefusal::AccountExists)),
        Err(error) => return Err(error.into()),
    }
    let user = tx.user(new.company, new.id)?.ok_or(Error::NotFound)?;
    tx.set_identity(user.seq, Some(&arrival.identity))?;
    let detail = format!("{email} ({})", user.role);
    let act = match invited {
        Some(invited) => {
            tx.remove_invitation(invited.seq)?;
            AuditAct::InvitationAccepted
        }
        None => AuditAct::UserAdded,
    };
    actor(&user, visitor.address).record_act(tx, act, &detail, now)?;
    Ok(Ok(StoredUser {
        identity: Some(arrival.identity.clone()),
        ..user
    }))
}

/// Sends the person a link, as an invitation: the answer is the same whether the address has an account elsewhere.
fn ask_to_confirm(
    app: &App,
    tx: &mut Tx<'_>,
    provider: &StoredProvider,
    arrival: &Arrival,
    email: &str,
    invited: Option<StoredInvitation>,
    now: Timestamp,
) -> Result<Found, Error> {
    let scope = (app.panel.account_scope("confirmation", email), RESET_PER_ACCOUNT);
    match count_try(tx, &[scope], now) {
        Ok(_) => {}
        // Enough links were sent.
        Err(Error::TooOften { .. }) => return Ok(Err(Admitted::ConfirmAddress)),
        Err(error) => return Err(error),
    }
    if let Some(invited) = invited {
        app.renew_invitation(tx, &invited, now)?;
        return Ok(Err(Admitted::ConfirmAddress));
    }
    if is_full(tx, provider)? {
        return Ok(refused(ProviderRefusal::Full));
    }
    let (token, name) = (Token::random(), person_name(arrival, email));
    tx.add_invitation(&NewInvitation {
        id: InvitationId::random(&mut SystemRandom),
        company: provider.company,
        email,
        name: &name,
        // The emailed link alone gives the least. Groups give the role when the person comes back by the provider.
        role: Role::Reader,
        digest: &token.digest,
        at: now,
        expires_at: now.after(PASSWORD_LINK_LIFETIME),
    })?;
    let account = tx.user_with_email(email)?;
    let letter = Invited {
        company: provider.company,
        email,
        name: &name,
        has_account: account.is_some(),
    };
    app.send_invitation(tx, &letter, &token, now)?;
    Ok(Err(Admitted::ConfirmAddress))
}
