//! Signing in by a password. Neither the answer nor its timing reveals whether an address has an account. If the user has a
//! second factor, a code follows.

use super::audit::{AuditAct, record_frequent_act};
use super::lockout::{
    CountedTry, PASSWORD_PER_ACCOUNT, PASSWORD_PER_NETWORK, PASSWORD_PER_SOURCE, ScopeRule, count_try,
    reset_failures, take_back, touch,
};
use super::required_provider::required_provider;
use super::{Panel, normal, sessions};
use crate::{App, Error};
use domain::{CompanyId, ProviderId, Timestamp};
use std::net::IpAddr;
use store::{ActFilter, StoredUser};

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
        let found = self.store.write_retryable(move |tx| {
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
        let begun = self.store.write_retryable(move |tx| {
            // It took a while: meanwhile the password may be another one, or a second factor be asked for.
            let same = |now: &StoredUser| {
                now.id == user.id && now.password == user.password && now.disabled_at.is_none()
            };
            let Some(user) = tx.lock_user_with_email(&email)?.filter(same) else {
                return Ok::<_, Error>(SignIn::Wrong);
            };
            reset_failures(tx, &tried)?;
            if let Some(provider) = required_provider(tx, user.company, user.role)? {
                return Ok(SignIn::ByProvider(provider));
            }
            if user.totp_secret.is_some() {
                return Ok(SignIn::CodeWanted(panel.halfway(&user, None, now)));
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
        let noted = self.store.write_retryable(move |tx| {
            let account = tx.lock_user_with_email(&email)?;
            touch(tx, &tried)?;
            match account {
                Some(user) => {
                    record_frequent_act(
                        tx,
                        user.company,
                        &user.email,
                        address,
                        AuditAct::SignInFailed,
                        now,
                    )?;
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
            self.store
                .write_retryable(move |tx| take_back(tx, &tried))
                .await?;
        }
        verified
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
}
