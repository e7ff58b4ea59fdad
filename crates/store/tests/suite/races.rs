//! Acts on the same folios at the same moment, by several instances.

use crate::db::{Db, all_at_once, company, read, run, write};
use crate::sample::{act, at, cancel, details, folios, origin, resend, stored, whole_history};
use domain::{FolioState, SignerIndex, Template};
use store::Error;

pub(crate) fn racing_cancels_have_one_winner(db: &Db) {
    let stores = db.open_many(3);
    run(async {
        let company = company(&stores[0], "Racing").await;
        for id in folios(&stores[0], company, 4).await {
            let racers = (0..16).map(|racer| {
                let store = stores[racer % 3].clone();
                async move { act(&store, company, vec![id], cancel).await.unwrap() }
            });
            let winners: Vec<_> = all_at_once(racers).await.concat();
            assert_eq!(winners, [id]);
            assert_eq!(
                whole_history(&stores[0], company, id).await,
                ["created", "cancelled"]
            );
            let messages = read(&stores[0], move |tx| tx.messages_of(company, id)).await;
            let told = messages
                .iter()
                .filter(|message| message.template == Template::Cancelled);
            assert_eq!(told.count(), 2, "each signer is told once");
        }
    });
}

pub(crate) fn cancel_against_sign_has_one_winner(db: &Db) {
    let stores = db.open_many(2);
    run(async {
        let company = company(&stores[0], "Sign").await;
        for id in folios(&stores[0], company, 8).await {
            act(&stores[0], company, vec![id], |folio| {
                folio.sign(
                    SignerIndex(0),
                    &folio.signers[0].contact,
                    details(),
                    origin(),
                    at(5),
                )
            })
            .await
            .unwrap();
            let racers = (0..8).map(|racer| {
                let store = stores[racer / 2 % 2].clone();
                async move {
                    let won = match racer % 2 {
                        0 => act(&store, company, vec![id], cancel).await,
                        _ => {
                            act(&store, company, vec![id], |folio| {
                                folio.sign(
                                    SignerIndex(1),
                                    &folio.signers[1].contact,
                                    details(),
                                    origin(),
                                    at(6),
                                )
                            })
                            .await
                        }
                    };
                    won.unwrap().first().map(|_| racer % 2 == 0)
                }
            });
            let winners: Vec<bool> = all_at_once(racers).await.into_iter().flatten().collect();
            let [cancelled] = winners[..] else {
                panic!("{winners:?}")
            };
            let state = stored(&stores[1], company, id).await.folio.state;
            let history = whole_history(&stores[1], company, id).await;
            if cancelled {
                assert_eq!(state, FolioState::Cancelled);
                assert_eq!(history, ["created", "signed", "cancelled"]);
            } else {
                assert_eq!(state, FolioState::Signed);
                assert_eq!(history, ["created", "signed", "signed", "completed"]);
            }
        }
    });
}

pub(crate) fn cancel_against_resend_leaves_a_whole_history(db: &Db) {
    let stores = db.open_many(2);
    run(async {
        let company = company(&stores[0], "Resend").await;
        for id in folios(&stores[0], company, 4).await {
            let racers = (0..12).map(|racer| {
                let store = stores[racer % 2].clone();
                async move {
                    if racer == 5 {
                        let cancelled = act(&store, company, vec![id], cancel).await.unwrap();
                        assert_eq!(cancelled, [id], "a resend ends nothing");
                        return 0;
                    }
                    act(&store, company, vec![id], resend).await.unwrap().len()
                }
            });
            let resent: usize = all_at_once(racers).await.into_iter().sum();
            let mut history = whole_history(&stores[0], company, id).await;
            assert_eq!(
                history.pop().unwrap(),
                "cancelled",
                "nothing is resent afterwards"
            );
            assert_eq!(history.iter().filter(|what| *what == "resent").count(), resent);
            let folio = stored(&stores[0], company, id).await.folio;
            assert_eq!(folio.state, FolioState::Cancelled);
            let messages = read(&stores[0], move |tx| tx.messages_of(company, id)).await;
            let last = messages.last().unwrap();
            assert_eq!(
                (last.template, &*last.recipient),
                (Template::Cancelled, folio.signers[1].contact.email.as_str())
            );
        }
    });
}

pub(crate) fn overlapping_cancels_in_opposite_order_both_end(db: &Db) {
    let stores = db.open_many(2);
    run(async {
        let company = company(&stores[0], "Overlapping").await;
        for _ in 0..3 {
            let ids = folios(&stores[0], company, 70).await;
            let mut backwards = ids[20..].to_vec();
            backwards.reverse();
            let lists = [
                ids[..50].to_vec(),
                backwards,
                ids[..50].to_vec(),
                ids[20..].to_vec(),
            ];
            let racers = lists.into_iter().enumerate().map(|(racer, list)| {
                let store = stores[racer % 2].clone();
                async move { act(&store, company, list, cancel).await.unwrap() }
            });
            let mut cancelled = all_at_once(racers).await.concat();
            cancelled.sort_unstable();
            let mut all = ids.clone();
            all.sort_unstable();
            assert_eq!(cancelled, all, "each exactly once");
        }
    });
}

pub(crate) fn a_change_made_from_an_old_state_is_refused(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Stale").await;
        let ids = folios(&store, company, 3).await;
        let mut unlocked = Vec::new();
        for id in &ids {
            unlocked.push(stored(&store, company, *id).await);
        }
        // One moved on to another state, one only got an event, one stayed.
        act(&store, company, vec![ids[0]], cancel).await.unwrap();
        act(&store, company, vec![ids[1]], resend).await.unwrap();
        for (place, applied) in [(0, false), (1, false), (2, true)] {
            // Together with one that has not changed: all or nothing.
            let pair = [unlocked[place].clone(), unlocked[2].clone()];
            let outcome = write(&store, move |tx| {
                let both = if place == 2 { &pair[..1] } else { &pair[..] };
                let changes: Vec<_> = both
                    .iter()
                    .map(|old| (old, cancel(&old.folio).unwrap()))
                    .collect();
                tx.apply(company, at(20), &changes)
            })
            .await;
            if applied {
                outcome.unwrap();
            } else {
                assert!(matches!(outcome, Err(Error::Stale)), "{outcome:?}");
            }
        }
        assert_eq!(
            whole_history(&store, company, ids[0]).await,
            ["created", "cancelled"]
        );
        assert_eq!(
            whole_history(&store, company, ids[1]).await,
            ["created", "resent"]
        );
        assert_eq!(
            whole_history(&store, company, ids[2]).await,
            ["created", "cancelled"]
        );
    });
}
