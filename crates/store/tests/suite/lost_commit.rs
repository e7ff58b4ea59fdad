//! `PostgreSQL`: the connection breaks after the server has committed, and before it could say so.

use crate::db::{Db, company, history_key, run, write};
use crate::lossy_relay::LossyRelay;
use crate::sample::{at, folios, lease, origin, whole_history};
use domain::event::DocumentRef;
use domain::{Channel, Delivery, DocumentId, Event, EventKind, SignerIndex};
use store::{CodeMessage, Error, SendOutcome, Settings, SettledMessage, Store};

struct Lossy {
    relay: LossyRelay,
    store: Store,
    _db: Db,
}

impl Lossy {
    fn new() -> Self {
        let db = Db::postgres();
        let Settings::Postgres(url) = &db.settings else {
            unreachable!()
        };
        let relay = LossyRelay::to(url);
        let store = Store::open(&Settings::Postgres(relay.url(url)), Some(history_key())).unwrap();
        Self {
            relay,
            store,
            _db: db,
        }
    }
}

#[test]
fn a_commit_without_an_answer_is_unconfirmed_and_done() {
    let lossy = Lossy::new();
    run(async {
        lossy.relay.lose_next_commit();
        let lost = write(&lossy.store, |tx| tx.add_company("Perhaps", at(0))).await;
        assert!(matches!(lost, Err(Error::Unconfirmed(_))), "{lost:?}");
        let again = write(&lossy.store, |tx| tx.add_company("Perhaps", at(0))).await;
        assert!(matches!(again, Err(Error::Duplicate(_))), "{again:?}");
    });
}

#[test]
fn an_attempt_that_is_settled_again_is_one_event() {
    for outcome in [
        SendOutcome::Sent { at: at(50) },
        SendOutcome::Postponed {
            at: at(50),
            until: at(60),
            reason: "later".to_owned(),
        },
        SendOutcome::Dead {
            reason: "no".to_owned(),
        },
    ] {
        settled_twice(&outcome);
    }
}

#[test]
fn the_outcome_of_a_code_for_several_folios_is_one_event_in_each() {
    let lossy = Lossy::new();
    run(async {
        let company = company(&lossy.store, "Several").await;
        let ids = folios(&lossy.store, company, 3).await;
        let (first, others) = (ids[0], [(ids[1], SignerIndex(0)), (ids[2], SignerIndex(1))]);
        let queued = write(&lossy.store, move |tx| {
            let folio = tx.lock_folios(company, &[first])?.pop().unwrap();
            tx.queue_code(&CodeMessage {
                company,
                folio: folio.seq,
                signer: SignerIndex(0),
                others: &others,
                bulk: None,
                session: domain::SignerSessionId::from_bytes([5; 16]),
                channel: Channel::Email,
                recipient: "a@example.com",
                code: domain::CodeId::from_bytes([6; 16]),
                secret: b"sealed",
                at: at(5),
            })
        });
        queued.await.unwrap();
        let taken = write(&lossy.store, |tx| tx.take_codes(at(10), &lease(10, 110), 8)).await;
        let leased = taken.unwrap().pop().unwrap();
        assert_eq!(leased.others, others);
        let events = [(first, SignerIndex(0))].into_iter().chain(others);
        let settled = SettledMessage {
            seq: leased.seq,
            attempt: leased.attempt,
            recipient: leased.recipient.clone(),
            outcome: SendOutcome::Sent { at: at(50) },
            events: events.map(|(folio, _)| (folio, delivered(&leased))).collect(),
        };
        let settle = async || {
            let settled = settled.clone();
            write(&lossy.store, move |tx| tx.settle_messages(&[settled])).await
        };
        lossy.relay.lose_next_commit();
        assert!(matches!(settle().await, Err(Error::Unconfirmed(_))));
        settle().await.unwrap();
        for id in ids {
            let history = whole_history(&lossy.store, company, id).await;
            assert_eq!(history, ["created", "delivered"]);
        }
    });
}

fn settled_twice(outcome: &SendOutcome) {
    let lossy = Lossy::new();
    run(async {
        let company = company(&lossy.store, "Twice").await;
        let id = folios(&lossy.store, company, 1).await[0];
        let leased = write(&lossy.store, |tx| tx.take_messages(at(10), &lease(10, 110), 8, 8))
            .await
            .unwrap();
        let settled: Vec<SettledMessage> = leased
            .iter()
            .map(|leased| SettledMessage {
                seq: leased.seq,
                attempt: leased.attempt,
                recipient: leased.recipient.clone(),
                outcome: outcome.clone(),
                events: vec![(leased.folio, delivered(leased))],
            })
            .collect();
        let settle = async || {
            let settled = settled.clone();
            write(&lossy.store, move |tx| tx.settle_messages(&settled)).await
        };
        lossy.relay.lose_next_commit();
        let lost = settle().await;
        assert!(matches!(lost, Err(Error::Unconfirmed(_))), "{lost:?}");
        settle().await.unwrap();
        let history = whole_history(&lossy.store, company, id).await;
        assert_eq!(history, ["created", "delivered", "delivered"], "{outcome:?}");
    });
}

fn delivered(leased: &store::LeasedMessage) -> Event {
    Event {
        at: at(50),
        origin: origin(),
        what: EventKind::Delivered {
            reply: None,
            delivery: Delivery {
                signer: leased.signer,
                template: leased.template,
                channel: leased.channel,
                recipient: leased.recipient.clone(),
                message_id: format!("{}@x", leased.seq),
                attempt: leased.attempt,
                code: None,
            },
        },
    }
}

#[test]
fn what_may_have_been_appended_is_looked_for() {
    let lossy = Lossy::new();
    run(async {
        let company = company(&lossy.store, "Downloads").await;
        let id = folios(&lossy.store, company, 1).await[0];
        let download = |second| {
            let document = DocumentRef {
                document: DocumentId::from_bytes([3; 16]),
                sha256: "00".repeat(32),
            };
            let what = EventKind::Downloaded { document };
            let event = Event {
                at: at(second),
                origin: origin(),
                what,
            };
            (id, event)
        };
        let first = vec![download(20), download(21)];
        lossy.relay.lose_next_commit();
        let events = first.clone();
        let lost = write(&lossy.store, move |tx| tx.append_events(&events)).await;
        assert!(matches!(lost, Err(Error::Unconfirmed(_))), "{lost:?}");
        let events = [first, vec![download(22)]].concat();
        write(&lossy.store, move |tx| tx.append_missing_events(&events))
            .await
            .unwrap();
        let history = whole_history(&lossy.store, company, id).await;
        assert_eq!(history, ["created", "downloaded", "downloaded", "downloaded"]);
    });
}
