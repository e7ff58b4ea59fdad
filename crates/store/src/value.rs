//! Values on their way into and out of SQL: integers, texts, bytes, and nothing.

use crate::error::Error;
use domain::{
    BulkId, CodeId, DeliveryId, DocumentId, DocumentIndex, DraftId, FolioId, FolioTemplateId, InstanceId,
    InvitationId, KeyId, ProviderId, SessionId, SignerIndex, SignerSessionId, Timestamp, UserId, WebhookId,
};
use postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use std::cell::Cell;
use std::error::Error as StdError;

/// A value bound to a placeholder.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Param<'a> {
    Null,
    Int(i64),
    Text(&'a str),
    Bytes(&'a [u8]),
}

/// A count or a place as SQL holds it.
pub(crate) fn sql_int(value: impl TryInto<i64>) -> Result<i64, Error> {
    value.try_into().map_err(|_| Error::Corrupt("number"))
}

/// The values of a list of rows, one after the other.
pub(crate) struct Rows<'a>(Vec<Param<'a>>);

impl<'a> Rows<'a> {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn push<const N: usize>(&mut self, row: [Param<'a>; N]) {
        self.0.extend(row);
    }
}

impl<'a> std::ops::Deref for Rows<'a> {
    type Target = [Param<'a>];

    fn deref(&self) -> &[Param<'a>] {
        &self.0
    }
}

macro_rules! param {
    ($($from:ty, $value:ident => $param:expr;)*) => {
        $(impl<'a> From<$from> for Param<'a> {
            fn from($value: $from) -> Self {
                $param
            }
        })*
    };
}

param! {
    i64, value => Self::Int(value);
    bool, value => Self::Int(value.into());
    Timestamp, value => Self::Int(value.as_micros());
    &'a str, value => Self::Text(value);
    &'a String, value => Self::Text(value);
    &'a [u8], value => Self::Bytes(value);
    &'a [u8; 32], value => Self::Bytes(value);
    &'a FolioId, value => Self::Bytes(value.as_bytes());
    &'a DocumentId, value => Self::Bytes(value.as_bytes());
    &'a BulkId, value => Self::Bytes(value.as_bytes());
    &'a WebhookId, value => Self::Bytes(value.as_bytes());
    &'a DeliveryId, value => Self::Bytes(value.as_bytes());
    &'a DraftId, value => Self::Bytes(value.as_bytes());
    &'a FolioTemplateId, value => Self::Bytes(value.as_bytes());
    &'a KeyId, value => Self::Bytes(value.as_bytes());
    &'a UserId, value => Self::Bytes(value.as_bytes());
    &'a SessionId, value => Self::Bytes(value.as_bytes());
    &'a SignerSessionId, value => Self::Bytes(value.as_bytes());
    &'a CodeId, value => Self::Bytes(value.as_bytes());
    &'a InvitationId, value => Self::Bytes(value.as_bytes());
    &'a ProviderId, value => Self::Bytes(value.as_bytes());
    &'a InstanceId, value => Self::Bytes(value.as_bytes());
}

impl<'a, T: Into<Param<'a>>> From<Option<T>> for Param<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl rusqlite::ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        use rusqlite::types::ValueRef;
        Ok(rusqlite::types::ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(value) => ValueRef::Integer(*value),
            Self::Text(value) => ValueRef::Text(value.as_bytes()),
            Self::Bytes(value) => ValueRef::Blob(value),
        }))
    }
}

impl ToSql for Param<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut postgres::types::private::BytesMut,
    ) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(value) => value.to_sql_checked(ty, out),
            Self::Text(value) => value.to_sql_checked(ty, out),
            Self::Bytes(value) => value.to_sql_checked(ty, out),
        }
    }

    fn accepts(ty: &Type) -> bool {
        matches!(*ty, Type::INT8 | Type::TEXT | Type::BYTEA | Type::UNKNOWN)
    }

    to_sql_checked!();
}

impl Param<'_> {
    /// The type that an unnamed statement declares for this value. `PostgreSQL` infers the type of a null.
    pub(crate) const fn postgres_type(&self) -> Type {
        match self {
            Self::Null => Type::UNKNOWN,
            Self::Int(_) => Type::INT8,
            Self::Text(_) => Type::TEXT,
            Self::Bytes(_) => Type::BYTEA,
        }
    }
}

/// A column's value as the engine holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column<'a> {
    /// Nothing.
    Null,
    /// A number.
    Int(i64),
    /// A text.
    Text(&'a str),
    /// Bytes.
    Bytes(&'a [u8]),
}

impl<'a> Column<'a> {
    /// The text it holds.
    pub(crate) fn text(self) -> Result<&'a str, Error> {
        if let Self::Text(value) = self {
            Ok(value)
        } else {
            Err(Error::Corrupt("non-text"))
        }
    }

    /// The bytes it holds.
    fn bytes(self) -> Result<&'a [u8], Error> {
        if let Self::Bytes(value) = self {
            Ok(value)
        } else {
            Err(Error::Corrupt("non-bytes"))
        }
    }
}

