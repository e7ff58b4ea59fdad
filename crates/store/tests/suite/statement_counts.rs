//! However many folios, the same few statements. `PostgreSQL` counts them: it logs each one.

use crate::db::{company, history_key, read, run};
use crate::sample::{act, cancel, folios};
use domain::FolioId;
use parts::Postgres;
use std::fs;
use std::path::Path;
use store::{Settings, Store};

#[test]
fn fifty_folios_cost_as_many_statements_as_one() {
    let server = Postgres::start().unwrap();
    let url = server.create_database("counted").unwrap();
    server
        .query("ALTER DATABASE counted SET log_statement = 'all'")
        .unwrap();
    let data = server.query("SHOW data_directory").unwrap();
    let log = Path::new(data.trim()).with_file_name("postgres.log");
    let executed = || {
        fs::read_to_string(&log)
            .unwrap()
            .matches("LOG:  execute ")
            .count()
    };
    let store = Store::open(&Settings::Postgres(url), Some(history_key())).unwrap();
    run(async {
        let company = company(&store, "Counted").await;
        let ids = folios(&store, company, 52).await;

        let reading = async |ids: Vec<FolioId>| {
            let (before, count) = (executed(), ids.len());
            let found = read(&store, move |tx| tx.folios(company, &ids)).await;
            assert_eq!(found.len(), count);
            executed() - before
        };
        let (one, fifty) = (
            reading(ids[..1].to_vec()).await,
            reading(ids[..50].to_vec()).await,
        );
        assert_eq!((one, fifty), (3, 3), "folios, documents, signers");

        let cancelling = async |ids: Vec<FolioId>| {
            let (before, count) = (executed(), ids.len());
            assert_eq!(act(&store, company, ids, cancel).await.unwrap().len(), count);
            executed() - before
        };
        let (one, fifty) = (
            cancelling(ids[..1].to_vec()).await,
            cancelling(ids[2..].to_vec()).await,
        );
        assert_eq!(
            one, 8,
            "three to read, then the folio, its event, its messages, its sheets, and the log of changes"
        );
        // Long lists of new rows come in a few lengths: two more for each of three lists, and not one for each folio.
        assert!(fifty <= one + 6, "{fifty}");
    });
}
