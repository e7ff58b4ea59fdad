//! The second factor: codes by an app on the telephone, and recovery codes for the day it is lost.

use super::audit::AuditAct;
use super::own_password::{OwnProof, queue_change_email, rotate};
use super::{PanelActor, PanelSession, User, totp};
use crate::shared::secrets::SystemRandom;
use crate::{App, Error};
use data_encoding::{BASE32_NOPAD, BASE64URL_NOPAD};
use domain::{AccountEmailKind, Random, Timestamp};
use std::fmt::Write;
use store::{StoredUser, Tx};

/// Recovery codes that a user has.
const RECOVERY_CODES: usize = 10;
/// Without the letters that look like digits, and one that people take for another.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// A second factor that is being set up.
#[derive(Debug, Clone)]
pub struct Enrolment {
    /// What the form carries: the secret, sealed for the user.
    pub token: String,
    /// The secret as apps take it when typed.
    pub secret: String,
    /// The same as they take it from a picture.
    pub address: String,
}

/// The state of a user's second factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecondFactor {
    /// Whether codes are asked for.
    pub on: bool,
    /// Recovery codes that are left.
    pub recovery_left: usize,
    /// Whether the user has a password to confirm acts with.
    pub has_password: bool,
}

/// The outcome of an act on the second factor.
#[derive(Debug)]
pub enum SecondFactorOutcome {
    /// Done: the session continues under this token, and these recovery codes are shown once.
    Done {
        /// The session's new token.
        token: String,
        /// The codes.
        codes: Vec<String>,
    },
    /// The password is wrong.
    WrongPassword,
    /// The user has no password, and the sign-in is too long ago to take its place.
    OldSession,
    /// The code is wrong.
    WrongCode,
    /// There is one already: it must be turned off first.
    AlreadyOn,
    /// The company requires one of all its users: it cannot be turned off.
    Required,
}

impl OwnProof {
    /// What an act says of it, unless it is right.
    const fn refusal(self) -> Option<SecondFactorOutcome> {
        match self {
            Self::Right => None,
            Self::Wrong => Some(SecondFactorOutcome::WrongPassword),
            Self::OldSession => Some(SecondFactorOutcome::OldSession),
        }
    }
}

impl App {
    /// The state of the user's second factor.
    pub async fn second_factor(&self, user: &User) -> Result<SecondFactor, Error> {
        let (company, id) = (user.company, user.id);
        let read = self.store.read(move |tx| {
            let user = tx.user(company, id)?.ok_or(Error::NotFound)?;
            Ok(SecondFactor {
                on: user.totp_secret.is_some(),
                recovery_left: tx.recovery_codes_left(user.seq)?,
                has_password: user.password.is_some(),
            })
        });
        read.await
    }

    /// A new secret for the user's app. Nothing is kept until a code of it was shown.
    pub fn begin_second_factor(&self, user: &User, issuer: &str) -> Enrolment {
        let mut secret = [0; totp::SECRET_BYTES];
        SystemRandom.fill(&mut secret);
        self.enrolment(user, issuer, &secret)
    }

    /// The same secret again, after a wrong code.
    pub fn resume_second_factor(&self, user: &User, issuer: &str, token: &str) -> Option<Enrolment> {
        let secret = self.opened(user, token)?;
        Some(self.enrolment(user, issuer, &secret))
    }

    fn enrolment(&self, user: &User, issuer: &str, secret: &[u8]) -> Enrolment {
        let sealed = self.panel.secrets.seal(&purpose(user), secret);
        let spelt = BASE32_NOPAD.encode(secret);
        let mut address = url::Url::parse("otpauth://totp/").ok();
        if let Some(address) = &mut address {
            address.set_path(&format!("/{}:{}", issuer.replace(':', " "), user.email));
            address
                .query_pairs_mut()
                .append_pair("secret", &spelt)
                .append_pair("issuer", &issuer.replace(':', " "));
        }
        Enrolment {
            token: BASE64URL_NOPAD.encode(&sealed),
            secret: grouped(&spelt),
            // Apps read blanks as `%20` only.
            address: address.map_or_else(String::new, |address| address.as_str().replace('+', "%20")),
        }
    }

    fn opened(&self, user: &User, token: &str) -> Option<Vec<u8>> {
        let sealed = BASE64URL_NOPAD.decode(token.as_bytes()).ok()?;
        self.panel.secrets.open(&purpose(user), &sealed)
    }

    /// Turns the second factor on, once the app shows the right code. The password is asked for: a browser left open
    /// must not be enough to lock its owner out.
    pub async fn finish_second_factor(
        &self,
        signed: &PanelSession,
        actor: PanelActor,
        token: &str,
        code: &str,
        password: String,
    ) -> Result<SecondFactorOutcome, Error> {
        if let Some(refused) = self.prove_self(signed, password).await?.refusal() {
            return Ok(refused);
        }
        let now = self.clock.now();
        let secret = self.opened(&signed.user, token).ok_or(Error::NotFound)?;
        let Some(step) = totp::matching(&secret, code, now) else {
            return Ok(SecondFactorOutcome::WrongCode);
        };
        let sealed = self.panel.secrets.seal("second factor", &secret);
        let (codes, digests) = self.recovery_codes(&signed.user);
        let signed = signed.clone();
        let done = self.store.write_retryable(move |tx| {
            let user = tx.user(signed.user.company, signed.user.id)?;
            if user.ok_or(Error::NotFound)?.totp_secret.is_some() {
                return Ok(SecondFactorOutcome::AlreadyOn);
            }
            tx.set_totp(signed.user.seq, Some(&sealed), step)?;
            tx.put_recovery_codes(signed.user.seq, &digests)?;
            actor.record_act(tx, AuditAct::SecondFactorAdded, "", now)?;
            let (token, codes) = (rotate(tx, &signed)?, codes.clone());
            Ok(SecondFactorOutcome::Done { token, codes })
        });
        done.await
    }

