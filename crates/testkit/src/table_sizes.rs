//! How much room tables take, with their indexes, once dead rows are gone.

use crate::TestApp;
use crate::stack::open_sqlite;
use postgres::NoTls;
use std::collections::BTreeMap;
use store::Settings;

const OF_SQLITE: &str = "SELECT m.tbl_name AS name, SUM(s.pgsize) AS bytes
    FROM dbstat s JOIN sqlite_master m ON m.name = s.name GROUP BY 1";
const OF_POSTGRES: &str =
    "SELECT CAST(relname AS TEXT) AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
    WHERE relkind = 'r' AND relnamespace = CAST(current_schema() AS regnamespace)";

impl TestApp {
    /// The bytes of each table.
    pub async fn table_sizes(&self) -> BTreeMap<String, i64> {
        self.on_stack(|stack| match &stack.database {
            Settings::Sqlite(path) => {
                let connection = open_sqlite(path);
                connection.execute_batch("VACUUM").unwrap();
                let mut statement = connection.prepare(OF_SQLITE).unwrap();
                let rows = statement.query_map([], |row| Ok((row.get("name")?, row.get("bytes")?)));
                rows.unwrap().map(Result::unwrap).collect()
            }
            Settings::Postgres(url) => {
                let mut client = postgres::Client::connect(url, NoTls).unwrap();
                client.batch_execute("VACUUM FULL").unwrap();
                let rows = client.query(OF_POSTGRES, &[]).unwrap();
                rows.iter()
                    .map(|row| (row.get("name"), row.get("bytes")))
                    .collect()
            }
        })
        .await
    }
}
