//! Blobs that no document names are removed; a blob that a document names never is.

use crate::db::{Db, all_at_once, company, read, run, write};
use crate::sample::{at, created};
use domain::{CompanyId, Timestamp};
use std::collections::HashSet;
use std::time::Duration;
use store::Store;

const HOUR: i64 = 3600;

fn blob(number: u8) -> [u8; 32] {
    [number; 32]
}

async fn mark(store: &Store, blobs: Vec<[u8; 32]>, second: i64) -> usize {
    write(store, move |tx| tx.mark_orphans(&blobs, at(second)))
        .await
        .unwrap()
}

/// Takes what has been marked for an hour.
async fn take(store: &Store, second: i64) -> Vec<[u8; 32]> {
    let taken = write(store, move |tx| {
        tx.claim_for_removal(at(second), at(second - HOUR), 7)
    });
    taken.await.unwrap()
}

async fn gone(store: &Store, blobs: Vec<[u8; 32]>, claimed: i64, second: i64) {
    let noted = write(store, move |tx| {
        tx.mark_removed(&blobs, at(claimed), at(second))?;
        tx.forget_removed(at(second), at(second - HOUR), 100).map(drop)
    });
    noted.await.unwrap();
}

/// Creates a folio over blobs stored at that time, unless one of them is being removed.
async fn create(store: &Store, company: CompanyId, blobs: Vec<[u8; 32]>, second: i64) -> bool {
    let new = created(company, 1, &blobs);
    let created = write(store, move |tx| {
        let pardoned = tx.keep_blobs_stored_at(&blobs, at(second))?;
        if pardoned {
            tx.insert_folio(&new, &[])?;
        }
        Ok(pardoned)
    });
    created.await.unwrap()
}

pub(crate) fn a_marked_blob_is_removed_unless_it_is_named_again(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Sweeping").await;
        assert!(create(&store, company, vec![blob(1)], 0).await);
        let marked = mark(&store, vec![blob(1), blob(2), blob(3), blob(4)], 10).await;
        assert_eq!(marked, 3, "one of them is named");
        assert_eq!(take(&store, HOUR + 10).await, Vec::<[u8; 32]>::new(), "too early");

        assert!(create(&store, company, vec![blob(2)], 20).await);
        let unseen = created(company, 1, &[blob(3)]);
        write(&store, move |tx| tx.insert_folio(&unseen, &[]))
            .await
            .unwrap();
        mark(&store, vec![blob(4)], 5000).await;
        assert_eq!(
            take(&store, HOUR + 11).await,
            [blob(4)],
            "marked when it first was"
        );

        gone(&store, vec![blob(4)], HOUR + 11, HOUR + 20).await;
        assert_eq!(take(&store, 9 * HOUR).await, Vec::<[u8; 32]>::new());
    });
}

pub(crate) fn a_create_is_refused_during_a_removal(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Put off").await;
        mark(&store, vec![blob(1), blob(2)], 0).await;
        let start = HOUR + 1;
        assert_eq!(take(&store, start).await.len(), 2);
        let both = || vec![blob(1), blob(9)];
        assert!(!create(&store, company, both(), start + 500).await, "under way");
        gone(&store, vec![blob(1)], start, start + 600).await;
        assert!(
            !create(&store, company, both(), start + 599).await,
            "stored before"
        );
        assert!(
            !create(&store, company, both(), start + 650).await,
            "clocks differ"
        );
        assert!(create(&store, company, both(), start + 661).await);

        // The sweeper of the other blob died. Another sweeper claims it, but only after the claim has ended.
        assert_eq!(take(&store, start + 700).await, Vec::<[u8; 32]>::new());
        assert_eq!(take(&store, start + HOUR + 1).await, [blob(2)]);
        // What the dead one still says counts no more: the other is at it.
        gone(&store, vec![blob(2)], start, start + HOUR + 1).await;
        assert!(!create(&store, company, vec![blob(2)], start + HOUR + 100).await);
        gone(&store, vec![blob(2)], start + HOUR + 1, start + HOUR + 2).await;
        // Long afterwards nothing is known of it any more.
        gone(&store, Vec::new(), 0, start + 3 * HOUR).await;
        assert!(create(&store, company, vec![blob(2)], start).await);
    });
}

pub(crate) fn a_claim_of_which_nothing_is_heard_ends_by_itself(db: &Db) {
    const CLAIM: i64 = 20 * 60;
    let store = db.open();
    run(async {
        let company = company(&store, "Unheard").await;
        mark(&store, vec![blob(1), blob(2)], 0).await;
        let start = HOUR + 1;
        assert_eq!(take(&store, start).await.len(), 2);
        assert!(!create(&store, company, vec![blob(1)], start - 100).await);
        assert!(!create(&store, company, vec![blob(1)], start + CLAIM + 59).await);
        assert!(create(&store, company, vec![blob(1)], start + CLAIM + 60).await);
        // What the sweeper says at last, and the next sweeper, leave it alone.
        gone(&store, vec![blob(1)], start, start + CLAIM + 61).await;
        assert_eq!(take(&store, start + CLAIM + 62).await, [blob(2)]);
        assert!(
            !create(&store, company, vec![blob(2)], start + CLAIM + 130).await,
            "claimed again"
        );
    });
}

