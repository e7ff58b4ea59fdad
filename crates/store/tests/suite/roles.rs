//! `PostgreSQL`: the role of the service needs no right to change the schema.

use crate::db::{company, history_key, names, run};
use crate::sample::{act, cancel, folios};
use parts::Postgres;
use store::{Error, LATEST_VERSION, Settings, Store};

#[test]
fn a_role_that_only_reads_and_writes_rows_is_enough() {
    let server = Postgres::start().unwrap();
    let owner = server.create_database("roles").unwrap();
    let service = owner.replace("test@", "service@");
    let [owner, service] = [owner, service].map(Settings::Postgres);
    let grant = |sql: &str| {
        let Settings::Postgres(url) = &owner else {
            unreachable!()
        };
        let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
        client.batch_execute(sql).unwrap();
    };
    grant(
        "CREATE ROLE service LOGIN;
         ALTER DEFAULT PRIVILEGES GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO service",
    );
    let says_what_to_do = |refused: Result<Store, Error>| {
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("FIRMEZA_MIGRATE_DATABASE_URL"), "{refused}");
        assert!(
            refused.contains(&format!("migration {LATEST_VERSION}")),
            "{refused}"
        );
    };
    let open = || Store::open(&service, Some(history_key()));
    says_what_to_do(open());

    owner.migrate().unwrap();
    let store = open().unwrap();
    run(async {
        let company = company(&store, "Served").await;
        let ids = folios(&store, company, 2).await;
        assert_eq!(act(&store, company, ids.clone(), cancel).await.unwrap(), ids);
        assert_eq!(names(&store).await, ["Served"]);
    });
    let refused = service.compact().unwrap_err().to_string();
    assert!(refused.contains("by their owner"), "{refused}");
    owner.compact().unwrap();
}
