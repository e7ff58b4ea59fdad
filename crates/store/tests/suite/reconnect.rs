//! `PostgreSQL`: the server goes away and comes back.

use crate::db::{company, history_key, names, run, write};
use crate::engine_gates::{Gate, opened};
use crate::sample::{act, at, cancel, folios, whole_history};
use parts::Postgres;
use std::time::Duration;
use store::{Error, Settings, Store};

#[test]
fn a_server_that_comes_back_is_found_again() {
    let mut server = Postgres::start().unwrap();
    let url = server.create_database("lost").unwrap();
    let store = Store::open(&Settings::Postgres(url), Some(history_key())).unwrap();
    let (company, ids) = run(async {
        let company = company(&store, "Patient").await;
        let ids = folios(&store, company, 2).await;
        act(&store, company, vec![ids[0]], cancel).await.unwrap();
        (company, ids)
    });

    // Half way through a transaction, the connection breaks.
    let (begun, broken) = (Gate::default(), Gate::default());
    let id = ids[1];
    let half_way = {
        let (store, begun, broken) = (store.clone(), begun.clone(), broken.clone());
        std::thread::spawn(move || {
            run(write(&store, move |tx| {
                tx.add_company("half", at(0))?;
                let locked = tx.lock_folios(company, &[id])?;
                begun.open();
                broken.pass();
                tx.apply(
                    company,
                    at(10),
                    &[(&locked[0], cancel(&locked[0].folio).unwrap())],
                )
            }))
        })
    };
    run(opened(&begun));
    server.stop_immediate().unwrap();
    broken.open();
    assert!(matches!(half_way.join().unwrap(), Err(Error::Unavailable(_))));

    run(async {
        for _ in 0..20 {
            let reading = store.read(|tx| tx.company_names()).await;
            assert!(matches!(reading, Err(Error::Unavailable(_))), "{reading:?}");
            let writing = write(&store, |tx| tx.add_company("away", at(0))).await;
            assert!(matches!(writing, Err(Error::Unavailable(_))), "{writing:?}");
        }
    });

    server.start_again().unwrap();
    run(async {
        while store.read::<_, Error>(|tx| tx.company_names()).await.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        for _ in 0..50 {
            assert_eq!(names(&store).await, ["Patient"]);
        }
        assert_eq!(
            whole_history(&store, company, ids[0]).await,
            ["created", "cancelled"]
        );
        assert_eq!(whole_history(&store, company, ids[1]).await, ["created"]);
        assert_eq!(act(&store, company, ids, cancel).await.unwrap(), [id]);
    });
}
