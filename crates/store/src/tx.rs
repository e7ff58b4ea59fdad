//! A transaction under way, on either engine.

use crate::dialect::{Dialect, Kind, padded, with_list};
use crate::engine::postgres::Session;
use crate::error::Error;
use crate::value::{Param, Row};

/// A transaction. Its queries live in `queries/`, one file per noun.
pub struct Tx<'c> {
    connection: Connection<'c>,
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
        }
    }

    pub(crate) const fn postgres(session: &'c mut Session) -> Self {
        Self {
            connection: Connection::Postgres(session),
        }
    }

    pub(crate) const fn dialect(&self) -> Dialect {
        match self.connection {
            Connection::Sqlite(_) => Dialect::Sqlite,
            Connection::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Runs a statement; how many rows it changed.
    pub(crate) fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, Error> {
        tracing::trace!(sql, "statement");
        match &mut self.connection {
            Connection::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(&Dialect::Sqlite.placeholders(sql))?;
                Ok(statement.execute(rusqlite::params_from_iter(params))? as u64)
            }
            Connection::Postgres(session) => session.execute(sql, params),
        }
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
        tracing::trace!(sql, "statement");
        match &mut self.connection {
            Connection::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(&Dialect::Sqlite.placeholders(sql))?;
                let mut rows = statement.query(rusqlite::params_from_iter(params))?;
                let mut found = Vec::new();
                while let Some(row) = rows.next()? {
                    found.push(read(&Row::Sqlite(row))?);
                }
                Ok(found)
            }
            Connection::Postgres(session) => session
                .query(sql, params)?
                .iter()
                .map(|row| read(&Row::Postgres(row)))
                .collect(),
        }
    }

    /// Runs a query and hands over row after row as they come, however many there are.
    pub(crate) fn each<E: From<Error>>(
        &mut self,
        sql: &str,
        mut take: impl FnMut(&Row<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        tracing::trace!(sql, "statement");
        match &mut self.connection {
            Connection::Sqlite(connection) => {
                let mut statement = connection.prepare(sql).map_err(Error::from)?;
                let mut rows = statement.query([]).map_err(Error::from)?;
                while let Some(row) = rows.next().map_err(Error::from)? {
                    take(&Row::Sqlite(row))?;
                }
                Ok(())
            }
            Connection::Postgres(session) => session.each(sql, |row| take(&Row::Postgres(row))),
        }
    }

    /// Runs a query that answers one row at the most.
    pub(crate) fn query_one<T>(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        read: impl FnMut(&Row<'_>) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        Ok(self.query(sql, params, read)?.into_iter().next())
    }

    /// Inserts rows: `sql` ends in `VALUES`. One statement, or a few for long lists, so that few texts are prepared.
    pub(crate) fn insert_rows(
        &mut self,
        sql: &str,
        kinds: &[Kind],
        params: &[Param<'_>],
    ) -> Result<(), Error> {
        for batch in batches(params, kinds.len()) {
            let rows = self.dialect().rows(kinds, batch.len() / kinds.len(), 1);
            self.execute(&format!("{sql} {rows}"), batch)?;
        }
        Ok(())
    }

    /// Updates rows out of a list of values: `{rows}` in the text stands for them.
    pub(crate) fn update_rows(
        &mut self,
        sql: &str,
        kinds: &[Kind],
        params: &[Param<'_>],
    ) -> Result<(), Error> {
        for batch in batches(params, kinds.len()) {
            let rows = self.dialect().rows(kinds, batch.len() / kinds.len(), 1);
            self.execute(&sql.replace("{rows}", &rows), batch)?;
        }
        Ok(())
    }

    /// Runs a query over a list of values: `{list}` in the text stands for their placeholders, numbered after
    /// those of `fixed`.
    pub(crate) fn query_in<'a, T>(
        &mut self,
        sql: &str,
        fixed: &[Param<'a>],
        values: impl ExactSizeIterator<Item = Param<'a>>,
        read: impl FnMut(&Row<'_>) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let mut params = fixed.to_vec();
        params.extend(values);
        let Some(last) = params.get(fixed.len()..).and_then(<[_]>::last).copied() else {
            return Ok(Vec::new());
        };
        let width = padded(params.len() - fixed.len());
        params.resize(fixed.len() + width, last);
        self.query(&with_list(sql, fixed.len() + 1, width), &params, read)
    }

    /// Runs part of a transaction that may fail without the rest.
    pub fn attempt<T, E: From<Error>>(
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

/// Cuts the values of a list of rows into lists of few different lengths: up to sixteen rows, or a power of two.
fn batches<'p, 'a>(mut params: &'p [Param<'a>], width: usize) -> impl Iterator<Item = &'p [Param<'a>]> {
    const MOST: usize = 64;
    std::iter::from_fn(move || {
        let rows = params.len() / width;
        let taken = match rows {
            0 => return None,
            1..=16 => rows,
            _ => MOST.min(1 << rows.ilog2()),
        };
        let (batch, rest) = params.split_at(taken * width);
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
