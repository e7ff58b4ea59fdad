//! The second step of signing in, where the user has a second factor: a code or a recovery code, after the password or after
//! the company's identity provider.

use super::audit::{AuditAct, record_frequent_act};
use super::identity_provider::PendingProviderSignIn;
use super::lockout::{CODE_PER_ACCOUNT, count_try, reset_failures};
use super::{Entered, Panel, SignIn, User, Visitor, keyed, sessions, totp};
use crate::{App, Error};
use data_encoding::BASE64URL_NOPAD;
use domain::{Timestamp, UserId};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use store::{StoredUser, Tx};

/// How long the code may take after the first step.
const CODE_STEP_TIMEOUT: Duration = Duration::from_mins(10);

impl App {
    /// Tries a code, or a recovery code, after the first step.
    pub async fn finish_sign_in(&self, halfway: &str, code: &str, visitor: Visitor) -> Result<SignIn, Error> {
        let now = self.clock.now();
        let Some(half) = self.panel.read_halfway(halfway, now) else {
            return Ok(SignIn::Expired);
        };
        let device = self.panel.issue_device_token(&half.email, now);
        let (panel, code) = (self.panel.clone(), code.to_owned());
        let done = self.store.write_retryable(move |tx| {
            let scope = panel.account_scope("code", &half.email);
            count_try(tx, &[(scope, CODE_PER_ACCOUNT)], now)?;
            if let Some(pending) = &half.provider {
                // All changes of a company's users take this lock before those of users, so that they cannot deadlock.
                tx.lock_administrators(pending.company())?;
            }
            let user = tx.lock_user_with_email(&half.email)?;
            let user = user.filter(|user| user.disabled_at.is_none() && half.is_of(&panel, user));
            // If the second factor was just removed, the user signs in again with the first step alone.
            let Some((sealed, user)) = user.and_then(|user| Some((user.totp_secret.clone()?, user))) else {
                return Ok::<_, Error>(SignIn::Expired);
            };
            // A wrong code is a success of the transaction: it is counted.
            if !panel.takes_code(tx, &user, &sealed, &code, now)? {
                let address = visitor.address;
                record_frequent_act(tx, user.company, &user.email, address, AuditAct::CodeFailed, now)?;
                return Ok(SignIn::Wrong);
            }
            tx.reset_failures(&[scope])?;
            let user = match &half.provider {
                Some(pending) => pending.apply(tx, user, visitor.address, now)?,
                None => Some(user),
            };
            let Some(user) = user else {
                return Ok(SignIn::Expired);
            };
            let token = sessions::begin(tx, &user, visitor.address, &visitor.agent, false, now)?;
            let device = device.clone();
            Ok(SignIn::Entered(Entered { token, device }))
        });
        done.await
    }
}

/// A sign-in whose first step is done, and that waits for its code. The browser keeps it, sealed.
#[derive(Serialize, Deserialize)]
struct PendingSignIn {
    id: String,
    email: String,
    /// Hash of what the first step relied on.
    fingerprint: String,
    /// What the identity provider said, where that was the first step.
    provider: Option<PendingProviderSignIn>,
    until: i64,
}

impl PendingSignIn {
    /// Whether it is still the same user, by the same password and the same person of the identity provider.
    fn is_of(&self, panel: &Panel, user: &StoredUser) -> bool {
        user.id.to_string() == self.id && panel.fingerprint(user) == self.fingerprint
    }
}

impl Panel {
    /// The hash of what a user is recognised by in the first step.
    fn fingerprint(&self, user: &StoredUser) -> String {
        let identity = user.identity.as_ref();
        let issuer = identity.map(|identity| identity.issuer.as_bytes());
        let subject = identity.map(|identity| identity.subject.as_bytes());
        let hash = keyed(
            &self.forms,
            &[
                b"first step",
                user.password.as_deref().unwrap_or_default().as_bytes(),
                issuer.unwrap_or_default(),
                subject.unwrap_or_default(),
            ],
        );
        BASE64URL_NOPAD.encode(&hash)
    }

    /// What a browser keeps until the user has typed the code.
    pub(super) fn halfway(
        &self,
        user: &StoredUser,
        provider: Option<PendingProviderSignIn>,
        now: Timestamp,
    ) -> String {
        let pending = PendingSignIn {
            id: user.id.to_string(),
            email: user.email.clone(),
            fingerprint: self.fingerprint(user),
            provider,
            until: now.after(CODE_STEP_TIMEOUT).as_micros(),
        };
        // A struct of texts always serializes.
        let json = serde_json::to_vec(&pending).unwrap_or_default();
        BASE64URL_NOPAD.encode(&self.secrets.seal("halfway", &json))
    }

    fn read_halfway(&self, token: &str, now: Timestamp) -> Option<PendingSignIn> {
        let sealed = BASE64URL_NOPAD.decode(token.as_bytes()).ok()?;
        let half: PendingSignIn = serde_json::from_slice(&self.secrets.open("halfway", &sealed)?).ok()?;
        (now < Timestamp::from_micros(half.until)).then_some(half)
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
