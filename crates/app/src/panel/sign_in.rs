//! Signing in: a password, and a code if the user has a second factor. Neither the answer nor its timing
//! reveals whether an address has an account.

use super::audit::{Act, record_frequent_act};
use super::lockout::{
    CODE_PER_ACCOUNT, CountedTry, PASSWORD_PER_ACCOUNT, PASSWORD_PER_NETWORK, PASSWORD_PER_SOURCE, ScopeRule,
    count_try, reset_failures, take_back, touch,
};
use super::{Panel, User, keyed, normal, provider_only, sessions, totp};
use crate::{App, Error};
use data_encoding::BASE64URL_NOPAD;
use domain::{CompanyId, ProviderId, Timestamp, UserId};
use std::net::IpAddr;
use std::time::Duration;
use store::{ActFilter, StoredUser, Tx};

/// How long the code may take after the password.
const CODE_STEP_TIMEOUT: Duration = Duration::from_mins(10);

/// The browser that tries to sign in.
#[derive(Debug, Clone)]
pub struct Visitor {
    /// From where.
    pub address: IpAddr,
    /// What the browser calls itself.
    pub agent: String,
    /// The browser's device token.
    pub device: Option<String>,
}

/// The outcome of a try.
#[derive(Debug)]
pub enum SignIn {
    /// Signed in.
    Entered(Entered),
    /// The password is right, and a code is needed. The token proves the password in the second step.
    CodeWanted(String),
    /// Something is wrong, and it is not said what.
    Wrong,
    /// The first step is too long ago.
    Expired,
    /// The password is right, and the company lets the user in by its identity provider alone.
    ByProvider(ProviderId),
}

/// A session that just began.
#[derive(Debug)]
pub struct Entered {
    /// The session's token.
    pub token: String,
    /// The browser's new device token.
    pub device: String,
}

impl App {
    /// Tries an address and a password.
    pub async fn sign_in(&self, email: &str, password: String, visitor: Visitor) -> Result<SignIn, Error> {
        let email = normal(email);
        let now = self.clock.now();
        let scope_rules = self.panel.scope_rules(&email, &visitor, now);
        let asked = email.clone();
        let found = self.store.write(move |tx| {
            let tried = count_try(tx, &scope_rules, now)?;
            Ok::<_, Error>((tried, tx.user_with_email(&asked)?))
        });
        let (tried, user) = found.await?;
        let user = user.filter(|user| user.disabled_at.is_none());
        let kept = user.as_ref().and_then(|user| user.password.clone());
        let right = self.verify_password(&tried, kept, password).await?;
        let Some(user) = user.filter(|_| right) else {
            self.record_failed_sign_in(email, tried, visitor.address, now)
                .await?;
            return Ok(SignIn::Wrong);
        };
        let panel = self.panel.clone();
        let begun = self.store.write(move |tx| {
            // It took a while: meanwhile the password may be another one, or a second factor be asked for.
            let same = |now: &StoredUser| {
                now.id == user.id && now.password == user.password && now.disabled_at.is_none()
            };
            let Some(user) = tx.lock_user_with_email(&email)?.filter(same) else {
                return Ok::<_, Error>(SignIn::Wrong);
            };
            reset_failures(tx, &tried)?;
            if let Some(provider) = provider_only::only_way_in(tx, user.company, user.role)? {
                return Ok(SignIn::ByProvider(provider));
            }
            if user.totp_secret.is_some() {
                return Ok(SignIn::CodeWanted(panel.halfway(&user, now)));
            }
            let token = sessions::begin(tx, &user, visitor.address, &visitor.agent, false, now)?;
            let device = panel.issue_device_token(&email, now);
            Ok(SignIn::Entered(Entered { token, device }))
        });
        begun.await
    }

    /// Writes a failed try down in the audit of the account's company. For an address without an account as much is looked
    /// for, and something written: it takes as long.
    async fn record_failed_sign_in(
        &self,
        email: String,
        tried: CountedTry,
        address: IpAddr,
        now: Timestamp,
    ) -> Result<(), Error> {
        let noted = self.store.write(move |tx| {
            let account = tx.lock_user_with_email(&email)?;
            touch(tx, &tried)?;
            match account {
                Some(user) => {
                    record_frequent_act(tx, user.company, &user.email, address, Act::SignInFailed, now)?;
                }
                None => {
                    tx.acts_before(CompanyId(0), &ActFilter::default(), None, 1)?;
                }
            }
            Ok::<_, Error>(())
        });
        noted.await
    }

    /// Compares the password after the try was counted. If the queue is full, the try is taken back.
    pub(super) async fn verify_password(
        &self,
        tried: &CountedTry,
        kept: Option<String>,
        typed: String,
    ) -> Result<bool, Error> {
        let verified = self.panel.passwords.verify(kept, typed).await;
        if verified.is_err() {
            let tried = tried.clone();
            self.store.write(move |tx| take_back(tx, &tried)).await?;
        }
        verified
    }

