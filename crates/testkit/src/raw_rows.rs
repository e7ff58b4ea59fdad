//! Every table and row of the database, past the store: a table that is new is among them.

use crate::app::TestApp;
use crate::stack::open_sqlite;
use postgres::NoTls;
use rusqlite::types::ValueRef;
use std::fmt::Write;
use store::Settings;

impl TestApp {
    /// The names of all tables, as the database lists them.
    pub async fn tables(&self) -> Vec<String> {
        self.on_stack(|stack| match &stack.database {
            Settings::Sqlite(path) => {
                let connection = open_sqlite(path);
                let sql = "SELECT name FROM sqlite_master WHERE type = 'table'";
                let mut statement = connection.prepare(sql).unwrap();
                let names = statement.query_map([], |row| row.get(0)).unwrap();
                names.map(Result::unwrap).collect()
            }
            Settings::Postgres(url) => {
                let mut client = postgres::Client::connect(url, NoTls).unwrap();
                let sql = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()";
                let rows = client.query(sql, &[]).unwrap();
                rows.iter().map(|row| row.get(0)).collect()
            }
        })
        .await
    }

    /// The rows of a table, each as one text; bytes are in lower-case hexadecimal.
    pub async fn rows_of(&self, table: &str) -> Vec<String> {
        let table = table.to_owned();
        self.on_stack(move |stack| match &stack.database {
            Settings::Sqlite(path) => {
                let connection = open_sqlite(path);
                let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).unwrap();
                let columns = statement.column_count();
                let rows = statement.query_map([], |row| {
                    let cells = (0..columns).map(|place| row.get_ref(place).map(cell_text));
                    Ok(cells.collect::<Result<Vec<_>, _>>()?.join(" "))
                });
                rows.unwrap().map(Result::unwrap).collect()
            }
            Settings::Postgres(url) => {
                let mut client = postgres::Client::connect(url, NoTls).unwrap();
                let sql = format!("SELECT CAST(t AS TEXT) FROM {table} t");
                let rows = client.query(&sql, &[]).unwrap();
                rows.iter().map(|row| row.get(0)).collect()
            }
        })
        .await
    }
}

fn cell_text(cell: ValueRef<'_>) -> String {
    match cell {
        ValueRef::Null => String::new(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        ValueRef::Blob(bytes) => hex(bytes),
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        write!(text, "{byte:02x}").unwrap();
    }
    text
}
