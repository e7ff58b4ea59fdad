//! The statements of an `SQLite` connection, prepared once and found again without a look at their texts: a text that is
//! part of the program is known by its address.

use crate::dialect::Dialect;
use crate::error::Error;
use crate::sql::{Gap, Sql};
use rusqlite::{Connection, PrepFlags, Statement};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// So many are kept for a connection at the most. Then all are forgotten: those in use are soon there again.
const KEPT: usize = 256;
/// Statements over more values or rows than these are large, and seldom come twice.
const LONG: usize = 64;

/// What a statement is found by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    address: usize,
    length: usize,
    gap: [usize; 3],
}

impl Key {
    fn new(sql: Sql<'_>, gap: Gap<'_>) -> Option<Self> {
        match sql {
            Sql::Lasting(text) if gap.count() <= LONG => Some(Self::of(text, gap)),
            _ => None,
        }
    }

    /// Only what lasts as long as the program has an address to be known by: elsewhere another text may come to lie.
    fn of(text: &'static str, gap: Gap<'_>) -> Self {
        Self {
            address: text.as_ptr().addr(),
            length: text.len(),
            gap: gap.measure(),
        }
    }
}

/// A connection with its statements.
pub(crate) struct Statements<'c> {
    connection: &'c Connection,
    kept: Kept<'c>,
}

enum Kept<'c> {
    /// For whoever stays with the connection.
    Prepared(FxHashMap<Key, Statement<'c>>),
    /// For whoever borrows the connection for a transaction: the connection itself keeps what is prepared, and wants to
    /// be given the text.
    Written(&'c mut Texts),
}

/// The texts of statements, as they are prepared. Unlike statements they may go from thread to thread.
#[derive(Debug, Default)]
pub(crate) struct Texts(FxHashMap<Key, String>);

impl<'c> Statements<'c> {
    pub(crate) fn new(connection: &'c Connection) -> Self {
        Self {
            connection,
            kept: Kept::Prepared(FxHashMap::default()),
        }
    }

    pub(crate) const fn lent(connection: &'c Connection, texts: &'c mut Texts) -> Self {
        Self {
            connection,
            kept: Kept::Written(texts),
        }
    }

    pub(crate) const fn connection(&self) -> &'c Connection {
        self.connection
    }

    /// Does something with the statement of that text, which is at rest before and after.
    pub(crate) fn with<T>(
        &mut self,
        sql: Sql<'_>,
        gap: Gap<'_>,
        act: impl FnOnce(&mut Statement<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let Some(key) = Key::new(sql, gap) else {
            let mut statement = self.connection.prepare_cached(&written(sql, gap))?;
            return act(&mut statement);
        };
        match &mut self.kept {
            Kept::Prepared(kept) => {
                make_room(kept, &key);
                let statement = match kept.entry(key) {
                    Entry::Occupied(found) => found.into_mut(),
                    Entry::Vacant(place) => place.insert(
                        self.connection
                            .prepare_with_flags(&written(sql, gap), PrepFlags::SQLITE_PREPARE_PERSISTENT)?,
                    ),
                };
                let done = act(statement);
                // The values may be large, and are nobody's business any more.
                statement.clear_bindings();
                done
            }
            Kept::Written(Texts(texts)) => {
                make_room(texts, &key);
                let text = texts.entry(key).or_insert_with(|| written(sql, gap));
                let mut statement = self.connection.prepare_cached(text)?;
                act(&mut statement)
            }
        }
    }
}

fn make_room<V>(kept: &mut FxHashMap<Key, V>, key: &Key) {
    if kept.len() >= KEPT && !kept.contains_key(key) {
        kept.clear();
    }
}

fn written(sql: Sql<'_>, gap: Gap<'_>) -> String {
    let text = gap.filled(Dialect::Sqlite, sql.text());
    Dialect::Sqlite.placeholders(&text).into_owned()
}

#[cfg(test)]
mod tests;
