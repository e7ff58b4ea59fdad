//! Answers with the bytes of one row of a `SQLite` database, read where the request is handled.

use super::http;
use bytes::Bytes;
use parts::{Error, Result};
use rusqlite::{Connection, OpenFlags};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

thread_local! {
    static OWN: RefCell<Option<Connection>> = const { RefCell::new(None) };
}

/// Puts the answers to be given into a database.
pub(crate) fn fill(directory: &Path, answers: &[(String, Vec<u8>)]) -> Result<()> {
    let filled = || -> rusqlite::Result<()> {
        let mut connection = Connection::open(file(directory))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        let transaction = connection.transaction()?;
        transaction.execute_batch("CREATE TABLE answers (id TEXT PRIMARY KEY, body BLOB) WITHOUT ROWID")?;
        for answer in answers {
            transaction.execute("INSERT INTO answers VALUES (?1, ?2)", (&answer.0, &answer.1))?;
        }
        transaction.commit()
    };
    filled().map_err(Error::while_("filling the rows"))
}

pub(super) async fn serve(port: u16, directory: &Path) -> Result<()> {
    let path = Arc::new(file(directory));
    http::serve(port, move |request| {
        let path = path.clone();
        async move {
            let query = request.uri().query().unwrap_or_default();
            let id = query.split_once('=').map(|(_, id)| id).unwrap_or_default();
            OWN.with_borrow_mut(|own| read(own, &path, id))
                .map_err(Error::while_("reading the row"))
        }
    })
    .await
}

fn read(own: &mut Option<Connection>, path: &Path, id: &str) -> rusqlite::Result<Bytes> {
    let connection = match own {
        Some(connection) => connection,
        None => own.insert(open(path)?),
    };
    connection
        .prepare_cached("SELECT body FROM answers WHERE id = ?1")?
        .query_row([id], |row| Ok(Bytes::copy_from_slice(row.get_ref(0)?.as_blob()?)))
}

fn open(path: &Path) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
}

fn file(directory: &Path) -> PathBuf {
    directory.join("rows.sqlite")
}
