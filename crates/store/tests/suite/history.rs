//! Events that are appended without a lock on their folio.

use crate::db::{Db, all_at_once, company, history_key, read, run, write};
use crate::sample::{act, at, created, folios, origin, resend, whole_history};
use domain::event::DocumentRef;
use domain::{DocumentId, Event, EventKind, FolioId};
use store::{Error, HistoryKey, Store, StoredEvent};

fn downloaded(second: i64) -> Event {
    let document = DocumentRef {
        document: DocumentId::from_bytes([3; 16]),
        sha256: "ab".repeat(32),
    };
    Event {
        at: at(second),
        origin: origin(),
        what: EventKind::Downloaded { document },
    }
}

pub(crate) fn appending_at_once_keeps_every_chain_whole(db: &Db) {
    const TASKS: usize = 12;
    const ROUNDS: usize = 6;
    let stores = db.open_many(3);
    run(async {
        let company = company(&stores[0], "Chains").await;
        let ids = folios(&stores[0], company, 5).await;
        let tasks = (0..TASKS).map(|task| {
            let (store, mut ids) = (stores[task % 3].clone(), ids.clone());
            // Every task in an order of its own, and each folio twice.
            ids.rotate_left(task % 5);
            if task % 2 == 0 {
                ids.reverse();
            }
            async move {
                for round in 0..ROUNDS {
                    let events: Vec<_> = ids.iter().chain(&ids).map(|id| (*id, downloaded(10))).collect();
                    write(&store, move |tx| tx.append_events(&events)).await.unwrap();
                    if task == 0 {
                        let resent = act(&store, company, vec![ids[round % 5]], resend).await.unwrap();
                        assert_eq!(resent.len(), 1);
                    }
                }
            }
        });
        all_at_once(tasks).await;
        let mut resent = 0;
        for id in ids {
            let history = whole_history(&stores[0], company, id).await;
            let of = |kind: &str| history.iter().filter(|what| *what == kind).count();
            assert_eq!(of("downloaded"), TASKS * ROUNDS * 2);
            resent += of("resent");
        }
        assert_eq!(resent, ROUNDS);
    });
}

pub(crate) fn an_event_has_a_code_that_the_database_cannot_make(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Codes").await;
        let folio = folios(&store, company, 1).await[0];
        act(&store, company, vec![folio], resend).await.unwrap();
        write(&store, move |tx| tx.append_events(&[(folio, downloaded(2))]))
            .await
            .unwrap();
        let events = read(&store, move |tx| tx.history_from(company, folio, 1, 10)).await;
        assert_eq!(events.len(), 3, "created, acted on, appended to");
        let (key, others) = (history_key(), HistoryKey::new(&[8; 32], |_| ()));
        for StoredEvent { event, mac } in events {
            let (number, hash, code) = (event.number, event.hash, mac.as_deref());
            assert!(key.wrote(folio, number, &hash, code), "{event:?}");
            assert!(!key.wrote(folio, number, &hash, None));
            assert!(!key.wrote(folio, number + 1, &hash, code));
            assert!(!key.wrote(FolioId::from_bytes([1; 16]), number, &hash, code));
            assert!(!key.wrote(folio, number, &[1; 32], code));
            assert!(!others.wrote(folio, number, &hash, code));
            assert!(
                !event.body.contains("192.0.2.1") && !event.body.contains("@ejemplo"),
                "{event:?}"
            );
            assert_eq!(event.full_body()["address"], "192.0.2.1");
            let body = serde_json::from_str(&event.body).unwrap();
            assert_eq!(domain::personal::check(&body, &event.values()), []);
        }
    });
}

pub(crate) fn no_event_is_written_without_the_key(db: &Db) {
    let store = db.open();
    let (company, folio) = run(async {
        let company = company(&store, "Keyless").await;
        (company, folios(&store, company, 1).await[0])
    });
    let keyless = Store::open(&db.settings, None).unwrap();
    run(async {
        let appended = write(&keyless, move |tx| tx.append_events(&[(folio, downloaded(2))])).await;
        assert!(matches!(appended, Err(Error::NoHistoryKey)), "{appended:?}");
        let acted = act(&keyless, company, vec![folio], resend).await;
        assert!(matches!(acted, Err(Error::NoHistoryKey)), "{acted:?}");
        let new = created(company, 1, &[[7; 32]]);
        let inserted = write(&keyless, move |tx| tx.insert_folio(&new, &[])).await;
        assert!(matches!(inserted, Err(Error::NoHistoryKey)), "{inserted:?}");
        assert_eq!(whole_history(&keyless, company, folio).await, ["created"]);
    });
    let alone = db
        .settings
        .write_dedicated(|tx| tx.append_events(&[(folio, downloaded(3))]));
    assert!(matches!(alone, Err(Error::NoHistoryKey)), "{alone:?}");
}

pub(crate) fn events_of_unknown_folios_are_passed_over(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Unknown").await;
        let known = folios(&store, company, 1).await[0];
        let unknown = FolioId::from_bytes([0xff; 16]);
        write(&store, move |tx| {
            tx.append_events(&[])?;
            tx.append_events(&[(unknown, downloaded(1))])?;
            tx.append_events(&[(unknown, downloaded(2)), (known, downloaded(3))])
        })
        .await
        .unwrap();
        assert_eq!(
            whole_history(&store, company, known).await,
            ["created", "downloaded"]
        );
    });
}
