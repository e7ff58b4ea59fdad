//! `PostgreSQL`: a base backup and the archived log bring the database to any time since.

use crate::db::{company, history_key, names, run};
use crate::sample::{act, cancel, folios, stored, whole_history};
use domain::FolioState;
use parts::Postgres;
use store::{Settings, Store};

#[test]
fn a_base_backup_and_the_log_bring_back_the_moment_before_a_mistake() {
    let primary = Postgres::start_archiving().unwrap();
    let url = primary.create_database("kept").unwrap();
    let store = Store::open(&Settings::Postgres(url), Some(history_key())).unwrap();
    let (ours, before) = run(async {
        let ours = company(&store, "Ours").await;
        (ours, folios(&store, ours, 3).await)
    });
    let mut copy = Postgres::base_backup_of(&primary).unwrap();
    let since = run(async {
        let since = folios(&store, ours, 2).await;
        assert_eq!(act(&store, ours, before.clone(), cancel).await.unwrap().len(), 3);
        since
    });
    let time = primary.query("SELECT clock_timestamp()").unwrap();
    // The mistake.
    run(async {
        company(&store, "By mistake").await;
        assert_eq!(act(&store, ours, since.clone(), cancel).await.unwrap().len(), 2);
    });
    primary.archive_log().unwrap();
    drop(store);

    copy.recover(&primary, time.trim()).unwrap();
    let url = copy.url().replace("/postgres", "/kept");
    let store = Store::open(&Settings::Postgres(url), Some(history_key())).unwrap();
    run(async {
        assert_eq!(names(&store).await, ["Ours"]);
        for (ids, state) in [(&before, FolioState::Cancelled), (&since, FolioState::Pending)] {
            for id in ids {
                assert_eq!(stored(&store, ours, *id).await.folio.state, state);
                whole_history(&store, ours, *id).await;
            }
        }
        // Numbers of rows that were lost are given out again, and nothing is in the way of what comes next.
        folios(&store, ours, 2).await;
        assert_eq!(act(&store, ours, since.clone(), cancel).await.unwrap(), since);
    });
}
