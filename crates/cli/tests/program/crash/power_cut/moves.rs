//! Power cuts while what signatures appended is moved from the database to the document storage.

use super::{Left, Recorded, Syncs, recording};
use crate::crash::unhindered;
use crate::support::{Order, sign_all, texts, wait_for};
use parts::Strace;
use sha2::{Digest, Sha256};
use std::fs;
use store::Settings;

const CUTS: usize = 100;
const FOLIOS: usize = 4;

/// The folio and the position of a document, and the hashes of its upload, of what was appended, and of the whole.
type Row = (i64, i64, Vec<u8>, Option<Vec<u8>>, Vec<u8>);

/// Folios are created, signed, extended, and what was appended to them is moved.
fn record() -> Recorded {
    let installation = unhindered();
    let client = installation.client();
    let before = super::Disk::of(&installation.data());
    let recording = installation.directory().join("recording");
    let wrapper = Strace::wrapper(&recording).unwrap();
    let wrapper: Vec<&str> = wrapper.iter().map(String::as_str).collect();
    let server = installation.serve_by(installation.wrapped(&wrapper));
    for _ in 0..FOLIOS {
        let folio = client.created(&Order::small());
        sign_all(&client, &folio);
    }
    let moved = "SELECT folio FROM documents WHERE appended_number > 0 AND folio NOT IN (SELECT folio FROM increments)";
    wait_for("increments to be moved", || {
        texts(&installation.sqlite(), moved).len() >= FOLIOS
    });
    // The power is cut after the moves, too, and not only at the last write of the last one.
    for _ in 0..FOLIOS {
        client.created(&Order::small());
    }
    server.kill();
    let read = || String::from_utf8(fs::read(&recording).unwrap()).unwrap();
    wait_for("the end of the recording", || {
        read().trim_end().ends_with("+++ killed by SIGKILL +++")
    });
    let steps = recording::read(&read(), &installation.data());
    Recorded { before, steps }
}

/// How many documents there are whose increments are rows, and how many whose increments were moved. Each has to be whole.
fn whole_documents(step: usize, left: &Left) -> (usize, usize) {
    let (Settings::Sqlite(path), blobs::Location::Directory(documents)) = (left.database(), left.documents())
    else {
        unreachable!("a directory of its own")
    };
    let connection = rusqlite::Connection::open(path).unwrap();
    let sql = "SELECT folio, position, sha256, appended_sha256, current_sha256 FROM documents WHERE current_sha256 IS NOT NULL";
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| {
        Ok((
            row.get("folio")?,
            row.get("position")?,
            row.get("sha256")?,
            row.get("appended_sha256")?,
            row.get("current_sha256")?,
        ))
    });
    let rows: Vec<Row> = rows.unwrap().map(Result::unwrap).collect();
    let (mut unmoved, mut moved) = (0, 0);
    for (folio, position, original, appended, whole) in rows {
        let mut hash = Sha256::new();
        for blob in [Some(&original), appended.as_ref()].into_iter().flatten() {
            let name = data_encoding::HEXLOWER.encode(blob);
            hash.update(fs::read(documents.join(&name[..2]).join(name)).unwrap());
        }
        let sql = "SELECT bytes FROM increments WHERE folio = ?1 AND position = ?2 ORDER BY number";
        let mut statement = connection.prepare(sql).unwrap();
        let increments = statement.query_map((folio, position), |row| row.get::<_, Vec<u8>>(0));
        for increment in increments.unwrap() {
            hash.update(increment.unwrap());
        }
        assert_eq!(
            hash.finalize().as_slice(),
            whole,
            "step {step}: a document of folio {folio}"
        );
        if appended.is_some() {
            moved += 1;
        } else {
            unmoved += 1;
        }
    }
    (unmoved, moved)
}

#[test]
fn a_power_cut_while_increments_move_loses_none_of_them() {
    let (mut unmoved, mut moved) = (0, 0);
    record().cut(CUTS, Syncs::Work, |step, left, _| {
        let found = whole_documents(step, left);
        unmoved = unmoved.max(found.0);
        moved = moved.max(found.1);
    });
    assert!(unmoved > 0 && moved > 0, "{unmoved} {moved}");
}
