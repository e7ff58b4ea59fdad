//! Choosing a password: a new one by whoever knows the old, or by a link that was emailed. Either ends what the old one
//! had opened.

use super::lockout::{FORGOTTEN, FORGOTTEN_FROM, PLACE, count_try, forgive, own_scopes};
use super::sessions::{Token, digest};
use super::{Password, Signed, User, Visitor, keyed, normal};
use crate::{App, Error};
use domain::limits::PASSWORD_LINK_LIFETIME;
use domain::{LetterKind, Timestamp};
use std::net::IpAddr;
use store::{NewLetter, Tx, UserRow};

impl App {
    /// Whether that is the person's password. Wrong ones are counted, and too many make wait.
    pub(super) async fn is_own_password(&self, user: &User, typed: String) -> Result<bool, Error> {
        let now = self.clock.now();
        let places = [(keyed(&self.panel.scopes, &[b"own", user.id.as_bytes()]), PLACE)];
        let email = user.email.clone();
        let found = self.store.write(move |tx| {
            let tried = count_try(tx, &places, now)?;
            Ok::<_, Error>((tried, tx.user_with_email(&email)?))
        });
        let (tried, user) = found.await?;
        let kept = user.and_then(|user| user.password);
        let right = self.judge_password(&tried, kept, typed).await?;
        if right {
            self.store.write(move |tx| forgive(tx, &tried)).await?;
        }
        Ok(right)
    }

    /// Gives the person another password; the session at hand goes on under another token, the others end. Nothing
    /// when the old password is wrong.
    pub async fn change_password(
        &self,
        signed: &Signed,
        old: String,
        new: Password,
    ) -> Result<Option<String>, Error> {
        if !self.is_own_password(&signed.user, old).await? {
            return Ok(None);
        }
        let hash = self.panel.passwords.hash(new).await?;
        let (now, signed) = (self.clock.now(), signed.clone());
        let changed = self.store.write(move |tx| {
            tx.set_password(signed.user.seq, &hash)?;
            tx.end_password_links(signed.user.seq)?;
            tell_of_change(tx, &signed.user, LetterKind::PasswordChanged, now)?;
            rotate(tx, &signed)
        });
        let token = changed.await?;
        self.letter_bell.ring();
        Ok(Some(token))
    }

    /// Sends a link to choose another password to that address, if it is anybody's. Nobody learns whether it is; too
    /// many in too short a time do nothing.
    pub async fn forgotten_password(&self, email: &str, address: IpAddr) -> Result<(), Error> {
        let (now, email) = (self.clock.now(), normal(email));
        let app = self.clone();
        let asked = self.store.write(move |tx| {
            let places = [
                (app.panel.account_scope("forgotten", &email), FORGOTTEN),
                (app.panel.address_scope("forgotten", address), FORGOTTEN_FROM),
            ];
            count_try(tx, &places, now)?;
            let user = tx.user_with_email(&email)?;
            match user.filter(|user| user.disabled_at.is_none()) {
                Some(user) => app.send_password_link(tx, &user, now),
                None => Ok(()),
            }
        });
        match asked.await {
            Ok(()) => self.letter_bell.ring(),
            Err(Error::TooOften { .. }) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Writes a person a link to choose a password: the first, or another.
    pub(super) fn send_password_link(
        &self,
        tx: &mut Tx<'_>,
        user: &UserRow,
        now: Timestamp,
    ) -> Result<(), Error> {
        let token = Token::random();
        tx.add_password_link(&token.digest, user.seq, now, now.after(PASSWORD_LINK_LIFETIME))?;
        let link = format!("{}/panel/reset?t={}", self.notary.base_url(), token.text);
        let kind = if user.password.is_none() {
            LetterKind::FirstPassword
        } else {
            LetterKind::NewPassword
        };
        Ok(tx.queue_letter(&NewLetter {
            company: user.company,
            kind,
            recipient: &user.email,
            name: &user.name,
            secret: Some(&self.outbox_secrets.seal("letter", link.as_bytes())),
            at: now,
        })?)
    }

    /// The address of whoever may choose a password by that link, if it still works. Looking uses nothing up: mail
    /// programs look, too.
    pub async fn password_link(&self, token: &str) -> Result<Option<String>, Error> {
        let (now, digest) = (self.clock.now(), digest(token));
        let found = self.store.read(move |tx| tx.password_link(&digest, now)).await?;
        Ok(found.map(|user| user.email))
    }

    /// Chooses a password by a link, which is used up; every session ends, and whoever chose it need not wait for what
    /// they guessed before. False when the link works no more.
    pub async fn choose_password(&self, token: &str, new: Password, visitor: Visitor) -> Result<bool, Error> {
        if self.password_link(token).await?.is_none() {
            return Ok(false);
        }
        let hash = self.panel.passwords.hash(new).await?;
        let (now, digest, panel) = (self.clock.now(), digest(token), self.panel.clone());
        let chosen = self.store.write(move |tx| {
            let Some(user) = tx.password_link(&digest, now)? else {
                return Ok::<_, Error>(false);
            };
            if !tx.use_password_link(&digest)? {
                return Ok(false);
            }
            tx.set_password(user.seq, &hash)?;
            tx.end_password_links(user.seq)?;
            tx.end_panel_sessions(user.seq, None)?;
            let mut scopes = own_scopes(&panel.places(&user.email, &visitor, now));
            scopes.push(panel.account_scope("password", &user.email));
            // In one order with those who count.
            tx.lock_failures(&scopes, now)?;
            tx.forgive_failures(&scopes)?;
            if user.password.is_some() {
                tell_of_change(tx, &User::from(&user), LetterKind::PasswordChanged, now)?;
            }
            Ok(true)
        });
        let chosen = chosen.await?;
        self.letter_bell.ring();
        Ok(chosen)
    }
}

/// Tells the person, in case it was somebody else.
pub(super) fn tell_of_change(
    tx: &mut Tx<'_>,
    user: &User,
    kind: LetterKind,
    now: Timestamp,
) -> Result<(), Error> {
    Ok(tx.queue_letter(&NewLetter {
        company: user.company,
        kind,
        recipient: &user.email,
        name: &user.name,
        secret: None,
        at: now,
    })?)
}

/// Ends the person's other sessions, and gives the one at hand another token.
pub(super) fn rotate(tx: &mut Tx<'_>, signed: &Signed) -> Result<String, Error> {
    tx.end_panel_sessions(signed.user.seq, Some(signed.session))?;
    let token = Token::random();
    if !tx.rotate_panel_session(&signed.digest, &token.digest)? {
        return Err(Error::NotFound);
    }
    Ok(token.text)
}
