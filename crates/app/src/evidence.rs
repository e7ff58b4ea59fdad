//! The evidence of a folio: everything the installation knows of it, sealed. A third party can check it
//! with the file alone.
//!
//! A bundle is made in a constant number of statements and in bounded memory. It holds at most [`EVENTS`]
//! events, says which part of the history they are, and at most [`MESSAGES`] messages. An event has a few
//! kilobytes at most. A request takes its admission permit before it reads anything.

mod bundle;
mod check;
mod gather;
mod mask;
mod report;
mod spelling;
mod turns;

pub use bundle::{
    CertificateFacts, ConsentFacts, DocumentFacts, EventFacts, Evidence, FolioFacts, History, Made,
    MessageFacts, SignerFacts, Version,
};
pub use check::{Checked, Fault, Withheld, check};
pub(crate) use gather::Gathered;
pub(crate) use turns::Turns;

use crate::sessions::Session;
use crate::{Access, App, Error};
use data_encoding::BASE64;
use domain::history::hex;
use domain::{Actor, Event, FolioId, Happening, Origin, SignerState};
use jiff::tz::TimeZone;
use sha2::{Digest, Sha256};
use std::net::IpAddr;
use turns::Turn;

/// Events of one bundle.
pub const EVENTS: usize = 2000;
/// Messages of one bundle.
pub const MESSAGES: usize = 1000;

/// In how many parts the evidence of a history of that length comes.
pub(crate) fn parts(length: i64) -> usize {
    usize::try_from(length).unwrap_or(0).div_ceil(EVENTS).max(1)
}

/// Sealed evidence, and who asked for it.
#[derive(Debug, Clone)]
pub struct SealedEvidence {
    /// What it says.
    pub evidence: Evidence,
    /// The file.
    pub text: String,
    folio: FolioId,
    origin: Origin,
    sha256: [u8; 32],
    zone: TimeZone,
}

impl SealedEvidence {
    /// SHA-256 of what was sealed, hexadecimal.
    pub fn sha256(&self) -> String {
        hex(&self.sha256)
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
        let caller = self.admit(access).await?;
        let turn = self.evidence_turns.take().await?;
        let (origin, gathered) = self
            .read_as(caller.into(), move |tx, caller| {
                let gathered = Gathered::read(tx, caller.company, folio, part)?;
                Ok((caller.origin(), gathered))
            })
            .await?;
        self.seal_evidence(turn, gathered, origin, None).await
    }

    /// The evidence of a folio for one of its signers, a part of it at a time; there is none before they have acted, nor
    /// before they have typed a code in this session. It withholds what is the other signers' own.
    pub async fn evidence_for(
        &self,
        session: &Session,
        folio: FolioId,
        part: usize,
        address: Option<IpAddr>,
    ) -> Result<SealedEvidence, Error> {
        let turn = self.evidence_turns.take().await?;
        let session = session.clone();
        let (place, gathered) = self
            .store
            .read(move |tx| {
                let case = crate::case::Case::load(tx, session.holder, false)?;
                session.must_hold(tx, &case)?;
                if !session.is_proven(tx)? {
                    return Err(Error::Unproven);
                }
                let own = case.folios.iter().find(|own| own.stored.folio.id == folio);
                let own = own.ok_or(Error::NotFound)?;
                let place = own.place;
                let signer = own.stored.folio.signers.get(place).ok_or(Error::NotFound)?;
                if signer.state == SignerState::Pending || own.stored.folio.dropped {
                    return Err(Error::NotFound);
                }
                Ok::<_, Error>((place, Gathered::read(tx, case.company.id, folio, part)?))
            })
            .await?;
        let actor = Actor::Signer { signer: place };
        self.seal_evidence(turn, gathered, Origin { actor, address }, Some(place))
            .await
    }

    /// Records the download in the folio's history.
    pub async fn record_evidence(&self, sealed: &SealedEvidence) -> Result<(), Error> {
        let place = self.recorder.place().await.ok_or(Error::Overloaded)?;
        let event = Event {
            at: self.clock.now(),
            origin: sealed.origin.clone(),
            what: Happening::EvidenceDownloaded {
                sha256: hex(&sealed.sha256),
            },
        };
        place.record(sealed.folio, event);
        Ok(())
    }

    async fn seal_evidence(
        &self,
        turn: Turn,
        gathered: Gathered,
        origin: Origin,
        signer: Option<usize>,
    ) -> Result<SealedEvidence, Error> {
        let (app, now) = (self.clone(), self.clock.now());
        let sealed = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            let folio = gathered.folio();
            gathered.expect_whole(&app.store)?;
            let mut evidence = gathered.told(&app.notary, now);
            if let Some(place) = signer {
                evidence = mask::for_signer(evidence, place);
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
                origin,
                sha256,
                zone: app.notary.zone(gathered.timezone.as_deref()),
            })
        });
        sealed.await.map_err(|error| Error::Internal(error.into()))?
    }
}
