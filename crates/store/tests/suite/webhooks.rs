//! Webhooks: each company's own, planned at a constant cost, taken by one.

use crate::db::{Db, company, run, write};
use crate::sample::{Distinct, at, folios, lease};
use domain::{CompanyId, DeliveryId, WantedKinds, WebhookId, WebhookKind};
use store::{
    DeliveryDetails, DeliveryRow, DeliveryState, Error, FolioRow, LeasedWebhook, NewWebhook, Replay,
    Replayed, SettledWebhook, Store, Tx, WebhookDelivery, WebhookEndpointRow, WebhookEvent, WebhookOutcome,
    WebhookRow,
};

const WEBHOOK: WebhookId = WebhookId::from_bytes([1; 16]);
const DELIVERY: DeliveryId = DeliveryId::from_bytes([2; 16]);

fn add(tx: &mut Tx<'_>, company: CompanyId, id: WebhookId) -> Result<bool, Error> {
    add_wanting(tx, company, id, &WantedKinds::All, 2)
}

fn add_wanting(
    tx: &mut Tx<'_>,
    company: CompanyId,
    id: WebhookId,
    kinds: &WantedKinds,
    max: usize,
) -> Result<bool, Error> {
    let new = NewWebhook {
        id,
        address: "https://example.com/",
        label: "label",
        kinds,
        secret: b"sealed",
        at: at(0),
    };
    tx.add_webhook(company, &new, max)
}

/// Queues that many test events, due now.
fn trials(tx: &mut Tx<'_>, company: CompanyId, id: WebhookId, count: usize) -> Result<(), Error> {
    for _ in 0..count {
        assert!(tx.queue_test_delivery(company, id, DeliveryId::random(&mut Distinct), at(1))?);
    }
    Ok(())
}

fn attempted(leased: &LeasedWebhook, webhook_outcome: WebhookOutcome) -> SettledWebhook {
    SettledWebhook {
        seq: leased.seq,
        attempt: leased.attempt,
        endpoint: leased.endpoint,
        at: at(5),
        millis: 7,
        status: Some(500),
        error: None,
        response: Some("no\u{1b}".to_owned()),
        body: Some("{}".to_owned()),
        webhook_outcome,
        disable: None,
    }
}

/// The webhook and its deliveries, newest first.
fn seen(tx: &mut Tx<'_>, company: CompanyId) -> Result<(WebhookRow, Vec<WebhookDelivery>), Error> {
    let webhook = tx.webhook(company, WEBHOOK)?.unwrap();
    Ok((webhook, tx.deliveries_to(company, WEBHOOK, DeliveryRow::MAX, 9)?))
}

async fn two(store: &Store) -> (CompanyId, CompanyId) {
    (company(store, "Ours").await, company(store, "Theirs").await)
}

