//! Whether what is in a database is whole: nothing half stored, no history broken, no document without its bytes.

use super::{block_on, texts};
use blobs::{BlobId, Blobs};
use domain::event::{ChainedEvent, hash_after, hex};
use domain::{CompanyId, FolioId, FolioState, HistoryHead};
use serde_json::Value;
use sha2::{Digest, Sha256};
use store::{Store, StoredFolio};

/// Tables whose rows belong to a folio.
const BELONGINGS: [&str; 5] = ["documents", "signers", "events", "outbox", "resends"];

/// What was found whole.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    pub(crate) folios: usize,
    /// The place up to which folios were looked at.
    pub(crate) up_to: i64,
}

/// Looks at every folio after a place, at every row that belongs to one, and at every document's bytes.
pub(crate) fn check_integrity(
    database: &store::Settings,
    company: &str,
    documents: &blobs::Location,
    after: i64,
) -> Checked {
    let ids = texts(
        database,
        &format!("SELECT {{hex}}id{{end}} FROM folios WHERE seq > {after} ORDER BY seq"),
    );
    let ids: Vec<FolioId> = ids.iter().map(|id| id.parse().unwrap()).collect();
    let up_to = texts(database, "SELECT COALESCE(MAX(seq), 0) FROM folios");
    let twice = "SELECT name FROM folios GROUP BY name HAVING COUNT(*) > 1";
    assert_eq!(texts(database, twice), [""; 0], "created twice");
    for table in BELONGINGS {
        let strays = format!("SELECT folio FROM {table} WHERE folio NOT IN (SELECT seq FROM folios)");
        assert_eq!(texts(database, &strays), [""; 0], "{table} of no folio");
    }
    let temp_files = parts::Scratch::new().unwrap();
    let store = Store::open(database, None).unwrap();
    let blobs = Blobs::open(documents, temp_files.directory()).unwrap();
    let company = company.to_owned();
    let company = block_on(store.read(move |tx| tx.company_named(&company)));
    let company = company.unwrap().unwrap();
    for ids in ids.chunks(500) {
        block_on(check_folios(&store, &blobs, company, ids.to_vec()));
    }
    Checked {
        folios: ids.len(),
        up_to: up_to[0].parse().unwrap(),
    }
}

async fn check_folios(store: &Store, blobs: &Blobs, company: CompanyId, ids: Vec<FolioId>) {
    let wanted = ids.len();
    let found = store.read(move |tx| {
        let stored = tx.folios(company, &ids)?;
        let with_more = stored.into_iter().map(|stored| {
            let id = stored.folio.id;
            Ok((
                stored,
                tx.history(company, id)?,
                tx.messages_of(company, id)?.len(),
            ))
        });
        with_more.collect::<Result<Vec<_>, store::Error>>()
    });
    let found = found.await.unwrap();
    assert_eq!(found.len(), wanted);
    for (stored, history, messages) in found {
        check_history(&stored, &history);
        assert!(
            messages >= stored.folio.signers.len(),
            "invitations of {stored:?}"
        );
        for document in &stored.folio.documents {
            let id = BlobId::from_bytes(document.sha256);
            let bytes = blobs.read(id, 0..document.size).await.unwrap().bytes().await;
            assert_eq!(
                <[u8; 32]>::from(Sha256::digest(bytes.unwrap())),
                document.sha256,
                "the bytes of {id}"
            );
        }
    }
}

fn check_history(stored: &StoredFolio, history: &[ChainedEvent]) {
    let folio = &stored.folio;
    let mut end = HistoryHead::START;
    for event in history {
        assert_eq!(event.number, end.length + 1, "{folio:?}");
        assert_eq!(event.hash, hash_after(&end.hash, &event.body), "{folio:?}");
        end = HistoryHead {
            length: event.number,
            hash: event.hash,
        };
    }
    assert_eq!(end, stored.history, "the end of the history of {folio:?}");

    let events: Vec<Value> = history
        .iter()
        .map(|event| serde_json::from_str(&event.body).unwrap())
        .collect();
    let created = &events[0];
    assert_eq!(created["what"], "created");
    let named: Vec<_> = created["documents"].as_array().unwrap().clone();
    let stored: Vec<_> = folio
        .documents
        .iter()
        .map(|d| serde_json::json!({ "document": d.id, "sha256": hex(&d.sha256) }))
        .collect();
    assert!(!stored.is_empty());
    assert_eq!(named, stored);
    assert_eq!(created["signers"].as_array().unwrap().len(), folio.signers.len());
    let cancelled = events.iter().filter(|event| event["what"] == "cancelled").count();
    assert_eq!(
        cancelled,
        usize::from(folio.state == FolioState::Cancelled),
        "{folio:?}"
    );
}