impl<'a> From<Column<'a>> for Param<'a> {
    fn from(column: Column<'a>) -> Self {
        match column {
            Column::Null => Self::Null,
            Column::Int(value) => Self::Int(value),
            Column::Text(value) => Self::Text(value),
            Column::Bytes(value) => Self::Bytes(value),
        }
    }
}

/// One row of an answer, whose columns are read by name. A query names its expressions (`COUNT(*) AS waiting`), and
/// renames one of two columns that share a name.
pub(crate) struct Row<'a> {
    source: RowSource<'a>,
    /// Where the search for the next column begins. Columns are mostly read in the order of the query, and then
    /// each is found at once.
    next: Cell<usize>,
}

enum RowSource<'a> {
    /// A row, and the names of the columns: `SQLite` would look a name up each time that it is asked for it.
    Sqlite(&'a rusqlite::Row<'a>, &'a [String]),
    Postgres(&'a postgres::Row),
}

impl<'a> Row<'a> {
    pub(crate) const fn sqlite(row: &'a rusqlite::Row<'a>, names: &'a [String]) -> Self {
        Self::new(RowSource::Sqlite(row, names))
    }

    pub(crate) const fn postgres(row: &'a postgres::Row) -> Self {
        Self::new(RowSource::Postgres(row))
    }

    const fn new(source: RowSource<'a>) -> Self {
        Self {
            source,
            next: Cell::new(0),
        }
    }

    /// The value of a column, as the type asked for.
    pub(crate) fn get<T: FromColumn>(&self, name: &str) -> Result<T, Error> {
        T::from_column(self.column(name)?)
    }

    /// The text of a column, borrowed, unless it is null.
    pub(crate) fn maybe_text(&self, name: &str) -> Result<Option<&str>, Error> {
        match self.column(name)? {
            Column::Null => Ok(None),
            some => some.text().map(Some),
        }
    }

    /// The bytes of a column, borrowed, unless it is null.
    pub(crate) fn maybe_bytes(&self, name: &str) -> Result<Option<&[u8]>, Error> {
        match self.column(name)? {
            Column::Null => Ok(None),
            some => some.bytes().map(Some),
        }
    }

    /// The value of a column as the engine holds it.
    pub(crate) fn column(&self, name: &str) -> Result<Column<'_>, Error> {
        let index = self.index_of(name)?;
        self.next.set(index + 1);
        self.column_at(index)
    }

    fn index_of(&self, name: &str) -> Result<usize, Error> {
        let (count, next) = (self.column_count(), self.next.get());
        let has_name = |index: &usize| self.name_at(*index) == Some(name);
        // Which of two columns of one name would be found depends on what was read before. The text of a query decides
        // it, so the tests' builds find it; looking through all names for each column would cost half of a read.
        if cfg!(debug_assertions) && (0..count).filter(has_name).count() > 1 {
            return Err(Error::AmbiguousColumn(name.to_owned()));
        }
        (next..count)
            .chain(0..next.min(count))
            .find(has_name)
            .ok_or_else(|| Error::MissingColumn(name.to_owned()))
    }

    fn column_count(&self) -> usize {
        match self.source {
            RowSource::Sqlite(_, names) => names.len(),
            RowSource::Postgres(row) => row.len(),
        }
    }

    fn name_at(&self, index: usize) -> Option<&str> {
        match self.source {
            RowSource::Sqlite(_, names) => names.get(index).map(String::as_str),
            RowSource::Postgres(row) => row.columns().get(index).map(postgres::Column::name),
        }
    }

    fn column_at(&self, index: usize) -> Result<Column<'_>, Error> {
        match self.source {
            RowSource::Sqlite(row, _) => {
                use rusqlite::types::ValueRef;
                Ok(match row.get_ref(index)? {
                    ValueRef::Null => Column::Null,
                    ValueRef::Integer(value) => Column::Int(value),
                    ValueRef::Text(value) => {
                        Column::Text(std::str::from_utf8(value).map_err(|_| Error::Corrupt("text"))?)
                    }
                    ValueRef::Blob(value) => Column::Bytes(value),
                    ValueRef::Real(_) => return Err(Error::Corrupt("number")),
                })
            }
            RowSource::Postgres(row) => {
                let column = match row.columns().get(index).map(postgres::Column::type_) {
                    Some(&Type::INT8) => row.try_get::<_, Option<i64>>(index)?.map(Column::Int),
                    Some(&Type::TEXT) => row.try_get::<_, Option<&str>>(index)?.map(Column::Text),
                    Some(&Type::BYTEA) => row.try_get::<_, Option<&[u8]>>(index)?.map(Column::Bytes),
                    _ => return Err(Error::Corrupt("column type")),
                };
                Ok(column.unwrap_or(Column::Null))
            }
        }
    }
}