pub(crate) fn no_company_reaches_anothers_webhooks(db: &Db) {
    let store = db.open();
    run(async {
        let (ours, theirs) = two(&store).await;
        write(&store, move |tx| {
            assert!(add(tx, theirs, WEBHOOK)?);
            assert!(tx.queue_test_delivery(theirs, WEBHOOK, DELIVERY, at(1))?);
            let seq = tx.deliveries_to(theirs, WEBHOOK, DeliveryRow::MAX, 9)?[0].seq;
            let taken = tx.take_webhooks(at(1), &lease(1, 9), 9, 36, &[])?;
            assert_eq!(taken.len(), 1);

            assert!(tx.webhooks(ours)?.is_empty() && tx.webhook(ours, WEBHOOK)?.is_none());
            assert!(tx.deliveries_to(ours, WEBHOOK, DeliveryRow::MAX, 9)?.is_empty());
            assert!(tx.attempts_at(ours, &[seq], 9)?.is_empty());
            assert_eq!(tx.delivery_details(ours, DELIVERY)?, None);
            assert!(!tx.disable_webhook(ours, WEBHOOK, at(2))?);
            assert!(!tx.enable_webhook(ours, WEBHOOK)?);
            let signed = WantedKinds::choose(&[WebhookKind::Signed]).unwrap();
            assert!(!tx.set_webhook_kinds(ours, WEBHOOK, &signed)?);
            assert!(!tx.rotate_webhook(ours, WEBHOOK, b"other", at(2))?);
            assert_eq!(tx.resend_delivery(ours, DELIVERY, at(2))?, None);
            assert_eq!(tx.replay_deliveries(ours, WEBHOOK, Replay::Dead, 9, at(2))?, None);
            assert_eq!(tx.resend_delivery(theirs, DELIVERY, at(2))?, Some(WEBHOOK));
            assert!(!tx.queue_test_delivery(ours, WEBHOOK, DeliveryId::from_bytes([3; 16]), at(2))?);
            assert!(!tx.remove_webhook(ours, WEBHOOK, at(2))?);
            assert!(!tx.rename_company(CompanyId(0), "Nobody's")?);
            assert_eq!(tx.webhooks(theirs)?.len(), 1);
            let webhook = tx.webhook(theirs, WEBHOOK)?.unwrap();
            assert_eq!((webhook.disabled_at, webhook.kinds), (None, WantedKinds::All));
            Ok(())
        })
        .await
        .unwrap();
    });
}

pub(crate) fn planned_events_go_to_enabled_endpoints(db: &Db) {
    let store = db.open();
    run(async {
        let (ours, theirs) = two(&store).await;
        let ids = folios(&store, ours, 2).await;
        write(&store, move |tx| {
            let numbers: Vec<FolioRow> = tx.folios(ours, &ids)?.iter().map(|stored| stored.seq).collect();
            let told = |folio: FolioRow| WebhookEvent {
                company: ours,
                folio,
                kind: WebhookKind::Created,
                event: 1,
                at: at(1),
            };
            let told: Vec<WebhookEvent> = numbers.iter().map(|seq| told(*seq)).collect();
            assert_eq!(tx.plan_webhooks(&told, at(2), &mut Distinct)?, 0);
            assert!(add(tx, theirs, WEBHOOK)?);
            assert_eq!(tx.plan_webhooks(&told, at(2), &mut Distinct)?, 0);
            let (one, two) = (WebhookId::from_bytes([5; 16]), WebhookId::from_bytes([6; 16]));
            assert!(add(tx, ours, one)? && add(tx, ours, two)?);
            assert!(!add(tx, ours, WebhookId::from_bytes([7; 16]))?, "two are enough");
            assert!(tx.disable_webhook(ours, two, at(1))?);
            assert_eq!(tx.plan_webhooks(&told, at(2), &mut Distinct)?, 2);
            assert!(tx.enable_webhook(ours, two)?);
            assert_eq!(tx.plan_webhooks(&told, at(2), &mut Distinct)?, 4);

            let taken = tx.take_webhooks(at(2), &lease(2, 9), 9, 36, &[])?;
            assert_eq!(taken.len(), 6);
            assert!(taken.iter().all(|one| one.folio.is_some() && one.attempt == 1));
            assert!(
                tx.take_webhooks(at(3), &lease(3, 9), 9, 36, &[])?.is_empty(),
                "they are taken"
            );
            assert_eq!(
                tx.take_webhooks(at(9), &lease(9, 19), 9, 36, &[])?.len(),
                6,
                "and free again"
            );
            let busy: Vec<WebhookEndpointRow> = taken.iter().map(|one| one.endpoint).collect();
            assert!(
                tx.take_webhooks(at(19), &lease(19, 29), 9, 36, &busy)?.is_empty(),
                "not to the busy"
            );
            assert!(tx.remove_webhook(ours, one, at(19))?);
            assert_eq!(tx.take_webhooks(at(19), &lease(19, 29), 9, 36, &[])?.len(), 2);
            assert!(tx.has_due_webhooks(at(2))? && !tx.has_due_webhooks(at(1))?);
            assert_eq!(tx.delete_old_deliveries(at(2), at(29), 9)?, 0);
            assert_eq!(
                tx.delete_old_deliveries(at(19), at(29), 9)?,
                2,
                "events that wait for no endpoint"
            );
            assert_eq!(tx.delete_old_deliveries(at(20), at(29), 9)?, 4, "what ended");
            Ok(())
        })
        .await
        .unwrap();
    });
}

