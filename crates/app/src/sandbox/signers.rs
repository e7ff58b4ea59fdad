//! Signers of a sandbox that act as a test says. They go the way of every signer: a session, the documents, a code, the act.

use crate::folios::read::{Lookup, look_up_folios};
use crate::signing::codes::{CodeOutcome, TypedCodes};
use crate::signing::consent::Consent;
use crate::signing::sign::{Attempt, LeftOut};
use crate::{App, Caller, CodePurpose, Error, Session, SigningParty};
use domain::picture::MAX_TYPED_CHARS;
use domain::{Channel, Client, DocumentNumber, Folio, FolioId, Observation, SignaturePicture, SignerIndex};
use std::time::Duration;

/// How long the messages with codes may take to leave.
const MAX_WAIT: Duration = Duration::from_secs(30);
/// How often it is looked whether they have left.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);

/// What a signer does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptedAct {
    /// Opens every document and signs.
    Sign,
    /// Rejects, with a reason.
    Reject(Observation),
    /// Gets messages and never answers; this also ends a bounce.
    Ignore,
    /// Messages to the signer come back from now on.
    Bounce,
}

impl App {
    /// Has a signer of the company's folio do something.
    pub async fn script_signer(
        &self,
        caller: Caller,
        folio: FolioId,
        number: DocumentNumber,
        act: ScriptedAct,
    ) -> Result<(), Error> {
        let company = caller.company;
        let found = self
            .store
            .read(move |tx| look_up_folios(tx, company, &[folio]))
            .await?
            .remove(&folio);
        let own = match found {
            Some(Lookup::Own(stored)) => stored.folio,
            Some(Lookup::Foreign) => return Err(Error::Foreign),
            Some(Lookup::Unknown) | None => return Err(Error::NotFound),
        };
        let signer_index = own.signer_by_number(&number)?;
        match act {
            ScriptedAct::Sign => self.script_signature(&caller, &own, signer_index).await,
            ScriptedAct::Reject(reason) => self.script_rejection(&caller, &own, signer_index, reason).await,
            ScriptedAct::Ignore => self.script_bounce(&own, signer_index, false).await,
            ScriptedAct::Bounce => self.script_bounce(&own, signer_index, true).await,
        }
    }

    async fn script_signature(
        &self,
        caller: &Caller,
        folio: &Folio,
        signer_index: SignerIndex,
    ) -> Result<(), Error> {
        let client = Client::at(caller.address);
        let session = self.scripted_session(folio, signer_index).await?;
        for document in &folio.documents {
            let all = 1..=document.pages.max(1);
            self.record_pages(&session, (folio.id, signer_index), document, all, client.clone())
                .await?;
        }
        let purpose = CodePurpose::Sign {
            consent: Consent::SPANISH,
        };
        let codes = self.scripted_codes(&session, purpose, client.clone()).await?;
        // As a signer who types a name, where the company has pictures.
        let name: String = folio[signer_index]
            .name
            .as_str()
            .chars()
            .take(MAX_TYPED_CHARS)
            .collect();
        let attempt = Attempt {
            codes,
            picture: SignaturePicture::typed(&name).ok(),
            client,
        };
        let outcomes = done(self.sign_folios(&session, attempt).await?)?;
        match outcomes.into_iter().find(|(id, _)| *id == folio.id) {
            Some((_, Ok(()))) => Ok(()),
            Some((_, Err(LeftOut::Refused(refusal)))) => Err(refusal.into()),
            Some((_, Err(LeftOut::Broken))) | None => Err(Error::Internal("the folio was not signed".into())),
        }
    }

    async fn script_rejection(
        &self,
        caller: &Caller,
        folio: &Folio,
        signer_index: SignerIndex,
        reason: Observation,
    ) -> Result<(), Error> {
        let client = Client::at(caller.address);
        let session = self.scripted_session(folio, signer_index).await?;
        let codes = self
            .scripted_codes(&session, CodePurpose::Reject, client.clone())
            .await?;
        done(
            self.reject_folio(&session, folio.id, reason, codes, client)
                .await?,
        )
    }

    /// The codes of an act, once the messages with them have left, as before any signer's act. [`Error::Unproven`] where
    /// they came back.
    async fn scripted_codes(
        &self,
        session: &Session,
        purpose: CodePurpose,
        client: Client,
    ) -> Result<TypedCodes, Error> {
        let codes = self.send_and_reveal_codes(session, purpose, client).await?;
        let id = session.id;
        let left = async {
            loop {
                if let Some(left) = self.store.read(move |tx| tx.codes_left(id)).await? {
                    return Ok::<_, Error>(left);
                }
                tokio::time::sleep(LOOK_INTERVAL).await;
            }
        };
        let left = tokio::time::timeout(MAX_WAIT, left).await;
        if left.map_err(|_| Error::Overloaded)?? {
            Ok(codes)
        } else {
            Err(Error::Unproven)
        }
    }

    /// A new session of the signer. A corrected contact counts as proved: the code for that would make the one for the
    /// act wait.
    async fn scripted_session(&self, folio: &Folio, signer_index: SignerIndex) -> Result<Session, Error> {
        let party = SigningParty::Signer {
            folio: folio.id,
            signer_index,
        };
        let now = self.clock.now();
        folio.may_act(signer_index, now)?;
        let signing = self.signing(party, None).await?;
        let session = self.sessions.begin(party, signing.session_generation, now);
        if signing.contact_changed {
            let id = session.id;
            let proved = self.store.write(move |tx| {
                tx.put_signer_session(id, &party.to_bytes(), None, now)?;
                tx.prove_signer_session(id, now)
            });
            proved.await?;
        }
        Ok(session)
    }

    async fn script_bounce(
        &self,
        folio: &Folio,
        signer_index: SignerIndex,
        bounce: bool,
    ) -> Result<(), Error> {
        let contact = folio[signer_index].contact.clone();
        let set = self.store.write(move |tx| {
            let recipients = [contact.recipient(Channel::Email), contact.recipient(Channel::Sms)];
            tx.set_bounces(&recipients.each_ref().map(String::as_str), bounce)
        });
        Ok(set.await?)
    }
}

/// What an act with the right codes did.
fn done<T>(outcome: CodeOutcome<T>) -> Result<T, Error> {
    match outcome {
        CodeOutcome::Done(done) => Ok(done),
        CodeOutcome::WrongCode { .. } | CodeOutcome::NoCode { .. } => {
            Err(Error::Internal("another act used up the code".into()))
        }
    }
}
