//! The act itself: the code is checked, every document signed, and state, history, increments and messages are kept
//! in one commit. Whoever comes second finds what the first left.

use crate::case::{Case, CaseFolio, channels, leave_out};
use crate::holder::Holder;
use crate::notary::{SignerAct, result};
use crate::{App, Error};
use domain::{
    Actor, Change, Channel, Code, Event, FolioId, FolioState, Guesses, Happening, Manner, Origin, Refusal,
    Timestamp,
};
use pades::prepare::Prepared;
use std::collections::HashMap;
use std::net::IpAddr;
use store::{CodeRow, NewIncrement, Stored, Tip, Tx};

/// What a signer hands in.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// The code that came by email, where one is asked for.
    pub email_code: Option<Code>,
    /// The code that came by text message, where one is asked for.
    pub sms_code: Option<Code>,
    /// SHA-256 of the text the signer agreed to, hexadecimal.
    pub consent: String,
    /// From where.
    pub address: Option<IpAddr>,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signed {
    /// The code was right: what came of each folio.
    Done(Vec<(FolioId, Result<(), LeftOut>)>),
    /// The code is wrong.
    WrongCode {
        /// Which.
        channel: Channel,
        /// Tries it has left.
        tries_left: usize,
    },
    /// There is no code to compare with: none was sent, or it has expired or was tried too often.
    NoCode {
        /// Which.
        channel: Channel,
    },
    /// Too many wrong codes.
    Locked {
        /// Until when.
        until: Timestamp,
    },
}

/// Why a folio was not signed with the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOut {
    /// A rule forbids it.
    Refused(Refusal),
    /// It cannot be signed as it is kept; the log says why.
    Broken,
}

impl Attempt {
    fn code(&self, channel: Channel) -> Option<&Code> {
        match channel {
            Channel::Email => self.email_code.as_ref(),
            Channel::Sms => self.sms_code.as_ref(),
        }
    }
}

impl App {
    /// Signs every folio that the holder can still sign. A refusal says why there is none.
    pub async fn sign_folios(&self, holder: Holder, attempt: Attempt) -> Result<Signed, Error> {
        match self.sign_checked(holder, attempt.clone()).await {
            // Another instance looked for the documents, or this one did before it was restarted.
            Err(Error::DocumentsBeingChecked { .. }) => {
                self.check_documents_of(holder).await?;
                self.sign_checked(holder, attempt).await
            }
            signed => signed,
        }
    }

    /// The same, where this instance has looked for all documents.
    async fn sign_checked(&self, holder: Holder, attempt: Attempt) -> Result<Signed, Error> {
        let now = self.clock.now();
        let app = self.clone();
        let signed = self.store.write(move |tx| {
            let case = Case::load(tx, holder, true)?;
            let open = case.open(now)?;
            if let Some(verdict) = app.refuse_codes(tx, &case, &open, &attempt, now)? {
                return Ok::<_, Error>(verdict);
            }
            app.require_checked(&open, now)?;
            let broken = app.sign_open(tx, &case, &open, &attempt, now)?;
            let outcome = |folio: &CaseFolio| {
                let id = folio.stored.folio.id;
                if broken.contains(&id) {
                    return (id, Err(LeftOut::Broken));
                }
                (id, case.may_act(folio, now).map_err(LeftOut::Refused))
            };
            Ok(Signed::Done(case.folios.iter().map(outcome).collect()))
        });
        let signed = signed.await?;
        if matches!(signed, Signed::Done(_)) {
            self.bell.ring();
            self.extender.ring();
            self.clerk.ring();
        }
        Ok(signed)
    }

    /// Why the codes do not open the act; nothing when they do, and then they are used up.
    fn refuse_codes(
        &self,
        tx: &mut Tx<'_>,
        case: &Case,
        open: &[&CaseFolio],
        attempt: &Attempt,
        now: Timestamp,
    ) -> Result<Option<Signed>, Error> {
        let holder = case.holder.to_bytes();
        let guesses = tx.guesses(&holder)?;
        if let Some(until) = guesses.locked(now) {
            return Ok(Some(Signed::Locked { until }));
        }
        let kept = tx.codes(&holder)?;
        let live = |channel| {
            kept.iter()
                .find(|row: &&CodeRow| row.channel == channel && row.sent.is_live(now))
        };
        let wanted = channels(open.iter().map(|folio| &folio.stored.folio));
        if let Some(channel) = wanted.iter().copied().find(|channel| live(*channel).is_none()) {
            return Ok(Some(Signed::NoCode { channel }));
        }
        for channel in wanted {
            let (Some(row), typed) = (live(channel), attempt.code(channel)) else {
                continue;
            };
            if typed.is_some_and(|code| self.codes.matches(&row.digest, case, channel, code)) {
                continue;
            }
            tx.count_try(&holder, channel)?;
            let guesses = guesses.wrong(now);
            tx.put_guesses(&holder, guesses, now)?;
            let tries_left = row.sent.tries_left().saturating_sub(1);
            let locked = guesses.locked(now);
            tx.append_events(&refused(open, tries_left, locked.is_some(), attempt.address, now))?;
            return Ok(Some(match locked {
                Some(until) => Signed::Locked { until },
                None => Signed::WrongCode { channel, tries_left },
            }));
        }
        if guesses != Guesses::default() {
            tx.forgive(std::slice::from_ref(&holder), false)?;
        }
        tx.end_codes(&holder)?;
        Ok(None)
    }