pub(crate) fn an_endpoint_gets_the_kinds_that_it_wants(db: &Db) {
    let store = db.open();
    run(async {
        let ours = company(&store, "Ours").await;
        let ids = folios(&store, ours, 1).await;
        write(&store, move |tx| {
            let folio = tx.folios(ours, &ids)?[0].seq;
            let events = [
                WebhookKind::Created,
                WebhookKind::SignerSigned,
                WebhookKind::Signed,
            ];
            let events = events.map(|kind| WebhookEvent {
                company: ours,
                folio,
                kind,
                event: 1,
                at: at(1),
            });
            let ends = [WebhookKind::Rejected, WebhookKind::Signed];
            let ends = WantedKinds::choose(&ends).unwrap();
            assert!(add_wanting(tx, ours, WEBHOOK, &ends, 2)?);
            assert_eq!(tx.webhook(ours, WEBHOOK)?.unwrap().kinds, ends);
            assert_eq!(tx.plan_webhooks(&events[..2], at(2), &mut Distinct)?, 0);
            assert_eq!(tx.plan_webhooks(&events, at(2), &mut Distinct)?, 1);
            assert_eq!(seen(tx, ours)?.1[0].kind, "folio.signed");
            assert!(add(tx, ours, WebhookId::from_bytes([5; 16]))?);
            assert_eq!(
                tx.plan_webhooks(&events, at(2), &mut Distinct)?,
                4,
                "the other gets all"
            );
            assert!(
                tx.queue_test_delivery(ours, WEBHOOK, DELIVERY, at(2))?,
                "a test in any case"
            );

            let created = WantedKinds::choose(&[WebhookKind::Created]).unwrap();
            for (kinds, planned) in [(created, 2), (WantedKinds::All, 2)] {
                assert!(tx.set_webhook_kinds(ours, WEBHOOK, &kinds)?);
                assert_eq!(tx.webhook(ours, WEBHOOK)?.unwrap().kinds, kinds);
                assert_eq!(tx.plan_webhooks(&events[..1], at(2), &mut Distinct)?, planned);
            }
            Ok(())
        })
        .await
        .unwrap();
    });
}

pub(crate) fn an_attempt_counts_once_however_often_it_is_written_down(db: &Db) {
    let store = db.open();
    run(async {
        let ours = company(&store, "Ours").await;
        write(&store, move |tx| {
            assert!(add(tx, ours, WEBHOOK)?);
            trials(tx, ours, WEBHOOK, 4)?;
            let taken = tx.take_webhooks(at(1), &lease(1, 9), 9, 36, &[])?;
            let mut attempts = vec![
                attempted(&taken[0], WebhookOutcome::Sent),
                attempted(&taken[1], WebhookOutcome::Postponed(at(60))),
                attempted(&taken[2], WebhookOutcome::Dead),
                attempted(&taken[3], WebhookOutcome::Returned),
            ];
            attempts[2].disable = Some("failing".to_owned());
            tx.settle_webhooks(&attempts)?;
            let once = seen(tx, ours)?;
            assert_eq!(once.0.disabled_at, Some(at(5)));
            tx.settle_webhooks(&attempts)?;
            assert_eq!(seen(tx, ours)?, once);
            let seqs: Vec<DeliveryRow> = taken.iter().map(|one| one.seq).collect();
            let logged = tx.attempts_at(ours, &seqs, 9)?;
            assert_eq!(logged.len(), 3, "one was not made");
            assert!(
                logged
                    .iter()
                    .all(|one| one.response.as_deref() == Some("no\u{1b}"))
            );

            // Nor does it undo what was done meanwhile.
            assert!(tx.enable_webhook(ours, WEBHOOK)?);
            assert_eq!(tx.resend_delivery(ours, taken[0].id, at(6))?, Some(WEBHOOK));
            let again = tx.take_webhooks(at(6), &lease(6, 19), 9, 36, &[])?;
            let numbers: Vec<_> = again
                .iter()
                .map(|one| (one.seq, one.attempt - one.attempts_before))
                .collect();
            assert_eq!(numbers, [(seqs[0], 1), (seqs[3], 1)]);
            tx.settle_webhooks(&attempts)?;
            let (webhook, told) = seen(tx, ours)?;
            assert_eq!((webhook.disabled_at, webhook.failing_since), (None, None));
            assert_eq!(told[3].state, DeliveryState::Waiting, "it is being sent again");
            assert!(
                tx.take_webhooks(at(18), &lease(18, 29), 9, 36, &[])?.is_empty(),
                "and still held"
            );
            Ok(())
        })
        .await
        .unwrap();
    });
}

