//! Sessions of signers. A token holds the signing party, the generation of its sessions, the start and the
//! last renewal, with a 256-bit MAC. A corrected contact and every act start a new generation and end the
//! sessions before it. A session ends after fifteen minutes without use, and at sign-out.
//!
//! Opening a link writes nothing, because mail programs open links. A session gets a row
//! (`store::signer_sessions`) with its first form or document; codes belong to it, and it records that one
//! was typed.

use crate::shared::secrets::{MasterKey, SystemRandom};
use crate::signing::context::SigningContext;
use crate::signing::party::SigningParty;
use crate::{App, Error};
use aws_lc_rs::hmac;
use data_encoding::BASE64URL_NOPAD;
use domain::limits::{SESSION_IDLE, SESSION_LIFETIME};
use domain::{SignerSessionId, Timestamp};
use std::time::Duration;
use store::Tx;

/// A session gets a new token when its token is older than this, not with every response.
const RENEW_AFTER: Duration = Duration::from_mins(1);
const MAC_BYTES: usize = 32;

/// Makes and reads sessions.
#[derive(Clone, Debug)]
pub struct Sessions {
    sessions: hmac::Key,
    forms: hmac::Key,
}

/// A session with a genuine token that is not too old. The database knows whether it is of the party's
/// present generation and was not signed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Whose it is.
    pub party: SigningParty,
    /// Which it is.
    pub id: SignerSessionId,
    /// Its token, for the cookie.
    pub token: String,
    /// What forms must carry.
    pub csrf: String,
    generation: i64,
    begun_at: Timestamp,
    issued_at: Timestamp,
}

impl Session {
    /// Whether it is of the party's present generation.
    pub const fn is_of(&self, generation: i64) -> bool {
        self.generation == generation
    }

    /// When it ends if it is not used any more.
    pub fn ends_at(&self) -> Timestamp {
        let idle = self.issued_at.after(SESSION_IDLE);
        idle.min(self.begun_at.after(SESSION_LIFETIME))
    }

    /// How long it lasts after its last renewal, if it is not used.
    pub fn lasts(&self) -> Duration {
        self.ends_at().since(self.issued_at)
    }

    /// Whether it is time for a new token.
    pub fn is_stale(&self, now: Timestamp) -> bool {
        self.issued_at.after(RENEW_AFTER) <= now
    }

    /// Fails where the contact was corrected and no code sent to it was typed in this session.
    pub(crate) fn must_be_proven(&self, tx: &mut Tx<'_>, context: &SigningContext) -> Result<(), Error> {
        if !context.contact_changed || self.is_proven(tx)? {
            return Ok(());
        }
        Err(Error::Unproven)
    }

    /// Whether a code was typed in it.
    pub(crate) fn is_proven(&self, tx: &mut Tx<'_>) -> Result<bool, Error> {
        let row = tx.signer_session(self.id)?;
        Ok(row.is_some_and(|row| row.proven_at.is_some()))
    }

    /// Fails if the session is of an earlier generation than the context, or was signed out.
    pub(crate) fn must_hold(&self, tx: &mut Tx<'_>, context: &SigningContext) -> Result<(), Error> {
        let row = tx.signer_session(self.id)?;
        if self.is_of(context.generation) && row.is_none_or(|row| row.ended_at.is_none()) {
            Ok(())
        } else {
            Err(Error::SessionOver)
        }
    }
}

impl Sessions {
    pub(crate) fn new(master: &MasterKey) -> Self {
        let key = |purpose| hmac::Key::new(hmac::HMAC_SHA256, &master.derive(purpose));
        Self {
            sessions: key("sessions"),
            forms: key("forms"),
        }
    }

    /// A new session.
    pub fn begin(&self, party: SigningParty, generation: i64, now: Timestamp) -> Session {
        let id = SignerSessionId::random(&mut SystemRandom);
        self.issue(party, id, generation, now, now)
    }

    /// Renews a session; its CSRF token stays the same.
    #[must_use]
    pub fn renew(&self, session: &Session, now: Timestamp) -> Session {
        self.issue(
            session.party,
            session.id,
            session.generation,
            session.begun_at,
            now,
        )
    }