    /// Signs each on its own; which of them were broken.
    fn sign_open(
        &self,
        tx: &mut Tx<'_>,
        case: &Case,
        open: &[&CaseFolio],
        attempt: &Attempt,
        now: Timestamp,
    ) -> Result<Vec<FolioId>, Error> {
        let seqs: Vec<i64> = open.iter().map(|folio| folio.stored.seq).collect();
        let mut tips: HashMap<(i64, usize), Tip> = tx
            .tips(&seqs)?
            .into_iter()
            .map(|tip| ((tip.folio, tip.position), tip))
            .collect();
        let mut increments = Vec::new();
        let mut changes: Vec<(&Stored, Change)> = Vec::with_capacity(open.len());
        let mut broken = Vec::new();
        for folio in open {
            match self.sign_one(case, folio, &mut tips, attempt, now) {
                Ok((made, change)) => {
                    increments.extend(made);
                    changes.push((&folio.stored, change));
                }
                Err(error) => broken.push((folio.stored.folio.id, error)),
            }
        }
        let broken = leave_out(open.len(), broken)?;
        let completed: Vec<i64> = changes
            .iter()
            .filter(|(_, change)| change.to == FolioState::Signed)
            .map(|(stored, _)| stored.seq)
            .collect();
        tx.apply(case.company.id, now, &changes)?;
        tx.append_increments(&increments, now)?;
        tx.plan_extensions(&completed, now)?;
        if let Some(bulk) = &case.bulk {
            tx.end_bulk_sessions(bulk.seq)?;
        }
        Ok(broken)
    }

    fn sign_one(
        &self,
        case: &Case,
        folio: &CaseFolio,
        tips: &mut HashMap<(i64, usize), Tip>,
        attempt: &Attempt,
        now: Timestamp,
    ) -> Result<(Vec<NewIncrement>, Change), Error> {
        self.require_whole(&folio.stored.folio, now)?;
        let channel = folio.stored.folio.signature_type.channel();
        let act = SignerAct {
            folio: &folio.stored.folio,
            company: &case.company,
            place: folio.place,
            channel,
            address: attempt.address,
            at: now,
        };
        let mut manner = Manner {
            channel,
            consent: attempt.consent.clone(),
            certificates: Vec::new(),
            results: Vec::new(),
            bulk: case.holder.bulk(),
        };
        let mut increments = Vec::new();
        for (position, document) in folio.stored.folio.documents.iter().enumerate() {
            let tip = tips.remove(&(folio.stored.seq, position));
            let tip = tip.ok_or_else(|| Error::Internal("a document was never prepared".into()))?;
            let prepared =
                Prepared::from_bytes(&tip.prepared).map_err(|error| Error::Internal(error.into()))?;
            let first = tip.increments == 0 && !tip.sheet;
            let sealed = self.notary.sign(&act, document, &prepared, first)?;
            let sha256 = sealed.next.sha256();
            manner
                .certificates
                .push(domain::history::hex(&sealed.certificate));
            manner.results.push(result(document, &sha256));
            increments.push(NewIncrement {
                folio: tip.folio,
                position,
                after: tip.increments,
                bytes: sealed.bytes,
                prepared: sealed.next.to_bytes(),
                sha256,
                size: sealed.next.length(),
            });
        }
        let origin = Origin {
            actor: Actor::Signer { signer: folio.place },
            address: attempt.address,
        };
        let change = folio.stored.folio.sign(folio.place, manner, origin, now)?;
        Ok((increments, change))
    }
}

/// What goes into the history of each folio after a wrong code.
fn refused(
    open: &[&CaseFolio],
    tries_left: usize,
    locked: bool,
    address: Option<IpAddr>,
    at: Timestamp,
) -> Vec<(FolioId, Event)> {
    let mut events = Vec::new();
    for folio in open {
        let signer = folio.place;
        let mut push = |what| {
            let actor = Actor::Signer { signer };
            let origin = Origin { actor, address };
            events.push((folio.stored.folio.id, Event { at, origin, what }));
        };
        push(Happening::CodeRefused { signer, tries_left });
        if locked {
            push(Happening::Locked { signer });
        }
    }
    events
}
