//! Accepting a text before the code: an event of its own, with what the signer had been shown. A company may demand that each
//! document was shown to its end.

use crate::signing::consent::Consent;
use crate::signing::context::{ContextFolio, SigningContext};
use crate::signing::session::Session;
use crate::{App, Error};
use domain::event::{AcceptedText, ShownDocument};
use domain::{Actor, Client, Document, DocumentId, Event, EventKind, FolioId, Origin, Timestamp};
use std::collections::HashMap;
use store::{AcceptedDocument, Reading, Tx};

/// Acceptances of one session that are recorded; after that, the last one stands.
const MAX_ACCEPTANCES: i64 = 20;

/// The texts that a signer accepted, one for each folio: a folio's own text names only its own documents.
pub(crate) type AcceptedTexts = HashMap<FolioId, AcceptedText>;

/// Who accepts which text, from where and when.
#[derive(Debug)]
pub(crate) struct Acceptance<'a> {
    pub(crate) session: &'a Session,
    pub(crate) consent: &'a Consent,
    pub(crate) client: &'a Client,
    pub(crate) at: Timestamp,
}

impl App {
    /// Records that the session's party accepts the text for every open folio, if the session has a code already. Otherwise the
    /// request for a code records it. So acceptances have the codes' limits: a stranger with the link can begin any number of
    /// sessions. [`Error::Unread`] where the company demands more.
    pub async fn accept(&self, session: &Session, consent: Consent, client: Client) -> Result<(), Error> {
        let (at, session) = (self.clock.now(), session.clone());
        let accepted = self.store.write_retryable(move |tx| {
            let context = SigningContext::load(tx, session.party, true)?;
            session.must_hold(tx, &context)?;
            session.must_be_proven(tx, &context)?;
            let open = context.open(at)?;
            let acceptance = Acceptance {
                session: &session,
                consent: &consent,
                client: &client,
                at,
            };
            acceptance.check(tx, &context, &open)?;
            if tx.codes(session.id)?.is_empty() {
                return Ok(());
            }
            acceptance.record(tx, &open)
        });
        accepted.await
    }

    /// What the session's signer was shown of these documents until now; with `accepted`, until the text was accepted.
    pub async fn shown_documents(
        &self,
        session: &Session,
        documents: &[&Document],
        accepted: bool,
    ) -> Result<Vec<ShownDocument>, Error> {
        let id = session.id;
        let read = self
            .store
            .read(move |tx| Ok::<_, Error>((tx.readings(id)?, tx.accepted_documents(id)?)));
        let (readings, kept) = read.await?;
        let shown = |document: &&Document| {
            let kept = kept.get(&document.id).filter(|_| accepted);
            kept.map_or_else(
                || shown_now(document, &readings),
                |kept| shown_then(document, kept),
            )
        };
        Ok(documents.iter().map(shown).collect())
    }
}

impl Acceptance<'_> {
    /// [`Error::Unread`] where the company demands that more is read first.
    pub(crate) fn check(
        &self,
        tx: &mut Tx<'_>,
        context: &SigningContext,
        folios: &[&ContextFolio],
    ) -> Result<(), Error> {
        if context.company.read_to_end {
            must_be_read(tx, self.session, folios)?;
        }
        Ok(())
    }

    /// Records the texts as the session accepts them now. An event tells where they are other texts than before.
    pub(crate) fn record(&self, tx: &mut Tx<'_>, folios: &[&ContextFolio]) -> Result<(), Error> {
        let id = self.session.id;
        let kept = tx.accepted_documents(id)?;
        let accepted = self.accepted_now(tx, folios)?;
        let number = tx.count_acceptances(id)?;
        if accepted.iter().all(|one| kept.get(&one.document) == Some(one)) || number >= MAX_ACCEPTANCES {
            return Ok(());
        }
        tx.is_first_in_session(id, &format!("accepted {number}"))?;
        tx.put_accepted_documents(id, &accepted)?;
        let accepted = accepted.into_iter().map(|one| (one.document, one)).collect();
        let texts = texts(folios, &accepted);
        let events: Vec<_> = folios
            .iter()
            .filter_map(|folio| {
                let signer = folio.signer_index;
                let accepted = texts.get(&folio.stored.folio.id)?.clone();
                let actor = Actor::Signer { signer };
                let event = Event {
                    at: self.at,
                    origin: Origin {
                        actor,
                        client: self.client.clone(),
                    },
                    what: EventKind::Accepted { signer, accepted },
                };
                Some((folio.stored.folio.id, event))
            })
            .collect();
        tx.append_events(&events)?;
        Ok(())
    }

    /// The text of each document with what the session was shown of it until now.
    fn accepted_now(
        &self,
        tx: &mut Tx<'_>,
        folios: &[&ContextFolio],
    ) -> Result<Vec<AcceptedDocument>, Error> {
        let readings = tx.readings(self.session.id)?;
        let accepted = documents(folios).map(|document| {
            let shown = shown_now(document, &readings);
            AcceptedDocument {
                document: document.id,
                template: self.consent.name.to_owned(),
                shown: shown.shown.into(),
                downloaded: shown.downloaded,
            }
        });
        Ok(accepted.collect())
    }
}

