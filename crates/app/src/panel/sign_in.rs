//! Signing in: a password, and a code if the user has a second factor. Neither the answer nor its timing
//! reveals whether an address has an account.

use super::audit::{Act, note_often};
use super::lockout::{ACCOUNT, CODE, NETWORK, PLACE, Place, Tried, count_try, forgive, take_back, touch};
use super::{Panel, User, keyed, normal, sessions, totp};
use crate::{App, Error};
use data_encoding::BASE64URL_NOPAD;
use domain::{CompanyId, Timestamp, UserId};
use std::net::IpAddr;
use std::time::Duration;
use store::{ActFilter, Tx, UserRow};

/// How long the code may take after the password.
const CODE_TIME: Duration = Duration::from_mins(10);

/// The browser that tries to sign in.
#[derive(Debug, Clone)]
pub struct Visitor {
    /// From where.
    pub address: IpAddr,
    /// What the browser calls itself.
    pub agent: String,
    /// What the browser says it is known by.
    pub device: Option<String>,
}

/// What came of a try.
#[derive(Debug)]
pub enum SignIn {
    /// Signed in.
    Entered(Entered),
    /// The password is right, and a code is wanted: the token stands for the password.
    CodeWanted(String),
    /// Something is wrong, and it is not said what.
    Wrong,
    /// What was done so far is too long ago.
    Late,
}

/// A session that just began.
#[derive(Debug)]
pub struct Entered {
    /// The session's token.
    pub token: String,
    /// What the browser is known by from now on.
    pub device: String,
}

impl App {
    /// Tries an address and a password.
    pub async fn sign_in(&self, email: &str, password: String, visitor: Visitor) -> Result<SignIn, Error> {
        let email = normal(email);
        let now = self.clock.now();
        let places = self.panel.places(&email, &visitor, now);
        let asked = email.clone();
        let found = self.store.write(move |tx| {
            let tried = count_try(tx, &places, now)?;
            Ok::<_, Error>((tried, tx.user_with_email(&asked)?))
        });
        let (tried, user) = found.await?;
        let user = user.filter(|user| user.disabled_at.is_none());
        let kept = user.as_ref().and_then(|user| user.password.clone());
        let right = self.judge_password(&tried, kept, password).await?;
        let Some(user) = user.filter(|_| right) else {
            self.note_failure(email, tried, visitor.address, now).await?;
            return Ok(SignIn::Wrong);
        };
        let panel = self.panel.clone();
        let begun = self.store.write(move |tx| {
            // It took a while: meanwhile the password may be another one, or a second factor be asked for.
            let same = |now: &UserRow| {
                now.id == user.id && now.password == user.password && now.disabled_at.is_none()
            };
            let Some(user) = tx.lock_user_with_email(&email)?.filter(same) else {
                return Ok::<_, Error>(SignIn::Wrong);
            };
            forgive(tx, &tried)?;
            if user.totp_secret.is_some() {
                return Ok(SignIn::CodeWanted(panel.halfway(&user, now)));
            }
            let token = sessions::begin(tx, &user, visitor.address, &visitor.agent, now)?;
            let device = panel.know_device(&email, now);
            Ok(SignIn::Entered(Entered { token, device }))
        });
        begun.await
    }

    /// Writes a failed try down in the audit of the account's company. For an address without an account as much is looked
    /// for, and something written: it takes as long.
    async fn note_failure(
        &self,
        email: String,
        tried: Tried,
        address: IpAddr,
        now: Timestamp,
    ) -> Result<(), Error> {
        let noted = self.store.write(move |tx| {
            let account = tx.lock_user_with_email(&email)?;
            touch(tx, &tried)?;
            match account {
                Some(user) => note_often(tx, user.company, &user.email, address, Act::SignInFailed, now)?,
                None => {
                    tx.acts_before(CompanyId(0), &ActFilter::default(), None, 1)?;
                }
            }
            Ok::<_, Error>(())
        });
        noted.await
    }

    /// Compares the password after the try was counted. If the queue is full, the try is taken back.
    pub(super) async fn judge_password(
        &self,
        tried: &Tried,
        kept: Option<String>,
        typed: String,
    ) -> Result<bool, Error> {
        let judged = self.panel.passwords.is(kept, typed).await;
        if judged.is_err() {
            let tried = tried.clone();
            self.store.write(move |tx| take_back(tx, &tried)).await?;
        }
        judged
    }

