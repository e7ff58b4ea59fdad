//! Records what a signer does on a visit in the folio's history: identified, opened, downloaded, accepted.
//! Each is recorded once a session. Opening a link records nothing.

use crate::case::CaseFolio;
use crate::sessions::Session;
use crate::{App, Error};
use domain::history::DocumentRef;
use domain::limits::{CODES_DAY, VISITS_A_DAY, VISITS_FROM_NETWORK_A_DAY};
use domain::{Actor, Event, FolioId, Happening, Origin, SignerSessionId, Timestamp};
use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use store::Tx;

/// Records that one instance remembers to have written; when there are more, it begins anew, and asks the database.
const REMEMBERED: usize = 50_000;

/// Visits that this instance has recorded, so that a page of a hundred images asks the database once.
#[derive(Debug, Default)]
pub(crate) struct Recorded(Mutex<HashSet<(SignerSessionId, String)>>);

impl Recorded {
    fn has(&self, session: SignerSessionId, what: &str) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.contains(&(session, what.to_owned()))
    }

    fn add(&self, session: SignerSessionId, what: String) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= REMEMBERED {
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
    pub signer: usize,
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
            Self::Downloaded(document) => format!("downloaded {}", document.document),
            Self::Evidence { part, .. } => format!("evidence {part}"),
        }
    }

    fn happening(&self, signer: usize) -> Happening {
        match self.clone() {
            Self::Identified => Happening::Identified { signer },
            Self::Opened(document) => Happening::Opened { signer, document },
            Self::Downloaded(document) => Happening::Downloaded { document },
            Self::Evidence { sha256, .. } => Happening::EvidenceDownloaded { sha256 },
        }
    }
}

impl App {
    /// Records what the signer does, the first time in this session.
    pub async fn record_visit(
        &self,
        session: &Session,
        act: VisitAct,
        address: Option<IpAddr>,
    ) -> Result<(), Error> {
        let name = format!("{} {}", act.what.name(), act.folio);
        if self.recorded.has(session.id, &name) {
            return Ok(());
        }
        let (own, what, now) = (session.clone(), name.clone(), self.clock.now());
        let network = address.map(crate::networks::network_of).unwrap_or_default();
        let recorded = self.store.write(move |tx| {
            // The folio first, as acts do: those who wait for one another do so in one order.
            tx.lock_folio(act.folio)?;
            if !begin(tx, &own, &network, now)? || !tx.is_first_in_session(own.id, &what)? {
                return Ok(());
            }
            let actor = Actor::Signer { signer: act.signer };
            let event = Event {
                at: now,
                origin: Origin { actor, address },
                what: act.what.happening(act.signer),
            };
            tx.append_events(&[(act.folio, event)])
        });
        recorded.await?;
        self.recorded.add(session.id, name);
        Ok(())
    }
}

/// Writes the session down; not where the signer has come too often today to be recorded again.
fn begin(tx: &mut Tx<'_>, session: &Session, network: &[u8], now: Timestamp) -> Result<bool, store::Error> {
    if tx.signer_session(session.id)?.is_some() {
        return Ok(true);
    }
    let holder = session.holder.to_bytes();
    let (all, from_there) =
        tx.count_signer_sessions(&holder, network, now.before(CODES_DAY), VISITS_A_DAY)?;
    if all >= VISITS_A_DAY || from_there >= VISITS_FROM_NETWORK_A_DAY {
        tracing::warn!(holder = %session.holder, "a signer's visits of today are no longer recorded");
        return Ok(false);
    }
    tx.put_signer_session(session.id, &holder, Some(network), now)?;
    Ok(true)
}

/// Records that the signer accepted a text for these folios, the first time in this session.
pub(crate) fn accepted(
    tx: &mut Tx<'_>,
    session: &Session,
    folios: &[&CaseFolio],
    consent: &str,
    address: Option<IpAddr>,
    at: Timestamp,
) -> Result<(), Error> {
    if !tx.is_first_in_session(session.id, &format!("accepted {consent}"))? {
        return Ok(());
    }
    let event = |folio: &&CaseFolio| {
        let signer = folio.place;
        let actor = Actor::Signer { signer };
        let event = Event {
            at,
            origin: Origin { actor, address },
            what: Happening::Accepted {
                signer,
                consent: consent.to_owned(),
            },
        };
        (folio.stored.folio.id, event)
    };
    let events: Vec<_> = folios.iter().map(event).collect();
    Ok(tx.append_events(&events)?)
}
