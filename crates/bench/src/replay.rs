//! The transactions that a service ran on `PostgreSQL`, written down by the server, and run again by a floor: the same
//! statements with the same values, each transaction undone in the end, so that it can be run any number of times.

use crate::AnyError;
use parts::{Error, Result};
use serde_json::{Value, json};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, NoTls, Statement};

/// Told to commit a transaction in which a statement failed, the server rolls it back and reports no error. The query
/// before it does: the service asks so, too.
const CHECKED_END: &str = "SELECT 1; ROLLBACK";
/// Rows of the recording are inserted without those that they refer to.
const SESSION: &str = "SET session_replication_role = replica";

/// Transactions, and the address of the database that they can be run on.
#[derive(Debug)]
pub(crate) struct Recording {
    pub(crate) database: String,
    pub(crate) transactions: Vec<Transaction>,
}

/// How a transaction began, and its statements with their values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Transaction {
    begin: String,
    statements: Vec<(String, Vec<Option<String>>)>,
}

impl Recording {
    pub(crate) fn to_json(&self) -> String {
        let transactions = self.transactions.iter().map(|transaction| {
            let statements = transaction.statements.iter();
            json!({
                "begin": transaction.begin,
                "statements": statements.map(|(sql, values)| json!([sql, values])).collect::<Vec<_>>(),
            })
        });
        json!({ "database": self.database, "transactions": transactions.collect::<Vec<_>>() }).to_string()
    }

    pub(crate) fn from_json(text: &str) -> Result<Self> {
        let json: Value = serde_json::from_str(text).map_err(Error::while_("a recording"))?;
        let wrong = || Error::new("a recording of another kind");
        let text = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(wrong);
        let statement = |value: &Value| {
            let values = value[1].as_array().ok_or_else(wrong)?.iter();
            Ok((
                text(&value[0])?,
                values.map(|value| value.as_str().map(str::to_owned)).collect(),
            ))
        };
        let transaction = |value: &Value| {
            let statements = value["statements"].as_array().ok_or_else(wrong)?.iter();
            Ok(Transaction {
                begin: text(&value["begin"])?,
                statements: statements.map(statement).collect::<Result<_>>()?,
            })
        };
        let transactions = json["transactions"].as_array().ok_or_else(wrong)?.iter();
        Ok(Self {
            database: text(&json["database"])?,
            transactions: transactions.map(transaction).collect::<Result<_>>()?,
        })
    }
}

impl Transaction {
    /// Whether a statement has this text in it.
    pub(crate) fn has(&self, text: &str) -> bool {
        self.statements.iter().any(|(sql, _)| sql.contains(text))
    }
}

/// The committed transactions of a database, from the server's log in JSON.
pub(crate) fn transactions(log: &str, database: &str) -> Result<Vec<Transaction>> {
    let mut open: Vec<(u64, Transaction)> = Vec::new();
    let mut ended = Vec::new();
    // The server may be writing the last line.
    let whole = log.rfind('\n').map_or("", |end| &log[..end]);
    for line in whole.lines() {
        let entry: Value = serde_json::from_str(line).map_err(Error::while_("the server's log"))?;
        let (Some(process), Some(message)) = (entry["pid"].as_u64(), entry["message"].as_str()) else {
            continue;
        };
        if entry["dbname"] != database {
            continue;
        }
        let own = open.iter().position(|(of, _)| *of == process);
        let Some((kind, sql)) = message.split_once(": ") else {
            continue;
        };
        match (own, kind) {
            (Some(own), "statement") if sql.contains("COMMIT") => ended.push(open.swap_remove(own).1),
            (Some(own), "statement") if sql.starts_with("ROLLBACK") => drop(open.swap_remove(own)),
            (None, "statement") if sql.starts_with("BEGIN") => {
                let begun = Transaction {
                    begin: sql.to_owned(),
                    statements: Vec::new(),
                };
                open.push((process, begun));
            }
            (Some(own), kind) if kind.starts_with("execute ") => {
                let detail = entry["detail"].as_str().unwrap_or_default();
                open[own].1.statements.push((sql.to_owned(), values(detail)?));
            }
            _ => {}
        }
    }
    Ok(ended)
}

/// The values in `parameters: $1 = 'one', $2 = NULL`.
fn values(detail: &str) -> Result<Vec<Option<String>>> {
    let mut values = Vec::new();
    let mut rest = detail.split_once(": ").map_or("", |(_, values)| values);
    while !rest.is_empty() {
        let wrong = || Error::new(format!("values of another kind: {detail}"));
        let (_, value) = rest.split_once(" = ").ok_or_else(wrong)?;
        let (value, others) = if let Some(quoted) = value.strip_prefix('\'') {
            let (value, others) = unquoted(quoted).ok_or_else(wrong)?;
            (Some(value), others)
        } else {
            (None, value.strip_prefix("NULL").ok_or_else(wrong)?)
        };
        values.push(value);
        rest = others.strip_prefix(", ").unwrap_or(others);
    }
    Ok(values)
}