    /// Reads a token; nothing when it was not made here, is another party's, is too old, or was not used for too long.
    pub fn read(&self, token: &str, party: SigningParty, now: Timestamp) -> Option<Session> {
        self.read_genuine(token, party)
            .filter(|session| now < session.ends_at())
    }

    /// Reads a token that may have been without use for too long, but is not too old: its browser may get a new session with
    /// [`Self::resume`].
    pub fn read_idle(&self, token: &str, party: SigningParty, now: Timestamp) -> Option<Session> {
        self.read_genuine(token, party)
            .filter(|session| now < session.begun_at.after(SESSION_LIFETIME))
    }

    /// Whether the token was made here for that party, however old it is.
    pub fn was_issued(&self, token: &str, party: SigningParty) -> bool {
        self.read_genuine(token, party).is_some()
    }

    /// A new session in the place of one that was not used for too long. No code was typed in it yet. It ends when the
    /// first one would have, at the latest.
    #[must_use]
    pub fn resume(&self, idle: &Session, generation: i64, now: Timestamp) -> Session {
        let id = SignerSessionId::random(&mut SystemRandom);
        self.issue(idle.party, id, generation, idle.begun_at, now)
    }

    fn read_genuine(&self, token: &str, party: SigningParty) -> Option<Session> {
        let bytes = BASE64URL_NOPAD.decode(token.as_bytes()).ok()?;
        let (body, mac) = bytes.split_last_chunk::<MAC_BYTES>()?;
        hmac::verify(&self.sessions, body, mac).ok()?;
        let rest = body.strip_prefix(party.to_bytes().as_slice())?;
        let (generation, rest) = rest.split_first_chunk::<8>()?;
        let (begun, rest) = rest.split_first_chunk::<8>()?;
        let (issued, id) = rest.split_first_chunk::<8>()?;
        let time = |bytes: &[u8; 8]| Timestamp::from_micros(i64::from_be_bytes(*bytes));
        let (begun_at, issued_at) = (time(begun), time(issued));
        let id = SignerSessionId::from_bytes(id.try_into().ok()?);
        Some(Session {
            party,
            id,
            token: token.to_owned(),
            csrf: self.csrf(id),
            generation: i64::from_be_bytes(*generation),
            begun_at,
            issued_at,
        })
    }

    fn issue(
        &self,
        party: SigningParty,
        id: SignerSessionId,
        generation: i64,
        begun_at: Timestamp,
        now: Timestamp,
    ) -> Session {
        let mut token = party.to_bytes();
        token.extend(generation.to_be_bytes());
        token.extend(begun_at.as_micros().to_be_bytes());
        token.extend(now.as_micros().to_be_bytes());
        token.extend(id.as_bytes());
        token.extend(hmac::sign(&self.sessions, &token.clone()).as_ref());
        Session {
            party,
            id,
            token: BASE64URL_NOPAD.encode(&token),
            csrf: self.csrf(id),
            generation,
            begun_at,
            issued_at: now,
        }
    }

    fn csrf(&self, id: SignerSessionId) -> String {
        BASE64URL_NOPAD.encode(hmac::sign(&self.forms, id.as_bytes()).as_ref())
    }
}

impl App {
    /// Ends a session for good: its token opens nothing any more. A session that has done nothing yet has no row to end, and
    /// gives no more access than the link; only the browser drops its cookie.
    pub async fn end_signer_session(&self, session: &Session) -> Result<(), Error> {
        let (id, now) = (session.id, self.clock.now());
        let ended = self.store.write(move |tx| {
            tx.end_codes(id)?;
            tx.end_signer_session(id, now)
        });
        Ok(ended.await?)
    }