/// Reads the value of a row that has one column, whatever its name is: `self.query(sql, &params, only_column)`.
pub(crate) fn only_column<T: FromColumn>(row: &Row<'_>) -> Result<T, Error> {
    if row.column_count() != 1 {
        return Err(Error::Corrupt("number of columns"));
    }
    T::from_column(row.column_at(0)?)
}

/// A type that a column can be read as.
pub(crate) trait FromColumn: Sized {
    fn from_column(column: Column<'_>) -> Result<Self, Error>;
}

impl FromColumn for i64 {
    fn from_column(column: Column<'_>) -> Result<Self, Error> {
        if let Column::Int(value) = column {
            Ok(value)
        } else {
            Err(Error::Corrupt("non-integer"))
        }
    }
}

impl FromColumn for bool {
    fn from_column(column: Column<'_>) -> Result<Self, Error> {
        i64::from_column(column).map(|value| value != 0)
    }
}

impl FromColumn for usize {
    fn from_column(column: Column<'_>) -> Result<Self, Error> {
        i64::from_column(column)?
            .try_into()
            .map_err(|_| Error::Corrupt("negative number"))
    }
}

impl FromColumn for SignerIndex {
    fn from_column(column: Column<'_>) -> Result<Self, Error> {
        usize::from_column(column).map(Self)
    }
}

impl FromColumn for DocumentIndex {
    fn from_column(column: Column<'_>) -> Result<Self, Error> {
        usize::from_column(column).map(Self)
    }
}

impl FromColumn for u64 {
    fn from_column(column: Column<'_>) -> Result<Self, Error> {
        i64::from_column(column)?
            .try_into()
            .map_err(|_| Error::Corrupt("negative number"))
    }
}

impl FromColumn for u32 {
    fn from_column(column: Column<'_>) -> Result<Self, Error> {
        i64::from_column(column)?
            .try_into()
            .map_err(|_| Error::Corrupt("number"))
    }
}

impl FromColumn for Timestamp {
    fn from_column(column: Column<'_>) -> Result<Self, Error> {
        i64::from_column(column).map(Self::from_micros)
    }
}

impl FromColumn for String {
    fn from_column(column: Column<'_>) -> Result<Self, Error> {
        column.text().map(str::to_owned)
    }
}

impl FromColumn for Vec<u8> {
    fn from_column(column: Column<'_>) -> Result<Self, Error> {
        column.bytes().map(<[u8]>::to_vec)
    }
}

impl<const N: usize> FromColumn for [u8; N] {
    fn from_column(column: Column<'_>) -> Result<Self, Error> {
        column.bytes()?.try_into().map_err(|_| Error::Corrupt("length"))
    }
}

macro_rules! id_column {
    ($($id:ty),*) => {
        $(impl FromColumn for $id {
            fn from_column(column: Column<'_>) -> Result<Self, Error> {
                <[u8; 16]>::from_column(column).map(Self::from_bytes)
            }
        })*
    };
}

id_column!(
    FolioId,
    DocumentId,
    BulkId,
    DraftId,
    FolioTemplateId,
    KeyId,
    UserId,
    InvitationId,
    ProviderId,
    SessionId,
    SignerSessionId,
    CodeId,
    WebhookId,
    DeliveryId
);

impl<T: FromColumn> FromColumn for Option<T> {
    fn from_column(column: Column<'_>) -> Result<Self, Error> {
        match column {
            Column::Null => Ok(None),
            some => T::from_column(some).map(Some),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tx::Tx;

    fn query<T>(sql: &str, read: impl FnMut(&Row<'_>) -> Result<T, Error>) -> Result<Vec<T>, Error> {
        let connection = rusqlite::Connection::open_in_memory()?;
        Tx::sqlite(&connection).query(sql, &[], read)
    }

    #[test]
    fn columns_are_found_by_name_in_any_order() {
        let read = |row: &Row<'_>| -> Result<(i64, i64, i64), Error> {
            Ok((row.get("c")?, row.get("a")?, row.get("b")?))
        };
        let found = query("SELECT 1 AS a, 2 AS b, 3 AS c", read).unwrap();
        assert_eq!(found, [(3, 1, 2)]);
    }

    #[test]
    fn a_column_that_is_missing_or_there_twice_is_named() {
        let missing = query("SELECT 1 AS a", |row| row.get::<i64>("b")).unwrap_err();
        assert!(matches!(missing, Error::MissingColumn(name) if name == "b"));
        let twice = query("SELECT 1 AS a, 2 AS a", |row| row.get::<i64>("a")).unwrap_err();
        assert!(matches!(twice, Error::AmbiguousColumn(name) if name == "a"));
    }

    #[test]
    fn the_only_column_needs_no_name() {
        assert_eq!(query("SELECT 1 + 1", only_column::<i64>).unwrap(), [2]);
        let two = query("SELECT 1, 2", only_column::<i64>).unwrap_err();
        assert!(matches!(two, Error::Corrupt(_)));
    }
}
