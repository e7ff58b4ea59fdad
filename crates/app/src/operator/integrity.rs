//! Checks the whole installation: every history against its hashes, its key and the rows beside it; every
//! folio's documents and signers; every document's bytes and increments. Operators run it after a restore;
//! `firmeza doctor` runs it on the newest folios.

use super::backup::IncrementBackup;
use super::concurrent::for_each_concurrent;
use super::document_check::{CheckedDocument, check_document};
use crate::evidence::{EvidenceSource, Fault, part_count};
use blobs::{BlobId, Blobs};
use domain::event::hash_after;
use domain::personal::PersonalValue;
use domain::{CompanyId, FolioId, HistoryHead, personal};
use futures_util::stream;
use std::cmp::Reverse;
use std::collections::HashSet;
use store::{DocumentFacts, DocumentPlace, EventFacts, FolioRow, HistoryKey, Settings, Store};

/// Documents looked at in one step.
const PAGE_ROWS: i64 = 256;
/// Documents read at the same time: a bucket answers each of them late.
const MAX_CONCURRENT_BLOBS: usize = 96;
/// Folios read at the same time: the database has few connections.
const CONCURRENT_FOLIOS: usize = 8;
/// Faults that are listed one by one.
const MAX_LISTED_FAULTS: usize = 100;

/// The result of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IntegrityReport {
    /// Folios with their histories.
    pub folios: u64,
    /// Documents with their bytes.
    pub documents: u64,
    /// Damaged documents that were mended.
    pub mended: u64,
    /// How many faults there are.
    pub faults: u64,
    /// The first of them, in words.
    pub messages: Vec<String>,
}

impl IntegrityReport {
    fn fault(&mut self, what: String) {
        self.faults += 1;
        if self.messages.len() < MAX_LISTED_FAULTS {
            self.messages.push(what);
        }
    }
}

/// Looks at the histories of the newest folios, at most so many, and at what their rows say besides.
pub async fn check_newest_folios(store: &Store, most: i64) -> Result<IntegrityReport, crate::Error> {
    let mut found = IntegrityReport::default();
    let newest = store
        .read(move |tx| tx.folios_before(FolioRow::MAX, most))
        .await?;
    for (_, company, folio) in newest {
        found.folios += 1;
        if let Some(damage) = damage(store, company, folio).await? {
            found.fault(format!("folio {folio}: {}", damage.words()));
        }
    }
    Ok(found)
}

/// Looks at everything. A damaged document is mended from `spare` where that has it.
pub async fn check_integrity(
    database: &Settings,
    store: &Store,
    blobs: &Blobs,
    spare: Option<&Blobs>,
) -> Result<IntegrityReport, crate::Error> {
    check_and_mend(database, store, blobs, spare, None).await
}

/// The same; what was appended to a document is mended from a backup where that has it.
pub async fn check_and_mend(
    database: &Settings,
    store: &Store,
    blobs: &Blobs,
    spare: Option<&Blobs>,
    backup: Option<&IncrementBackup>,
) -> Result<IntegrityReport, crate::Error> {
    let source = database.clone();
    let key = store.history_key().ok_or(store::Error::NoHistoryKey)?.clone();
    let folios = tokio::task::spawn_blocking(move || source.read_dedicated(|tx| folios(tx, &key)));
    let mut found = folios
        .await
        .map_err(|error| crate::Error::Internal(error.into()))??;
    facts(store, &mut found).await?;
    let mut after = DocumentPlace::START;
    loop {
        let page = store.read(move |tx| tx.documents_after(after, PAGE_ROWS)).await?;
        let Some(last) = page.last() else { return Ok(found) };
        after = last.place;
        let mut checked = Vec::with_capacity(page.len());
        let check = |document: DocumentFacts| {
            let (blobs, spare) = (blobs.clone(), spare.cloned());
            async move {
                let checked = check_document(&blobs, spare.as_ref(), &document).await;
                (document, checked)
            }
        };
        let checks = for_each_concurrent(
            stream::iter(page),
            MAX_CONCURRENT_BLOBS,
            check,
            |(document, found)| {
                checked.push((document, found?));
                Ok::<_, crate::Error>(())
            },
        );
        checks.await?;
        checked.sort_by_key(|(document, _)| document.place);
        let (mut damaged, mut appended_damaged) = (Vec::new(), Vec::new());
        for (document, checked) in &checked {
            found.documents += 1;
            match checked {
                CheckedDocument::Whole => {}
                CheckedDocument::Mended => found.mended += 1,
                CheckedDocument::FileDamaged(reason) => damaged.push((document, reason)),
                CheckedDocument::AppendedDamaged(reason) => {
                    damaged.push((document, reason));
                    appended_damaged.push(document);
                }
            }
        }
        let mended = match backup {
            Some(backup) => backup.mend(store, blobs, &appended_damaged).await?,
            None => HashSet::new(),
        };
        for (document, reason) in damaged {
            if mended.contains(&document.place) {
                found.mended += 1;
            } else {
                let (folio, id) = (document.folio, BlobId::from_bytes(document.sha256));
                found.fault(format!("folio {folio}, document {id}: {reason}"));
            }
        }
    }
}

