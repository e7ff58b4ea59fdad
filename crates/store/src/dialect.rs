//! SQL that the two engines spell differently.

use domain::limits::BULK_FOLIOS;
use std::borrow::Cow;
use std::fmt::Write;

/// Which engine a statement goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

/// The type of a column in a list of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// Numbers.
    Int,
    /// Texts.
    Text,
    /// Bytes.
    Bytes,
}

impl Dialect {
    /// The statement with the engine's own placeholders: `SQLite` numbers `$n` by first appearance, not by n.
    pub(crate) fn placeholders(self, sql: &str) -> Cow<'_, str> {
        match self {
            // Byte for byte, which leaves the text UTF-8, costs less than a search.
            Self::Sqlite => {
                let own = |byte| if byte == b'$' { b'?' } else { byte };
                let text = String::from_utf8(sql.bytes().map(own).collect());
                text.map_or(Cow::Borrowed(sql), Cow::Owned)
            }
            Self::Postgres => sql.into(),
        }
    }

    /// Locks the rows of a select against other writers. `SQLite` has one writer, and needs none. Not against rows that
    /// refer to them: a message to a signer of the folio is inserted without waiting for the act that has locked it.
    pub(crate) const fn for_update(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => " FOR NO KEY UPDATE",
        }
    }

    /// Locks the rows of a select also against rows that refer to them: what another transaction inserts of an erased folio
    /// waits until the erasure is over. `SQLite` has one writer, and needs none.
    pub(crate) const fn for_exclusive_update(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => " FOR UPDATE",
        }
    }

    /// Keeps the rows of a select from being locked exclusively, as inserted rows that refer to them do; nothing else waits.
    /// `SQLite` has one writer, and needs none.
    pub(crate) const fn for_key_share(self) -> Option<&'static str> {
        match self {
            Self::Sqlite => None,
            Self::Postgres => Some(" FOR KEY SHARE"),
        }
    }

    /// An advisory lock on a number until the transaction ends. `SQLite` has one writer, and needs none.
    pub(crate) const fn advisory_lock(self) -> Option<&'static str> {
        match self {
            Self::Sqlite => None,
            Self::Postgres => Some("SELECT 1 FROM pg_advisory_xact_lock($1)"),
        }
    }

    /// Skips rows that other transactions have locked. `SQLite` has one writer, and needs none.
    pub(crate) const fn for_update_skip_locked(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => " FOR UPDATE SKIP LOCKED",
        }
    }

    /// One part of a `UNION ALL` of descending lists. `SQLite` merges them lazily; `PostgreSQL` would sort
    /// all rows unless each part has its own limit.
    pub(crate) fn merged(self, list: &str, column: &str, order: &str, limit: &str) -> String {
        match self {
            Self::Sqlite => list.to_owned(),
            Self::Postgres => {
                format!("SELECT {column} FROM ({list} ORDER BY {column} {order} LIMIT {limit}) AS part")
            }
        }
    }

    /// `($1, $2), ($3, $4), …`: placeholders for that many rows, the first numbered `first`.
    pub(crate) fn rows(self, kinds: &[ColumnType], count: usize, first: usize) -> String {
        let mut text = String::with_capacity(count * kinds.len() * 6);
        let mut number = first;
        for row in 0..count {
            text.push_str(if row == 0 { "(" } else { ", (" });
            for (place, kind) in kinds.iter().enumerate() {
                if place > 0 {
                    text.push_str(", ");
                }
                let _ = match (self, row, kind) {
                    // PostgreSQL takes an untyped list for text; the first row settles it for all.
                    (Self::Postgres, 0, ColumnType::Int) => write!(text, "CAST(${number} AS BIGINT)"),
                    (Self::Postgres, 0, ColumnType::Bytes) => write!(text, "CAST(${number} AS BYTEA)"),
                    (Self::Postgres, 0, ColumnType::Text) => write!(text, "CAST(${number} AS TEXT)"),
                    _ => write!(text, "${number}"),
                };
                number += 1;
            }
            text.push(')');
        }
        text
    }

    /// Where a queue is read from, if all before that number was taken. `SQLite` gives out numbers from 1 again when a table is
    /// empty, and has no deleted rows to step over.
    pub(crate) const fn position_in_queue(self, number: i64) -> i64 {
        match self {
            Self::Sqlite => 0,
            Self::Postgres => number,
        }
    }

    /// Asks for the names and types of a table's columns, in their order.
    pub(crate) const fn columns(self) -> &'static str {
        match self {
            Self::Sqlite => "SELECT name, type FROM pragma_table_info($1) ORDER BY cid",
            Self::Postgres => {
                "SELECT CAST(column_name AS TEXT) AS name, CAST(data_type AS TEXT) AS type
                 FROM information_schema.columns
                 WHERE table_schema = current_schema() AND CAST(table_name AS TEXT) = $1 ORDER BY ordinal_position"
            }
        }
    }

    /// Asks for the time by the database's clock, in microseconds.
    pub(crate) const fn clock(self) -> &'static str {
        match self {
            Self::Sqlite => "SELECT CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)",
            Self::Postgres => "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)",
        }
    }

    /// Asks a database server for the time by its clock, in microseconds. `SQLite` has none of its own.
    pub(crate) const fn server_clock(self) -> Option<&'static str> {
        match self {
            Self::Sqlite => None,
            Self::Postgres => Some(self.clock()),
        }
    }

    /// Lets no instance start until the transaction ends. `SQLite` has one writer, and needs no lock.
    pub(crate) const fn lock_instances(self) -> Option<&'static str> {
        match self {
            Self::Sqlite => None,
            Self::Postgres => Some("LOCK TABLE instances IN EXCLUSIVE MODE"),
        }
    }

    /// Sets the sequence of a table after its highest row number. `SQLite` does so by itself.
    pub(crate) fn reset_sequence(self, table: &str) -> Option<String> {
        match self {
            Self::Sqlite => None,
            Self::Postgres => Some(format!(
                "SELECT setval(pg_get_serial_sequence('{table}', 'seq'), (SELECT COALESCE(MAX(seq), 0) + 1 FROM {table}), false)"
            )),
        }
    }

    /// How a part of a migration begins and ends. `SQLite` applies all of them in one transaction, which is open.
    pub(crate) const fn migration_transaction(self) -> (&'static str, &'static str) {
        match self {
            Self::Sqlite => ("", ""),
            // Requests queue up behind a migration that waits for the lock of a table: better that it fails, and is tried
            // again when a long transaction has ended.
            Self::Postgres => (
                "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '5s'",
                "COMMIT",
            ),
        }
    }

    /// A migration's text with its marks replaced.
    pub(crate) fn migration(self, sql: &str) -> String {
        let (sequence, clustered, bytewise, queue) = match self {
            Self::Sqlite => ("INTEGER PRIMARY KEY", " WITHOUT ROWID", "", ""),
            Self::Postgres => (
                "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
                "",
                " COLLATE \"C\"",
                // By default a fifth of a table must be dead rows before they are cleaned up: of ten million rows, two
                // million that every poll of the queue may have to step over. Large values are cleaned up by the same rule: their
                // table takes the settings of the one they are in.
                " WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000)",
            ),
        };
        sql.replace("{sequence}", sequence)
            .replace(" {clustered}", clustered)
            .replace(" {bytewise}", bytewise)
            .replace(" {queue}", queue)
    }
}

