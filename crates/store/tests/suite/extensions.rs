//! Leases of folios that are due to be extended.

use crate::db::{Db, company, read, run, write};
use crate::sample::{at, folios, lease, stored};
use domain::{CompanyId, FolioId};
use store::{FolioQueue, LeasedFolio, Store};

/// A folio whose documents are due to be extended from that second on.
async fn due(store: &Store, company: CompanyId, second: i64) -> FolioId {
    let id = folios(store, company, 1).await.remove(0);
    let seq = stored(store, company, id).await.seq;
    let planned = write(store, move |tx| tx.plan_extensions(&[seq], at(second)));
    planned.await.unwrap();
    id
}

async fn leased(store: &Store, second: i64, until: i64) -> Option<LeasedFolio> {
    let leased = write(store, move |tx| {
        tx.lease_extension(at(second), &lease(second, until))
    });
    leased.await.unwrap()
}

async fn postpone(store: &Store, leased: LeasedFolio, next: i64) -> bool {
    postpone_for(store, leased, next, "it did not answer").await
}

async fn postpone_for(store: &Store, leased: LeasedFolio, next: i64, why: &'static str) -> bool {
    let postponed = write(store, move |tx| {
        tx.postpone_folio(FolioQueue::Extensions, &leased, at(next - 30), at(next), why)
    });
    postponed.await.unwrap()
}

pub(crate) fn a_folio_is_leased_by_itself_the_oldest_first(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Leases").await;
        let later = due(&store, company, 20).await;
        let sooner = due(&store, company, 10).await;
        assert_eq!(leased(&store, 5, 50).await, None, "none is due");
        assert_eq!(leased(&store, 30, 50).await.unwrap().id, sooner);
        assert_eq!(leased(&store, 30, 50).await.unwrap().id, later);
        assert_eq!(leased(&store, 49, 90).await, None, "both are leased");
        assert_eq!(leased(&store, 50, 90).await.unwrap().id, sooner, "taken over");
    });
}

pub(crate) fn a_lost_lease_postpones_nothing(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Takeover").await;
        let id = due(&store, company, 0).await;
        let waits = async || read(&store, move |tx| tx.unextended(&[id], at(150))).await;
        let slow = leased(&store, 1, 100).await.unwrap();
        let quick = leased(&store, 101, 200).await.unwrap();
        assert!(!postpone(&store, slow, 130).await, "another is at it");
        assert_eq!(leased(&store, 140, 240).await, None);
        assert_eq!(waits().await, [(id, None)]);

        let settled = write(&store, move |tx| tx.settle_extension(quick.folio, at(1000)));
        settled.await.unwrap();
        assert!(!postpone(&store, slow, 130).await, "it is done");
        assert_eq!(waits().await, []);

        let again = leased(&store, 1000, 1100).await.unwrap();
        assert_eq!(again.attempts, 0);
        assert!(postpone(&store, again, 1030).await, "its own");
        assert_eq!(waits().await, [(id, Some("it did not answer".to_owned()))]);
        assert_eq!(leased(&store, 1030, 1100).await.unwrap().attempts, 1);
    });
}

pub(crate) fn what_got_no_timestamp_is_hastened_and_nothing_else(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Stamps").await;
        for second in 0..3 {
            due(&store, company, second).await;
        }
        let unstamped = leased(&store, 10, 100).await.unwrap();
        assert!(postpone_for(&store, unstamped, 5000, "timestamp authority: no answer").await);
        let other = leased(&store, 10, 100).await.unwrap();
        assert!(postpone(&store, other, 5000).await);
        let extended = leased(&store, 10, 100).await.unwrap();
        let settled = write(&store, move |tx| tx.settle_extension(extended.folio, at(9000)));
        settled.await.unwrap();

        let hastened = async || {
            write(&store, |tx| tx.hasten_unstamped_extensions(at(50)))
                .await
                .unwrap()
        };
        assert_eq!(hastened().await, 1);
        assert_eq!(hastened().await, 0, "it is due");
        assert_eq!(leased(&store, 51, 100).await.unwrap().id, unstamped.id);
        assert_eq!(leased(&store, 51, 100).await, None);
    });
}
