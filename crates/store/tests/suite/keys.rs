//! Keys, and their use.

use crate::db::{Db, all_at_once, company, read, run, write};
use crate::sample::at;
use domain::{CompanyId, KeyId, Permission, Permissions, Timestamp};
use store::{KeyHash, NewKey, Store};

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
        tx.add_key(&NewKey {
            at: at(i64::from(number)),
            expires_at,
            ..new_key(id(number), company, &secret(number))
        })
    });
    added.await.unwrap();
}

/// A key that may be used for everything and has no end.
pub(crate) fn new_key(id: KeyId, company: CompanyId, hash: &KeyHash) -> NewKey<'_> {
    NewKey {
        id,
        company,
        label: "for tests",
        hash,
        hint: "begin…end",
        permissions: Permissions::ALL,
        at: at(0),
        expires_at: None,
    }
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
        assert_eq!(listed[0].hint, "begin…end");
    });
}

pub(crate) fn a_key_has_the_permissions_that_it_was_made_with(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Ours").await;
        let some = Permissions::new([Permission::Read, Permission::Evidence]).unwrap();
        add(&store, company, 1, None).await;
        write(&store, move |tx| {
            tx.add_key(&NewKey {
                permissions: some,
                ..new_key(id(2), company, &secret(2))
            })
        })
        .await
        .unwrap();
        let found = read(&store, move |tx| {
            let live = [tx.live_key(&secret(1), at(5))?, tx.live_key(&secret(2), at(5))?];
            Ok((live.map(|key| key.unwrap().permissions), tx.keys_of(company)?))
        });
        let (live, listed) = found.await;
        assert_eq!(live, [Permissions::ALL, some]);
        let listed: Vec<_> = listed.iter().map(|key| (key.id, key.permissions)).collect();
        assert_eq!(listed, [(id(2), some), (id(1), Permissions::ALL)]);
        let found = read(&store, move |tx| tx.key(company, id(2))).await;
        assert_eq!(found.unwrap().permissions, some);
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