pub(crate) fn a_sweeper_stops_while_its_claim_is_still_sure_to_last(db: &Db) {
    let store = db.open();
    run(async {
        let now = write(&store, |tx| tx.database_clock()).await.unwrap();
        let may_remove =
            async |claimed: Timestamp| read(&store, move |tx| tx.may_still_remove(claimed)).await;
        assert!(may_remove(now).await);
        assert!(may_remove(now.before(Duration::from_mins(8))).await);
        assert!(!may_remove(now.before(Duration::from_mins(10))).await);
        assert!(
            !may_remove(now.after(Duration::from_mins(5))).await,
            "the clock went back"
        );
    });
}

pub(crate) fn two_sweepers_never_take_the_same_blob(db: &Db) {
    let stores = db.open_many(3);
    run(async {
        mark(&stores[0], (0..60).map(blob).collect(), 0).await;
        let sweepers = (0..6).map(|sweeper| {
            let store = stores[sweeper % 3].clone();
            async move { sweep(&store, 2 * HOUR).await }
        });
        let taken = all_at_once(sweepers).await.concat();
        // A sweeper that skipped blobs claimed by another may have ended early; no blob is claimed twice.
        let rest = sweep(&stores[0], 2 * HOUR).await;
        let all: HashSet<_> = taken.iter().chain(&rest).collect();
        assert_eq!((all.len(), taken.len() + rest.len()), (60, 60));
    });
}

pub(crate) fn creates_and_sweepers_never_both_win(db: &Db) {
    const BLOBS: u8 = 60;
    let stores = db.open_many(2);
    run(async {
        let company = company(&stores[0], "Both").await;
        mark(&stores[0], (0..BLOBS).map(blob).collect(), 0).await;
        let racers = (0..BLOBS + 4).map(|racer| {
            let store = stores[usize::from(racer % 2)].clone();
            async move {
                // Every sixteenth sweeps; the others bring two blobs each, which overlap in either order.
                if racer % 16 == 15 {
                    return Ok(sweep(&store, 2 * HOUR).await);
                }
                let pair = [blob(racer % BLOBS), blob((racer % 36 * 7 + 3) % BLOBS)];
                let named = create(&store, company, pair.to_vec(), 2 * HOUR).await;
                Err(if named { pair.to_vec() } else { Vec::new() })
            }
        });
        let (mut named, mut removed) = (HashSet::new(), HashSet::new());
        for outcome in all_at_once(racers).await {
            match outcome {
                Ok(swept) => removed.extend(swept),
                Err(brought) => named.extend(brought),
            }
        }
        removed.extend(sweep(&stores[0], 2 * HOUR).await);
        assert!(named.is_disjoint(&removed));
        assert_eq!(named.len() + removed.len(), usize::from(BLOBS));
    });
}

/// Takes until there is nothing left to take.
async fn sweep(store: &Store, second: i64) -> Vec<[u8; 32]> {
    let mut all = Vec::new();
    loop {
        let taken = take(store, second).await;
        if taken.is_empty() {
            return all;
        }
        all.extend(taken);
    }
}

pub(crate) fn nothing_is_removed_while_a_backup_is_taken(db: &Db) {
    let store = db.open();
    run(async {
        mark(&store, vec![blob(1)], 0).await;
        let hold = write(&store, |tx| tx.hold_blobs(&[1; 16], at(2 * HOUR)));
        hold.await.unwrap();
        assert_eq!(take(&store, 3 * HOUR - 1).await, [[0; 32]; 0]);
        let longer = write(&store, |tx| tx.hold_blobs(&[1; 16], at(3 * HOUR - 1)));
        longer.await.unwrap();
        assert_eq!(take(&store, 4 * HOUR - 2).await, [[0; 32]; 0]);
        let release = write(&store, |tx| tx.release_blobs(&[1; 16], at(4 * HOUR - 2)));
        release.await.unwrap();
        assert_eq!(take(&store, 4 * HOUR - 2).await, [blob(1)]);
    });
}

/// On `SQLite` the database's clock begins anew with the machine.
pub(crate) fn marks_claims_and_holds_of_a_clock_that_went_back_are_past(db: &Db) {
    const DAY: i64 = 24 * HOUR;
    let store = db.open();
    run(async {
        let company = company(&store, "Went back").await;
        mark(&store, vec![blob(1)], DAY).await;
        assert_eq!(take(&store, DAY + HOUR + 1).await, [blob(1)]);
        mark(&store, vec![blob(2)], DAY).await;
        write(&store, |tx| tx.hold_blobs(&[1; 16], at(DAY)))
            .await
            .unwrap();
        // Of a sweeper and a backup that ended with the machine.
        let mut taken = take(&store, 10).await;
        taken.sort_unstable();
        assert_eq!(taken, [blob(1), blob(2)]);
        gone(&store, vec![blob(1)], 10, 20).await;
        assert!(!create(&store, company, vec![blob(1)], 30).await);
        assert!(create(&store, company, vec![blob(1)], 90).await);
    });
}
