//! Opens a link: the signing party and its folios. Opening writes nothing.

use crate::evidence::part_count;
use crate::panel::{count_identification, take_back_identification};
use crate::signing::context::{SigningContext, channels};
use crate::signing::party::SigningParty;
use crate::signing::send_code::times;
use crate::signing::session::Session;
use crate::{App, Error};
use domain::code::{are_codes_used_up, wait_for_next_code, wait_for_recipient};
use domain::limits::CODES_DAY;
use domain::{
    Channel, DocumentNumber, DocumentType, Folio, FolioId, Language, NewSigner, Refusal, ReturnUrl, SentCode,
    SignerIndex, SignerSessionId, Timestamp, VisitorId,
};
use jiff::tz::TimeZone;
use std::net::IpAddr;
use std::time::Duration;
use store::{CompanyRow, FolioRow, Tx};

/// Everything a signer's page shows.
#[derive(Debug, Clone)]
pub struct Signing {
    /// Whose page it is.
    pub party: SigningParty,
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
    /// Until when no code is sent, if today's are used up and none is still valid.
    pub locked_until: Option<Timestamp>,
    /// When a bulk signature's address stops working.
    pub expires_at: Option<Timestamp>,
    /// The generation of the party's sessions.
    pub session_generation: i64,
    /// Whether the session was signed out.
    pub signed_out: bool,
    /// Whether a code was typed in the session.
    pub proven: bool,
    /// Whether the contact was corrected after the link was sent.
    pub contact_changed: bool,
    /// The language that the signer chose last, if any.
    pub chosen_language: Option<Language>,
    /// The language of the first of the folios.
    pub language: Language,
}

impl Signing {
    /// Whether nothing of the folios may be shown yet: the link may have been sent to another person's address.
    pub const fn is_closed(&self) -> bool {
        self.contact_changed && !self.proven
    }
}

/// A folio on a signer's page.
#[derive(Debug, Clone)]
pub struct SigningFolio {
    /// The folio.
    pub folio: Folio,
    /// The signer's index in it.
    pub signer_index: SignerIndex,
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
    /// Whether the outbox worker gave that one up.
    pub lost: bool,
    /// How long until another may be requested.
    pub wait: Option<Duration>,
}

impl App {
    /// The folio whose link this token is.
    pub fn open_folio_link(&self, token: &str) -> Result<FolioId, Error> {
        self.links.read_folio(token).ok_or(Error::NotFound)
    }

    /// The signer whose own link this token is.
    pub fn open_signer_link(&self, token: &str) -> Result<SigningParty, Error> {
        let (folio, signer_index) = self.links.read_signer(token).ok_or(Error::NotFound)?;
        Ok(SigningParty::Signer { folio, signer_index })
    }

    /// The bulk signature whose package this is. Nothing else of its link counts.
    pub fn open_bulk_link(&self, msv: &str) -> Result<SigningParty, Error> {
        self.links
            .read_bulk(msv)
            .map(SigningParty::Bulk)
            .ok_or(Error::NotFound)
    }

    /// The zone in which a company's signers read times.
    pub fn zone_of(&self, company: &CompanyRow) -> TimeZone {
        self.notary.zone(company.timezone.as_deref())
    }

    /// The company of a folio, shown before the signer is identified.
    pub async fn folio_company(&self, folio: FolioId) -> Result<CompanyRow, Error> {
        let found = self.store.read(move |tx| tx.company_of_folio(folio)).await?;
        found.ok_or(Error::NotFound)
    }

    /// The company whose pages the party sees.
    pub async fn party_company(&self, party: SigningParty) -> Result<CompanyRow, Error> {
        let found = self.store.read(move |tx| match party {
            SigningParty::Signer { folio, signer_index } => {
                let found = tx.company_of_signer(folio, signer_index)?;
                Ok::<_, Error>(found.map(|(company, _)| company))
            }
            SigningParty::Bulk(bulk) => Ok(tx.company_of_bulk(bulk)?),
        });
        found.await?.ok_or(Error::NotFound)
    }

