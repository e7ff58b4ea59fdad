//! Panel users, as the operator manages them.

use crate::Error;
use crate::operator::Operator;
use crate::operator::companies::named;
use crate::operator::keys::{IssuedKey, KeyRequest, put_key};
use crate::panel::{
    AuditAct, Password, PasswordOwner, Passwords, normal, record_operator_act, take_second_factor,
};
use crate::shared::secrets::SystemRandom;
use domain::{CompanyId, PersonName, Role, Timestamp, UserId};
use store::{NewUser, StoredUser, Tx};

/// A user to be added by the operator.
#[derive(Debug)]
pub struct UserRequest {
    /// The company's name.
    pub company: String,
    /// The address to sign in with.
    pub email: domain::Email,
    /// The full name.
    pub name: PersonName,
    /// What the user may do.
    pub role: Role,
    /// The first password.
    pub password: Password,
}

impl Operator {
    /// Adds a user. Nothing when the address is taken.
    pub async fn add_user(&self, request: UserRequest) -> Result<Option<UserId>, Error> {
        let now = self.clock.now();
        let id = UserId::random(&mut SystemRandom);
        let hash = Passwords::default().hash(request.password.clone()).await?;
        let added = self.store.write(move |tx| {
            let company = named(tx, &request.company)?;
            match tx.savepoint(|tx| put_user(tx, company, id, &request, &hash, now)) {
                Ok(()) => Ok::<_, Error>(Some(id)),
                Err(store::Error::Duplicate(_)) => Ok(None),
                Err(error) => Err(error.into()),
            }
        });
        added.await
    }

    /// Adds the first company of an installation with a key and an administrator: all of it, or nothing where there is a
    /// company already.
    pub async fn add_first(
        &self,
        label: &str,
        administrator: UserRequest,
    ) -> Result<Option<IssuedKey>, Error> {
        let now = self.clock.now();
        let (user, issued) = (UserId::random(&mut SystemRandom), IssuedKey::random());
        let (key, request) = (issued.clone(), KeyRequest::with_label(label.to_owned()));
        let hash = Passwords::default().hash(administrator.password.clone()).await?;
        let added = self.store.write(move |tx| {
            if !tx.company_names()?.is_empty() {
                return Ok::<_, Error>(false);
            }
            let company = match tx.savepoint(|tx| tx.add_company(&administrator.company, now)) {
                Ok(company) => company,
                // Another instance was faster.
                Err(store::Error::Duplicate(_)) => return Ok(false),
                Err(error) => return Err(error.into()),
            };
            put_key(tx, company, &key, &request, now)?;
            put_user(tx, company, user, &administrator, &hash, now)?;
            Ok(true)
        });
        Ok(added.await?.then_some(issued))
    }

    /// The users of a company.
    pub async fn users(&self, company: String) -> Result<Vec<StoredUser>, Error> {
        let read = self.store.read(move |tx| {
            let company = named(tx, &company)?;
            Ok(tx.users_of(company, domain::limits::USERS)?)
        });
        read.await
    }

    /// What others know of a user; a password is checked against it.
    pub async fn password_owner(&self, email: &str) -> Result<PasswordOwner, Error> {
        let email = normal(email);
        let read = self.store.read(move |tx| {
            let user = tx.user_with_email(&email)?.ok_or(Error::NotFound)?;
            let settings = tx.company_settings(user.company)?.ok_or(Error::NotFound)?;
            Ok(PasswordOwner {
                email: user.email,
                name: user.name,
                company: settings.name,
            })
        });
        read.await
    }

    /// Enables or disables a user. Disabling ends the user's sessions and password links.
    pub async fn set_user_enabled(&self, email: &str, enabled: bool) -> Result<(), Error> {
        let (now, email) = (self.clock.now(), normal(email));
        let done = self.store.write(move |tx| {
            let user = tx.user_with_email(&email)?.ok_or(Error::NotFound)?;
            tx.set_disabled(user.seq, (!enabled).then_some(now))?;
            if !enabled {
                tx.end_panel_sessions(user.seq, None)?;
                tx.end_password_links(user.seq)?;
            }
            let act = if enabled {
                AuditAct::UserEnabled
            } else {
                AuditAct::UserDisabled
            };
            Ok(record_operator_act(tx, user.company, act, &user.email, now)?)
        });
        done.await
    }

    /// Gives a user another password, and ends the sessions and the links to choose one there are.
    pub async fn set_user_password(&self, email: &str, password: Password) -> Result<(), Error> {
        let (now, email) = (self.clock.now(), normal(email));
        let hash = Passwords::default().hash(password).await?;
        let done = self.store.write(move |tx| {
            let user = tx.user_with_email(&email)?.ok_or(Error::NotFound)?;
            tx.set_password(user.seq, &hash)?;
            tx.end_panel_sessions(user.seq, None)?;
            tx.end_password_links(user.seq)?;
            Ok(record_operator_act(
                tx,
                user.company,
                AuditAct::PasswordGiven,
                &user.email,
                now,
            )?)
        });
        done.await
    }

    /// Takes a user's second factor off, as when the telephone and the recovery codes are lost, ends the sessions
    /// there are, and notifies the user by email. False when there is none.
    pub async fn remove_second_factor(&self, email: &str) -> Result<bool, Error> {
        let (now, email) = (self.clock.now(), normal(email));
        let done = self.store.write(move |tx| {
            let user = tx.user_with_email(&email)?.ok_or(Error::NotFound)?;
            if user.totp_secret.is_none() {
                return Ok(false);
            }
            take_second_factor(tx, &user, now)?;
            record_operator_act(tx, user.company, AuditAct::SecondFactorRemoved, &user.email, now)?;
            Ok::<_, Error>(true)
        });
        done.await
    }
}

/// Adds a user, and says so in the audit.
fn put_user(
    tx: &mut Tx<'_>,
    company: CompanyId,
    id: UserId,
    request: &UserRequest,
    hash: &str,
    now: Timestamp,
) -> Result<(), store::Error> {
    let email = normal(request.email.as_str());
    tx.add_user(&NewUser {
        id,
        company,
        email: &email,
        name: request.name.as_str(),
        role: request.role,
        password: Some(hash),
        at: now,
    })?;
    let detail = format!("{email} ({})", request.role);
    record_operator_act(tx, company, AuditAct::UserAdded, &detail, now)
}