    /// Gives the user new recovery codes in the place of the old ones.
    pub async fn renew_recovery_codes(
        &self,
        signed: &PanelSession,
        actor: PanelActor,
        password: String,
        code: &str,
    ) -> Result<SecondFactorOutcome, Error> {
        let (codes, digests) = self.recovery_codes(&signed.user);
        let done = self.with_second_factor(signed, actor, password, code, codes, move |tx, actor, now| {
            tx.put_recovery_codes(actor.user.seq, &digests)?;
            queue_change_email(tx, &actor.user, AccountEmailKind::RecoveryCodesRenewed, now)?;
            actor.record_act(tx, AuditAct::RecoveryCodesRenewed, &actor.user.email, now)?;
            Ok(true)
        });
        done.await
    }

    /// Turns the second factor off, where the company does not demand one.
    pub async fn remove_second_factor(
        &self,
        signed: &PanelSession,
        actor: PanelActor,
        password: String,
        code: &str,
    ) -> Result<SecondFactorOutcome, Error> {
        let done = self.with_second_factor(signed, actor, password, code, Vec::new(), |tx, actor, now| {
            // Read under the lock on the user: who begins to demand it waits, or was seen here.
            let settings = tx.company_settings(actor.user.company)?;
            if settings.is_some_and(|settings| settings.second_factor_required) {
                return Ok(false);
            }
            tx.set_totp(actor.user.seq, None, 0)?;
            tx.put_recovery_codes(actor.user.seq, &[])?;
            queue_change_email(tx, &actor.user, AccountEmailKind::SecondFactorOff, now)?;
            actor.record_act(tx, AuditAct::SecondFactorRemoved, &actor.user.email, now)?;
            Ok(true)
        });
        done.await
    }

    /// Weakens or removes a second factor. It takes the password and a code or recovery code: an open
    /// browser and an overheard password must not be enough. The act says whether the company allows it.
    async fn with_second_factor(
        &self,
        signed: &PanelSession,
        actor: PanelActor,
        password: String,
        code: &str,
        codes: Vec<String>,
        act: impl Fn(&mut Tx<'_>, &PanelActor, Timestamp) -> Result<bool, Error> + Send + 'static,
    ) -> Result<SecondFactorOutcome, Error> {
        if let Some(refused) = self.prove_self(signed, password).await?.refusal() {
            return Ok(refused);
        }
        let (now, panel) = (self.clock.now(), self.panel.clone());
        let (signed, code) = (signed.clone(), code.to_owned());
        let done = self.store.write_retryable(move |tx| {
            // A wrong code is a success of the transaction: it is counted.
            if !panel.shows_code(tx, &signed.user, &code, now)? {
                return Ok::<_, Error>(SecondFactorOutcome::WrongCode);
            }
            if !act(tx, &actor, now)? {
                return Ok(SecondFactorOutcome::Required);
            }
            let (token, codes) = (rotate(tx, &signed)?, codes.clone());
            Ok(SecondFactorOutcome::Done { token, codes })
        });
        let done = done.await?;
        self.wakeups.account_emails.notify();
        Ok(done)
    }

    fn recovery_codes(&self, user: &User) -> (Vec<String>, Vec<[u8; 32]>) {
        let codes: Vec<String> = (0..RECOVERY_CODES).map(|_| recovery_code()).collect();
        let digests = codes.iter().map(|code| self.panel.recovery_digest(user.id, code));
        let digests = digests.collect();
        (codes, digests)
    }
}

/// Removes a second factor that was lost, ends the user's sessions, and notifies the user by email.
pub(crate) fn take_second_factor(tx: &mut Tx<'_>, user: &StoredUser, now: Timestamp) -> Result<(), Error> {
    tx.set_totp(user.seq, None, 0)?;
    tx.put_recovery_codes(user.seq, &[])?;
    tx.end_panel_sessions(user.seq, None)?;
    queue_change_email(tx, &User::from(user), AccountEmailKind::SecondFactorOff, now)
}

/// What a secret that is being set up is sealed for.
fn purpose(user: &User) -> String {
    format!("enrolment of {}", user.id)
}

/// Twelve characters, sixty bits.
fn recovery_code() -> String {
    let mut bytes = [0; 12];
    SystemRandom.fill(&mut bytes);
    let text: String = bytes
        .iter()
        .map(|byte| char::from(ALPHABET[usize::from(byte % 32)]))
        .collect();
    format!("{}-{}-{}", &text[..4], &text[4..8], &text[8..])
}

/// By fours, as people read it off.
fn grouped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() * 5 / 4);
    for (place, c) in text.chars().enumerate() {
        let blank = if place > 0 && place % 4 == 0 { " " } else { "" };
        let _ = write!(shown, "{blank}{c}");
    }
    shown
}
