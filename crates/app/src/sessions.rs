//! Sessions of signers, without a row: a token names the holder, the generation of its sessions and when it was
//! issued, under a code of 256 bits. A corrected contact and every act begin a new generation, and end the
//! sessions of the one before; fifteen minutes without use end any.

use crate::holder::Holder;
use crate::secrets::{MasterKey, SystemRandom};
use aws_lc_rs::hmac;
use data_encoding::BASE64URL_NOPAD;
use domain::limits::SESSION_IDLE;
use domain::{Random, Timestamp};
use std::time::Duration;

/// A session is issued anew when it is older than this, not with every answer.
const RENEWAL: Duration = Duration::from_mins(1);
const NONCE: usize = 16;
const CODE: usize = 32;

/// Makes and reads sessions.
#[derive(Clone, Debug)]
pub struct Sessions {
    sessions: hmac::Key,
    forms: hmac::Key,
}

/// A session that holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Whose it is.
    pub holder: Holder,
    /// Its token, for the cookie.
    pub token: String,
    /// What forms must carry.
    pub csrf: String,
    generation: i64,
    issued_at: Timestamp,
}

impl Session {
    /// Whether it is of the holder's present generation.
    pub const fn is_of(&self, generation: i64) -> bool {
        self.generation == generation
    }

    /// Whether it is time to issue it anew.
    pub fn is_stale(&self, now: Timestamp) -> bool {
        self.issued_at.after(RENEWAL) <= now
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
    pub fn begin(&self, holder: Holder, generation: i64, now: Timestamp) -> Session {
        let mut nonce = [0; NONCE];
        SystemRandom.fill(&mut nonce);
        self.issue(holder, generation, now, &nonce)
    }

    /// The same session, used now: forms that carry its mark stay good.
    #[must_use]
    pub fn renew(&self, session: &Session, now: Timestamp) -> Session {
        let nonce = BASE64URL_NOPAD
            .decode(session.token.as_bytes())
            .unwrap_or_default();
        let nonce = nonce
            .last_chunk::<{ NONCE + CODE }>()
            .copied()
            .unwrap_or([0; NONCE + CODE]);
        self.issue(session.holder, session.generation, now, &nonce[..NONCE])
    }

    /// Reads a token; nothing when it was not made here, is another holder's, or was not used for too long.
    pub fn read(&self, token: &str, holder: Holder, now: Timestamp) -> Option<Session> {
        let bytes = BASE64URL_NOPAD.decode(token.as_bytes()).ok()?;
        let (body, code) = bytes.split_last_chunk::<CODE>()?;
        hmac::verify(&self.sessions, body, code).ok()?;
        let rest = body.strip_prefix(holder.to_bytes().as_slice())?;
        let (generation, rest) = rest.split_first_chunk::<8>()?;
        let (issued, nonce) = rest.split_first_chunk::<8>()?;
        if nonce.len() != NONCE {
            return None;
        }
        let issued_at = Timestamp::from_micros(i64::from_be_bytes(*issued));
        if now >= issued_at.after(SESSION_IDLE) {
            return None;
        }
        Some(Session {
            holder,
            token: token.to_owned(),
            csrf: self.mark(nonce),
            generation: i64::from_be_bytes(*generation),
            issued_at,
        })
    }

    fn issue(&self, holder: Holder, generation: i64, now: Timestamp, nonce: &[u8]) -> Session {
        let mut token = holder.to_bytes();
        token.extend(generation.to_be_bytes());
        token.extend(now.as_micros().to_be_bytes());
        token.extend(nonce);
        token.extend(hmac::sign(&self.sessions, &token.clone()).as_ref());
        Session {
            holder,
            token: BASE64URL_NOPAD.encode(&token),
            csrf: self.mark(nonce),
            generation,
            issued_at: now,
        }
    }

    fn mark(&self, nonce: &[u8]) -> String {
        BASE64URL_NOPAD.encode(hmac::sign(&self.forms, nonce).as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::FolioId;

    const NOW: Timestamp = Timestamp::from_micros(1_800_000_000_000_000);

    fn holder(place: usize) -> Holder {
        let folio = FolioId::from_bytes([7; 16]);
        Holder::Signer { folio, place }
    }

    fn sessions(key: &str) -> Sessions {
        Sessions::new(&MasterKey::from_hex(&key.repeat(32)).unwrap())
    }

    #[test]
    fn a_session_is_its_holders_for_fifteen_minutes() {
        let sessions = sessions("5a");
        let session = sessions.begin(holder(0), 3, NOW);
        let later = NOW.after(Duration::from_mins(14));
        assert_eq!(
            sessions.read(&session.token, holder(0), later),
            Some(session.clone())
        );
        assert_eq!(sessions.read(&session.token, holder(1), later), None);
        assert_eq!(
            sessions.read(&session.token, holder(0), NOW.after(SESSION_IDLE)),
            None
        );
        assert_eq!(
            super::tests::sessions("5b").read(&session.token, holder(0), NOW),
            None
        );
        assert!(session.is_of(3) && !session.is_of(4));
    }

    #[test]
    fn used_it_goes_on_and_its_forms_stay_good() {
        let sessions = sessions("5a");
        let session = sessions.begin(holder(0), 0, NOW);
        let later = NOW.after(Duration::from_mins(10));
        assert!(session.is_stale(later) && !session.is_stale(NOW));
        let renewed = sessions.renew(&session, later);
        assert_eq!(renewed.csrf, session.csrf);
        assert!(
            sessions
                .read(&renewed.token, holder(0), NOW.after(Duration::from_mins(20)))
                .is_some()
        );
        assert_ne!(sessions.begin(holder(0), 0, NOW).csrf, session.csrf);
    }

    #[test]
    fn no_bit_of_a_token_can_be_changed() {
        let sessions = sessions("5a");
        let bytes = BASE64URL_NOPAD
            .decode(sessions.begin(holder(0), 0, NOW).token.as_bytes())
            .unwrap();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_eq!(
                sessions.read(&BASE64URL_NOPAD.encode(&changed), holder(0), NOW),
                None
            );
        }
    }
}
