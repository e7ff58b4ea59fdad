//! Deadlocks: transactions that took locks in different orders.

use crate::app::TestApp;
use postgres::NoTls;
use store::Settings;

impl TestApp {
    /// How many deadlocks the database's server has ended; none where the database is a file. A session reports them when it
    /// ends, or some time before: all sessions are ended.
    pub async fn deadlocks(&self) -> i64 {
        self.on_stack(|stack| {
            let Settings::Postgres(url) = &stack.database else {
                return 0;
            };
            let mut client = postgres::Client::connect(url, NoTls).unwrap();
            client
                .batch_execute(
                    "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
                     WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'",
                )
                .unwrap();
            let sql = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
            client.query_one(sql, &[]).unwrap().get(0)
        })
        .await
    }
}
