//! Databases of other versions, and the first start of many.

use crate::db::{Db, company, names, read, run, write};
use crate::sample::{Distinct, act, at, cancel, folios, resend, return_url, signer, stored, whole_history};
use domain::{Bulk, FolioState, KeyId, NewBulk};
use std::sync::Barrier;
use std::thread;
use store::{Error, Kept, KeptAnswer, KeyLookup, NEWEST, Store};

pub(crate) fn a_database_of_the_first_migration_keeps_everything(db: &Db) {
    let old = Store::open_at(&db.settings, 1).unwrap();
    let (company, ids, bulk_id) = run(async {
        assert_eq!(read(&old, store::applied).await, 1);
        let company = company(&old, "Old").await;
        let ids = folios(&old, company, 3).await;
        act(&old, company, vec![ids[0]], cancel).await.unwrap();
        act(&old, company, vec![ids[1]], resend).await.unwrap();
        let new = NewBulk {
            folios: ids.clone(),
            signer: signer(0),
            return_url: return_url(),
        };
        let bulk = Bulk::start(new, company, at(5), &mut Distinct);
        let bulk_id = bulk.id;
        write(&old, move |tx| {
            let seqs: Vec<_> = tx
                .lock_folios(company, &bulk.folios)?
                .iter()
                .map(|stored| stored.seq)
                .collect();
            tx.insert_bulk(&bulk, &seqs)?;
            tx.count_resends(seqs[1], &[1], at(10), at(0))?;
            let (key, secret) = (KeyId::from_bytes([2; 16]), KeyLookup { hash: [2; 32] });
            tx.add_key(key, company, "old", &secret, at(0), None)?;
            tx.claim_answer(company, "key", &[1; 32], at(0), at(-1))?;
            let answer = KeptAnswer {
                status: 200,
                body: "{}".into(),
            };
            tx.settle_answer(company, "key", &answer)
        })
        .await
        .unwrap();
        (company, ids, bulk_id)
    });
    drop(old);

    let store = db.open();
    run(async {
        assert_eq!(read(&store, store::applied).await, NEWEST);
        assert_eq!(
            stored(&store, company, ids[0]).await.folio.state,
            FolioState::Cancelled
        );
        assert_eq!(
            whole_history(&store, company, ids[1]).await,
            ["created", "resent"]
        );
        let second = stored(&store, company, ids[1]).await.seq;
        let last = ids[2];
        write(&store, move |tx| {
            let bulk = tx.bulk(company, bulk_id)?.unwrap();
            assert_eq!(tx.folios_of_bulk(company, bulk.seq)?.len(), 3);
            assert_eq!(tx.resends_since(second, at(0))?.len(), 1);
            assert_eq!(
                tx.live_key(&KeyLookup { hash: [2; 32] }, at(0))?.unwrap().company,
                company
            );
            let kept = tx.claim_answer(company, "key", &[1; 32], at(1), at(-1))?;
            assert!(matches!(kept, Kept::Same(_)));
            assert_eq!(tx.messages_of(company, last)?.len(), 2);
            assert_eq!(tx.doom_orphans(&[[7; 32], [8; 32]], at(0))?, 1);
            Ok(())
        })
        .await
        .unwrap();
        assert_eq!(act(&store, company, ids, cancel).await.unwrap().len(), 2);
    });
}

pub(crate) fn a_newer_database_is_refused(db: &Db) {
    run(company(&db.open(), "From the future"));
    let future = NEWEST + 1;
    db.raw(&format!(
        "INSERT INTO migrations (version, name) VALUES ({future}, 'future')"
    ));
    match Store::open(&db.settings) {
        Err(Error::Settings(why)) => {
            assert!(
                why.contains("newer") && why.contains(&future.to_string()),
                "{why}"
            );
        }
        other => panic!("{other:?}"),
    }
    db.raw(&format!("DELETE FROM migrations WHERE version = {future}"));
    assert_eq!(run(names(&db.open())), ["From the future"]);
}

pub(crate) fn opening_an_empty_database_at_once_works(db: &Db) {
    const INSTANCES: usize = 8;
    let ready = Barrier::new(INSTANCES);
    let stores: Vec<Store> = thread::scope(|scope| {
        let open = || {
            ready.wait();
            Store::open(&db.settings)
        };
        let opening: Vec<_> = (0..INSTANCES).map(|_| scope.spawn(open)).collect();
        opening
            .into_iter()
            .map(|thread| thread.join().unwrap().unwrap())
            .collect()
    });
    run(async {
        for (store, name) in stores.iter().zip(["a", "b", "c", "d", "e", "f", "g", "h"]) {
            company(store, name).await;
            assert_eq!(read(store, store::applied).await, NEWEST);
        }
        assert_eq!(names(&stores[0]).await.len(), INSTANCES);
    });
}
