//! The evidence of a folio: everything the installation knows of it, sealed. A third party can check it
//! with the file alone.
//!
//! A bundle is made in a constant number of statements and in bounded memory. It holds at most [`EVENTS_PER_BUNDLE`]
//! events, says which part of the history they are, and at most [`MESSAGES_PER_BUNDLE`] messages. An event has a few
//! kilobytes at most. A request takes its admission permit before it reads anything.

mod bundle;
mod check;
mod compact_json;
mod load;
mod mask;
mod report;

pub use bundle::{
    CertificateFacts, ConsentFacts, DocumentFacts, EventFacts, Evidence, FolioFacts, History, Made,
    MessageFacts, SignerFacts, TimestampFacts, Version,
};
pub use check::{Checked, Fault, Withheld, check};
pub(crate) use load::EvidenceSource;

use crate::shared::admission::{AdmissionLimits, AdmissionPermit};
use crate::signing::session::Session;
use crate::{Access, App, Caller, Error};
use data_encoding::BASE64;
use domain::event::hex;
use domain::{Actor, Client, Event, EventKind, FolioId, Origin, SignerIndex, SignerState};
use jiff::tz::TimeZone;
use sha2::{Digest, Sha256};
use std::time::Duration;

/// Requests that make evidence.
pub(crate) const ADMISSION_LIMITS: AdmissionLimits = AdmissionLimits {
    running: 4,
    admitted: 32,
    timeout: Duration::from_secs(15),
};

/// Events of one bundle.
pub const EVENTS_PER_BUNDLE: usize = 2000;
/// Messages of one bundle.
pub const MESSAGES_PER_BUNDLE: usize = 1000;

/// In how many parts the evidence of a history of that length comes.
pub(crate) fn part_count(length: i64) -> usize {
    usize::try_from(length)
        .unwrap_or(0)
        .div_ceil(EVENTS_PER_BUNDLE)
        .max(1)
}

/// Sealed evidence, and who asked for it.
#[derive(Debug, Clone)]
pub struct SealedEvidence {
    /// What it says.
    pub evidence: Evidence,
    /// The file.
    pub text: String,
    folio: FolioId,
    /// Which part it is, from 1.
    part: usize,
    origin: Origin,
    sha256: [u8; 32],
    zone: TimeZone,
}

impl SealedEvidence {
    /// SHA-256 of what was sealed, hexadecimal.
    pub fn sha256(&self) -> String {
        hex(&self.sha256)
    }

    /// What the file is called, wherever it is downloaded: the report names it so in its command.
    pub fn json_name(&self) -> String {
        format!("evidencia-{}.json", self.folio_and_part())
    }

    /// What its report is called.
    pub fn report_name(&self) -> String {
        format!("constancia-{}.pdf", self.folio_and_part())
    }

    /// The first part has the name that the whole evidence of most folios has.
    fn folio_and_part(&self) -> String {
        match self.part {
            1 => self.folio.to_string(),
            part => format!("{}-{part}", self.folio),
        }
    }
}

impl App {
    /// The evidence of a folio of the caller's company; `part` counts from 1, for histories that do not fit into one.
    pub async fn evidence(
        &self,
        access: Access,
        folio: FolioId,
        part: usize,
    ) -> Result<SealedEvidence, Error> {
        // A caller without access is refused before it waits in the queue.
        let caller = self.authenticate(access).await?;
        let permit = self.evidence_admission.acquire().await?;
        let (origin, source) = self
            .authenticated_read(caller.into(), move |tx, caller| {
                let source = EvidenceSource::read(tx, caller.company, folio, part)?;
                Ok((caller.origin(), source))
            })
            .await?;
        self.seal_evidence(permit, source, origin, None).await
    }

    /// The evidence of a folio as one of its signers would get it, for the company that hands it to them.
    pub(crate) async fn evidence_of_signer(
        &self,
        caller: &Caller,
        folio: FolioId,
        signer_index: SignerIndex,
        part: usize,
    ) -> Result<SealedEvidence, Error> {
        let permit = self.evidence_admission.acquire().await?;
        let company = caller.company;
        let source = self
            .store
            .read(move |tx| EvidenceSource::read(tx, company, folio, part));
        self.seal_evidence(permit, source.await?, caller.origin(), Some(signer_index))
            .await
    }

    /// The evidence of a folio for one of its signers, a part of it at a time; there is none before they have acted, nor
    /// before they have typed a code in this session. It withholds the personal values of the other signers.
    pub async fn evidence_for(
        &self,
        session: &Session,
        folio: FolioId,
        part: usize,
        client: Client,
    ) -> Result<SealedEvidence, Error> {
        let permit = self.evidence_admission.acquire().await?;
        let session = session.clone();
        let (signer_index, source) = self
            .store
            .read(move |tx| {
                let context = crate::signing::context::SigningContext::load(tx, session.party, false)?;
                session.must_hold(tx, &context)?;
                if !session.is_proven(tx)? {
                    return Err(Error::Unproven);
                }
                let own = context.folios.iter().find(|own| own.stored.folio.id == folio);
                let own = own.ok_or(Error::NotFound)?;
                let signer_index = own.signer_index;
                let signer = own.stored.folio.signer(signer_index).ok_or(Error::NotFound)?;
                if signer.state == SignerState::Pending || own.stored.folio.dropped {
                    return Err(Error::NotFound);
                }
                Ok::<_, Error>((
                    signer_index,
                    EvidenceSource::read(tx, context.company.id, folio, part)?,
                ))
            })
            .await?;
        let actor = Actor::Signer { signer: signer_index };
        self.seal_evidence(permit, source, Origin { actor, client }, Some(signer_index))
            .await
    }

    /// Records the download in the folio's history.
    pub async fn record_evidence(&self, sealed: &SealedEvidence) -> Result<(), Error> {
        let permit = self.recorder.reserve().await.ok_or(Error::Overloaded)?;
        let event = Event {
            at: self.clock.now(),
            origin: sealed.origin.clone(),
            what: EventKind::EvidenceDownloaded {
                sha256: hex(&sealed.sha256),
            },
        };
        permit.record(sealed.folio, event);
        Ok(())
    }

    async fn seal_evidence(
        &self,
        permit: AdmissionPermit,
        source: EvidenceSource,
        origin: Origin,
        signer: Option<SignerIndex>,
    ) -> Result<SealedEvidence, Error> {
        let (app, now) = (self.clone(), self.clock.now());
        let sealed = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let (folio, part) = (source.folio(), source.part());
            source.expect_whole(&app.store)?;
            let mut evidence = source.bundle(&app.notary, &app.clock)?;
            if let Some(signer_index) = signer {
                evidence = mask::for_signer(evidence, signer_index);
            }
            let broken = |error: serde_json::Error| Error::Internal(error.into());
            let text = serde_json::to_string(&evidence).map_err(broken)?;
            let sha256: [u8; 32] = Sha256::digest(text.as_bytes()).into();
            let cms = BASE64.encode(&app.notary.attest(&sha256, now)?);
            let digest = hex(&sha256);
            Ok(SealedEvidence {
                evidence,
                text: format!(r#"{{"evidence":{text},"seal":{{"sha256":"{digest}","cms":"{cms}"}}}}"#),
                folio,
                part,
                origin,
                sha256,
                zone: app.notary.zone(source.timezone.as_deref()),
            })
        });
        sealed.await.map_err(|error| Error::Internal(error.into()))?
    }
}
