//! One-time codes. A code is stored as a keyed hash over the session that asked for it, its signing party,
//! the channel and the documents. Wrong tries are counted per session.

use crate::Error;
use crate::shared::secrets::MasterKey;
use crate::signing::context::{ContextFolio, SigningContext};
use crate::signing::session::Session;
use aws_lc_rs::hmac;
use domain::code::{CodeCommitment, UsedCode};
use domain::{Actor, Channel, Client, Code, CodeId, Event, EventKind, FolioId, Origin, Timestamp};
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
    digits: hmac::Key,
    recipients: hmac::Key,
    salts: hmac::Key,
}

/// The codes of an act that were right, and are spent.
#[derive(Debug, Default)]
pub(crate) struct UsedCodes(Vec<(Channel, UsedCode)>);

impl UsedCodes {
    /// The one that came by that channel.
    pub(crate) fn by(&self, channel: Channel) -> Option<UsedCode> {
        let mut found = self.0.iter().filter(|(by, _)| *by == channel);
        found.next().map(|(_, used)| used.clone())
    }
}

impl Codes {
    pub(crate) fn new(master: &MasterKey) -> Self {
        let key = |purpose| hmac::Key::new(hmac::HMAC_SHA256, &master.derive(purpose));
        Self {
            digits: key("one-time codes"),
            recipients: key("recipients of codes"),
            salts: key("salts of codes"),
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
        digest.copy_from_slice(hmac::sign(&self.digits, &text(context, session, channel, code)).as_ref());
        digest
    }

    /// What the history says of a code when it is made.
    pub(crate) fn commitment(&self, id: CodeId, code: &Code) -> CodeCommitment {
        CodeCommitment::new(id, &self.salt(id), code)
    }

    /// The salt of a code's hash in the history. It is derived and not stored: a reader of the database could try a million
    /// codes with it while the code is good.
    fn salt(&self, id: CodeId) -> [u8; 16] {
        let tag = hmac::sign(&self.salts, id.as_bytes());
        tag.as_ref().first_chunk().copied().unwrap_or_default()
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
    /// wrong one is counted and recorded in the history of these folios; then the outcome is the error.
    pub(crate) fn check<T>(
        &self,
        tx: &mut Tx<'_>,
        context: &SigningContext,
        session: &Session,
        wanted: &[Channel],
        typed: &TypedCodes,
        refusal_record: (&[&ContextFolio], &Client, Timestamp),
    ) -> Result<Result<UsedCodes, CodeOutcome<T>>, Error> {
        let (folios, client, now) = refusal_record;
        let kept = tx.codes(session.id)?;
        let live = |channel| {
            kept.iter()
                .find(|row: &&CodeRow| row.channel == channel && row.sent.is_live(now))
        };
        if let Some(channel) = wanted.iter().copied().find(|channel| live(*channel).is_none()) {
            return Ok(Err(CodeOutcome::NoCode { channel }));
        }
        let mut used = UsedCodes::default();
        for channel in wanted.iter().copied() {
            let Some(row) = live(channel) else { continue };
            let is_right = |code: &Code| {
                hmac::verify(&self.digits, &text(context, session, channel, code), &row.digest).is_ok()
            };
            if let Some(code) = typed.by(channel).filter(|code| is_right(code)) {
                let spent = UsedCode::new(row.id, &self.salt(row.id), code);
                used.0.push((channel, spent));
                continue;
            }
            tx.count_try(session.id, channel)?;
            let tries_left = row.sent.tries_left().saturating_sub(1);
            tx.append_events(&refused(folios, row, tries_left, client, now))?;
            return Ok(Err(CodeOutcome::WrongCode { channel, tries_left }));
        }
        tx.end_codes(session.id)?;
        // A right code proves the owner of the contact: the pauses start over.
        tx.reset_send_limits(&[context.party.to_bytes()])?;
        Ok(Ok(used))
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
    row: &CodeRow,
    tries_left: usize,
    client: &Client,
    at: Timestamp,
) -> Vec<(FolioId, Event)> {
    let event = |folio: &&ContextFolio| {
        let signer = folio.signer_index;
        let own_channel = folio.stored.folio.signature_type.channel();
        let origin = Origin {
            actor: Actor::Signer { signer },
            client: client.clone(),
        };
        let event = Event {
            at,
            origin,
            what: EventKind::CodeRefused {
                signer,
                tries_left,
                code: (own_channel == row.channel).then_some(row.id),
            },
        };
        (folio.stored.folio.id, event)
    };
    folios.iter().map(event).collect()
}