/// Compares the rows of every folio with its history. A broken history was reported already.
async fn facts(store: &Store, found: &mut IntegrityReport) -> Result<(), crate::Error> {
    let mut before = FolioRow::MAX;
    loop {
        let page = store.read(move |tx| tx.folios_before(before, PAGE_ROWS)).await?;
        let Some((last, ..)) = page.last() else {
            return Ok(());
        };
        before = *last;
        let mut damaged = Vec::new();
        let look = |(seq, company, folio)| {
            let store = store.clone();
            async move { (seq, folio, damage(&store, company, folio).await) }
        };
        let looks = for_each_concurrent(
            stream::iter(page),
            CONCURRENT_FOLIOS,
            look,
            |(seq, folio, damage)| {
                damaged.extend(damage?.map(|damage| (seq, folio, damage)));
                Ok::<_, crate::Error>(())
            },
        );
        looks.await?;
        damaged.sort_by_key(|(seq, ..)| Reverse(*seq));
        for (_, folio, damage) in damaged {
            if !damage.is_of_history() {
                found.fault(format!("folio {folio}: {}", damage.words()));
            }
        }
    }
}

/// What is wrong with a folio.
enum Damage {
    /// Its rows cannot be read.
    Unreadable,
    /// Its history is broken, or its rows contradict its history.
    Fault(Fault),
}

/// The first thing that is wrong with a folio, its history looked at part by part.
async fn damage(store: &Store, company: CompanyId, folio: FolioId) -> Result<Option<Damage>, crate::Error> {
    let key = store.history_key().ok_or(store::Error::NoHistoryKey)?.clone();
    let mut part = 1;
    loop {
        let key = key.clone();
        let read = store.read(move |tx| {
            let source = EvidenceSource::read(tx, company, folio, part)?;
            Ok::<_, crate::Error>((source.damage(&key), part_count(source.length())))
        });
        let (faults, count) = match read.await {
            Ok(read) => read,
            Err(crate::Error::Internal(error)) if is_corrupt(&*error) => return Ok(Some(Damage::Unreadable)),
            Err(error) => return Err(error),
        };
        if let Some(fault) = faults.into_iter().next() {
            return Ok(Some(Damage::Fault(fault)));
        }
        if part >= count {
            return Ok(None);
        }
        part += 1;
    }
}