    /// Tries a code, or a recovery code, after the password.
    pub async fn finish_sign_in(&self, halfway: &str, code: &str, visitor: Visitor) -> Result<SignIn, Error> {
        let now = self.clock.now();
        let Some(half) = self.panel.read_halfway(halfway, now) else {
            return Ok(SignIn::Late);
        };
        let device = self.panel.know_device(&half.email, now);
        let (panel, code) = (self.panel.clone(), code.to_owned());
        let done = self.store.write(move |tx| {
            let scope = panel.account_scope("code", &half.email);
            count_try(tx, &[(scope, CODE)], now)?;
            let user = tx.lock_user_with_email(&half.email)?;
            let user = user.filter(|user| user.disabled_at.is_none() && half.is_of(&panel, user));
            // Without a second factor, as when an administrator just took it away, the password is enough: next time.
            let Some((sealed, user)) = user.and_then(|user| Some((user.totp_secret.clone()?, user))) else {
                return Ok::<_, Error>(SignIn::Late);
            };
            // A wrong code is a success of the transaction: it is counted.
            if !panel.takes_code(tx, &user, &sealed, &code, now)? {
                let address = visitor.address;
                note_often(tx, user.company, &user.email, address, Act::CodeFailed, now)?;
                return Ok(SignIn::Wrong);
            }
            tx.reset_failures(&[scope])?;
            let token = sessions::begin(tx, &user, visitor.address, &visitor.agent, now)?;
            Ok(SignIn::Entered(Entered { token, device }))
        });
        done.await
    }
}

/// A sign-in with the right password that waits for its code.
struct Halfway {
    id: UserId,
    email: String,
    password: [u8; 32],
}

impl Halfway {
    /// Whether it is still the same person with the same password.
    fn is_of(&self, panel: &Panel, user: &UserRow) -> bool {
        user.id == self.id && panel.password_mark(user) == self.password
    }
}

impl Panel {
    /// The scopes in which a try is counted.
    pub(super) fn places(&self, email: &str, visitor: &Visitor, now: Timestamp) -> Vec<Place> {
        let device = visitor.device.as_deref();
        match device.and_then(|token| self.known_device(email, token, now)) {
            Some(device) => vec![(self.device_scope(email, &device), PLACE)],
            None => vec![
                (self.address_scope(email, visitor.address), PLACE),
                (self.account_scope("password", email), ACCOUNT),
                (self.network_scope(visitor.address), NETWORK),
            ],
        }
    }

    fn password_mark(&self, user: &UserRow) -> [u8; 32] {
        keyed(
            &self.forms,
            &[
                b"password",
                user.password.as_deref().unwrap_or_default().as_bytes(),
            ],
        )
    }

    fn halfway(&self, user: &UserRow, now: Timestamp) -> String {
        let mut plain = user.id.as_bytes().to_vec();
        plain.extend(now.after(CODE_TIME).as_micros().to_be_bytes());
        plain.extend(self.password_mark(user));
        plain.extend(user.email.as_bytes());
        BASE64URL_NOPAD.encode(&self.secrets.seal("halfway", &plain))
    }

    fn read_halfway(&self, token: &str, now: Timestamp) -> Option<Halfway> {
        let sealed = BASE64URL_NOPAD.decode(token.as_bytes()).ok()?;
        let plain = self.secrets.open("halfway", &sealed)?;
        let (id, rest) = plain.split_first_chunk::<16>()?;
        let (until, rest) = rest.split_first_chunk::<8>()?;
        let (password, email) = rest.split_first_chunk::<32>()?;
        let until = Timestamp::from_micros(i64::from_be_bytes(*until));
        let half = Halfway {
            id: UserId::from_bytes(*id),
            email: String::from_utf8(email.to_vec()).ok()?,
            password: *password,
        };
        (now < until).then_some(half)
    }

    /// Whether a signed-in user has that code or recovery code, which is used up. Wrong ones count with
    /// those of signing in. Without a second factor every code is wrong.
    pub(super) fn shows_code(
        &self,
        tx: &mut Tx<'_>,
        user: &User,
        typed: &str,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let places = [(self.account_scope("code", &user.email), CODE)];
        let tried = count_try(tx, &places, now)?;
        let row = tx.lock_user_with_email(&user.email)?;
        let row = row.filter(|row| row.id == user.id);
        let Some((sealed, row)) = row.and_then(|row| Some((row.totp_secret.clone()?, row))) else {
            return Ok(false);
        };
        let right = self.takes_code(tx, &row, &sealed, typed, now)?;
        if right {
            forgive(tx, &tried)?;
        }
        Ok(right)
    }

    /// Uses up what was typed, if it is the code of this moment or a recovery code.
    fn takes_code(
        &self,
        tx: &mut Tx<'_>,
        user: &UserRow,
        sealed: &[u8],
        typed: &str,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let Some(secret) = self.secrets.open("second factor", sealed) else {
            return Err(Error::Internal(
                "a second factor cannot be opened: is the master key the right one?".into(),
            ));
        };
        if let Some(step) = totp::matching(&secret, typed, now) {
            return Ok(tx.use_totp_step(user.seq, step)?);
        }
        Ok(tx.use_recovery_code(user.seq, &self.recovery_digest(user.id, typed), now)?)
    }

    /// What is kept of a recovery code: blanks, hyphens and case do not matter.
    pub(super) fn recovery_digest(&self, user: UserId, code: &str) -> [u8; 32] {
        let plain: String = code
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .take(32)
            .collect();
        let plain = plain.to_ascii_lowercase();
        keyed(&self.recovery, &[user.as_bytes(), plain.as_bytes()])
    }
}
