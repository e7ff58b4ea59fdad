//! Opening a link: who holds it, and what that holder has before it. Opening changes nothing.

use crate::case::{Case, CaseFolio, channels};
use crate::evidence::parts;
use crate::holder::Holder;
use crate::{App, Error};
use domain::{
    Channel, DocumentNumber, DocumentType, Folio, FolioId, Guesses, NewSigner, Refusal, ReturnUrl, SentCode,
    Timestamp,
};
use jiff::tz::TimeZone;
use std::time::Duration;
use store::{CompanyRow, Tx};

/// How long a folio's link asks nobody any more after too many wrong numbers.
const IDENTIFICATION_PAUSE: Duration = Duration::from_mins(15);

/// Everything a signer's page shows.
#[derive(Debug, Clone)]
pub struct Signing {
    /// Whose page it is.
    pub holder: Holder,
    /// Whose folios they are.
    pub company: CompanyRow,
    /// Who signs, and where codes go.
    pub person: NewSigner,
    /// Where the signer returns to.
    pub return_url: ReturnUrl,
    /// The folios: one, or those of a bulk signature.
    pub folios: Vec<SigningFolio>,
    /// The codes that an act asks for.
    pub codes: Vec<CodeStatus>,
    /// Until when no code is heard.
    pub locked_until: Option<Timestamp>,
    /// When a bulk signature's address stops working.
    pub expires_at: Option<Timestamp>,
    /// The generation of the holder's sessions.
    pub session_generation: i64,
}

/// A folio on a signer's page.
#[derive(Debug, Clone)]
pub struct SigningFolio {
    /// The folio.
    pub folio: Folio,
    /// The signer's place in it.
    pub place: usize,
    /// Why it can no longer be acted on.
    pub closed: Option<Refusal>,
    /// In how many parts its evidence comes.
    pub evidence_parts: usize,
}

/// A code that an act asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeStatus {
    /// How it travels.
    pub channel: Channel,
    /// Where to.
    pub recipient: String,
    /// The last one, if any was sent.
    pub sent: Option<SentCode>,
    /// Whether that one was given up on its way.
    pub lost: bool,
}

impl App {
    /// The folio whose link this token is.
    pub fn open_folio_link(&self, token: &str) -> Result<FolioId, Error> {
        self.links.read_folio(token).ok_or(Error::NotFound)
    }

    /// The signer whose own link this token is.
    pub fn open_signer_link(&self, token: &str) -> Result<Holder, Error> {
        let (folio, place) = self.links.read_signer(token).ok_or(Error::NotFound)?;
        Ok(Holder::Signer { folio, place })
    }

    /// The bulk signature whose package this is. Nothing else of its link counts.
    pub fn open_bulk_link(&self, msv: &str) -> Result<Holder, Error> {
        self.links.read_bulk(msv).map(Holder::Bulk).ok_or(Error::NotFound)
    }

    /// The zone in which a company's signers read times.
    pub fn zone_of(&self, company: &CompanyRow) -> TimeZone {
        self.notary.zone(company.timezone.as_deref())
    }

    /// The company whose folio it is, as a page shows it before anybody is identified.
    pub async fn folio_company(&self, folio: FolioId) -> Result<CompanyRow, Error> {
        let found = self.store.read(move |tx| tx.company_of_folio(folio)).await?;
        found.ok_or(Error::NotFound)
    }

    /// The company whose pages the holder sees.
    pub async fn holder_company(&self, holder: Holder) -> Result<CompanyRow, Error> {
        let found = self.store.read(move |tx| match holder {
            Holder::Signer { folio, place } => {
                let found = tx.company_of_signer(folio, place)?;
                Ok::<_, Error>(found.map(|(company, _)| company))
            }
            Holder::Bulk(bulk) => Ok(tx.company_of_bulk(bulk)?),
        });
        found.await?.ok_or(Error::NotFound)
    }

