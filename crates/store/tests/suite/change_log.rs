//! The change log: every act writes a row, the projector takes each once, and counts are right before and after.

use crate::db::{Db, all_at_once, company, read, run, write};
use crate::sample::{act, at, cancel, details, folios, origin, resend, stored};
use domain::{
    ChangeKind, CompanyId, Delivery, Event, EventKind, Folio, FolioId, FolioState, SignerIndex, Template,
};
use std::collections::{BTreeSet, HashMap};
use store::{ChangeRow, DailyStat, FolioChange, FolioRow, HourlyFolioRange, Stat, Store};

async fn taken(store: &Store, most: usize) -> Vec<FolioChange> {
    write(store, move |tx| tx.take_changes(ChangeRow::ZERO, most))
        .await
        .unwrap()
}

async fn counts(store: &Store, company: CompanyId) -> HashMap<FolioState, i64> {
    let mut counts = read(store, move |tx| tx.state_counts(company)).await;
    counts.retain(|_, count| *count != 0);
    counts
}

fn sign(folio: &Folio, place: usize) -> Result<domain::Change, domain::Refusal> {
    folio.sign(
        SignerIndex(place),
        &folio.signers[place].contact,
        details(),
        origin(),
        at(10),
    )
}

/// Counts as the projector does.
async fn count(store: &Store, changed: Vec<FolioChange>) {
    let mut stats: HashMap<(CompanyId, Stat), i64> = HashMap::new();
    for one in changed {
        let (was, became) = one.moved().unwrap();
        *stats.entry((one.company, Stat::Entered(became))).or_default() += 1;
        if let Some(was) = was {
            *stats.entry((one.company, Stat::Left(was))).or_default() += 1;
        }
    }
    let day = 20_270_115;
    let stats: Vec<_> = stats
        .into_iter()
        .map(|((company, stat), value)| (company, DailyStat { stat, day, value }))
        .collect();
    write(store, move |tx| tx.add_daily_stats(&stats)).await.unwrap();
}

pub(crate) fn every_act_is_logged_with_its_states_and_history(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Ours").await;
        let id = folios(&store, company, 1).await[0];
        let seq = stored(&store, company, id).await.seq;
        act(&store, company, vec![id], resend).await.unwrap();
        for place in [0, 1] {
            act(&store, company, vec![id], move |folio| sign(folio, place))
                .await
                .unwrap();
        }
        act(&store, company, vec![id], |folio| {
            folio.approve(Vec::new(), origin(), at(11))
        })
        .await
        .unwrap();
        act(&store, company, vec![id], |folio| {
            folio.drop_finished(origin(), at(12))
        })
        .await
        .unwrap();
        let told: Vec<_> = taken(&store, 99)
            .await
            .into_iter()
            .map(|one| {
                assert_eq!((one.company, one.folio), (company, seq));
                (one.kind, one.moved(), one.history_from, one.history_to)
            })
            .collect();
        let (pending, signed) = (FolioState::Pending, FolioState::Signed);
        assert_eq!(
            told,
            [
                (ChangeKind::Created, Some((None, pending)), 0, 1),
                (ChangeKind::Resent, None, 1, 2),
                (ChangeKind::Signed, None, 2, 3),
                (ChangeKind::Completed, Some((Some(pending), signed)), 3, 5),
                (
                    ChangeKind::Approved,
                    Some((Some(signed), FolioState::Approved)),
                    5,
                    6
                ),
                (ChangeKind::Dropped, None, 6, 7),
            ]
        );
        assert!(!read(&store, |tx| tx.has_changes(ChangeRow::ZERO)).await);
    });
}

pub(crate) fn wrong_codes_and_lost_messages_are_logged_and_other_events_are_not(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Ours").await;
        let id = folios(&store, company, 1).await[0];
        taken(&store, 9).await;
        let delivery = Delivery {
            signer: SignerIndex(0),
            template: Template::Invitation,
            channel: domain::Channel::Email,
            recipient: "a@b.co".to_owned(),
            message_id: "m".to_owned(),
            attempt: 1,
            code: None,
        };
        let undelivered = |given_up| EventKind::Undelivered {
            delivery: delivery.clone(),
            reason: "no".to_owned(),
            given_up,
        };
        let refused = EventKind::CodeRefused {
            signer: SignerIndex(0),
            tries_left: 2,
            code: None,
        };
        let happened = [
            undelivered(false),
            EventKind::Delivered {
                delivery: delivery.clone(),
                reply: None,
            },
            undelivered(true),
            refused,
        ];
        let event = |what| Event {
            at: at(5),
            origin: origin(),
            what,
        };
        let events: Vec<(FolioId, Event)> = happened.into_iter().map(|what| (id, event(what))).collect();
        write(&store, move |tx| tx.append_events(&events)).await.unwrap();
        let told: Vec<_> = taken(&store, 9)
            .await
            .iter()
            .map(|one| (one.kind, one.became, one.history_to))
            .collect();
        assert_eq!(
            told,
            [
                (ChangeKind::Undelivered, None, 4),
                (ChangeKind::CodeRefused, None, 5)
            ]
        );
    });
}

