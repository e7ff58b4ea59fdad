//! Messages leased, sent and settled by several instances at the same time.

use crate::db::{Db, all_at_once, company, read, run, write};
use crate::sample::{act, at, cancel, folios, lease, origin, signer, whole_history};
use domain::{Channel, Delivery, Event, EventKind, FolioId, SignerIndex, Template};
use std::collections::BTreeSet;
use store::{
    CodeMessage, DueTimes, LeasedMessage, Mail, MailRow, MessageRow, SendOutcome, SettledMessage, Store,
};

/// Takes for a lease of 100 seconds.
async fn take(store: &Store, second: i64, recipients: usize, more: usize) -> Vec<LeasedMessage> {
    write(store, move |tx| {
        tx.take_messages(at(second), &lease(second, second + 100), recipients, more)
    })
    .await
    .unwrap()
}

fn settled(leased: &LeasedMessage, outcome: SendOutcome) -> SettledMessage {
    let delivery = Delivery {
        signer: leased.signer,
        template: leased.template,
        channel: leased.channel,
        recipient: leased.recipient.clone(),
        message_id: format!("{}@x", leased.seq),
        attempt: leased.attempt,
        code: None,
    };
    let event = Event {
        at: at(50),
        origin: origin(),
        what: EventKind::Delivered {
            delivery,
            reply: None,
        },
    };
    SettledMessage {
        seq: leased.seq,
        attempt: leased.attempt,
        recipient: leased.recipient.clone(),
        events: (outcome != SendOutcome::Returned)
            .then_some((leased.folio, event))
            .into_iter()
            .collect(),
        outcome,
    }
}

async fn settle(store: &Store, settled: Vec<SettledMessage>) {
    write(store, move |tx| tx.settle_messages(&settled))
        .await
        .unwrap();
}

fn seqs(leased_rows: &[LeasedMessage]) -> Vec<MessageRow> {
    leased_rows.iter().map(|leased| leased.seq).collect()
}

pub(crate) fn a_message_is_taken_by_one_and_again_when_its_lease_ends(db: &Db) {
    let stores = db.open_many(2);
    run(async {
        let company = company(&stores[0], "Leases").await;
        let id = folios(&stores[0], company, 1).await[0];
        let first = take(&stores[0], 10, 8, 8).await;
        assert_eq!(first.len(), 2);
        let leased = &first[0];
        assert_eq!(
            (leased.folio, leased.template, leased.channel),
            (id, Template::Invitation, Channel::Email)
        );
        assert_eq!(
            (leased.company.as_str(), leased.documents, leased.attempt),
            ("Leases", 1, 1)
        );
        assert_eq!(leased.signer_name, "María Ñáñez 0");
        assert_eq!(take(&stores[1], 109, 8, 8).await, []);

        let again = take(&stores[1], 110, 8, 8).await;
        assert_eq!(seqs(&again), seqs(&first));
        assert_eq!(again[0].attempt, 2);
        // The first is late: what it could not send is no longer its business, what it sent has left.
        let late = SendOutcome::Dead {
            reason: "late".to_owned(),
        };
        settle(
            &stores[0],
            vec![
                settled(&first[0], late),
                settled(&first[1], SendOutcome::Sent { at: at(111) }),
            ],
        )
        .await;
        let waiting = read(&stores[0], |tx| tx.undelivered(false, MessageRow::ZERO, 10)).await;
        assert_eq!(
            waiting.iter().map(|one| one.seq).collect::<Vec<_>>(),
            [first[0].seq]
        );
        settle(
            &stores[1],
            vec![
                settled(&again[0], SendOutcome::Sent { at: at(112) }),
                settled(&again[1], SendOutcome::Returned),
            ],
        )
        .await;
        assert_eq!(
            read(&stores[0], |tx| tx.undelivered(false, MessageRow::ZERO, 10)).await,
            []
        );
        assert_eq!(
            read(&stores[0], |tx| tx.undelivered(true, MessageRow::ZERO, 10)).await,
            []
        );
        let history = whole_history(&stores[0], company, id).await;
        assert_eq!(history, ["created", "delivered", "delivered", "delivered"]);
    });
}