pub(crate) fn a_delivery_is_read_with_its_body_until_its_endpoint_is_removed(db: &Db) {
    let store = db.open();
    run(async {
        let ours = company(&store, "Ours").await;
        let ids = folios(&store, ours, 1).await;
        write(&store, move |tx| {
            assert!(add(tx, ours, WEBHOOK)?);
            let event = WebhookEvent {
                company: ours,
                folio: tx.folios(ours, &ids)?[0].seq,
                kind: WebhookKind::Created,
                event: 1,
                at: at(1),
            };
            assert_eq!(tx.plan_webhooks(&[event], at(2), &mut Distinct)?, 1);
            let delivery = seen(tx, ours)?.1.remove(0);
            let id = delivery.id;
            assert_eq!(delivery.folio, Some(ids[0]));
            let mut details = DeliveryDetails {
                delivery,
                webhook: WEBHOOK,
                happened_at: at(1),
                body: None,
            };
            assert_eq!(tx.delivery_details(ours, id)?.as_ref(), Some(&details));
            let taken = tx.take_webhooks(at(2), &lease(2, 9), 9, 36, &[])?;
            tx.settle_webhooks(&[attempted(&taken[0], WebhookOutcome::Sent)])?;
            details.delivery = seen(tx, ours)?.1.remove(0);
            details.body = Some("{}".to_owned());
            assert_eq!(details.delivery.state, DeliveryState::Sent);
            assert_eq!(tx.delivery_details(ours, id)?, Some(details));
            assert!(tx.remove_webhook(ours, WEBHOOK, at(9))?);
            assert_eq!(tx.delivery_details(ours, id)?, None);
            Ok(())
        })
        .await
        .unwrap();
    });
}

