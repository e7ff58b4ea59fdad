//! A transaction, on either engine.

use crate::dialect::{ColumnType, Dialect, padded};
use crate::engine::postgres::session::Session;
use crate::error::Error;
use crate::history_key::HistoryKey;
use crate::sql::Expansion;
use crate::value::{Column, FromColumn, Param, Row, only_column};
use domain::Timestamp;

/// A transaction. Its queries live in `queries/`, one file per noun.
pub struct Tx<'c> {
    connection: Connection<'c>,
    history_key: Option<&'c HistoryKey>,
    /// What the database's clock shows, in a simulation.
    simulated_clock: Option<Timestamp>,
}

enum Connection<'c> {
    Sqlite(&'c rusqlite::Connection),
    Postgres(&'c mut Session),
}

impl std::fmt::Debug for Tx<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Tx").field(&self.dialect()).finish()
    }
}

impl<'c> Tx<'c> {
    pub(crate) const fn sqlite(connection: &'c rusqlite::Connection) -> Self {
        Self {
            connection: Connection::Sqlite(connection),
            history_key: None,
            simulated_clock: None,
        }
    }

    pub(crate) const fn postgres(session: &'c mut Session) -> Self {
        Self {
            connection: Connection::Postgres(session),
            history_key: None,
            simulated_clock: None,
        }
    }

    /// Adds the key that authenticates events; without it the transaction can write none.
    pub(crate) fn with_history_key(self, history_key: Option<&'c HistoryKey>) -> Self {
        Self { history_key, ..self }
    }

    /// The same with another clock than the database's own.
    #[cfg(feature = "simulation")]
    pub(crate) const fn with_clock(self, clock: Timestamp) -> Self {
        Self {
            simulated_clock: Some(clock),
            ..self
        }
    }

    /// What the database's clock shows, in a simulation.
    pub(crate) const fn simulated_clock(&self) -> Option<Timestamp> {
        self.simulated_clock
    }