    /// Tries a code, or a recovery code, after the password.
    pub async fn finish_sign_in(&self, halfway: &str, code: &str, visitor: Visitor) -> Result<SignIn, Error> {
        let now = self.clock.now();
        let Some(half) = self.panel.read_halfway(halfway, now) else {
            return Ok(SignIn::Expired);
        };
        let device = self.panel.issue_device_token(&half.email, now);
        let (panel, code) = (self.panel.clone(), code.to_owned());
        let done = self.store.write(move |tx| {
            let scope = panel.account_scope("code", &half.email);
            count_try(tx, &[(scope, CODE_PER_ACCOUNT)], now)?;
            let user = tx.lock_user_with_email(&half.email)?;
            let user = user.filter(|user| user.disabled_at.is_none() && half.is_of(&panel, user));
            // Without a second factor, as when an administrator just took it away, the password is enough: next time.
            let Some((sealed, user)) = user.and_then(|user| Some((user.totp_secret.clone()?, user))) else {
                return Ok::<_, Error>(SignIn::Expired);
            };
            // A wrong code is a success of the transaction: it is counted.
            if !panel.takes_code(tx, &user, &sealed, &code, now)? {
                let address = visitor.address;
                record_frequent_act(tx, user.company, &user.email, address, Act::CodeFailed, now)?;
                return Ok(SignIn::Wrong);
            }
            tx.reset_failures(&[scope])?;
            let token = sessions::begin(tx, &user, visitor.address, &visitor.agent, false, now)?;
            Ok(SignIn::Entered(Entered { token, device }))
        });
        done.await
    }
}

/// A sign-in with the right password that waits for its code.
struct PendingSignIn {
    id: UserId,
    email: String,
    password: [u8; 32],
}

impl PendingSignIn {
    /// Whether it is still the same user with the same password.
    fn is_of(&self, panel: &Panel, user: &StoredUser) -> bool {
        user.id == self.id && panel.password_fingerprint(user) == self.password
    }
}

impl Panel {
    /// The scopes in which a try is counted.
    pub(super) fn scope_rules(&self, email: &str, visitor: &Visitor, now: Timestamp) -> Vec<ScopeRule> {
        let device = visitor.device.as_deref();
        match device.and_then(|token| self.verify_device_token(email, token, now)) {
            Some(device) => vec![(self.device_scope(email, &device), PASSWORD_PER_SOURCE)],
            None => vec![
                (self.address_scope(email, visitor.address), PASSWORD_PER_SOURCE),
                (self.account_scope("password", email), PASSWORD_PER_ACCOUNT),
                (self.network_scope(visitor.address), PASSWORD_PER_NETWORK),
            ],
        }
    }

    fn password_fingerprint(&self, user: &StoredUser) -> [u8; 32] {
        keyed(
            &self.forms,
            &[
                b"password",
                user.password.as_deref().unwrap_or_default().as_bytes(),
            ],
        )
    }

    pub(super) fn halfway(&self, user: &StoredUser, now: Timestamp) -> String {
        let mut plain = user.id.as_bytes().to_vec();
        plain.extend(now.after(CODE_STEP_TIMEOUT).as_micros().to_be_bytes());
        plain.extend(self.password_fingerprint(user));
        plain.extend(user.email.as_bytes());
        BASE64URL_NOPAD.encode(&self.secrets.seal("halfway", &plain))
    }

    fn read_halfway(&self, token: &str, now: Timestamp) -> Option<PendingSignIn> {
        let sealed = BASE64URL_NOPAD.decode(token.as_bytes()).ok()?;
        let plain = self.secrets.open("halfway", &sealed)?;
        let (id, rest) = plain.split_first_chunk::<16>()?;
        let (until, rest) = rest.split_first_chunk::<8>()?;
        let (password, email) = rest.split_first_chunk::<32>()?;
        let until = Timestamp::from_micros(i64::from_be_bytes(*until));
        let half = PendingSignIn {
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
        let scope_rules = [(self.account_scope("code", &user.email), CODE_PER_ACCOUNT)];
        let tried = count_try(tx, &scope_rules, now)?;
        let row = tx.lock_user_with_email(&user.email)?;
        let row = row.filter(|row| row.id == user.id);
        let Some((sealed, row)) = row.and_then(|row| Some((row.totp_secret.clone()?, row))) else {
            return Ok(false);
        };
        let right = self.takes_code(tx, &row, &sealed, typed, now)?;
        if right {
            reset_failures(tx, &tried)?;
        }
        Ok(right)
    }

    /// Uses up what was typed, if it is the code of this moment or a recovery code.
    fn takes_code(
        &self,
        tx: &mut Tx<'_>,
        user: &StoredUser,
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
