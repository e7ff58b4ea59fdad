//! Events that nobody locks a folio for.

use crate::db::{Db, all_at_once, company, run, write};
use crate::sample::{act, at, folios, origin, resend, whole_history};
use domain::history::DocumentRef;
use domain::{DocumentId, Event, FolioId, Happening};

fn downloaded(second: i64) -> Event {
    let document = DocumentRef {
        document: DocumentId::from_bytes([3; 16]),
        sha256: "ab".repeat(32),
    };
    Event {
        at: at(second),
        origin: origin(),
        what: Happening::Downloaded { document },
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
