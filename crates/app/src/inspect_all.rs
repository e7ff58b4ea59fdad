//! Whether everything is there and whole: every history unbroken, every folio with its documents and signers, every
//! document with its bytes and with what was appended to it. What an operator asks after a restore.

use blobs::{BlobId, Blobs};
use domain::history::hash_after;
use domain::{FolioId, Link};
use futures_util::StreamExt;
use sha2::{Digest, Sha256};
use store::{DocumentFacts, EventFacts, Settings, Store};

/// Documents looked at in one step.
const PAGE: i64 = 64;
/// Faults that are told one by one.
const TOLD: usize = 100;

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inspected {
    /// Folios with their histories.
    pub folios: u64,
    /// Documents with their bytes.
    pub documents: u64,
    /// How many faults there are.
    pub faults: u64,
    /// The first of them, in words.
    pub told: Vec<String>,
}

impl Inspected {
    fn fault(&mut self, what: String) {
        self.faults += 1;
        if self.told.len() < TOLD {
            self.told.push(what);
        }
    }
}

/// Looks at everything.
pub async fn inspect_all(
    database: &Settings,
    store: &Store,
    blobs: &Blobs,
) -> Result<Inspected, crate::Error> {
    let source = database.clone();
    let folios = tokio::task::spawn_blocking(move || source.read_alone(folios));
    let mut found = folios
        .await
        .map_err(|error| crate::Error::Internal(error.into()))??;
    let mut after = (0, -1);
    loop {
        let page = store.read(move |tx| tx.documents_after(after, PAGE)).await?;
        let Some(last) = page.last() else { return Ok(found) };
        after = last.place;
        for document in page {
            found.documents += 1;
            if let Err(fault) = check(blobs, &document).await {
                let (folio, id) = (document.folio, BlobId::from_bytes(document.sha256));
                found.fault(format!("folio {folio}, document {id}: {fault}"));
            }
        }
    }
}

/// What is kept of the folios themselves.
fn folios(tx: &mut store::Tx<'_>) -> Result<Inspected, store::Error> {
    let mut found = Inspected::default();
    histories(tx, &mut found)?;
    tx.each_with_other_documents(|folio| {
        found.fault(format!(
            "folio {folio}: it lacks documents, or they are not those that it shows"
        ));
    })?;
    tx.each_with_other_signers(|folio| {
        found.fault(format!(
            "folio {folio}: it lacks signers, or they are not those that it shows"
        ));
    })?;
    Ok(found)
}

/// The histories, one after the other.
fn histories(tx: &mut store::Tx<'_>, found: &mut Inspected) -> Result<(), store::Error> {
    let mut walk: Option<Walk> = None;
    tx.each_event::<store::Error>(|event| {
        if walk.as_ref().is_none_or(|walk| walk.folio != event.folio) {
            if let Some(done) = walk.take() {
                done.close(found);
            }
            walk = Some(Walk::begin(&event));
        }
        if let Some(walk) = &mut walk {
            walk.step(&event);
        }
        Ok(())
    })?;
    if let Some(done) = walk {
        done.close(found);
    }
    Ok(())
}

/// A history on the way along it.
struct Walk {
    folio: FolioId,
    claimed: Link,
    reached: Link,
    broken_at: Option<i64>,
}

impl Walk {
    const fn begin(event: &EventFacts<'_>) -> Self {
        Self {
            folio: event.folio,
            claimed: event.end,
            reached: Link::START,
            broken_at: None,
        }
    }

    fn step(&mut self, event: &EventFacts<'_>) {
        let Some(number) = event.number else { return };
        let fits =
            number == self.reached.length + 1 && event.hash == hash_after(&self.reached.hash, event.body);
        if !fits && self.broken_at.is_none() {
            self.broken_at = Some(number);
        }
        self.reached = Link {
            length: number,
            hash: event.hash,
        };
    }

    fn close(self, found: &mut Inspected) {
        found.folios += 1;
        match self.broken_at {
            Some(number) => found.fault(format!("folio {}: its history is broken at {number}", self.folio)),
            None if self.reached != self.claimed => {
                found.fault(format!("folio {}: its history ends too early", self.folio));
            }
            None => {}
        }
    }
}

async fn check(blobs: &Blobs, document: &DocumentFacts) -> Result<(), String> {
    let id = BlobId::from_bytes(document.sha256);
    let mut hash = Sha256::new();
    let mut reader = blobs
        .read(id, 0..document.size)
        .await
        .map_err(|error| error.to_string())?;
    while let Some(frame) = reader.next().await {
        hash.update(&frame.map_err(|error| error.to_string())?);
    }
    if <[u8; 32]>::from(hash.clone().finalize()) != document.sha256 {
        return Err("its bytes have been changed".to_owned());
    }
    if usize::try_from(document.appended) != Ok(document.increments.len()) {
        return Err("it lacks something that was appended, or has too much".to_owned());
    }
    // What is kept before the first act is a sheet that waits.
    let Some((sha256, size)) = document.current else {
        return Ok(());
    };
    let mut length = document.size;
    for increment in &document.increments {
        hash.update(increment);
        length += increment.len() as u64;
    }
    if length == size && <[u8; 32]>::from(hash.finalize()) == sha256 {
        Ok(())
    } else {
        Err("what was appended to it is not what it should be".to_owned())
    }
}