    /// The signer of the folio with that document, as people write its number. Wrong answers are counted by the network
    /// and the browser that they come from, and only these have to wait longer and longer.
    pub async fn identify(
        &self,
        folio: FolioId,
        document_type: DocumentType,
        number: DocumentNumber,
        from: (IpAddr, Option<VisitorId>),
    ) -> Result<SigningParty, Error> {
        let (now, panel) = (self.clock.now(), self.panel.clone());
        let found = self.store.write(move |tx| {
            let company = tx.company_of_folio(folio)?.ok_or(Error::NotFound)?;
            let found = tx.folios(company.id, &[folio])?.pop();
            let stored = found.ok_or(Error::NotFound)?;
            let tried = count_identification(tx, &panel, folio, from, now)?;
            let known = stored.folio.signer_by_document(document_type, &number).ok();
            if known.is_some() {
                take_back_identification(tx, &tried)?;
            }
            Ok::<_, Error>(known)
        });
        // A wrong number is refused only here: a refusal inside would take back that it was counted.
        let signer_index = found.await?.ok_or(Refusal::UnknownSigner)?;
        Ok(SigningParty::Signer { folio, signer_index })
    }

    /// What the party has before it, in this session where there is one.
    pub async fn signing(&self, party: SigningParty, session: Option<&Session>) -> Result<Signing, Error> {
        let (app, now, session) = (self.clone(), self.clock.now(), session.map(|session| session.id));
        let read = move |tx: &mut Tx<'_>| {
            let context = SigningContext::load(tx, party, false)?;
            let row = match session {
                Some(session) => tx.signer_session(session)?.unwrap_or_default(),
                None => store::SignerSessionRow::default(),
            };
            let folios: Vec<SigningFolio> = context
                .folios
                .iter()
                .map(|folio| SigningFolio {
                    closed: context.may_act(folio, now).err(),
                    folio: folio.stored.folio.clone(),
                    signer_index: folio.signer_index,
                    evidence_parts: part_count(folio.stored.history.length),
                })
                .collect();
            let (chosen_language, language) = match context.folios.first() {
                Some(first) => (
                    tx.signer_language(first.stored.seq, first.signer_index)?,
                    first.stored.folio.language,
                ),
                None => (None, Language::default()),
            };
            let (codes, locked_until) = app.code_statuses(tx, &context, session, now)?;
            Ok::<_, Error>(Signing {
                party,
                company: context.company,
                person: context.person,
                return_url: context.return_url,
                folios,
                codes,
                locked_until,
                expires_at: context.bulk.map(|bulk| bulk.expires_at),
                session_generation: context.generation,
                signed_out: row.ended_at.is_some(),
                proven: row.proven_at.is_some(),
                contact_changed: context.contact_changed,
                chosen_language,
                language,
            })
        };
        self.store.read(read).await
    }

    /// The status of the codes that an act of this session needs; if the codes of the day are used up, until when.
    fn code_statuses(
        &self,
        tx: &mut Tx<'_>,
        context: &SigningContext,
        session: Option<SignerSessionId>,
        now: Timestamp,
    ) -> Result<(Vec<CodeStatus>, Option<Timestamp>), Error> {
        let day = now.before(CODES_DAY);
        let sends = tx.sends_to_holder(&context.party.to_bytes(), day)?;
        let kept = match session {
            Some(session) => tx.codes(session)?,
            None => Vec::new(),
        };
        let seqs: Vec<FolioRow> = context.folios.iter().map(|own| own.stored.seq).collect();
        let lost = match session.filter(|_| kept.iter().any(|code| code.sent.is_live(now))) {
            Some(session) => tx.undelivered_codes(context.company.id, session, &seqs)?,
            None => Vec::new(),
        };
        // Where nothing is open, a code still proves the contact.
        let open = context.asked_about(now).unwrap_or_default();
        let mut codes = Vec::new();
        let mut locked_until = None;
        for channel in channels(open.iter().map(|folio| &folio.stored.folio)) {
            let recipient = context.recipient(channel);
            let to_recipient = tx.sends_to_recipient(&self.codes.recipient(&recipient), day)?;
            let sent = times(&sends, channel);
            let limit = self.policy.codes_to_recipient_a_day;
            let capped = wait_for_recipient(&to_recipient, limit, now);
            let wait = wait_for_next_code(&sent, now).max(capped);
            let newest = kept.iter().find(|code| code.channel == channel);
            let newest = newest.map(|code| code.sent);
            let is_live = newest.is_some_and(|code| code.is_live(now));
            if !is_live && (capped.is_some() || are_codes_used_up(&sent, now)) {
                locked_until = locked_until.max(wait.map(|wait| now.after(wait)));
            }
            codes.push(CodeStatus {
                channel,
                recipient,
                sent: newest,
                lost: newest.is_some_and(|code| lost.contains(&(channel, code.sent_at))),
                wait,
            });
        }
        Ok((codes, locked_until))
    }
}
