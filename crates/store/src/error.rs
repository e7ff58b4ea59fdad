//! Errors of the store.

/// A failure of the store. None of them is the caller's fault.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Too much work is queued already.
    #[error("the store's queue is full")]
    Busy,
    /// The database cannot be reached.
    #[error("the database cannot be reached")]
    Unavailable(#[source] Source),
    /// Whether the transaction was committed is not known: the answer to the commit was lost, or is still awaited.
    #[error("the database did not confirm the commit")]
    Unconfirmed(#[source] Source),
    /// The disk is full.
    #[error("no space left in the database")]
    Full(#[source] Source),
    /// A row with this key exists.
    #[error("such a row exists already")]
    Duplicate(#[source] Source),
    /// The row changed between being read and being written; nothing was written.
    #[error("another transaction changed the row first")]
    Stale,
    /// A row holds an invalid value.
    #[error("the database holds an unexpected {0}")]
    Corrupt(&'static str),
    /// A query does not answer the column that is read.
    #[error("the query answers no column {0}")]
    MissingColumn(String),
    /// A query answers several columns of the name that is read.
    #[error("the query answers several columns {0}")]
    AmbiguousColumn(String),
    /// A transaction panicked and was rolled back.
    #[error("the transaction panicked")]
    Panicked,
    /// The store was shut down.
    #[error("the store is closed")]
    Closed,
    /// An event was to be written by a store that was opened without the key of the histories.
    #[error("no event is written without the key of the histories")]
    NoHistoryKey,
    /// Settings that make no sense.
    #[error("{0}")]
    Settings(String),
    /// The role in the address of the database may not do this.
    #[error("the role may not do this in the database")]
    Forbidden(#[source] Source),
    /// Anything else the engine said.
    #[error("the database refused a statement")]
    Statement(#[source] Source),
}

type Source = Box<dyn std::error::Error + Send + Sync>;

impl Error {
    /// Whether a retry may succeed. After [`Error::Unconfirmed`], it must be one that does nothing twice.
    pub const fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::Busy | Self::Unavailable(_) | Self::Unconfirmed(_) | Self::Full(_)
        )
    }

    /// Whether a row or a value is at fault, so that the same would fail again while other transactions succeed.
    pub const fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::Duplicate(_) | Self::Corrupt(_) | Self::Statement(_) | Self::Panicked
        )
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{
            CannotOpen, ConstraintViolation, DatabaseBusy, DatabaseLocked, DiskFull, ReadOnly,
            SystemIoFailure,
        };
        match error.sqlite_error_code() {
            Some(DiskFull) => Self::Full(error.into()),
            Some(DatabaseBusy | DatabaseLocked | CannotOpen | ReadOnly | SystemIoFailure) => {
                Self::Unavailable(error.into())
            }
            Some(ConstraintViolation) if is_unique(&error) => Self::Duplicate(error.into()),
            _ => Self::Statement(error.into()),
        }
    }
}

fn is_unique(error: &rusqlite::Error) -> bool {
    use rusqlite::ffi::{SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE};
    error.sqlite_error().is_some_and(|e| {
        matches!(
            e.extended_code,
            SQLITE_CONSTRAINT_PRIMARYKEY | SQLITE_CONSTRAINT_UNIQUE
        )
    })
}

impl From<postgres::Error> for Error {
    fn from(error: postgres::Error) -> Self {
        use postgres::error::SqlState;
        match error.code() {
            None => Self::Unavailable(error.into()),
            Some(code) if *code == SqlState::UNIQUE_VIOLATION => Self::Duplicate(error.into()),
            Some(code) if *code == SqlState::DISK_FULL => Self::Full(error.into()),
            Some(code) if *code == SqlState::READ_ONLY_SQL_TRANSACTION => Self::Unavailable(error.into()),
            Some(code) if *code == SqlState::INSUFFICIENT_PRIVILEGE => Self::Forbidden(error.into()),
            // Classes 08 (connection), 40 (rolled back for another's sake), 53 (resources), 55 (locked) and 57 (operator
            // intervention) pass.
            Some(code) if ["08", "40", "53", "55", "57"].contains(&&code.code()[..2]) => {
                Self::Unavailable(error.into())
            }
            Some(_) => Self::Statement(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Error;
    use rusqlite::ffi;

    #[test]
    fn a_file_that_takes_no_writes_is_a_database_that_cannot_be_reached() {
        let error = rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_READONLY), None);
        assert!(matches!(Error::from(error), Error::Unavailable(_)));
    }
}
