//! Signs folios: the code is checked, every document signed, and state, history, increments and messages
//! are written in one commit. A concurrent request sees the result of the first.

use crate::folios::start_bulk::once_for_each_recipient;
use crate::notary::{SignerAct, result};
use crate::signing::accept::{AcceptedTexts, accepted_texts};
use crate::signing::codes::{CodeOutcome, TypedCodes, UsedCodes};
use crate::signing::consent;
use crate::signing::context::{ContextFolio, SigningContext, channels, leave_out};
use crate::signing::one_message_per_person::one_message_per_person;
use crate::signing::session::Session;
use crate::{App, Error};
use domain::event::AcceptedText;
use domain::{
    Actor, Change, Client, DocumentIndex, FolioId, FolioState, Origin, PicturePolicy, Refusal,
    SignatureDetails, SignaturePicture, Template, Timestamp,
};
use std::collections::HashMap;
use store::{FolioRow, NewIncrement, SigningState, StoredFolio, Tx};

/// What a signer hands in.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// The codes.
    pub codes: TypedCodes,
    /// What the signer drew or typed for the sheet, where the company has that.
    pub picture: Option<SignaturePicture>,
    /// From where.
    pub client: Client,
}

/// The outcome for each folio, if the code was right.
pub type Signed = CodeOutcome<Vec<(FolioId, Result<(), LeftOut>)>>;

/// Why a folio was not signed with the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOut {
    /// A rule forbids it.
    Refused(Refusal),
    /// Its stored state cannot be signed; the log says why.
    Broken,
}

impl App {
    /// Signs every folio that the session's party can still sign. A refusal says why there is none. [`Error::NotAccepted`] leaves
    /// a right code as good as it was.
    pub async fn sign_folios(&self, session: &Session, attempt: Attempt) -> Result<Signed, Error> {
        match self.sign_checked(session, attempt.clone()).await {
            // Another instance looked for the documents, or this one did before it was restarted.
            Err(Error::DocumentsBeingChecked { .. }) => {
                self.check_documents_of(session.party).await?;
                self.sign_checked(session, attempt).await
            }
            signed => signed,
        }
    }

    /// The same, where this instance has looked for all documents.
    async fn sign_checked(&self, session: &Session, attempt: Attempt) -> Result<Signed, Error> {
        let now = self.clock.now();
        let (app, session) = (self.clone(), session.clone());
        let signed = self.store.write_retryable(move |tx| {
            let context = SigningContext::load(tx, session.party, true)?;
            let open = context.open(now)?;
            let attempt = Attempt {
                picture: wanted_picture(context.company.picture, attempt.picture.as_ref())?,
                ..attempt.clone()
            };
            session.must_hold(tx, &context)?;
            session.must_be_proven(tx, &context)?;
            let wanted = channels(open.iter().map(|folio| &folio.stored.folio));
            let refusal_record = (open.as_slice(), &attempt.client, now);
            let checked = app
                .codes
                .check(tx, &context, &session, &wanted, &attempt.codes, refusal_record)?;
            let used = match checked {
                Ok(used) => used,
                Err(refused) => return Ok::<_, Error>((refused, Vec::new())),
            };
            app.require_checked(&open, now)?;
            let accepted = accepted_texts(tx, &session, &open)?;
            let broken = app.sign_open(tx, &context, &open, (&attempt, &accepted, &used), now)?;
            let outcome = |folio: &ContextFolio| {
                let id = folio.stored.folio.id;
                if broken.contains(&id) {
                    return (id, Err(LeftOut::Broken));
                }
                (id, context.may_act(folio, now).map_err(LeftOut::Refused))
            };
            let signed = Signed::Done(context.folios.iter().map(outcome).collect());
            let times = open.iter().map(|folio| &folio.stored.folio);
            let times = times.filter(|folio| !broken.contains(&folio.id));
            let times: Vec<_> = times.map(|folio| now.since(folio.created_at)).collect();
            Ok((signed, times))
        });
        let (signed, times) = signed.await?;
        self.signing_counts.count_typed_code(&signed);
        for took in times {
            self.signing_counts.count_signature(took);
        }
        if matches!(signed, Signed::Done(_)) {
            self.wakeups.outbox.notify();
            self.wakeups.extensions.notify();
            self.wakeups.projector.notify();
        }
        Ok(signed)
    }

