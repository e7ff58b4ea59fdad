//! Sessions of signers are counted, for the limit of visits that are recorded.

use crate::db::{Db, run, write};
use crate::sample::at;
use domain::SignerSessionId;

pub(crate) fn sessions_of_a_clock_that_was_ahead_are_not_counted(db: &Db) {
    const DAY: i64 = 24 * 3600;
    let store = db.open();
    run(async {
        // Two today, one of yesterday, and one that was begun two days ahead, before the clock went back.
        for (number, begun) in [(1, DAY + 10), (2, DAY + 20), (3, 5), (4, 3 * DAY)] {
            let begin = write(&store, move |tx| {
                let id = SignerSessionId::from_bytes([number; 16]);
                tx.put_signer_session(id, b"ana", Some(b"net"), at(begun))
            });
            begin.await.unwrap();
        }
        let count = async |now: i64| {
            let counted = write(&store, move |tx| {
                tx.count_signer_sessions(b"ana", b"net", at(now - DAY), at(now), 10)
            });
            counted.await.unwrap()
        };
        assert_eq!(count(DAY + 30).await, (2, 2));
        assert_eq!(count(3 * DAY).await, (1, 1), "its time has come");
    });
}
