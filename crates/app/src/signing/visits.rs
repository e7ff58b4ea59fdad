//! Records what a signer does on a visit in the folio's history: identified, opened, downloaded, accepted.
//! Each is recorded once a session. Opening a link records nothing.

use crate::signing::session::Session;
use crate::{App, Error};
use domain::event::{DocumentRef, hex};
use domain::limits::{CODES_DAY, VISITS_A_DAY, VISITS_FROM_NETWORK_A_DAY};
use domain::{
    Actor, Client, Document, DocumentId, Event, EventKind, FolioId, Origin, SignerIndex, SignerSessionId,
    Timestamp,
};
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};
use store::Tx;

/// Records that one instance remembers to have written; when there are more, it begins anew, and asks the database.
const MAX_REMEMBERED_RECORDS: usize = 50_000;

/// Visits that this instance has recorded, so that a page of a hundred images asks the database once.
#[derive(Debug, Default)]
pub(crate) struct RecordedVisits(Mutex<HashSet<(SignerSessionId, String)>>);

impl RecordedVisits {
    fn has(&self, session: SignerSessionId, what: &str) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.contains(&(session, what.to_owned()))
    }

    fn add(&self, session: SignerSessionId, what: String) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_REMEMBERED_RECORDS {
            known.clear();
        }
        known.insert((session, what));
    }
}

/// A thing that a signer did to one of the folios before them.
#[derive(Debug, Clone)]
pub struct VisitAct {
    /// The folio.
    pub folio: FolioId,
    /// The signer's place in it.
    pub signer: SignerIndex,
    /// What.
    pub what: VisitEvent,
}

/// What is recorded once a visit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VisitEvent {
    /// The signer said who they are.
    Identified,
    /// The signer opened a document.
    Opened(DocumentRef),
    /// The last page of a document was shown to the signer.
    EndReached(DocumentRef),
    /// The signer downloaded a document.
    Downloaded(DocumentRef),
    /// The signer downloaded a part of the evidence.
    Evidence {
        /// SHA-256 of what was sealed, hexadecimal.
        sha256: String,
        /// Which part, from one.
        part: usize,
    },
}

impl VisitEvent {
    fn name(&self) -> String {
        match self {
            Self::Identified => "identified".to_owned(),
            Self::Opened(document) => format!("opened {}", document.document),
            Self::EndReached(document) => format!("end of {}", document.document),
            Self::Downloaded(document) => format!("downloaded {}", document.document),
            Self::Evidence { part, .. } => format!("evidence {part}"),
        }
    }

    fn event_kind(&self, signer: SignerIndex) -> EventKind {
        match self.clone() {
            Self::Identified => EventKind::Identified { signer },
            Self::Opened(document) => EventKind::Opened { signer, document },
            Self::EndReached(document) => EventKind::EndReached { signer, document },
            Self::Downloaded(document) => EventKind::Downloaded { document },
            Self::Evidence { sha256, .. } => EventKind::EvidenceDownloaded { sha256 },
        }
    }
}

impl App {
    /// Records that pages of a document were shown to the signer, from one: that it was opened, which pages, and that its end
    /// was reached. Each counts once in this session.
    pub async fn record_pages(
        &self,
        session: &Session,
        (folio, signer): (FolioId, SignerIndex),
        document: &Document,
        pages: RangeInclusive<u32>,
        client: Client,
    ) -> Result<(), Error> {
        let of = || DocumentRef {
            document: document.id,
            sha256: hex(&document.sha256),
        };
        let visit = |what| VisitAct { folio, signer, what };
        self.record_visit(session, visit(VisitEvent::Opened(of())), client.clone())
            .await?;
        self.put_pages(session, document.id, pages.clone()).await?;
        if *pages.end() == document.pages {
            self.record_visit(session, visit(VisitEvent::EndReached(of())), client)
                .await?;
        }
        Ok(())
    }

    /// Records that the signer was given the file of a document, in the version that the download was.
    pub async fn record_file(
        &self,
        session: &Session,
        (folio, signer): (FolioId, SignerIndex),
        version: DocumentRef,
        client: Client,
    ) -> Result<(), Error> {
        let document = version.document;
        let what = VisitEvent::Downloaded(version);
        let visit = VisitAct { folio, signer, what };
        self.record_visit(session, visit, client).await?;
        self.put_pages(session, document, 0..=0).await
    }

    async fn put_pages(
        &self,
        session: &Session,
        document: DocumentId,
        pages: RangeInclusive<u32>,
    ) -> Result<(), Error> {
        let name = format!("pages {document} {pages:?}");
        if self.recorded_visits.has(session.id, &name) {
            return Ok(());
        }
        let own = session.clone();
        let put = self.store.write(move |tx| put_pages(tx, &own, document, pages));
        put.await?;
        self.recorded_visits.add(session.id, name);
        Ok(())
    }

    /// Records what the signer does, the first time in this session.
    pub async fn record_visit(&self, session: &Session, act: VisitAct, client: Client) -> Result<(), Error> {
        let name = format!("{} {}", act.what.name(), act.folio);
        if self.recorded_visits.has(session.id, &name) {
            return Ok(());
        }
        let (own, what, now) = (session.clone(), name.clone(), self.clock.now());
        let network = client
            .address
            .map(crate::shared::networks::network_of)
            .unwrap_or_default();
        let recorded = self.store.write(move |tx| {
            // The folio first, as acts do: those who wait for one another do so in one order.
            tx.lock_folio(act.folio)?;
            if !begin(tx, &own, &network, now)? || !tx.is_first_in_session(own.id, &what)? {
                return Ok(());
            }
            let actor = Actor::Signer { signer: act.signer };
            let event = Event {
                at: now,
                origin: Origin { actor, client },
                what: act.what.event_kind(act.signer),
            };
            tx.append_events(&[(act.folio, event)])
        });
        recorded.await?;
        self.recorded_visits.add(session.id, name);
        Ok(())
    }
}

/// Records in the store that pages of a document were shown in a session whose visit is recorded; page 0 stands for the file.
fn put_pages(
    tx: &mut Tx<'_>,
    session: &Session,
    document: DocumentId,
    pages: RangeInclusive<u32>,
) -> Result<(), store::Error> {
    if tx.signer_session(session.id)?.is_none() {
        return Ok(());
    }
    tx.put_shown_pages(session.id, document, pages.map(i64::from))
}

/// Writes the session down; not where the signer has come too often today to be recorded again.
fn begin(tx: &mut Tx<'_>, session: &Session, network: &[u8], now: Timestamp) -> Result<bool, store::Error> {
    if tx.signer_session(session.id)?.is_some() {
        return Ok(true);
    }
    let party = session.party.to_bytes();
    let yesterday = now.before(CODES_DAY);
    let (all, from_there) = tx.count_signer_sessions(&party, network, yesterday, now, VISITS_A_DAY)?;
    if all >= VISITS_A_DAY || from_there >= VISITS_FROM_NETWORK_A_DAY {
        tracing::warn!(party = %session.party, "a signer had too many visits in a day, in all or from one network; this one is not recorded");
        return Ok(false);
    }
    tx.put_signer_session(session.id, &party, Some(network), now)?;
    Ok(true)
}
