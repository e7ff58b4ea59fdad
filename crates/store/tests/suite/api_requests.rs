//! The log of API requests.

use crate::db::{Db, company, read, run, write};
use crate::keys::{add, id, secret};
use crate::sample::at;
use domain::{CompanyId, KeyId};
use std::time::Duration;
use store::{ApiRequestFilter, LoggedApiRequest, Store};

/// A request that was answered at that second.
pub(crate) fn request(key: KeyId, second: i64, status: u32) -> LoggedApiRequest {
    let failed = status >= 400;
    LoggedApiRequest {
        key,
        at: at(second),
        operation: "read_folio".to_owned(),
        status,
        message: if failed { "El recurso no existe." } else { "" }.to_owned(),
        request_id: format!("r-{second}"),
        took: Duration::from_micros(1_234),
        address: "2001:db8::7".to_owned(),
    }
}

async fn logged(store: &Store, company: CompanyId, filter: ApiRequestFilter) -> Vec<LoggedApiRequest> {
    read(store, move |tx| tx.api_requests(company, &filter, 100)).await
}

pub(crate) fn requests_are_listed_newest_first_by_key_and_outcome(db: &Db) {
    let store = db.open();
    run(async {
        let (ours, theirs) = (company(&store, "Ours").await, company(&store, "Theirs").await);
        let all = [
            request(id(1), 1, 200),
            request(id(2), 2, 404),
            request(id(1), 3, 429),
            request(id(2), 4, 206),
        ];
        let mut rows: Vec<_> = all.iter().map(|one| (ours, one.clone())).collect();
        rows.push((theirs, request(id(3), 5, 500)));
        write(&store, move |tx| tx.log_api_requests(&rows)).await.unwrap();
        let [first, second, third, fourth] = all;
        let filter = |key: Option<u8>, failed| ApiRequestFilter {
            key: key.map(id),
            failed,
        };
        for (wanted, expected) in [
            (filter(None, false), vec![&fourth, &third, &second, &first]),
            (filter(None, true), vec![&third, &second]),
            (filter(Some(1), false), vec![&third, &first]),
            (filter(Some(2), true), vec![&second]),
            (filter(Some(3), false), Vec::new()),
        ] {
            let found = logged(&store, ours, wanted).await;
            assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{wanted:?}");
        }
        let newest = read(&store, move |tx| tx.api_requests(ours, &filter(None, false), 1)).await;
        assert_eq!(newest, [fourth]);
    });
}

pub(crate) fn the_newest_requests_of_each_outcome_are_kept_and_old_ones_deleted(db: &Db) {
    let stores = db.open_many(2);
    let store = &stores[0];
    run(async {
        let (ours, theirs) = (company(store, "Ours").await, company(store, "Theirs").await);
        let mut rows: Vec<_> = (0..50)
            .map(|second| (ours, request(id(1), second, 200)))
            .collect();
        rows.extend((50..53).map(|second| (ours, request(id(1), second, 403))));
        rows.extend((0..20).map(|second| (theirs, request(id(2), second, 200))));
        write(store, move |tx| tx.log_api_requests(&rows)).await.unwrap();
        for store in &stores {
            write(store, move |tx| tx.trim_api_requests(&[ours], 10))
                .await
                .unwrap();
        }
        let everything = ApiRequestFilter::default();
        let seconds = |found: Vec<LoggedApiRequest>| found.iter().map(|one| one.at).collect::<Vec<_>>();
        let kept: Vec<_> = (40..53).rev().map(at).collect();
        assert_eq!(seconds(logged(store, ours, everything).await), kept);
        assert_eq!(logged(store, theirs, everything).await.len(), 20);

        let deleted = write(store, move |tx| tx.delete_old_api_requests(at(45))).await;
        assert_eq!(deleted.unwrap(), 5 + 20);
        let kept: Vec<_> = (45..53).rev().map(at).collect();
        assert_eq!(seconds(logged(store, ours, everything).await), kept);
        assert!(logged(store, theirs, everything).await.is_empty());
    });
}

pub(crate) fn keys_are_found_by_their_hashes_live_or_not(db: &Db) {
    let store = db.open();
    run(async {
        let ours = company(&store, "Ours").await;
        for number in 1..4 {
            add(&store, ours, number, Some(at(0))).await;
        }
        write(&store, |tx| tx.revoke_key(id(2), at(1))).await.unwrap();
        let wanted = [secret(1), secret(2), secret(9)];
        let found = read(&store, move |tx| tx.keys_with_hashes(&wanted)).await;
        // The hashes begin alike: those of other keys are found too, each with its own key.
        let mut found: Vec<_> = found
            .into_iter()
            .map(|(hash, key, company)| (hash.hash[31], key, company))
            .collect();
        found.sort_by_key(|(number, ..)| *number);
        assert_eq!(found, [(1, id(1), ours), (2, id(2), ours), (3, id(3), ours)]);
    });
}
