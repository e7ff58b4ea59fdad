//! What a read sees while others write.

use crate::db::{Db, company, read, run};
use crate::engine_gates::{Gate, opened};
use crate::sample::{act, cancel, folios, stored};
use domain::FolioState;

pub(crate) fn a_read_sees_one_moment(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Moment").await;
        let id = folios(&store, company, 1).await[0];
        let (looked, changed) = (Gate::default(), Gate::default());
        let reading = {
            let (store, looked, changed) = (store.clone(), looked.clone(), changed.clone());
            tokio::spawn(async move {
                read(&store, move |tx| {
                    let before = tx.folios(company, &[id])?.remove(0);
                    looked.open();
                    changed.pass();
                    let after = tx.folios(company, &[id])?.remove(0);
                    let events = tx.history(company, id)?.len();
                    let messages = tx.messages_of(company, id)?.len();
                    Ok((before.folio, after.folio, events, messages))
                })
                .await
            })
        };
        opened(&looked).await;
        act(&store, company, vec![id], cancel).await.unwrap();
        changed.open();
        let (before, after, events, messages) = reading.await.unwrap();
        assert_eq!(before, after);
        assert_eq!((after.state, events, messages), (FolioState::Pending, 1, 2));
        assert_eq!(
            stored(&store, company, id).await.folio.state,
            FolioState::Cancelled
        );
    });
}