/// The texts that the session has accepted for these folios. A code that was sent for something else is good for signing, but
/// accepting is an event of its own before: [`Error::NotAccepted`] without it.
pub(crate) fn accepted_texts(
    tx: &mut Tx<'_>,
    session: &Session,
    folios: &[&ContextFolio],
) -> Result<AcceptedTexts, Error> {
    let kept = tx.accepted_documents(session.id)?;
    if documents(folios).all(|document| kept.contains_key(&document.id)) {
        Ok(texts(folios, &kept))
    } else {
        Err(Error::NotAccepted)
    }
}

fn documents<'f>(folios: &[&'f ContextFolio]) -> impl Iterator<Item = &'f Document> {
    folios.iter().flat_map(|folio| &folio.stored.folio.documents)
}

/// Fails where a document was neither shown to its end nor downloaded in this session.
fn must_be_read(tx: &mut Tx<'_>, session: &Session, folios: &[&ContextFolio]) -> Result<(), Error> {
    let readings = tx.readings(session.id)?;
    let is_read = |document: &&Document| {
        let reading = readings.get(&document.id).copied().unwrap_or_default();
        // The pages of some documents were not counted: of these, any page will do.
        reading.downloaded || reading.last >= i64::from(document.pages.max(1))
    };
    let unread: Vec<_> = documents(folios)
        .filter(|document| !is_read(document))
        .map(|document| document.name.clone())
        .collect();
    if unread.is_empty() {
        return Ok(());
    }
    Err(Error::Unread(unread))
}

fn shown_now(document: &Document, readings: &HashMap<DocumentId, Reading>) -> ShownDocument {
    let reading = readings.get(&document.id).copied().unwrap_or_default();
    shown(document, reading.shown, reading.downloaded)
}

fn shown_then(document: &Document, kept: &AcceptedDocument) -> ShownDocument {
    shown(document, kept.shown, kept.downloaded)
}

fn shown(document: &Document, shown: i64, downloaded: bool) -> ShownDocument {
    ShownDocument {
        document: document.id,
        pages: document.pages,
        shown: u32::try_from(shown).unwrap_or_default(),
        downloaded,
    }
}

/// Each folio's own text.
fn texts(folios: &[&ContextFolio], kept: &HashMap<DocumentId, AcceptedDocument>) -> AcceptedTexts {
    let text = |folio: &&ContextFolio| {
        let folio = &folio.stored.folio;
        let first = folio
            .documents
            .first()
            .and_then(|document| kept.get(&document.id));
        let consent = first.and_then(|kept| Consent::named(&kept.template))?;
        let shown = folio.documents.iter().filter_map(|document| {
            let kept = kept.get(&document.id)?;
            Some((document.name.as_str(), shown_then(document, kept)))
        });
        Some((folio.id, consent.accepted(shown)))
    };
    folios.iter().filter_map(text).collect()
}