    /// Signs each on its own. Returns which of them were broken.
    fn sign_open(
        &self,
        tx: &mut Tx<'_>,
        context: &SigningContext,
        open: &[&ContextFolio],
        (attempt, accepted, used): (&Attempt, &AcceptedTexts, &UsedCodes),
        now: Timestamp,
    ) -> Result<Vec<FolioId>, Error> {
        let seqs: Vec<FolioRow> = open.iter().map(|folio| folio.stored.seq).collect();
        let mut signing_states: HashMap<(FolioRow, DocumentIndex), SigningState> = tx
            .signing_states(&seqs)?
            .into_iter()
            .map(|signing_state| ((signing_state.folio, signing_state.position), signing_state))
            .collect();
        let mut increments = Vec::new();
        let mut changes: Vec<(&StoredFolio, Change)> = Vec::with_capacity(open.len());
        let mut broken = Vec::new();
        for folio in open {
            let own = accepted.get(&folio.stored.folio.id).cloned().unwrap_or_default();
            match self.sign_one(context, folio, &mut signing_states, (attempt, own, used), now) {
                Ok((made, change)) => {
                    increments.extend(made);
                    changes.push((&folio.stored, change));
                }
                Err(error) => broken.push((folio.stored.folio.id, error)),
            }
        }
        let broken = leave_out(open.len(), broken)?;
        // A contact that the bulk signature replaces gets one message, not one for each folio.
        once_for_each_recipient(
            Template::ContactChanged,
            changes.iter_mut().map(|(_, change)| &mut change.messages),
        );
        one_message_per_person(&mut changes);
        let completed: Vec<FolioRow> = changes
            .iter()
            .filter(|(_, change)| change.to == FolioState::Signed)
            .map(|(stored, _)| stored.seq)
            .collect();
        tx.apply(context.company.id, now, &changes)?;
        tx.append_increments(&increments, now)?;
        tx.plan_extensions(&completed, now)?;
        if let Some(bulk) = &context.bulk {
            tx.end_bulk_sessions(bulk.seq)?;
        }
        Ok(broken)
    }

    fn sign_one(
        &self,
        context: &SigningContext,
        folio: &ContextFolio,
        signing_states: &mut HashMap<(FolioRow, DocumentIndex), SigningState>,
        (attempt, accepted, used): (&Attempt, AcceptedText, &UsedCodes),
        now: Timestamp,
    ) -> Result<(Vec<NewIncrement>, Change), Error> {
        self.require_whole(&folio.stored.folio, now)?;
        let channel = folio.stored.folio.signature_type.channel();
        let recipient = context.recipient(channel);
        let act = SignerAct {
            folio: &folio.stored.folio,
            company: &context.company,
            signer_index: folio.signer_index,
            channel,
            recipient: &recipient,
            picture: attempt.picture.as_ref(),
            consent: &consent::reference(&accepted, folio.stored.folio.language),
            address: attempt.client.address,
            at: now,
            history: folio.stored.history,
        };
        let mut details = SignatureDetails {
            code: used.by(channel),
            picture: attempt.picture.clone(),
            bulk: context.party.bulk(),
            ..SignatureDetails::new(channel, recipient.clone(), accepted)
        };
        let mut increments = Vec::new();
        for (position, document) in folio.stored.folio.indexed_documents() {
            let signing_state = signing_states.remove(&(folio.stored.seq, position));
            let signing_state =
                signing_state.ok_or_else(|| Error::Internal("a document was never prepared".into()))?;
            let id = folio.stored.folio.id;
            let prepared = self
                .signing_state_key
                .open(id, position, &signing_state.prepared)?;
            let first = signing_state.increments == 0 && !signing_state.sheet;
            let signed_increment = self.notary.sign(&act, document, &prepared, first)?;
            let sha256 = signed_increment.next.sha256();
            details
                .certificates
                .push(domain::event::hex(&signed_increment.certificate));
            details.results.push(result(document, &sha256));
            increments.push(NewIncrement {
                folio: signing_state.folio,
                position,
                after: signing_state.increments,
                bytes: signed_increment.bytes,
                prepared: self
                    .signing_state_key
                    .seal(id, position, signed_increment.next.to_bytes()),
                sha256,
                size: signed_increment.next.length(),
            });
        }
        let origin = Origin {
            actor: Actor::Signer {
                signer: folio.signer_index,
            },
            client: attempt.client.clone(),
        };
        let contact = &context.person.contact;
        let change = folio
            .stored
            .folio
            .sign(folio.signer_index, contact, details, origin, now)?;
        Ok((increments, change))
    }
}

/// The picture as the company wants it. [`Error::PictureMissing`] where it demands one.
fn wanted_picture(
    policy: PicturePolicy,
    picture: Option<&SignaturePicture>,
) -> Result<Option<SignaturePicture>, Error> {
    match (policy, picture) {
        (PicturePolicy::Off, _) => Ok(None),
        (PicturePolicy::Required, None) => Err(Error::PictureMissing),
        (_, picture) => Ok(picture.cloned()),
    }
}
