//! How the embedded database would go about a statement: by the key of the rows it wants, or through all there are.

use crate::TestApp;
use crate::stack::open_sqlite;
use store::Settings;

/// Tables that grow with every folio of every company, and the names that statements give them.
const GROWING: [&str; 31] = [
    "folios",
    "f",
    "documents",
    "d",
    "signers",
    "s",
    "events",
    "e",
    "outbox",
    "o",
    "increments",
    "i",
    "increment_moves",
    "moves",
    "extensions",
    "signing_states",
    "search_index",
    "webhook_deliveries",
    "l",
    "outbox_folios",
    "x",
    "y",
    "later",
    "reminders",
    "r",
    "webhook_attempts",
    "bulks",
    "bulk_folios",
    "signer_sessions",
    "idempotency_keys",
    "idempotency_folios",
];

impl TestApp {
    /// Those of the statements that would walk through a table, or through everything of a company. Another engine
    /// decides by what it has counted, and is not asked.
    pub fn walks<'s>(&self, statements: impl IntoIterator<Item = &'s String>) -> Vec<String> {
        let mut walks = Vec::new();
        for sql in statements {
            let steps = self.plan(sql).into_iter();
            walks.extend(
                steps
                    .filter(|step| is_walk(step))
                    .map(|step| format!("{step}: {sql}")),
            );
        }
        walks
    }

    /// The steps of a statement; none where another engine decides.
    pub fn plan(&self, sql: &str) -> Vec<String> {
        let Settings::Sqlite(path) = self.database() else {
            return Vec::new();
        };
        let connection = open_sqlite(path);
        let mut plan = connection
            .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
            .unwrap_or_else(|error| panic!("{sql}: {error}"));
        let steps = plan.raw_query().mapped(|step| step.get("detail"));
        steps.map(Result::unwrap).collect()
    }
}

fn is_walk(step: &str) -> bool {
    let words: Vec<&str> = step.split_whitespace().collect();
    let ["SCAN" | "SEARCH", table, ..] = words.as_slice() else {
        return false;
    };
    GROWING.contains(table) && (words[0] == "SCAN" || step.ends_with("(company=?)"))
}