    /// The signer of the folio with that document, as people write its number. Wrong answers are counted, and too
    /// many end the asking.
    pub async fn identify(
        &self,
        folio: FolioId,
        document_type: DocumentType,
        number: DocumentNumber,
    ) -> Result<Holder, Error> {
        let now = self.clock.now();
        let asker = [b"i", folio.as_bytes().as_slice()].concat();
        let found = self.store.write(move |tx| {
            let company = tx.company_of_folio(folio)?.ok_or(Error::NotFound)?;
            let stored = tx
                .lock_folios(company.id, &[folio])?
                .pop()
                .ok_or(Error::NotFound)?;
            let guesses = tx.guesses(&asker)?;
            if let Some(until) = guesses.locked(now) {
                return Err(Error::TooOften {
                    retry_after: until.since(now),
                });
            }
            let known = stored.folio.signer_reading(document_type, &number).ok();
            if known.is_none() {
                let mut guesses = guesses.wrong(now);
                if guesses.locked_until.is_some() {
                    guesses.locked_until = Some(now.after(IDENTIFICATION_PAUSE));
                }
                tx.put_guesses(&asker, guesses, now)?;
            }
            Ok(known)
        });
        // A wrong number is refused only here: a refusal inside would take back that it was counted.
        let place = found.await?.ok_or(Refusal::UnknownSigner)?;
        Ok(Holder::Signer { folio, place })
    }

    /// What the holder has before it.
    pub async fn signing(&self, holder: Holder) -> Result<Signing, Error> {
        let now = self.clock.now();
        let read = move |tx: &mut Tx<'_>| {
            let case = Case::load(tx, holder, false)?;
            let key = holder.to_bytes();
            let guesses: Guesses = tx.guesses(&key)?;
            let sent = tx.codes(&key)?;
            let folios: Vec<SigningFolio> = case
                .folios
                .iter()
                .map(|folio| SigningFolio {
                    closed: case.may_act(folio, now).err(),
                    folio: folio.stored.folio.clone(),
                    place: folio.place,
                    evidence_parts: parts(folio.stored.history.length),
                })
                .collect();
            let open = folios.iter().filter(|folio| folio.closed.is_none());
            let lost = if sent.iter().any(|code| code.sent.is_live(now)) {
                lost_codes(tx, &case)?
            } else {
                Vec::new()
            };
            let codes = channels(open.map(|folio| &folio.folio))
                .into_iter()
                .map(|channel| {
                    let newest = sent.iter().find(|code| code.channel == channel);
                    let newest = newest.map(|code| code.sent);
                    CodeStatus {
                        channel,
                        recipient: case.recipient(channel),
                        sent: newest,
                        lost: newest.is_some_and(|code| lost.contains(&(channel, code.sent_at))),
                    }
                })
                .collect();
            Ok::<_, Error>(Signing {
                holder,
                company: case.company,
                person: case.person,
                return_url: case.return_url,
                folios,
                codes,
                locked_until: guesses.locked(now),
                expires_at: case.bulk.map(|bulk| bulk.expires_at),
                session_generation: case.generation,
            })
        };
        self.store.read(read).await
    }
}

/// The holder's codes that were given up, by how they were to travel and when they were made.
fn lost_codes(tx: &mut Tx<'_>, case: &Case) -> Result<Vec<(Channel, Timestamp)>, Error> {
    let folios: Vec<i64> = case.folios.iter().map(|own| own.stored.seq).collect();
    let bulk = case.bulk.as_ref().map(|bulk| bulk.seq);
    let mut lost = tx.lost_codes(case.company.id, bulk, &folios)?;
    lost.retain(|code| {
        let own = |own: &CaseFolio| (own.stored.seq, own.place) == (code.folio, code.signer);
        case.folios.iter().any(own)
    });
    Ok(lost.into_iter().map(|code| (code.channel, code.at)).collect())
}
