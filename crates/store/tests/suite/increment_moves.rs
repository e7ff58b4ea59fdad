//! Increments that are moved from their rows to a blob.

use crate::db::{Db, company, read, run, write};
use crate::sample::{at, created, lease};
use domain::DocumentIndex;
use store::{AppendedBlob, Error, FolioRow, MovedIncrements, NewIncrement, Store};

const WHOLE: [u8; 32] = [5; 32];

/// Appends the first increment of a document.
async fn append_first(store: &Store, folio: FolioRow) -> Result<(), Error> {
    let first = NewIncrement {
        folio,
        position: DocumentIndex(0),
        after: 0,
        bytes: b"first".to_vec(),
        prepared: b"after the first".to_vec(),
        sha256: WHOLE,
        size: 100,
    };
    write(store, move |tx| {
        tx.append_increments(&[first], at(2))?;
        tx.plan_increment_moves(&[folio], at(2))
    })
    .await
}

/// A worker that was slow has no row of another's to run into once that was moved.
pub(crate) fn what_was_moved_is_not_appended_a_second_time(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Twice").await;
        let new = created(company, 1, &[[7; 32]]);
        let id = new.folio.id;
        let inserted = write(&store, move |tx| {
            tx.insert_folio(&new, &[b"at the start".to_vec()])
        });
        inserted.await.unwrap();
        let folio = read(&store, move |tx| tx.folios(company, &[id]))
            .await
            .remove(0)
            .seq;
        append_first(&store, folio).await.unwrap();
        let again = append_first(&store, folio).await;
        assert!(matches!(again, Err(Error::Stale)), "{again:?}");

        let leased = write(&store, |tx| tx.lease_increment_moves(at(3), &lease(3, 100), 8));
        let leased = leased.await.unwrap().remove(0);
        let appended = AppendedBlob {
            sha256: [6; 32],
            size: 5,
            number: 1,
        };
        let moved = MovedIncrements {
            position: DocumentIndex(0),
            current_sha256: WHOLE,
            appended,
        };
        let named = write(&store, move |tx| tx.name_moved_increments(&leased, &[moved]));
        named.await.unwrap();
        let again = append_first(&store, folio).await;
        assert!(matches!(again, Err(Error::Stale)), "{again:?}");
        let blobs = read(&store, move |tx| tx.appended_blobs(folio)).await;
        assert_eq!(blobs, [(DocumentIndex(0), appended)]);
        assert_eq!(read(&store, move |tx| tx.documents_to_move(folio)).await, []);
    });
}