    /// The key that authenticates events.
    pub(crate) const fn history_key(&self) -> Option<&'c HistoryKey> {
        self.history_key
    }

    pub(crate) const fn dialect(&self) -> Dialect {
        match self.connection {
            Connection::Sqlite(_) => Dialect::Sqlite,
            Connection::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Whether `SQLite` is in no transaction: after some errors it rolls back by itself.
    pub(crate) fn is_over(&self) -> bool {
        match &self.connection {
            Connection::Sqlite(connection) => connection.is_autocommit(),
            Connection::Postgres(_) => false,
        }
    }

    /// How many rows were changed on this `SQLite` connection, including changes that were rolled back.
    pub(crate) fn rows_changed(&self) -> u64 {
        match &self.connection {
            Connection::Sqlite(connection) => connection.total_changes(),
            Connection::Postgres(_) => 0,
        }
    }

    /// Runs a transaction control statement: BEGIN, COMMIT, ROLLBACK or a savepoint.
    pub(crate) fn control(&mut self, sql: &'static str) -> Result<(), Error> {
        match &mut self.connection {
            Connection::Sqlite(connection) => {
                connection.prepare_cached(sql)?.execute([])?;
                Ok(())
            }
            Connection::Postgres(session) => session.batch(sql),
        }
    }

    /// Runs a statement. Returns how many rows it changed.
    pub(crate) fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, Error> {
        self.change(sql, Expansion::None, params)
    }

    /// The same with a list of rows: `{rows}` in the text, or else its end, stands for them. The first `fixed` values
    /// are none of theirs.
    pub(crate) fn execute_rows(
        &mut self,
        sql: &str,
        kinds: &[ColumnType],
        fixed: usize,
        params: &[Param<'_>],
    ) -> Result<u64, Error> {
        let rows = Expansion::Rows {
            kinds,
            first: fixed + 1,
            count: (params.len() - fixed) / kinds.len(),
        };
        self.change(sql, rows, params)
    }

    fn change(&mut self, sql: &str, expansion: Expansion<'_>, params: &[Param<'_>]) -> Result<u64, Error> {
        self.trace(sql, expansion);
        match &mut self.connection {
            Connection::Sqlite(connection) => {
                let mut statement = prepared(connection, sql, expansion)?;
                Ok(statement.execute(rusqlite::params_from_iter(params))? as u64)
            }
            Connection::Postgres(session) => {
                session.execute(&expansion.expand(Dialect::Postgres, sql), params)
            }
        }
    }

    /// Inserts a row and returns its number, `seq`. `SQLite` keeps the last number by itself; `RETURNING` would cost it a
    /// temporary table.
    pub(crate) fn insert<T: FromColumn>(
        &mut self,
        sql: &'static str,
        params: &[Param<'_>],
    ) -> Result<T, Error> {
        if let Connection::Sqlite(connection) = self.connection {
            self.execute(sql, params)?;
            return T::from_column(Column::Int(connection.last_insert_rowid()));
        }
        let sql = format!("{sql} RETURNING seq");
        let seq = self.query_one(&sql, params, only_column)?;
        seq.ok_or(Error::Corrupt("answer"))
    }

    /// Runs several statements that take no parameters.
    pub(crate) fn batch(&mut self, sql: &str) -> Result<(), Error> {
        tracing::trace!(sql, "statement");
        match &mut self.connection {
            Connection::Sqlite(connection) => Ok(connection.execute_batch(sql)?),
            Connection::Postgres(session) => session.batch(sql),
        }
    }

    /// Runs a query and reads every row of the answer.
    pub(crate) fn query<T>(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        mut read: impl FnMut(&Row<'_>) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let mut found = Vec::new();
        self.for_each_row(sql, Expansion::None, params, |row| {
            found.push(read(row)?);
            Ok(())
        })?;
        Ok(found)
    }

    /// Runs a query that answers one row at the most.
    pub(crate) fn query_one<T>(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        mut read: impl FnMut(&Row<'_>) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let mut found = None;
        // Reads to the end of the result: a statement that writes is not complete before.
        self.for_each_row(sql, Expansion::None, params, |row| {
            if found.is_none() {
                found = Some(read(row)?);
            }
            Ok(())
        })?;
        Ok(found)
    }

    fn for_each_row(
        &mut self,
        sql: &str,
        expansion: Expansion<'_>,
        params: &[Param<'_>],
        mut take: impl FnMut(&Row<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.trace(sql, expansion);
        match &mut self.connection {
            Connection::Sqlite(connection) => {
                let mut statement = prepared(connection, sql, expansion)?;
                let names = column_names(&statement);
                let mut rows = statement.query(rusqlite::params_from_iter(params))?;
                while let Some(row) = rows.next()? {
                    take(&Row::sqlite(row, &names))?;
                }
                Ok(())
            }
            Connection::Postgres(session) => session
                .query(&expansion.expand(Dialect::Postgres, sql), params)?
                .iter()
                .try_for_each(|row| take(&Row::postgres(row))),
        }
    }

    /// The text is put together only where the log has this level.
    fn trace(&self, sql: &str, expansion: Expansion<'_>) {
        if tracing::enabled!(tracing::Level::TRACE) {
            let sql: &str = &expansion.expand(self.dialect(), sql);
            tracing::trace!(sql, "statement");
        }
    }

    /// Runs a query and streams its rows, in constant memory.
    pub(crate) fn each<E: From<Error>>(
        &mut self,
        sql: &str,
        mut take: impl FnMut(&Row<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        tracing::trace!(sql, "statement");
        match &mut self.connection {
            Connection::Sqlite(connection) => {
                let mut statement = connection.prepare(sql).map_err(Error::from)?;
                let names = column_names(&statement);
                let mut rows = statement.query([]).map_err(Error::from)?;
                while let Some(row) = rows.next().map_err(Error::from)? {
                    take(&Row::sqlite(row, &names))?;
                }
                Ok(())
            }
            Connection::Postgres(session) => session.each(sql, |row| take(&Row::postgres(row))),
        }
    }

    /// Runs a statement over a list of rows, which stand where `{rows}` does, or else at the end. One statement, or a few for
    /// long lists, so that few texts are prepared.
    pub(crate) fn run_rows(
        &mut self,
        sql: &str,
        kinds: &[ColumnType],
        params: &[Param<'_>],
    ) -> Result<(), Error> {
        for batch in batches(params, kinds.len()) {
            self.execute_rows(sql, kinds, 0, batch)?;
        }
        Ok(())
    }

    /// Like `run_rows`, for a statement that answers rows.
    pub(crate) fn query_rows<T>(
        &mut self,
        sql: &str,
        kinds: &[ColumnType],
        params: &[Param<'_>],
        mut read: impl FnMut(&Row<'_>) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let mut found = Vec::new();
        for batch in batches(params, kinds.len()) {
            let rows = Expansion::Rows {
                kinds,
                first: 1,
                count: batch.len() / kinds.len(),
            };
            self.for_each_row(sql, rows, batch, |row| {
                found.push(read(row)?);
                Ok(())
            })?;
        }
        Ok(found)
    }

    /// Runs a query over a list of values: `{list}` in the text stands for their placeholders, numbered after
    /// those of `fixed`.
    pub(crate) fn query_in<'a, T>(
        &mut self,
        sql: &str,
        fixed: &[Param<'a>],
        values: impl ExactSizeIterator<Item = Param<'a>>,
        mut read: impl FnMut(&Row<'_>) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let mut found = Vec::new();
        self.each_in(sql, fixed, values, |row| {
            found.push(read(row)?);
            Ok(())
        })?;
        Ok(found)
    }

    /// Like `query_in`, with a callback for each row.
    pub(crate) fn each_in<'a>(
        &mut self,
        sql: &str,
        fixed: &[Param<'a>],
        values: impl ExactSizeIterator<Item = Param<'a>>,
        take: impl FnMut(&Row<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut params = Vec::with_capacity(fixed.len() + padded(values.len()));
        params.extend_from_slice(fixed);
        params.extend(values);
        let Some(last) = params.get(fixed.len()..).and_then(<[_]>::last).copied() else {
            return Ok(());
        };
        let count = padded(params.len() - fixed.len());
        params.resize(fixed.len() + count, last);
        let first = fixed.len() + 1;
        self.for_each_row(sql, Expansion::List { first, count }, &params, take)
    }

    /// Runs part of a transaction in a savepoint: if it fails, only that part is rolled back.
    pub fn savepoint<T, E: From<Error>>(
        &mut self,
        part: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        self.batch("SAVEPOINT attempt")?;
        let outcome = part(self);
        match &outcome {
            Ok(_) => self.batch("RELEASE SAVEPOINT attempt")?,
            Err(_) => self.batch("ROLLBACK TO SAVEPOINT attempt; RELEASE SAVEPOINT attempt")?,
        }
        outcome
    }
}

/// The statement, from the connection's cache where it was prepared before.
fn prepared<'c>(
    connection: &'c rusqlite::Connection,
    sql: &str,
    expansion: Expansion<'_>,
) -> Result<rusqlite::CachedStatement<'c>, Error> {
    let text = expansion.expand(Dialect::Sqlite, sql);
    Ok(connection.prepare_cached(&Dialect::Sqlite.placeholders(&text))?)
}

fn column_names(statement: &rusqlite::Statement<'_>) -> Vec<String> {
    statement.column_names().map(str::to_owned).collect()
}

/// Splits a list of rows into batches of few different sizes (up to sixteen rows, or a power of two), so
/// that few statements are prepared.
fn batches<'p, 'a>(mut params: &'p [Param<'a>], width: usize) -> impl Iterator<Item = &'p [Param<'a>]> {
    const MAX_BATCH_ROWS: usize = 64;
    std::iter::from_fn(move || {
        let rows = params.len() / width;
        let batch_rows = match rows {
            0 => return None,
            1..=16 => rows,
            _ => MAX_BATCH_ROWS.min(1 << rows.ilog2()),
        };
        let (batch, rest) = params.split_at(batch_rows * width);
        params = rest;
        Some(batch)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_come_in_few_lengths() {
        let lengths = |rows: usize| {
            let params = vec![Param::Null; rows * 3];
            batches(&params, 3)
                .map(|batch| batch.len() / 3)
                .collect::<Vec<_>>()
        };
        assert_eq!(lengths(0), Vec::<usize>::new());
        assert_eq!(lengths(10), [10]);
        assert_eq!(lengths(50), [32, 16, 2]);
        assert_eq!(lengths(150), [64, 64, 16, 6]);
    }
}