fn is_corrupt(error: &(dyn std::error::Error + 'static)) -> bool {
    matches!(error.downcast_ref(), Some(store::Error::Corrupt(_)))
}

impl Damage {
    const fn is_of_history(&self) -> bool {
        use Fault::{Beginning, End, Event, Forged, Misplaced, ValueChanged, ValueMissing, ValueStray};
        let Self::Fault(fault) = self else { return false };
        matches!(
            fault,
            Forged(_)
                | Event(_)
                | Misplaced(_)
                | Beginning
                | End
                | ValueChanged(..)
                | ValueStray(..)
                | ValueMissing(..)
        )
    }

    fn words(&self) -> String {
        match self {
            Self::Unreadable => "its rows, or those of its documents or signers, cannot be read".to_owned(),
            Self::Fault(fault) => words(fault),
        }
    }
}

/// What is wrong, for operators.
fn words(fault: &Fault) -> String {
    match fault {
        Fault::Forged(number) => format!("its event {number} was not written by the service"),
        Fault::Event(number) | Fault::Misplaced(number) => format!("its history is broken at {number}"),
        Fault::ValueChanged(number, at) | Fault::ValueStray(number, at) | Fault::ValueMissing(number, at) => {
            format!("the value {at} of its event {number} is not the one that was written")
        }
        Fault::Beginning | Fault::End => "its history lacks its beginning or its end".to_owned(),
        Fault::Signer(place) => format!("its signer {} is not as its history tells", place.0 + 1),
        Fault::Document(id) => format!("its document {id} is not as its history tells"),
        Fault::Message(_) | Fault::MessageMissing(_) => {
            "its messages are not as its history tells".to_owned()
        }
        other => format!("it is not as its history tells ({})", other.name()),
    }
}

/// What is kept of the folios themselves.
fn folios(tx: &mut store::Tx<'_>, key: &HistoryKey) -> Result<IntegrityReport, store::Error> {
    let mut found = IntegrityReport::default();
    histories(tx, key, &mut found)?;
    Ok(found)
}

/// The histories, one after the other.
fn histories(
    tx: &mut store::Tx<'_>,
    key: &HistoryKey,
    found: &mut IntegrityReport,
) -> Result<(), store::Error> {
    let mut walk: Option<Walk> = None;
    tx.each_event::<store::Error>(|event| {
        if walk.as_ref().is_none_or(|walk| walk.folio != event.folio) {
            if let Some(done) = walk.take() {
                done.close(found);
            }
            walk = Some(Walk::begin(&event));
        }
        if let Some(walk) = &mut walk {
            walk.step(&event, key);
        }
        Ok(())
    })?;
    if let Some(done) = walk {
        done.close(found);
    }
    Ok(())
}

/// The state of a walk along one history.
struct Walk {
    folio: FolioId,
    claimed: HistoryHead,
    reached: HistoryHead,
    broken_at: Option<i64>,
    forged_at: Option<i64>,
}

impl Walk {
    const fn begin(event: &EventFacts<'_>) -> Self {
        Self {
            folio: event.folio,
            claimed: event.end,
            reached: HistoryHead::START,
            broken_at: None,
            forged_at: None,
        }
    }

    fn step(&mut self, event: &EventFacts<'_>, key: &HistoryKey) {
        let Some(number) = event.number else { return };
        let fits = number == self.reached.length + 1
            && event.hash == hash_after(&self.reached.hash, event.body)
            && has_its_values(event);
        if !key.wrote(self.folio, number, &event.hash, event.mac) && self.forged_at.is_none() {
            self.forged_at = Some(number);
        }
        if !fits && self.broken_at.is_none() {
            self.broken_at = Some(number);
        }
        self.reached = HistoryHead {
            length: number,
            hash: event.hash,
        };
    }

    fn close(self, found: &mut IntegrityReport) {
        found.folios += 1;
        match (self.broken_at, self.forged_at) {
            (Some(number), _) => {
                found.fault(format!("folio {}: its history is broken at {number}", self.folio));
            }
            (None, Some(number)) => {
                let fault = words(&Fault::Forged(number));
                found.fault(format!("folio {}: {fault}", self.folio));
            }
            (None, None) if self.reached != self.claimed => {
                found.fault(format!("folio {}: its history ends too early", self.folio));
            }
            (None, None) => {}
        }
    }
}

/// Whether the personal values beside an event are those whose digests its text has, and none is withheld.
fn has_its_values(event: &EventFacts<'_>) -> bool {
    let body: Result<serde_json::Value, _> = serde_json::from_str(event.body);
    let values: Result<Vec<PersonalValue>, _> = serde_json::from_str(event.personal);
    let (Ok(body), Ok(values)) = (body, values) else {
        return false;
    };
    let withheld = values.iter().any(PersonalValue::is_withheld);
    !withheld && personal::check(&body, &values).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_that_is_no_json_is_broken() {
        let event = |body| EventFacts {
            folio: FolioId::from_bytes([1; 16]),
            end: HistoryHead::START,
            number: Some(1),
            body,
            personal: "[]",
            hash: [0; 32],
            mac: None,
        };
        assert!(has_its_values(&event("{}")));
        assert!(!has_its_values(&event("{")));
    }
}