    /// A new session in the place of one whose own act has ended it: a code was typed in that one. It is of the generation
    /// that the act began: a correction that came since has ended it already.
    pub async fn session_after_act(&self, session: &Session) -> Result<Session, Error> {
        let now = self.clock.now();
        let next = self.sessions.begin(session.party, session.generation + 1, now);
        let (id, party) = (next.id, session.party.to_bytes());
        let kept = self.store.write(move |tx| {
            tx.put_signer_session(id, &party, None, now)?;
            tx.prove_signer_session(id, now)
        });
        kept.await?;
        Ok(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{FolioId, SignerIndex};

    const NOW: Timestamp = Timestamp::from_micros(1_800_000_000_000_000);

    fn party(signer_index: usize) -> SigningParty {
        let folio = FolioId::from_bytes([7; 16]);
        let signer_index = SignerIndex(signer_index);
        SigningParty::Signer { folio, signer_index }
    }

    fn sessions(key: &str) -> Sessions {
        Sessions::new(&MasterKey::from_hex(&key.repeat(32)).unwrap())
    }

    #[test]
    fn a_session_is_its_holders_for_fifteen_minutes() {
        let sessions = sessions("5a");
        let session = sessions.begin(party(0), 3, NOW);
        let later = NOW.after(Duration::from_mins(14));
        assert_eq!(
            sessions.read(&session.token, party(0), later),
            Some(session.clone())
        );
        assert_eq!(sessions.read(&session.token, party(1), later), None);
        assert_eq!(
            sessions.read(&session.token, party(0), NOW.after(SESSION_IDLE)),
            None
        );
        assert_eq!(
            super::tests::sessions("5b").read(&session.token, party(0), NOW),
            None
        );
        assert!(session.is_of(3) && !session.is_of(4));
    }

    #[test]
    fn used_it_goes_on_and_its_forms_stay_good() {
        let sessions = sessions("5a");
        let session = sessions.begin(party(0), 0, NOW);
        let later = NOW.after(Duration::from_mins(10));
        assert!(session.is_stale(later) && !session.is_stale(NOW));
        let renewed = sessions.renew(&session, later);
        assert_eq!((&renewed.csrf, renewed.id), (&session.csrf, session.id));
        assert!(
            sessions
                .read(&renewed.token, party(0), NOW.after(Duration::from_mins(20)))
                .is_some()
        );
        assert_ne!(sessions.begin(party(0), 0, NOW).csrf, session.csrf);
    }

    #[test]
    fn used_without_a_pause_it_ends_all_the_same() {
        let sessions = sessions("5a");
        let (mut session, mut now) = (sessions.begin(party(0), 0, NOW), NOW);
        while now < NOW.after(SESSION_LIFETIME) {
            session = sessions.renew(&session, now);
            assert!(sessions.read(&session.token, party(0), now).is_some());
            now = now.after(Duration::from_mins(10));
        }
        let session = sessions.renew(&session, now);
        assert_eq!(sessions.read(&session.token, party(0), now), None);
    }

    #[test]
    fn a_session_without_use_is_followed_by_one_that_ends_no_later() {
        let sessions = sessions("5a");
        let session = sessions.begin(party(0), 3, NOW);
        let later = NOW.after(SESSION_IDLE);
        assert_eq!(sessions.read(&session.token, party(0), later), None);
        assert_eq!(sessions.read_idle(&session.token, party(1), later), None);
        let idle = sessions.read_idle(&session.token, party(0), later).unwrap();
        let next = sessions.resume(&idle, 4, later);
        assert!(next.id != session.id && next.is_of(4));
        assert_eq!(sessions.read(&next.token, party(0), later), Some(next.clone()));
        let end = NOW.after(SESSION_LIFETIME);
        assert_eq!(
            sessions
                .renew(&next, end.before(Duration::from_mins(1)))
                .ends_at(),
            end
        );
        assert_eq!(sessions.read_idle(&next.token, party(0), end), None);
        assert!(sessions.was_issued(&next.token, party(0)) && !sessions.was_issued(&next.token, party(1)));
    }

    #[test]
    fn no_bit_of_a_token_can_be_changed() {
        let sessions = sessions("5a");
        let bytes = BASE64URL_NOPAD
            .decode(sessions.begin(party(0), 0, NOW).token.as_bytes())
            .unwrap();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_eq!(
                sessions.read(&BASE64URL_NOPAD.encode(&changed), party(0), NOW),
                None
            );
        }
    }
}