pub(crate) fn racing_projectors_take_every_change_once(db: &Db) {
    let stores = db.open_many(3);
    run(async {
        let company = company(&stores[0], "Ours").await;
        folios(&stores[0], company, 60).await;
        let projector = |store: Store| async move {
            let mut all = Vec::new();
            loop {
                let lot = taken(&store, 7).await;
                if lot.is_empty() && !read(&store, |tx| tx.has_changes(ChangeRow::ZERO)).await {
                    return all;
                }
                all.extend(lot.into_iter().map(|one| one.seq));
            }
        };
        let lots = all_at_once(stores.iter().cloned().map(projector)).await;
        let all: Vec<ChangeRow> = lots.into_iter().flatten().collect();
        assert_eq!(all.len(), 60);
        assert_eq!(all.into_iter().collect::<BTreeSet<_>>().len(), 60);
    });
}

pub(crate) fn counts_are_true_before_and_after_the_projector(db: &Db) {
    let store = db.open();
    run(async {
        let (ours, theirs) = (company(&store, "Ours").await, company(&store, "Theirs").await);
        let ids = folios(&store, ours, 5).await;
        folios(&store, theirs, 3).await;
        let pending = |count| HashMap::from([(FolioState::Pending, count)]);
        assert_eq!(counts(&store, ours).await, pending(5));
        let lot = taken(&store, 6).await;
        count(&store, lot).await;
        assert_eq!(counts(&store, ours).await, pending(5));
        assert_eq!(counts(&store, theirs).await, pending(3));
        act(&store, ours, ids[..2].to_vec(), cancel).await.unwrap();
        let after = HashMap::from([(FolioState::Pending, 3), (FolioState::Cancelled, 2)]);
        assert_eq!(counts(&store, ours).await, after);
        let lot = taken(&store, 99).await;
        count(&store, lot).await;
        assert_eq!(counts(&store, ours).await, after);
        let days = read(&store, move |tx| tx.daily_stats(ours, 20_270_101, 20_270_131)).await;
        let cancelled = |one: &&DailyStat| one.stat == Stat::Entered(FolioState::Cancelled);
        assert_eq!(days.iter().find(cancelled).unwrap().value, 2);
        assert!(
            read(&store, move |tx| tx.daily_stats(ours, 0, 20_270_114))
                .await
                .is_empty()
        );
    });
}

pub(crate) fn projectors_add_to_the_same_stats_at_once(db: &Db) {
    let stores = db.open_many(3);
    run(async {
        let company = company(&stores[0], "Ours").await;
        let add = |store: Store| async move {
            for round in 0..20 {
                let stats: Vec<_> = Stat::all()
                    .map(|stat| {
                        let one = DailyStat {
                            stat,
                            day: 20_270_101,
                            value: 1,
                        };
                        (company, one)
                    })
                    .collect();
                let span = HourlyFolioRange {
                    company,
                    hour: 500_000,
                    oldest: FolioRow(100 - round),
                    newest: FolioRow(100 + round),
                };
                write(&store, move |tx| {
                    tx.record_hourly_ranges(&[span])?;
                    tx.add_daily_stats(&stats)
                })
                .await
                .unwrap();
            }
        };
        all_at_once(stores.iter().cloned().map(add)).await;
        let stats = read(&stores[0], move |tx| tx.daily_stats(company, 0, 99_999_999)).await;
        assert_eq!(stats.len(), Stat::all().count());
        assert!(stats.iter().all(|one| one.value == 60), "{stats:?}");
        let between = read(&stores[0], move |tx| {
            tx.folio_rows_between(company, 500_000, 500_000)
        })
        .await;
        assert_eq!(between, (Some(FolioRow(81)), Some(FolioRow(119))));
        let outside = read(&stores[0], move |tx| {
            Ok([
                tx.folio_rows_between(company, 500_001, 500_002)?,
                tx.folio_rows_between(company, 499_998, 499_999)?,
            ])
        })
        .await;
        let last = Some(FolioRow(119));
        assert_eq!(outside, [(last, last), (Some(FolioRow(81)), None)]);
    });
}
