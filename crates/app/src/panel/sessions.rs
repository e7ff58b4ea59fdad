//! Sessions of the panel: rows, found by the hash of a random token. Thirty minutes without use end one, twelve hours
//! end any; the user sees them all and ends those that are not wanted. One that was begun or used before the clock went back
//! has ended: neither limit would end it in time.

use super::audit::{AuditAct, record_frequent_act};
use super::{Panel, PanelActor, PanelCompany, User, keyed};
use crate::shared::access::lacks_second_factor;
use crate::shared::secrets::SystemRandom;
use crate::{App, Caller, Error, Who};
use data_encoding::BASE64URL_NOPAD;
use domain::limits::{PANEL_IDLE, PANEL_LIFETIME, PANEL_SESSIONS};
use domain::{Random, SessionId, Timestamp};
use sha2::{Digest, Sha256};
use std::net::IpAddr;
use std::time::Duration;
use store::{SessionRow, StoredUser, Tx};

/// The time of last use is written at most this often, not with every request.
const TOUCH_INTERVAL: Duration = Duration::from_mins(1);
/// Characters kept of what a browser calls itself.
const MAX_AGENT_CHARS: usize = 200;

/// A session's token, and its hash.
pub(super) struct Token {
    pub(super) text: String,
    pub(super) digest: [u8; 32],
}

impl Token {
    pub(super) fn random() -> Self {
        let mut bytes = [0; 32];
        SystemRandom.fill(&mut bytes);
        let text = BASE64URL_NOPAD.encode(&bytes);
        let digest = digest(&text);
        Self { text, digest }
    }
}

pub(super) fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// The session of a signed-in user.
#[derive(Debug, Clone)]
pub struct PanelSession {
    /// Who.
    pub user: User,
    /// Of which company.
    pub company: PanelCompany,
    /// By which session.
    pub session: SessionId,
    /// What forms must carry.
    pub csrf: String,
    /// Whether the company demands a second factor, and the user has none: nothing else may be done before.
    pub lacks_second_factor: bool,
    /// When it began.
    pub(super) began_at: Timestamp,
    pub(super) digest: [u8; 32],
}

impl PanelSession {
    /// The user as acts know them, coming from that address.
    pub fn caller(&self, address: IpAddr) -> Caller {
        Caller {
            company: self.user.company,
            who: Who::User {
                email: self.user.email.as_str().into(),
                session: self.digest,
            },
            name: self.user.name.as_str().into(),
            address,
        }
    }
}

/// A session as its user sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenSession {
    /// What it is called by.
    pub id: SessionId,
    /// When it began.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub used_at: Timestamp,
    /// From where it began.
    pub address: Option<String>,
    /// What the browser calls itself.
    pub agent: String,
}

impl Panel {
    fn csrf_token(&self, digest: &[u8; 32]) -> String {
        BASE64URL_NOPAD.encode(&keyed(&self.forms, &[digest]))
    }
}

/// Whether the clock went back since the session began or was used.
fn is_ahead(session: &SessionRow, now: Timestamp) -> bool {
    session.created_at.is_ahead_of(now) || session.used_at.is_ahead_of(now)
}

/// Begins a session, of a user who has shown a second factor to the company's identity provider or not; the token is for
/// the browser alone.
pub(super) fn begin(
    tx: &mut Tx<'_>,
    user: &StoredUser,
    address: IpAddr,
    agent: &str,
    second_factor: bool,
    now: Timestamp,
) -> Result<String, Error> {
    let token = Token::random();
    let row = SessionRow {
        digest: token.digest,
        id: SessionId::random(&mut SystemRandom),
        created_at: now,
        used_at: now,
        address: Some(address.to_canonical().to_string()),
        agent: agent
            .chars()
            .filter(|c| !c.is_control())
            .take(MAX_AGENT_CHARS)
            .collect(),
        second_factor,
    };
    tx.add_panel_session(user.seq, &row, PANEL_SESSIONS)?;
    tx.record_sign_in(user.seq, now)?;
    record_frequent_act(tx, user.company, &user.email, address, AuditAct::SignedIn, now)?;
    Ok(token.text)
}

impl App {
    /// Who is signed in with that token, if the session still holds.
    pub async fn panel_session(&self, token: &str) -> Result<Option<PanelSession>, Error> {
        let now = self.clock.now();
        let digest = digest(token);
        let found = self
            .store
            .read_inline(move |tx| {
                tx.panel_session(&digest, now.before(PANEL_IDLE), now.before(PANEL_LIFETIME))
            })
            .await;
        let found = found.map_err(Error::from)?;
        let Some((session, user, company)) = found.filter(|(session, ..)| !is_ahead(session, now)) else {
            return Ok(None);
        };
        if session.used_at.after(TOUCH_INTERVAL) <= now {
            self.store
                .write_retryable(move |tx| tx.touch_panel_session(&digest, now))
                .await?;
        }
        Ok(Some(PanelSession {
            user: User::from(&user),
            lacks_second_factor: lacks_second_factor(&session, &user, &company),
            company,
            session: session.id,
            began_at: session.created_at,
            csrf: self.panel.csrf_token(&digest),
            digest,
        }))
    }

    /// The user's sessions that hold, the last used first.
    pub async fn panel_sessions(&self, user: &User) -> Result<Vec<OpenSession>, Error> {
        let now = self.clock.now();
        let seq = user.seq;
        let rows = self
            .store
            .read(move |tx| tx.panel_sessions_of(seq, now.before(PANEL_IDLE), now.before(PANEL_LIFETIME)))
            .await?;
        let shown = |row: SessionRow| OpenSession {
            id: row.id,
            created_at: row.created_at,
            used_at: row.used_at,
            address: row.address,
            agent: row.agent,
        };
        let holding = rows.into_iter().filter(|row| !is_ahead(row, now));
        Ok(holding.map(shown).collect())
    }

    /// Ends the present session.
    pub async fn sign_out(&self, signed: &PanelSession, actor: PanelActor) -> Result<(), Error> {
        let (now, session) = (self.clock.now(), signed.session);
        let ended = self.store.write_retryable(move |tx| {
            let user = &actor.user;
            // The user's acts that share a row come one by one.
            tx.lock_user_with_email(&user.email)?;
            if tx.end_panel_session(user.seq, session)? {
                record_frequent_act(
                    tx,
                    user.company,
                    &user.email,
                    actor.address,
                    AuditAct::SignedOut,
                    now,
                )?;
            }
            Ok::<_, Error>(())
        });
        ended.await
    }

    /// Ends one of the user's sessions. Returns whether there was one.
    pub async fn end_panel_session(&self, actor: PanelActor, session: SessionId) -> Result<bool, Error> {
        let now = self.clock.now();
        let ended = self.store.write_retryable(move |tx| {
            let ended = tx.end_panel_session(actor.user.seq, session)?;
            if ended {
                actor.record_act(tx, AuditAct::SessionsEnded, "", now)?;
            }
            Ok::<_, Error>(ended)
        });
        ended.await
    }

    /// Ends the user's sessions except the present one. Returns how many.
    pub async fn end_other_panel_sessions(
        &self,
        signed: &PanelSession,
        actor: PanelActor,
    ) -> Result<u64, Error> {
        let (now, seq, but) = (self.clock.now(), signed.user.seq, signed.session);
        let ended = self.store.write_retryable(move |tx| {
            let ended = tx.end_panel_sessions(seq, Some(but))?;
            if ended > 0 {
                actor.record_act(tx, AuditAct::SessionsEnded, "", now)?;
            }
            Ok::<_, Error>(ended)
        });
        ended.await
    }
}