pub(crate) fn many_deliveries_are_sent_again_in_their_order(db: &Db) {
    let store = db.open();
    run(async {
        let ours = company(&store, "Ours").await;
        write(&store, move |tx| {
            assert!(add(tx, ours, WEBHOOK)?);
            let other = WebhookId::from_bytes([5; 16]);
            assert!(add(tx, ours, other)?);
            trials(tx, ours, other, 1)?;
            trials(tx, ours, WEBHOOK, 5)?;
            assert!(tx.queue_test_delivery(ours, WEBHOOK, DELIVERY, at(3))?);
            let taken = tx.take_webhooks(at(3), &lease(3, 9), 9, 36, &[])?;
            let outcome = |one: &LeasedWebhook| match one.seq.0 - taken[1].seq.0 {
                0 | 2 => WebhookOutcome::Sent,
                3 => WebhookOutcome::Postponed(at(60)),
                _ => WebhookOutcome::Dead,
            };
            let settled: Vec<_> = taken.iter().map(|one| attempted(one, outcome(one))).collect();
            tx.settle_webhooks(&settled)?;
            let seqs: Vec<DeliveryRow> = taken[1..].iter().map(|one| one.seq).collect();
            let states = |tx: &mut Tx<'_>| {
                let mut all = seen(tx, ours)?.1;
                all.reverse();
                let state = |one: WebhookDelivery| match one.state {
                    DeliveryState::Waiting if one.due_at == at(10) => 'n',
                    DeliveryState::Waiting => 'w',
                    DeliveryState::Sent => 's',
                    DeliveryState::Dead => 'd',
                };
                Ok::<String, Error>(all.into_iter().map(state).collect())
            };
            assert_eq!(states(tx)?, "sdswdd");

            // Those that were given up, no more than may be, the oldest first.
            let dead = |tx: &mut Tx<'_>| tx.replay_deliveries(ours, WEBHOOK, Replay::Dead, 2, at(10));
            let last = |queued, time, place: usize| {
                Some(Replayed {
                    queued,
                    last: Some((time, seqs[place])),
                })
            };
            assert_eq!(dead(tx)?, last(2, at(1), 4));
            assert_eq!(states(tx)?, "snswnd");
            assert_eq!(dead(tx)?, last(1, at(3), 5));
            assert_eq!(
                dead(tx)?,
                Some(Replayed {
                    queued: 0,
                    last: None
                })
            );

            // All of a time and later, from a place in their order on; what is due already is left out.
            let since = |tx: &mut Tx<'_>, time, seq, max| {
                tx.replay_deliveries(ours, WEBHOOK, Replay::After(time, seq), max, at(10))
            };
            let none = Some(Replayed {
                queued: 0,
                last: None,
            });
            assert_eq!(since(tx, at(2), DeliveryRow::ZERO, 9)?, none);
            assert_eq!(states(tx)?, "snswnn");
            assert_eq!(since(tx, at(1), DeliveryRow::ZERO, 1)?, last(1, at(1), 0));
            assert_eq!(since(tx, at(1), seqs[0], 9)?, last(2, at(1), 3));
            assert_eq!(states(tx)?, "nnnnnn");

            // They keep their identifiers, and have all their attempts again.
            let again = tx.take_webhooks(at(10), &lease(10, 19), 9, 36, &[])?;
            let ids = |all: &[LeasedWebhook]| all.iter().map(|one| one.id).collect::<Vec<_>>();
            assert_eq!(ids(&again), ids(&taken[1..]));
            let made: Vec<i64> = again
                .iter()
                .map(|one| one.attempt - one.attempts_before)
                .collect();
            assert_eq!(made, [1, 1, 1, 2, 1, 1], "one was not given up");
            assert!(again.iter().all(|one| one.body.as_deref() == Some("{}")));

            assert!(tx.disable_webhook(ours, WEBHOOK, at(11))?);
            assert_eq!(dead(tx)?, None);
            assert_eq!(since(tx, at(1), DeliveryRow::ZERO, 9)?, None);
            let others = tx.deliveries_to(ours, other, DeliveryRow::MAX, 9)?;
            assert_eq!(others[0].state, DeliveryState::Dead, "another endpoint's");
            Ok(())
        })
        .await
        .unwrap();
    });
}

pub(crate) fn leased_deliveries_are_not_deleted(db: &Db) {
    let store = db.open();
    run(async {
        let ours = company(&store, "Ours").await;
        write(&store, move |tx| {
            assert!(add(tx, ours, WEBHOOK)?);
            trials(tx, ours, WEBHOOK, 2)?;
            let taken = tx.take_webhooks(at(1), &lease(1, 9), 1, 9, &[])?;
            assert_eq!(tx.delete_old_deliveries(at(8), at(8), 9)?, 1, "the other one");
            tx.settle_webhooks(&[attempted(&taken[0], WebhookOutcome::Postponed(at(60)))])?;
            assert_eq!(tx.attempts_at(ours, &[taken[0].seq], 9)?.len(), 1);

            // An instance that comes back after its lease settles what is gone, and is not stopped by it.
            let late = tx.take_webhooks(at(60), &lease(60, 69), 1, 9, &[])?;
            assert_eq!(tx.delete_old_deliveries(at(70), at(70), 9)?, 1);
            tx.settle_webhooks(&[attempted(&late[0], WebhookOutcome::Sent)])?;
            assert_eq!(seen(tx, ours)?.1, []);
            Ok(())
        })
        .await
        .unwrap();
    });
}

