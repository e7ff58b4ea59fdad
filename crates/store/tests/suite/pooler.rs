//! `PostgreSQL` behind pgbouncer in transaction mode: no transaction can count on anything that an earlier one left.

use crate::db::{all_at_once, company, history_key, run, write};
use crate::sample::{act, cancel, created, folios, whole_history};
use parts::{PgBouncer, Postgres};
use store::{BACKUP_TABLES, Options, PoolSizes, Settings, Store};

#[test]
fn a_pooler_in_transaction_mode_serves_two_instances() {
    let server = Postgres::start().unwrap();
    server.create_database("pooled").unwrap();
    let pooler = PgBouncer::start(&server, 3).unwrap();
    let settings = Settings::Postgres(pooler.url_of("pooled"));
    let options = Options {
        pool: PoolSizes {
            readers: 2,
            writers: 5,
        },
        ..Options::default()
    };
    let stores = [(); 2].map(|()| Store::open_with(&settings, Some(history_key()), options).unwrap());
    run(async {
        let company = company(&stores[0], "Pooled").await;
        let ids = folios(&stores[0], company, 8).await;
        let creates = (0..60).map(|number| {
            let store = stores[number % 2].clone();
            async move {
                let made = created(company, 2, &[[7; 32]]);
                write(&store, move |tx| tx.insert_folio(&made, &[vec![1, 2]])).await
            }
        });
        let failed: Vec<_> = all_at_once(creates)
            .await
            .into_iter()
            .filter_map(Result::err)
            .collect();
        assert!(failed.is_empty(), "{failed:?}");
        for (number, id) in ids.iter().enumerate() {
            let cancelled = act(&stores[number % 2], company, vec![*id], cancel).await;
            assert_eq!(cancelled.unwrap(), [*id]);
            let history = whole_history(&stores[(number + 1) % 2], company, *id).await;
            assert_eq!(history, ["created", "cancelled"]);
        }
    });
    // A backup reads every table on one snapshot.
    let counted = settings.read_dedicated(|tx| {
        let mut rows = 0;
        for table in BACKUP_TABLES {
            let columns = tx.columns(table)?;
            tx.each_row(table, &columns, |_| {
                rows += 1;
                Ok::<_, store::Error>(())
            })?;
        }
        Ok::<_, store::Error>(rows)
    });
    assert!(counted.unwrap() > 68 * 6);
    let sessions = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = 'pooled'";
    let sessions: usize = server.query(sessions).unwrap().trim().parse().unwrap();
    assert!(sessions <= 3, "{sessions}");
}
