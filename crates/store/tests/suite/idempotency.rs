//! Requests that come twice.

use crate::db::{Db, all_at_once, company, run, write};
use crate::sample::at;
use domain::CompanyId;
use store::{Error, KeyClaim, Store, StoredResponse};

fn stored(body: &str) -> StoredResponse {
    StoredResponse {
        status: 200,
        body: body.to_owned(),
    }
}

/// Claims the key, and settles it when the claim is ours.
async fn ask(store: &Store, company: CompanyId, key: &'static str, print: u8, second: i64) -> KeyClaim {
    let claimed = write(store, move |tx| {
        let kept = tx.claim_idempotency_key(company, key, &[print; 32], at(second), at(second - 100))?;
        if kept == KeyClaim::Fresh {
            tx.store_response(company, key, &stored(&format!("{print} at {second}")))?;
        }
        Ok(kept)
    });
    claimed.await.unwrap()
}

pub(crate) fn of_racing_claims_one_is_answered(db: &Db) {
    let stores = db.open_many(2);
    run(async {
        let company = company(&stores[0], "Once").await;
        for key in ["first", "second", "third"] {
            let racers = (0..20).map(|racer| {
                let store = stores[racer % 2].clone();
                async move { ask(&store, company, key, 1, 0).await }
            });
            let mut claims = all_at_once(racers).await;
            claims.retain(|kept| *kept != KeyClaim::Fresh);
            assert_eq!(claims, vec![KeyClaim::Replayed(stored("1 at 0")); 19]);
        }
    });
}

pub(crate) fn a_key_belongs_to_its_request_company_and_time(db: &Db) {
    let store = db.open();
    run(async {
        let (ours, theirs) = (company(&store, "Ours").await, company(&store, "Theirs").await);
        assert_eq!(ask(&store, ours, "key", 1, 0).await, KeyClaim::Fresh);
        assert_eq!(ask(&store, ours, "key", 2, 1).await, KeyClaim::OtherRequest);
        assert_eq!(ask(&store, theirs, "key", 2, 1).await, KeyClaim::Fresh);
        assert_eq!(
            ask(&store, ours, "key", 1, 99).await,
            KeyClaim::Replayed(stored("1 at 0"))
        );
        assert_eq!(
            ask(&store, ours, "key", 2, 100).await,
            KeyClaim::Fresh,
            "too old to be kept"
        );
        assert_eq!(
            ask(&store, ours, "key", 2, 101).await,
            KeyClaim::Replayed(stored("2 at 100"))
        );

        let failed: Result<(), Error> = write(&store, move |tx| {
            tx.claim_idempotency_key(ours, "failed", &[1; 32], at(0), at(-100))?;
            Err(Error::Stale)
        })
        .await;
        assert!(failed.is_err());
        assert_eq!(
            ask(&store, ours, "failed", 2, 0).await,
            KeyClaim::Fresh,
            "the claim went with the act"
        );

        // "failed" at 0 and theirs at 1 go; ours at 100 stays.
        assert_eq!(
            write(&store, |tx| tx.delete_old_responses(at(1), 10))
                .await
                .unwrap(),
            2
        );
        assert_eq!(
            ask(&store, ours, "key", 2, 102).await,
            KeyClaim::Replayed(stored("2 at 100"))
        );
    });
}