pub(crate) fn a_recipients_messages_are_taken_together_and_in_order(db: &Db) {
    let stores = db.open_many(2);
    run(async {
        let company = company(&stores[0], "Order").await;
        let ids = folios(&stores[0], company, 6).await;
        // Two recipients, six messages each: one recipient with three behind the first, then the other.
        let first = take(&stores[0], 10, 1, 3).await;
        assert_eq!(first.len(), 4);
        assert!(first.iter().all(|leased| leased.recipient == first[0].recipient));
        assert!(first.is_sorted_by_key(|leased| leased.seq));
        let second = take(&stores[1], 10, 8, 8).await;
        assert_eq!(second.len(), 6);
        assert!(second.iter().all(|leased| leased.recipient != first[0].recipient));
        assert_eq!(
            take(&stores[1], 11, 8, 8).await,
            [],
            "the rest stands behind what was taken"
        );

        let later = SendOutcome::Postponed {
            at: at(12),
            until: at(60),
            reason: "later".to_owned(),
        };
        let mut outcomes = vec![settled(&first[0], later)];
        outcomes.extend(
            first[1..]
                .iter()
                .map(|leased| settled(leased, SendOutcome::Returned)),
        );
        settle(&stores[0], outcomes).await;
        assert_eq!(take(&stores[1], 59, 8, 8).await, []);
        act(&stores[0], company, vec![ids[0]], cancel).await.unwrap();
        assert_eq!(
            take(&stores[1], 59, 8, 8).await,
            [],
            "a new one stands behind as well"
        );
        let again = take(&stores[1], 60, 8, 8).await;
        assert_eq!(again.len(), 7);
        assert_eq!(again[0].seq, first[0].seq);
        assert_eq!(
            (again[0].attempt, again[1].attempt),
            (2, 1),
            "what was not tried does not count"
        );
    });
}

pub(crate) fn from_whatever_time_a_poll_begins_no_message_passes_an_earlier_one(db: &Db) {
    let store = db.open();
    let poll = async |from: i64| {
        let (from, now) = (at(from), at(100));
        let taken = write(&store, move |tx| {
            tx.take_messages(DueTimes { from, now }, &lease(100, 200), 8, 8)
        });
        let taken = taken.await.unwrap();
        let first = signer(0).contact.email;
        let mine: Vec<_> = taken
            .iter()
            .filter(|one| one.recipient == first.as_str())
            .collect();
        let outcomes = taken.iter().map(|one| settled(one, SendOutcome::Returned));
        settle(&store, outcomes.collect()).await;
        mine.iter().map(|leased| leased.folio).collect::<Vec<_>>()
    };
    let ids = run(async {
        let company = company(&store, "Order").await;
        folios(&store, company, 3).await
    });
    // An instance whose clock is behind has written the second one.
    db.raw(
        "UPDATE outbox SET due_at = due_at + 60000000 WHERE folio IN (
             SELECT seq FROM folios ORDER BY seq LIMIT 1)",
    );
    db.raw(
        "UPDATE outbox SET due_at = due_at + 60000000 WHERE folio IN (
             SELECT seq FROM folios ORDER BY seq DESC LIMIT 1)",
    );
    run(async {
        assert_eq!(poll(0).await, ids);
        assert_eq!(poll(50).await, ids, "what stands between two is taken with them");
    });
    // Now the first one is of such an instance.
    db.raw(
        "UPDATE outbox SET due_at = due_at - 60000000 WHERE folio IN (
             SELECT seq FROM folios ORDER BY seq LIMIT 1)",
    );
    run(async {
        assert_eq!(poll(50).await, [], "the others wait until it is found");
        assert_eq!(poll(0).await, ids);
    });
}

pub(crate) fn codes_are_taken_before_messages_and_stand_behind_none(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Codes").await;
        let id = folios(&store, company, 1).await[0];
        let invited = signer(0).contact.email.as_str().to_owned();
        for recipient in ["+573001234567".to_owned(), invited] {
            let queued = write(&store, move |tx| {
                let folio = tx.lock_folios(company, &[id])?.pop().unwrap();
                tx.queue_code(&CodeMessage {
                    session: domain::SignerSessionId::from_bytes([5; 16]),
                    company,
                    folio: folio.seq,
                    signer: SignerIndex(0),
                    others: &[],
                    bulk: None,
                    channel: Channel::Sms,
                    recipient: &recipient,
                    code: domain::CodeId::from_bytes([6; 16]),
                    secret: b"sealed",
                    at: at(5),
                })
            });
            queued.await.unwrap();
        }
        let take_codes = |tx: &mut store::Tx<'_>| tx.take_codes(at(10), &lease(10, 110), 8);
        let codes = write(&store, take_codes).await.unwrap();
        assert_eq!(codes.len(), 2, "also where an invitation waits");
        assert_eq!(
            (codes[0].template, codes[0].recipient.as_str(), codes[0].attempt),
            (Template::Code, "+573001234567", 1)
        );
        assert_eq!(write(&store, take_codes).await.unwrap(), []);
        let rest = take(&store, 10, 8, 8).await;
        let templates: Vec<Template> = rest.iter().map(|leased| leased.template).collect();
        assert_eq!(templates, [Template::Invitation, Template::Invitation]);
    });
}

