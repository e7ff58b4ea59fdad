//! Rows counted past the store, by connections of the test's own.

use crate::stack::open_sqlite;
use postgres::NoTls;
use std::collections::BTreeMap;
use store::Settings;

const TABLES: [&str; 10] = [
    "bulk_folios",
    "bulks",
    "documents",
    "events",
    "folios",
    "increments",
    "idempotency_keys",
    "outbox",
    "resends",
    "signers",
];

/// How many rows each table has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowCounts(BTreeMap<&'static str, i64>);

impl RowCounts {
    /// Counts. Blocks.
    pub(crate) fn take(database: &Settings) -> Self {
        let count = |table| format!("SELECT COUNT(*) FROM {table}");
        Self(match database {
            Settings::Sqlite(path) => {
                let connection = open_sqlite(path);
                TABLES
                    .iter()
                    .map(|table| {
                        let counted = connection.query_row(&count(table), [], |row| row.get(0));
                        (*table, counted.unwrap())
                    })
                    .collect()
            }
            Settings::Postgres(url) => {
                let mut client = postgres::Client::connect(url, NoTls).unwrap();
                TABLES
                    .iter()
                    .map(|table| (*table, client.query_one(&count(table), &[]).unwrap().get(0)))
                    .collect()
            }
        })
    }

    /// The rows of one table.
    #[track_caller]
    pub fn of(&self, table: &str) -> i64 {
        self.0[table]
    }
}
