//! Full queues, and transactions whose callers have gone.

use crate::db::{Db, names, run, write};
use crate::engine_gates::{Gate, hold_writers, poll_once, waiting};
use crate::sample::at;
use std::task::Poll;
use store::Error;

pub(crate) fn a_full_queue_is_busy_and_recovers(db: &Db) {
    let store = db.open();
    run(async {
        let (gate, mut accepted) = (Gate::default(), Vec::new());
        let mut refused = false;
        while !refused {
            assert!(accepted.len() < 10_000, "the queue has no end");
            let gate = gate.clone();
            let mut asked = Box::pin(write(&store, move |tx| {
                gate.pass();
                tx.company_names()
            }));
            match poll_once(asked.as_mut()) {
                Poll::Pending => accepted.push(asked),
                Poll::Ready(Err(Error::Busy)) => refused = true,
                Poll::Ready(other) => panic!("{other:?}"),
            }
        }
        assert!(store.queue_depths().writes >= 1000);
        assert_eq!(names(&store).await.len(), 0, "reads go on");
        gate.open();
        for asked in accepted {
            asked.await.unwrap();
        }
        write(&store, |tx| tx.company_names()).await.unwrap();
        assert_eq!((store.queue_depths().writes, store.queue_depths().reads), (0, 0));
    });
}

/// An instance whose heartbeat waits for longer than it lasts looks dead.
#[test]
fn on_a_server_an_urgent_write_waits_for_no_other() {
    let db = Db::postgres();
    let store = db.open();
    run(async {
        let gate = Gate::default();
        let held = hold_writers(&store, &gate);
        let urgent = store.write_urgent(|tx| tx.add_company("at once", at(0)));
        urgent.await.unwrap();
        gate.open();
        for held in held {
            held.await.unwrap();
        }
        assert_eq!(names(&store).await, ["at once"]);
    });
}

pub(crate) fn an_abandoned_transaction_is_not_begun(db: &Db) {
    let store = db.open();
    run(async {
        let gate = Gate::default();
        let held = hold_writers(&store, &gate);
        let given_up = waiting(&store, |tx| tx.add_company("given up", at(0)));
        drop(given_up);
        gate.open();
        for held in held {
            held.await.unwrap();
        }
        write(&store, |tx| tx.add_company("waited for", at(0)))
            .await
            .unwrap();
        assert_eq!(names(&store).await, ["waited for"]);
    });
}