pub(crate) fn racing_takers_never_take_the_same_message(db: &Db) {
    const FOLIOS: usize = 40;
    let stores = db.open_many(3);
    run(async {
        let company = company(&stores[0], "Race").await;
        folios(&stores[0], company, FOLIOS).await;
        let tasks = (0..6).map(|task| {
            let store = stores[task % 3].clone();
            async move {
                let mut taken: Vec<MessageRow> = Vec::new();
                for _ in 0..200 {
                    let leased_rows = take(&store, 10, 1, 2).await;
                    taken.extend(seqs(&leased_rows));
                    let sent = leased_rows
                        .iter()
                        .map(|leased| settled(leased, SendOutcome::Sent { at: at(11) }));
                    settle(&store, sent.collect()).await;
                    let age = read(&store, |tx| tx.outbox_age()).await;
                    if age.waiting == 0 {
                        break;
                    }
                }
                taken
            }
        });
        let taken: Vec<MessageRow> = all_at_once(tasks).await.into_iter().flatten().collect();
        let once: BTreeSet<MessageRow> = taken.iter().copied().collect();
        assert_eq!((taken.len(), once.len()), (FOLIOS * 2, FOLIOS * 2));
    });
}

pub(crate) fn given_up_messages_are_listed_and_tried_again(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Dead").await;
        let id: FolioId = folios(&store, company, 1).await[0];
        let taken = take(&store, 10, 8, 8).await;
        let dead = |reason: &str| SendOutcome::Dead {
            reason: reason.to_owned(),
        };
        settle(
            &store,
            taken
                .iter()
                .map(|leased| settled(leased, dead("550 no")))
                .collect(),
        )
        .await;
        let listed = read(&store, |tx| tx.undelivered(true, MessageRow::ZERO, 10)).await;
        assert_eq!(listed.len(), 2);
        assert_eq!(
            (listed[0].folio, listed[0].last_error.as_deref()),
            (id, Some("550 no"))
        );
        assert_eq!(read(&store, |tx| tx.outbox_age()).await.given_up, 2);
        let seq = listed[0].seq;
        assert_eq!(
            write(&store, move |tx| tx.retry_messages(at(200), Some(&[seq])))
                .await
                .unwrap(),
            1
        );
        let again = take(&store, 200, 8, 8).await;
        assert_eq!((seqs(&again), again[0].retried_at), (vec![seq], Some(at(200))));
        assert_eq!(
            write(&store, move |tx| tx.retry_messages(at(300), None))
                .await
                .unwrap(),
            1
        );
    });
}

pub(crate) fn the_mailbox_keeps_the_newest(db: &Db) {
    let store = db.open();
    run(async {
        let mail = |number: i64| Mail {
            seq: MailRow::ZERO,
            message_id: format!("{number}@x"),
            channel: Channel::Sms,
            recipient: "+573001234567".to_owned(),
            subject: String::new(),
            text: format!("mensaje {number}"),
            html: String::new(),
            at: at(number),
        };
        for hundred in 0..6 {
            let mails: Vec<Mail> = (0..100).map(|number| mail(hundred * 100 + number)).collect();
            write(&store, move |tx| tx.put_into_mailbox(&mails))
                .await
                .unwrap();
        }
        let kept = read(&store, |tx| tx.mailbox(MailRow::ZERO, 1000)).await;
        assert_eq!((kept.len(), kept[0].text.as_str()), (500, "mensaje 599"));
        let newest = kept[0].seq;
        assert_eq!(
            read(&store, move |tx| tx.mailbox(MailRow(newest.0 - 2), 1000))
                .await
                .len(),
            2
        );
        assert_eq!(
            read(&store, move |tx| tx.mail(newest)).await,
            Some(kept[0].clone())
        );
    });
}