/// How many placeholders a list of `count` values gets: the next power of two, so that few texts are prepared, or as many
/// as lists of folios may have for most acts.
pub(crate) fn padded(count: usize) -> usize {
    match count {
        33..=BULK_FOLIOS => BULK_FOLIOS,
        _ => count.max(1).next_power_of_two(),
    }
}

/// The statement with a list of `count` placeholders, `$first, $first+1, …`, in place of every `{list}`.
pub(crate) fn with_list(sql: &str, first: usize, count: usize) -> String {
    let mut text = String::with_capacity(sql.len() + count * 5);
    for (place, part) in sql.split("{list}").enumerate() {
        if place > 0 {
            let _ = write!(text, "${first}");
            for number in first + 1..first + count {
                let _ = write!(text, ", ${number}");
            }
        }
        text.push_str(part);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_typed_once_for_postgres() {
        let kinds = [ColumnType::Int, ColumnType::Bytes];
        assert_eq!(Dialect::Sqlite.rows(&kinds, 2, 3), "($3, $4), ($5, $6)");
        assert_eq!(
            Dialect::Postgres.rows(&kinds, 2, 1),
            "(CAST($1 AS BIGINT), CAST($2 AS BYTEA)), ($3, $4)"
        );
    }

    #[test]
    fn lists_come_in_few_lengths() {
        assert_eq!(
            [0, 1, 3, 40, 50, 51, 1000].map(padded),
            [1, 1, 4, 50, 50, 64, 1024]
        );
        assert_eq!(with_list("a IN ({list})", 2, 3), "a IN ($2, $3, $4)");
    }
}
