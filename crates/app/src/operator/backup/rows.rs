//! Rows as text: a JSON array a line, bytes as `{"base64": …}`. The format needs no program of ours to
//! be read.

use super::BackupError;
use super::manifest::{Page, TableColumn, TableFile};
use super::pages::{PageWriter, each_line};
use super::progress::Progress;
use blobs::Blobs;
use data_encoding::BASE64;
use serde_json::{Value, json};
use store::{Column, ColumnInfo, ColumnType, Tx};

/// Rows put into the database by one statement, and bytes of them.
const INSERT_BATCH_ROWS: usize = 64;
const INSERT_BATCH_BYTES: usize = 4 << 20;

/// Writes a table down.
pub(super) fn export(tx: &mut Tx<'_>, table: &str, pages: &mut PageWriter) -> Result<TableFile, BackupError> {
    let columns = tx.columns(table)?;
    let mut rows = 0;
    tx.each_row(table, &columns, |cells| {
        let line: Vec<Value> = cells.iter().map(cell).collect();
        let mut line = Value::from(line).to_string();
        line.push('\n');
        rows += 1;
        pages.push(line.as_bytes())
    })?;
    Ok(TableFile {
        name: table.to_owned(),
        columns: columns.iter().map(described).collect(),
        rows,
        pages: pages.end_table()?,
    })
}

/// Hands over row after row.
pub(super) fn read(
    pages: &Blobs,
    table: &TableFile,
    mut take: impl FnMut(Vec<Value>) -> Result<(), BackupError>,
) -> Result<(), BackupError> {
    table
        .pages
        .iter()
        .try_for_each(|page| read_page(pages, table, page, &mut take))
}

/// The same of one of its pages.
pub(super) fn read_page(
    pages: &Blobs,
    table: &TableFile,
    page: &Page,
    mut take: impl FnMut(Vec<Value>) -> Result<(), BackupError>,
) -> Result<(), BackupError> {
    each_line(pages, table, page, |line| {
        let row = serde_json::from_slice(line);
        take(row.map_err(|error| BackupError::Damaged(format!("rows of {}: {error}", table.name)))?)
    })
}

/// Puts a table back.
pub(super) fn import(
    tx: &mut Tx<'_>,
    table: &TableFile,
    pages: &Blobs,
    progress: &mut Progress,
) -> Result<(), BackupError> {
    let columns = tx.columns(&table.name)?;
    if columns.is_empty() || columns.iter().map(described).ne(table.columns.iter().cloned()) {
        let what = format!("the table {} has other columns than its backup", table.name);
        return Err(BackupError::Damaged(what));
    }
    let damaged = |what: &str| BackupError::Damaged(format!("rows of {}: {what}", table.name));
    let mut waiting: Vec<OwnedCell> = Vec::new();
    let (mut bytes, mut rows) = (0, 0);
    read(pages, table, |line| {
        if line.len() != columns.len() {
            return Err(damaged("a short row"));
        }
        for value in line {
            let value = owned(value).ok_or_else(|| damaged("a value"))?;
            bytes += value.len();
            waiting.push(value);
        }
        rows += 1;
        progress.step();
        if waiting.len() >= INSERT_BATCH_ROWS * columns.len() || bytes >= INSERT_BATCH_BYTES {
            insert(tx, &table.name, &columns, &waiting)?;
            waiting.clear();
            bytes = 0;
        }
        Ok(())
    })?;
    insert(tx, &table.name, &columns, &waiting)?;
    if rows != table.rows {
        return Err(damaged("some are missing"));
    }
    Ok(tx.continue_row_numbers(&table.name, &columns)?)
}

fn insert(
    tx: &mut Tx<'_>,
    table: &str,
    columns: &[ColumnInfo],
    values: &[OwnedCell],
) -> Result<(), BackupError> {
    let cells: Vec<Column<'_>> = values.iter().map(OwnedCell::cell).collect();
    Ok(tx.insert_rows(table, columns, &cells)?)
}

fn described(column: &ColumnInfo) -> TableColumn {
    let kind = match column.kind {
        ColumnType::Int => "int",
        ColumnType::Text => "text",
        ColumnType::Bytes => "bytes",
    };
    TableColumn {
        name: column.name.clone(),
        kind: kind.to_owned(),
    }
}

fn cell(cell: &Column<'_>) -> Value {
    match cell {
        Column::Null => Value::Null,
        Column::Int(value) => json!(value),
        Column::Text(text) => json!(text),
        Column::Bytes(bytes) => json!({ "base64": BASE64.encode(bytes) }),
    }
}

/// A value on its way back.
enum OwnedCell {
    Null,
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl OwnedCell {
    const fn len(&self) -> usize {
        match self {
            Self::Null | Self::Int(_) => 8,
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }

    fn cell(&self) -> Column<'_> {
        match self {
            Self::Null => Column::Null,
            Self::Int(value) => Column::Int(*value),
            Self::Text(text) => Column::Text(text),
            Self::Bytes(bytes) => Column::Bytes(bytes),
        }
    }
}

fn owned(value: Value) -> Option<OwnedCell> {
    match value {
        Value::Null => Some(OwnedCell::Null),
        Value::Number(number) => number.as_i64().map(OwnedCell::Int),
        Value::String(text) => Some(OwnedCell::Text(text)),
        Value::Object(_) => bytes(&value).map(OwnedCell::Bytes),
        _ => None,
    }
}

/// The bytes that a value encodes.
pub(super) fn bytes(value: &Value) -> Option<Vec<u8>> {
    BASE64.decode(value["base64"].as_str()?.as_bytes()).ok()
}
