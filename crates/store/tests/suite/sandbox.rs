//! What a sandbox keeps for tests.

use crate::db::{Db, company, read, run, write};
use crate::sample::{at, folios, lease};
use store::Tx;

pub(crate) fn a_moved_clock_is_kept_and_no_lease_ends_sooner(db: &Db) {
    const HOUR: i64 = 3_600_000_000;
    // Leases go by the database's clock, which the test did not move.
    const MOVED: i64 = 7200;
    let store = db.open();
    run(async {
        let company = company(&store, "Clock").await;
        folios(&store, company, 1).await;
        let take = |tx: &mut Tx<'_>, second: i64| {
            tx.take_messages(at(MOVED + second), &lease(second, second + 100), 9, 9)
        };
        let taken = write(&store, move |tx| take(tx, 10)).await.unwrap();
        assert!(!taken.is_empty());
        assert_eq!(read(&store, |tx| tx.sandbox_clock_offset()).await, 0);
        for hours in 1..=2 {
            let offset = write(&store, |tx| tx.move_sandbox_clock(HOUR)).await.unwrap();
            assert_eq!(offset, hours * HOUR);
        }
        assert_eq!(read(&store, |tx| tx.sandbox_clock_offset()).await, 2 * HOUR);
        let early = write(&store, move |tx| take(tx, 109)).await.unwrap();
        assert!(early.is_empty(), "the lease has not ended");
        let again = write(&store, move |tx| take(tx, 110)).await.unwrap();
        assert_eq!(again.len(), taken.len());
    });
}

pub(crate) fn recipients_bounce_until_they_do_not(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Bounces").await;
        folios(&store, company, 1).await;
        let mut second = 10;
        let mut bounces = async || {
            second += 200;
            let taken = write(&store, move |tx| {
                tx.take_messages(at(second), &lease(second, second + 100), 9, 9)
            })
            .await
            .unwrap();
            let bouncing = taken.iter().filter(|leased| leased.bounces);
            (bouncing.count(), taken[0].recipient.clone())
        };
        let (none, recipient) = bounces().await;
        assert_eq!(none, 0);
        for bounce in [true, true, false, false] {
            let set = recipient.clone();
            write(&store, move |tx| tx.set_bounces(&[&set], bounce))
                .await
                .unwrap();
            assert_eq!(bounces().await.0, usize::from(bounce));
        }
    });
}
