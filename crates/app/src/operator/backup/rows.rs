//! Tables as files: a JSON array a line, bytes as `{"base64": …}`. The format needs no program of ours to
//! be read.

use super::manifest::{TableColumn, TableFile};
use super::{BackupError, WithPath};
use data_encoding::{BASE64, HEXLOWER};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use store::{Column, ColumnInfo, ColumnType, Tx};

/// Longest line that is read. No row comes near it.
const MAX_LINE_BYTES: u64 = 256 << 20;

/// Rows put into the database by one statement, and bytes of them.
const INSERT_BATCH_ROWS: usize = 64;
const INSERT_BATCH_BYTES: usize = 4 << 20;

/// Writes a table down.
pub(super) fn export(tx: &mut Tx<'_>, table: &str, path: &Path) -> Result<TableFile, BackupError> {
    let columns = tx.columns(table)?;
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path).with_path(path)?);
    let mut hash = Sha256::new();
    let mut rows = 0;
    tx.each_row(table, &columns, |cells| {
        let line: Vec<Value> = cells.iter().map(cell).collect();
        let mut line = Value::from(line).to_string();
        line.push('\n');
        hash.update(line.as_bytes());
        rows += 1;
        file.write_all(line.as_bytes()).with_path(path)
    })?;
    let file = file
        .into_inner()
        .map_err(std::io::IntoInnerError::into_error)
        .with_path(path)?;
    file.sync_all().with_path(path)?;
    Ok(TableFile {
        name: table.to_owned(),
        columns: columns.iter().map(described).collect(),
        rows,
        sha256: HEXLOWER.encode(&hash.finalize()),
    })
}

/// Whether the file is the one that was written.
pub(super) fn check(table: &TableFile, path: &Path) -> Result<(), BackupError> {
    let mut file = File::open(path).with_path(path)?;
    let mut hash = Sha256::new();
    let mut block = vec![0; 1 << 20];
    loop {
        match file.read(&mut block).with_path(path)? {
            0 => break,
            read => hash.update(&block[..read]),
        }
    }
    if HEXLOWER.encode(&hash.finalize()) == table.sha256 {
        Ok(())
    } else {
        Err(BackupError::Damaged(format!(
            "{} has been changed",
            path.display()
        )))
    }
}

/// Hands over line after line.
pub(super) fn read(
    path: &Path,
    mut take: impl FnMut(Vec<Value>) -> Result<(), BackupError>,
) -> Result<(), BackupError> {
    let mut file = BufReader::with_capacity(1 << 20, File::open(path).with_path(path)?);
    let mut line = Vec::new();
    loop {
        line.clear();
        if file
            .by_ref()
            .take(MAX_LINE_BYTES)
            .read_until(b'\n', &mut line)
            .with_path(path)?
            == 0
        {
            return Ok(());
        }
        let row = serde_json::from_slice(&line);
        take(row.map_err(|error| BackupError::Damaged(format!("{}: {error}", path.display())))?)?;
    }
}

/// Puts a table back.
pub(super) fn import(tx: &mut Tx<'_>, table: &TableFile, path: &Path) -> Result<(), BackupError> {
    let columns = tx.columns(&table.name)?;
    if columns.is_empty() || columns.iter().map(described).ne(table.columns.iter().cloned()) {
        let what = format!("the table {} has other columns than its backup", table.name);
        return Err(BackupError::Damaged(what));
    }
    let mut waiting: Vec<OwnedCell> = Vec::new();
    let (mut bytes, mut rows) = (0, 0);
    read(path, |line| {
        if line.len() != columns.len() {
            return Err(BackupError::Damaged(format!("{}: a short row", path.display())));
        }
        for value in line {
            let value =
                owned(value).ok_or_else(|| BackupError::Damaged(format!("{}: a value", path.display())))?;
            bytes += value.len();
            waiting.push(value);
        }
        rows += 1;
        if waiting.len() >= INSERT_BATCH_ROWS * columns.len() || bytes >= INSERT_BATCH_BYTES {
            insert(tx, &table.name, &columns, &waiting)?;
            waiting.clear();
            bytes = 0;
        }
        Ok(())
    })?;
    insert(tx, &table.name, &columns, &waiting)?;
    if rows != table.rows {
        return Err(BackupError::Damaged(format!("{} has lost rows", path.display())));
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
