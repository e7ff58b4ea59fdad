//! The lower bound of a durable create: reads the form, hashes its document and makes it durable, and
//! commits rows of the same sizes in a group with concurrent creates. It authenticates and checks nothing,
//! and finds rows by number only.

use super::http;
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::Request;
use hyper::body::Incoming;
use hyper::header::CONTENT_TYPE;
use multer::Multipart;
use parts::{Error, Result};
use rusqlite::Connection;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::oneshot;

/// Bytes of the values in the rows that a create of two signers and one document must leave: the folio, its document,
/// what was prepared of it, its signers, the event with its personal values and their salts. Indexes, search words and
/// logs are the program's own choice, and count as its cost.
const ROW_BYTES: [usize; 6] = [188, 91, 610, 83, 79, 2_116];
/// Bytes of the answer.
const RESPONSE_BYTES: usize = 236;
/// The most creates in one commit.
const MAX_GROUP_COMMIT: usize = 256;

struct Commit {
    rows: Vec<u8>,
    done: oneshot::Sender<Result<()>>,
}

pub(super) async fn serve(port: u16, directory: &Path) -> Result<()> {
    let directory: Arc<PathBuf> = Arc::new(directory.to_owned());
    let connection = open(&directory.join("floor.sqlite")).map_err(Error::while_("the database"))?;
    let (commits, queue) = channel();
    std::thread::spawn(move || write(&connection, &queue));
    http::serve(port, move |request| {
        create(directory.clone(), commits.clone(), request)
    })
    .await
}

async fn create(
    directory: Arc<PathBuf>,
    commits: Sender<Commit>,
    request: Request<Incoming>,
) -> Result<Bytes> {
    let kind = request
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    let boundary = multer::parse_boundary(kind.unwrap_or_default()).map_err(Error::while_("the form"))?;
    let mut form = Multipart::new(request.into_body().into_data_stream(), boundary);
    let (mut rows, mut hash, mut document) = (Vec::new(), Sha256::new(), Vec::new());
    while let Some(mut field) = form.next_field().await.map_err(Error::while_("the form"))? {
        let is_document = field.file_name().is_some();
        while let Some(chunk) = field.chunk().await.map_err(Error::while_("a field"))? {
            if is_document {
                hash.update(&chunk);
                document.push(chunk);
            } else {
                rows.extend_from_slice(&chunk);
            }
        }
    }
    let name = data_encoding::HEXLOWER.encode(&hash.finalize());
    let (done, committed) = oneshot::channel();
    // The rows are queued from where the file was made durable: one way back to the async threads, not two.
    tokio::task::spawn_blocking(move || {
        keep(&directory, &name, &document)?;
        rows.resize(ROW_BYTES.iter().sum(), b'.');
        let closed = |_| Error::new("the writer has ended");
        commits.send(Commit { rows, done }).map_err(closed)
    })
    .await
    .map_err(Error::while_("keeping the file"))??;
    committed.await.map_err(Error::while_("the commit"))??;
    Ok(Bytes::from(vec![b'.'; RESPONSE_BYTES]))
}

fn keep(directory: &Path, name: &str, document: &[Bytes]) -> Result<()> {
    let incoming = directory.join(format!("{name}.new"));
    let mut file = File::create_new(&incoming)?;
    for chunk in document {
        file.write_all(chunk)?;
    }
    file.sync_all()?;
    fs::rename(&incoming, directory.join(name))?;
    Ok(File::open(directory)?.sync_all()?)
}

fn open(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
         CREATE TABLE entries (number INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    )?;
    Ok(connection)
}

fn write(connection: &Connection, queue: &Receiver<Commit>) {
    while let Ok(first) = queue.recv() {
        let group: Vec<Commit> = std::iter::once(first)
            .chain(queue.try_iter().take(MAX_GROUP_COMMIT - 1))
            .collect();
        let outcome = commit(connection, &group);
        for commit in group {
            let told = outcome.as_ref().copied();
            let _ = commit
                .done
                .send(told.map_err(|error| Error::new(error.to_string())));
        }
    }
}

fn commit(connection: &Connection, group: &[Commit]) -> rusqlite::Result<()> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    let mut insert = connection.prepare_cached("INSERT INTO entries (body) VALUES (?1)")?;
    for commit in group {
        let mut rest = commit.rows.as_slice();
        for size in ROW_BYTES {
            let (row, others) = rest.split_at(size);
            insert.execute([row])?;
            rest = others;
        }
    }
    connection.prepare_cached("COMMIT")?.execute([]).map(drop)
}
