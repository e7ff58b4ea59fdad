//! A connection to `PostgreSQL`, with the statements it has prepared.

use crate::error::Error;
use crate::value::Param;
use postgres::error::{Severity, SqlState};
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::{ToSql, Type};
use postgres::{Client, Row, Statement};
use std::collections::HashMap;

/// Statements kept prepared on a connection.
const MAX_PREPARED_STATEMENTS: usize = 256;

/// Told to commit a transaction in which a statement failed, the server rolls it back and reports no error. The
/// query before it does.
const CHECKED_COMMIT: &str = "SELECT 1; COMMIT";

/// Why the server undid a transaction that may succeed if it is run again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RollbackCause {
    /// It was in the way of another one: a deadlock, or a serialization failure.
    Conflict,
    /// The server takes no writes: another one does now.
    ReadOnly,
}

impl RollbackCause {
    fn of(error: &postgres::Error) -> Option<Self> {
        match error.code() {
            Some(code) if *code == SqlState::T_R_SERIALIZATION_FAILURE => Some(Self::Conflict),
            Some(code) if *code == SqlState::T_R_DEADLOCK_DETECTED => Some(Self::Conflict),
            Some(code) if *code == SqlState::READ_ONLY_SQL_TRANSACTION => Some(Self::ReadOnly),
            _ => None,
        }
    }
}

/// A connection with the statements it has prepared.
pub(crate) struct Session {
    client: Client,
    /// Behind a pooler nothing is prepared under a name: the next transaction may run on another connection.
    prepared: Option<HashMap<String, Statement>>,
    pub(super) epoch: u64,
    rollback_cause: Option<RollbackCause>,
}

impl Session {
    pub(super) fn new(client: Client, epoch: u64, pooled: bool) -> Self {
        Self {
            client,
            prepared: (!pooled).then(HashMap::new),
            epoch,
            rollback_cause: None,
        }
    }

    pub(super) fn begin(&mut self, sql: &str) -> Result<(), Error> {
        self.rollback_cause = None;
        self.batch(sql)
    }

    /// Commits. [`Error::Unconfirmed`] if the server may have done so all the same.
    pub(in crate::engine) fn commit(&mut self) -> Result<(), Error> {
        if self.client.is_closed() {
            return Err(Error::Unavailable(
                "the connection was lost before the commit".into(),
            ));
        }
        match self.client.batch_execute(CHECKED_COMMIT) {
            Err(error) if !is_refusal(&error) => Err(Error::Unconfirmed(error.into())),
            ended => self.noted(ended),
        }
    }

    /// Why the last transaction failed, if it may be run again.
    pub(super) const fn rollback_cause(&self) -> Option<RollbackCause> {
        self.rollback_cause
    }

    pub(crate) fn batch(&mut self, sql: &str) -> Result<(), Error> {
        let done = self.client.batch_execute(sql);
        self.noted(done)
    }

    pub(crate) fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, Error> {
        let done = match self.prepare(sql)? {
            Some(statement) => self.client.execute(&statement, &erased(params)),
            None => self.client.execute_typed(sql, &typed(params)),
        };
        self.noted(done)
    }

    pub(crate) fn query(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>, Error> {
        let found = match self.prepare(sql)? {
            Some(statement) => self.client.query(&statement, &erased(params)),
            None => self.client.query_typed(sql, &typed(params)),
        };
        self.noted(found)
    }

    pub(crate) fn each<E: From<Error>>(
        &mut self,
        sql: &str,
        mut take: impl FnMut(&Row) -> Result<(), E>,
    ) -> Result<(), E> {
        let rows = match self.prepare(sql)? {
            Some(statement) => self.client.query_raw(&statement, Vec::<i64>::new()),
            None => self.client.query_typed_raw(sql, Vec::<(i64, Type)>::new()),
        };
        let mut rows = rows.map_err(Error::from)?;
        while let Some(row) = rows.next().map_err(Error::from)? {
            take(&row)?;
        }
        Ok(())
    }

    /// The statement under its name, where statements have names.
    fn prepare(&mut self, sql: &str) -> Result<Option<Statement>, Error> {
        let Some(prepared) = &mut self.prepared else {
            return Ok(None);
        };
        if let Some(statement) = prepared.get(sql) {
            return Ok(Some(statement.clone()));
        }
        if prepared.len() >= MAX_PREPARED_STATEMENTS {
            prepared.clear();
        }
        let statement = self.client.prepare(sql)?;
        prepared.insert(sql.to_owned(), statement.clone());
        Ok(Some(statement))
    }

    fn noted<T>(&mut self, outcome: Result<T, postgres::Error>) -> Result<T, Error> {
        outcome.map_err(|error| {
            self.rollback_cause = self.rollback_cause.or(RollbackCause::of(&error));
            error.into()
        })
    }
}

/// Whether the server said that it did not do it, and lives on.
fn is_refusal(error: &postgres::Error) -> bool {
    error
        .as_db_error()
        .is_some_and(|refused| refused.parsed_severity() == Some(Severity::Error))
}

fn erased<'a>(params: &'a [Param<'_>]) -> Vec<&'a (dyn ToSql + Sync)> {
    params.iter().map(|param| param as &(dyn ToSql + Sync)).collect()
}

fn typed<'a>(params: &'a [Param<'_>]) -> Vec<(&'a (dyn ToSql + Sync), Type)> {
    params
        .iter()
        .map(|param| (param as &(dyn ToSql + Sync), param.postgres_type()))
        .collect()
}