pub(crate) fn deliveries_to_a_disabled_or_removed_endpoint_are_not_taken(db: &Db) {
    let store = db.open();
    let ours = run(async {
        let ours = company(&store, "Ours").await;
        write(&store, move |tx| {
            assert!(add(tx, ours, WEBHOOK)?);
            trials(tx, ours, WEBHOOK, 3)?;
            assert_eq!(tx.webhooks_backlog()?, (3, 0));
            assert!(tx.has_due_webhooks(at(1))? && tx.disable_webhook(ours, WEBHOOK, at(1))?);
            assert!(!tx.has_due_webhooks(at(1))?);
            assert_eq!(tx.webhooks_backlog()?, (0, 0), "nothing is wrong with them");
            assert!(tx.take_webhooks(at(1), &lease(1, 9), 9, 36, &[])?.is_empty());
            assert!(tx.enable_webhook(ours, WEBHOOK)?);
            assert!(tx.has_due_webhooks(at(1))?);
            assert_eq!(tx.take_webhooks(at(1), &lease(1, 9), 2, 9, &[])?.len(), 2);
            Ok(())
        })
        .await
        .unwrap();
        ours
    });
    // What is planned at the moment of a removal is left behind.
    db.raw("UPDATE webhook_endpoints SET removed_at = 1");
    run(async {
        write(&store, move |tx| {
            assert!(!tx.has_due_webhooks(at(9))?);
            assert!(tx.take_webhooks(at(9), &lease(9, 19), 9, 36, &[])?.is_empty());
            assert_eq!(tx.webhooks(ours)?, []);
            Ok(())
        })
        .await
        .unwrap();
    });
}

pub(crate) fn a_company_whose_receivers_are_slow_leaves_room_for_others(db: &Db) {
    let store = db.open();
    run(async {
        let (ours, theirs) = two(&store).await;
        write(&store, move |tx| {
            for number in 10..20 {
                let id = WebhookId::from_bytes([number; 16]);
                assert!(add_wanting(tx, theirs, id, &WantedKinds::All, 10)?);
                trials(tx, theirs, id, 6)?;
            }
            assert!(add(tx, ours, WEBHOOK)?);
            assert!(tx.queue_test_delivery(ours, WEBHOOK, DELIVERY, at(2))?);

            let first = tx.take_webhooks(at(2), &lease(2, 9), 16, 8, &[])?;
            assert_eq!(first.len(), 9, "a share of theirs, and ours");
            assert_eq!(first.iter().filter(|one| one.id == DELIVERY).count(), 1);
            assert!(
                tx.take_webhooks(at(3), &lease(3, 9), 7, 8, &[])?.is_empty(),
                "theirs wait"
            );

            // Ours does not stand behind theirs the next time, either.
            tx.settle_webhooks(&[attempted(&first[8], WebhookOutcome::Postponed(at(4)))])?;
            let next = tx.take_webhooks(at(4), &lease(4, 9), 8, 8, &[])?;
            assert_eq!(next.iter().map(|one| one.id).collect::<Vec<_>>(), [DELIVERY]);
            // One of theirs has ended: the next has its place.
            tx.settle_webhooks(&[attempted(&first[0], WebhookOutcome::Sent)])?;
            assert_eq!(tx.take_webhooks(at(5), &lease(5, 9), 8, 8, &[])?.len(), 1);
            assert_eq!(
                tx.take_webhooks(at(9), &lease(9, 19), 16, 8, &[])?.len(),
                9,
                "leases end"
            );
            Ok(())
        })
        .await
        .unwrap();
    });
}
