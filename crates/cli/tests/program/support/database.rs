//! Databases for tests, and looking into them past the program.

use super::{STALL_TIMEOUT, TestRandom};
use postgres::{Client, NoTls, SimpleQueryMessage};
use std::env;

/// A variable that `cargo xtask test` sets.
pub(crate) fn given(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("run through `cargo xtask test`"))
}

/// A database of its own on the tests' `PostgreSQL`, gone when this is dropped.
pub(crate) struct PostgresDatabase {
    server: String,
    name: String,
}

impl PostgresDatabase {
    pub(crate) fn new() -> Self {
        Self::on(&given("FIRMEZA_TEST_POSTGRES_URL"))
    }

    /// On the server that has this database already.
    pub(crate) fn on(server: &str) -> Self {
        let name = format!("cli_{:016x}", TestRandom::fresh().next());
        let database = Self {
            server: server.to_owned(),
            name,
        };
        database.order(&format!("CREATE DATABASE {}", database.name));
        database
    }

    pub(crate) fn url(&self) -> String {
        let (server, _) = self.server.rsplit_once('/').unwrap();
        format!("{server}/{}", self.name)
    }

    /// The same by way of another port.
    pub(crate) fn url_by(&self, port: u16) -> String {
        self.url()
            .replace(&format!(":{}/", self.port()), &format!(":{port}/"))
    }

    pub(crate) fn port(&self) -> u16 {
        let (_, address) = self.server.rsplit_once(':').unwrap();
        address.split('/').next().unwrap().parse().unwrap()
    }

    pub(crate) fn settings(&self) -> store::Settings {
        store::Settings::Postgres(self.url())
    }

    /// Connections of a program that was killed end a moment after it: until then, they may still commit.
    pub(crate) fn is_left_alone(&self) -> bool {
        let sql = format!("SELECT 1 FROM pg_stat_activity WHERE datname = '{}'", self.name);
        texts(&store::Settings::Postgres(self.server.clone()), &sql).is_empty()
    }

    fn order(&self, sql: &str) {
        Client::connect(&self.server, NoTls)
            .and_then(|mut client| client.batch_execute(sql))
            .unwrap();
    }
}

impl Drop for PostgresDatabase {
    fn drop(&mut self) {
        // A server that a failing test has left stopped takes its databases along.
        if let Ok(mut client) = Client::connect(&self.server, NoTls) {
            let _ = client.batch_execute(&format!("DROP DATABASE {} WITH (FORCE)", self.name));
        }
    }
}

/// The first column of a query's answer, as text. `{hex}` and `{end}` stand around bytes to be shown.
pub(crate) fn texts(database: &store::Settings, sql: &str) -> Vec<String> {
    match database {
        store::Settings::Sqlite(path) => {
            let connection = rusqlite::Connection::open(path).unwrap();
            connection.busy_timeout(STALL_TIMEOUT).unwrap();
            let sql = sql.replace("{hex}", "lower(hex(").replace("{end}", "))");
            let mut statement = connection.prepare(&sql).unwrap();
            let rows = statement.query_map([], |row| row.get::<_, rusqlite::types::Value>(0));
            let text = |value: rusqlite::types::Value| match value {
                rusqlite::types::Value::Text(text) => text,
                rusqlite::types::Value::Integer(number) => number.to_string(),
                other => panic!("not a text: {other:?}"),
            };
            rows.unwrap().map(|value| text(value.unwrap())).collect()
        }
        store::Settings::Postgres(url) => {
            let sql = sql.replace("{hex}", "encode(").replace("{end}", ", 'hex')");
            let rows = Client::connect(url, NoTls).unwrap().simple_query(&sql).unwrap();
            let text = |message: &SimpleQueryMessage| match message {
                SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
                _ => None,
            };
            rows.iter().filter_map(text).collect()
        }
    }
}