/// A text until its closing quote, and what follows. A doubled quote is one of the text's own.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut rest = text;
    loop {
        let (before, after) = rest.split_once('\'')?;
        value.push_str(before);
        match after.strip_prefix('\'') {
            Some(more) => {
                value.push('\'');
                rest = more;
            }
            None => return Some((value, after)),
        }
    }
}

type Parameter = Box<dyn ToSql + Send + Sync>;

/// A transaction as a connection runs it.
struct Prepared {
    begin: String,
    statements: Vec<(Statement, Vec<Parameter>)>,
}

/// A connection that runs recorded transactions.
pub(crate) struct Replayer {
    client: Client,
    transactions: Vec<Prepared>,
}

impl Replayer {
    pub(crate) async fn open(recording: &Recording) -> Result<Self, AnyError> {
        let (client, connection) = tokio_postgres::connect(&recording.database, NoTls).await?;
        // It ends with its client.
        tokio::spawn(connection);
        client.batch_execute(SESSION).await?;
        let mut transactions = Vec::with_capacity(recording.transactions.len());
        let mut known: Vec<(&str, Statement)> = Vec::new();
        for transaction in &recording.transactions {
            let mut statements = Vec::with_capacity(transaction.statements.len());
            for (sql, values) in &transaction.statements {
                let statement = match known.iter().find(|(text, _)| text == sql) {
                    Some((_, statement)) => statement.clone(),
                    None => client.prepare(sql).await?,
                };
                known.push((sql, statement.clone()));
                let values = statement.params().iter().zip(values);
                let values = values.map(|(kind, value)| parameter(kind, value.as_deref()));
                let values = values.collect::<Result<_, AnyError>>()?;
                statements.push((statement, values));
            }
            transactions.push(Prepared {
                begin: transaction.begin.clone(),
                statements,
            });
        }
        Ok(Self { client, transactions })
    }

    /// Runs one of the transactions, statement by statement as the service does.
    pub(crate) async fn run(&self, number: usize) -> Result<(), tokio_postgres::Error> {
        let transaction = &self.transactions[number % self.transactions.len()];
        self.client.batch_execute(&transaction.begin).await?;
        for (statement, values) in &transaction.statements {
            let values: Vec<_> = values
                .iter()
                .map(|value| &**value as &(dyn ToSql + Sync))
                .collect();
            std::hint::black_box(self.client.query(statement, &values).await?);
        }
        self.client.batch_execute(CHECKED_END).await
    }
}

/// A value of the log as the driver sends it.
fn parameter(kind: &Type, value: Option<&str>) -> Result<Parameter, AnyError> {
    Ok(match *kind {
        Type::INT8 => Box::new(value.map(str::parse::<i64>).transpose()?),
        Type::TEXT => Box::new(value.map(str::to_owned)),
        Type::BYTEA => {
            let digits = value.map(|value| value.strip_prefix("\\x").unwrap_or(value).as_bytes());
            let bytes = digits.map(|digits| data_encoding::HEXLOWER.decode(digits));
            Box::new(bytes.transpose()?)
        }
        _ => return Err(format!("no statement of the service has values of the type {kind}").into()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transactions_are_found_by_their_connection() {
        let entry = |process: u64, message: &str, detail: &str| {
            let database = if process == 9 { "other" } else { "ours" };
            json!({ "pid": process, "dbname": database, "message": message, "detail": detail }).to_string()
        };
        let log = [
            entry(1, "statement: BEGIN ISOLATION LEVEL READ COMMITTED", ""),
            entry(2, "statement: BEGIN", ""),
            entry(9, "statement: BEGIN", ""),
            entry(
                1,
                "execute s0: INSERT INTO a\nVALUES ($1, $2, $3)",
                "parameters: $1 = 'it''s, $2 = 1', $2 = NULL, $3 = ''",
            ),
            entry(2, "execute s0: SELECT 1", ""),
            entry(9, "statement: COMMIT", ""),
            entry(1, "statement: SELECT 1; COMMIT", ""),
            entry(2, "statement: ROLLBACK", ""),
            "{\"pid\": 1, \"mess".to_owned(),
        ];
        let found = transactions(&log.join("\n"), "ours").unwrap();
        let values = [Some("it's, $2 = 1".to_owned()), None, Some(String::new())];
        let begin = "BEGIN ISOLATION LEVEL READ COMMITTED".to_owned();
        let statements = vec![("INSERT INTO a\nVALUES ($1, $2, $3)".to_owned(), values.to_vec())];
        assert_eq!(found, [Transaction { begin, statements }]);
        assert!(found[0].has("INSERT INTO a"));

        let recording = Recording {
            database: "postgres://h/d".into(),
            transactions: found.clone(),
        };
        assert_eq!(
            Recording::from_json(&recording.to_json()).unwrap().transactions,
            found
        );
    }
}
