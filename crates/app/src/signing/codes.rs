//! One-time codes. A code is stored as a keyed hash over the session that asked for it, its signing party,
//! the channel and the documents. Wrong tries are counted per session.

use crate::Error;
use crate::shared::secrets::MasterKey;
use crate::signing::context::{ContextFolio, SigningContext};
use crate::signing::session::Session;
use aws_lc_rs::hmac;
use domain::{Actor, Channel, Code, Event, EventKind, FolioId, Origin, Timestamp};
use std::net::IpAddr;
use store::{CodeRow, Tx};

/// What a signer typed.
#[derive(Debug, Clone, Default)]
pub struct TypedCodes {
    /// The code that came by email, where one is asked for.
    pub email: Option<Code>,
    /// The code that came by text message, where one is asked for.
    pub sms: Option<Code>,
}

impl TypedCodes {
    fn by(&self, channel: Channel) -> Option<&Code> {
        match channel {
            Channel::Email => self.email.as_ref(),
            Channel::Sms => self.sms.as_ref(),
        }
    }
}

/// The outcome of an act that needs a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CodeOutcome<T> {
    /// The code was right, and the act is done.
    Done(T),
    /// The code is wrong.
    WrongCode {
        /// Which.
        channel: Channel,
        /// Tries it has left.
        tries_left: usize,
    },
    /// There is no code to compare with: this session asked for none, or it has expired or was tried too often.
    NoCode {
        /// Which.
        channel: Channel,
    },
}

/// Hashes and compares codes.
#[derive(Clone, Debug)]
pub(crate) struct Codes {
    codes: hmac::Key,
    recipients: hmac::Key,
}

impl Codes {
    pub(crate) fn new(master: &MasterKey) -> Self {
        let key = |purpose| hmac::Key::new(hmac::HMAC_SHA256, &master.derive(purpose));
        Self {
            codes: key("one-time codes"),
            recipients: key("recipients of codes"),
        }
    }

    /// What is kept of a code.
    pub(crate) fn digest(
        &self,
        context: &SigningContext,
        session: &Session,
        channel: Channel,
        code: &Code,
    ) -> [u8; 32] {
        let mut digest = [0; 32];
        digest.copy_from_slice(hmac::sign(&self.codes, &text(context, session, channel, code)).as_ref());
        digest
    }

    /// What is kept of an address or number that codes are sent to.
    pub(crate) fn recipient(&self, recipient: &str) -> [u8; 32] {
        let mut digest = [0; 32];
        // A number is the same with its sign and without.
        let plain = recipient.trim_start_matches('+').to_lowercase();
        digest.copy_from_slice(hmac::sign(&self.recipients, plain.as_bytes()).as_ref());
        digest
    }

    /// Compares the typed codes with those of the session, one per channel. Right codes are used up. A
    /// wrong one is counted and recorded in the history of these folios.
    pub(crate) fn check<T>(
        &self,
        tx: &mut Tx<'_>,
        context: &SigningContext,
        session: &Session,
        wanted: &[Channel],
        typed: &TypedCodes,
        refusal_record: (&[&ContextFolio], Option<IpAddr>, Timestamp),
    ) -> Result<Option<CodeOutcome<T>>, Error> {
        let (folios, address, now) = refusal_record;
        let kept = tx.codes(session.id)?;
        let live = |channel| {
            kept.iter()
                .find(|row: &&CodeRow| row.channel == channel && row.sent.is_live(now))
        };
        if let Some(channel) = wanted.iter().copied().find(|channel| live(*channel).is_none()) {
            return Ok(Some(CodeOutcome::NoCode { channel }));
        }
        for channel in wanted.iter().copied() {
            let Some(row) = live(channel) else { continue };
            let is_right = |code: &Code| {
                hmac::verify(&self.codes, &text(context, session, channel, code), &row.digest).is_ok()
            };
            if typed.by(channel).is_some_and(is_right) {
                continue;
            }
            tx.count_try(session.id, channel)?;
            let tries_left = row.sent.tries_left().saturating_sub(1);
            tx.append_events(&refused(folios, tries_left, address, now))?;
            return Ok(Some(CodeOutcome::WrongCode { channel, tries_left }));
        }
        tx.end_codes(session.id)?;
        // A right code proves the owner of the contact: the pauses start over.
        tx.reset_send_limits(&[context.party.to_bytes()])?;
        Ok(None)
    }
}

fn text(context: &SigningContext, session: &Session, channel: Channel, code: &Code) -> Vec<u8> {
    let kind = match channel {
        Channel::Email => b"e",
        Channel::Sms => b"s",
    };
    [
        kind.as_slice(),
        code.as_str().as_bytes(),
        &context.documents_hash(),
        session.id.as_bytes(),
        &context.party.to_bytes(),
        context.recipient(channel).as_bytes(),
    ]
    .concat()
}

/// What goes into the history of each folio after a wrong code.
fn refused(
    folios: &[&ContextFolio],
    tries_left: usize,
    address: Option<IpAddr>,
    at: Timestamp,
) -> Vec<(FolioId, Event)> {
    let event = |folio: &&ContextFolio| {
        let signer = folio.signer_index;
        let actor = Actor::Signer { signer };
        let event = Event {
            at,
            origin: Origin { actor, address },
            what: EventKind::CodeRefused { signer, tries_left },
        };
        (folio.stored.folio.id, event)
    };
    folios.iter().map(event).collect()
}
