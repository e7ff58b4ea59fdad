//! Keys, and their use.

use crate::db::{Db, all_at_once, company, read, run, write};
use crate::sample::at;
use domain::{CompanyId, KeyId, Timestamp};
use store::{KeyHash, Store};

pub(crate) const fn id(number: u8) -> KeyId {
    KeyId::from_bytes([number; 16])
}

/// Keys whose hashes begin alike, so that all are found in one place.
pub(crate) fn secret(number: u8) -> KeyHash {
    let mut hash = [9; 32];
    hash[31] = number;
    KeyHash { hash }
}

pub(crate) async fn add(store: &Store, company: CompanyId, number: u8, expires_at: Option<Timestamp>) {
    let added = write(store, move |tx| {
        tx.add_key(
            id(number),
            company,
            "for tests",
            &secret(number),
            at(i64::from(number)),
            expires_at,
        )
    });
    added.await.unwrap();
}

async fn admitted(store: &Store, number: u8, second: i64) -> Option<(KeyId, CompanyId)> {
    let live = read(store, move |tx| tx.live_key(&secret(number), at(second))).await;
    live.map(|live| (live.id, live.company))
}

pub(crate) fn a_key_admits_while_it_is_live(db: &Db) {
    let stores = db.open_many(2);
    let store = &stores[0];
    run(async {
        let (ours, theirs) = (company(store, "Ours").await, company(store, "Theirs").await);
        add(store, ours, 1, None).await;
        add(store, ours, 2, Some(at(100))).await;
        add(store, theirs, 3, None).await;
        assert_eq!(admitted(store, 1, 1_000_000).await, Some((id(1), ours)));
        assert_eq!(admitted(store, 2, 99).await, Some((id(2), ours)));
        assert_eq!(admitted(store, 2, 100).await, None, "expired");
        assert_eq!(admitted(store, 3, 0).await, Some((id(3), theirs)));
        assert_eq!(admitted(store, 4, 0).await, None, "only the beginning is right");
        assert_eq!(read(store, |tx| tx.key_with_hash(&secret(2))).await, Some(id(2)));
        assert_eq!(read(store, |tx| tx.key_with_hash(&secret(4))).await, None);

        assert!(write(store, |tx| tx.revoke_key(id(1), at(50))).await.unwrap());
        assert_eq!(admitted(&stores[1], 1, 0).await, None, "at once, everywhere");
        assert!(!write(store, |tx| tx.revoke_key(id(1), at(60))).await.unwrap());
        assert!(!write(store, |tx| tx.revoke_key(id(4), at(60))).await.unwrap());
        let listed = read(store, move |tx| tx.keys_of(ours)).await;
        assert_eq!(
            listed.iter().map(|key| key.id).collect::<Vec<_>>(),
            [id(1), id(2)]
        );
        assert_eq!(
            (listed[0].revoked_at, listed[1].expires_at),
            (Some(at(50)), Some(at(100)))
        );
        assert_eq!((&*listed[0].company, &*listed[0].label), ("Ours", "for tests"));
    });
}

pub(crate) fn keys_are_noted_by_several_instances_at_once(db: &Db) {
    const KEYS: u8 = 100;
    let stores = db.open_many(3);
    run(async {
        let company = company(&stores[0], "Busy").await;
        for number in 0..KEYS {
            add(&stores[0], company, number, None).await;
        }
        let tasks = (0..12_u8).map(|task| {
            let store = stores[usize::from(task % 3)].clone();
            async move {
                for round in 0..5 {
                    let mut used: Vec<_> = (0..KEYS).map(|number| (id(number), at(round))).collect();
                    used.rotate_left(usize::from(task * 7));
                    if task % 2 == 0 {
                        used.reverse();
                    }
                    write(&store, move |tx| tx.record_key_use(&used)).await.unwrap();
                }
            }
        });
        all_at_once(tasks).await;
        let listed = read(&stores[0], move |tx| tx.keys_of(company)).await;
        assert_eq!(listed.len(), usize::from(KEYS));
        assert!(listed.iter().all(|key| key.last_used_at.is_some()));
    });
}
