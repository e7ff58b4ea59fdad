//! A connection to `PostgreSQL`, with the statements it has prepared.

use crate::error::Error;
use crate::value::Param;
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::ToSql;
use postgres::{Client, Row, Statement};
use std::collections::HashMap;

/// Statements kept prepared on a connection.
const PREPARED_MAX: usize = 256;

/// A connection with the statements it has prepared.
pub(crate) struct Session {
    client: Client,
    prepared: HashMap<String, Statement>,
}

impl Session {
    pub(super) fn new(client: Client) -> Self {
        Self {
            client,
            prepared: HashMap::new(),
        }
    }

    pub(crate) fn batch(&mut self, sql: &str) -> Result<(), Error> {
        Ok(self.client.batch_execute(sql)?)
    }

    pub(crate) fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, Error> {
        let statement = self.prepare(sql)?;
        Ok(self.client.execute(&statement, &erased(params))?)
    }

    pub(crate) fn query(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>, Error> {
        let statement = self.prepare(sql)?;
        Ok(self.client.query(&statement, &erased(params))?)
    }

    pub(crate) fn each<E: From<Error>>(
        &mut self,
        sql: &str,
        mut take: impl FnMut(&Row) -> Result<(), E>,
    ) -> Result<(), E> {
        let statement = self.prepare(sql)?;
        let none: [i64; 0] = [];
        let mut rows = self.client.query_raw(&statement, none).map_err(Error::from)?;
        while let Some(row) = rows.next().map_err(Error::from)? {
            take(&row)?;
        }
        Ok(())
    }

    fn prepare(&mut self, sql: &str) -> Result<Statement, Error> {
        if let Some(statement) = self.prepared.get(sql) {
            return Ok(statement.clone());
        }
        if self.prepared.len() >= PREPARED_MAX {
            self.prepared.clear();
        }
        let statement = self.client.prepare(sql)?;
        self.prepared.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

fn erased<'a>(params: &'a [Param<'_>]) -> Vec<&'a (dyn ToSql + Sync)> {
    params.iter().map(|param| param as &(dyn ToSql + Sync)).collect()
}
