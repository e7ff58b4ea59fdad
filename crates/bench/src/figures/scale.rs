//! What creates and reads cost with a million folios in the database, against a thousand.

use super::{DOCUMENT, ROUNDS};
use crate::comparison::{Costs, Side, alternating};
use crate::load;
use crate::report::{Line, Target};
use crate::requests::{self, As, Create};
use crate::servers::Firmeza;
use parts::{Error, Result};
use rusqlite::Connection;
use std::fs::File;
use std::path::Path;

const CLIENTS: usize = 8;
const CREATES: u64 = 1_000;
const READS: u64 = 10_000;
/// A read is so short that whatever else the machine does makes much of it: it takes many rounds to tell.
const READ_ROUNDS: usize = 4 * ROUNDS;
const SMALL_FOLIO_COUNT: u64 = 1_000;
/// How many times as many folios the other one has.
const LARGE_FACTOR: i64 = 1_000;
/// Bytes of the folios' documents, which are not read here.
const DOCUMENT_BYTES_SMALL: usize = 40_000;
/// Folios that are read in turn: more than any page cache holds.
const SAMPLED_FOLIOS: i64 = 20_000;

pub(super) fn measure() -> Result<Vec<Line>> {
    let mut few = Firmeza::start()?;
    few.create_folios(SMALL_FOLIO_COUNT, DOCUMENT_BYTES_SMALL)?;
    few.stop()?;
    let mut many = few.copy()?;
    multiply(&database(&many)).map_err(Error::while_("multiplying the folios"))?;
    // Without this, the server's first checkpoint writes a gigabyte, and that would count as reads.
    File::open(database(&many))?.sync_all()?;
    let read = |firmeza: &Firmeza| {
        let ids = sample(&database(firmeza)).map_err(Error::while_("sampling the folios"))?;
        Ok::<_, Error>(
            ids.iter()
                .map(|id| requests::read_one(&firmeza.key, id))
                .collect(),
        )
    };
    let (few_reads, many_reads): (Vec<Vec<u8>>, Vec<Vec<u8>>) = (read(&few)?, read(&many)?);
    few.run()?;
    many.run()?;
    let load = |port, requests: &[Vec<u8>]| {
        load::run(port, CLIENTS, READS, |client, number| {
            let at = usize::try_from(number).unwrap_or(0) % requests.len();
            client.ask(&[&requests[at]]).map(drop)
        })
    };
    let reads = alternating(
        READ_ROUNDS,
        Side::new(many.process()?, || load(many.port, &many_reads)),
        Side::new(few.process()?, || load(few.port, &few_reads)),
    )?;
    let create = Create::new(&few.key, DOCUMENT, As::File);
    let load = |port| load::run(port, CLIENTS, CREATES, |client, _| create.send(client).map(drop));
    let creates = alternating(
        ROUNDS,
        Side::new(many.process()?, || load(many.port)),
        Side::new(few.process()?, || load(few.port)),
    )?;
    Ok(vec![
        line("scale-create", &creates, 1.3),
        line("scale-read", &reads, 2.0),
    ])
}

fn line(name: &'static str, costs: &Costs, target: f64) -> Line {
    let (value, spread) = costs.ratio();
    let (ours, theirs) = costs.milliseconds();
    Line {
        name,
        value,
        spread,
        unit: "x",
        target: Target::AtMost(target),
        detail: format!("{ours:.4} ms of CPU with 1,000,000 folios; with 1,000 {theirs:.4}"),
    }
}

fn database(firmeza: &Firmeza) -> std::path::PathBuf {
    firmeza.data().join("firmeza.sqlite")
}

/// Copies every folio with its rows a thousandfold, each copy with new identifiers. Nothing has to be durable, and
/// messages are not copied: they would have been sent long ago.
fn multiply(path: &Path) -> rusqlite::Result<()> {
    let connection = Connection::open(path)?;
    connection.execute_batch(
        "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA cache_size = -2000000;
         PRAGMA foreign_keys = OFF; BEGIN",
    )?;
    let step: i64 = connection.query_row("SELECT MAX(seq) FROM folios", [], |row| row.get(0))?;
    for table in ["folios", "documents", "signers", "events"] {
        let columns: Vec<String> = connection
            .prepare(&format!("SELECT name FROM pragma_table_info('{table}')"))?
            .query_map([], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        let value = |column: &String| match column.as_str() {
            "seq" | "folio" => format!("{column} + copy * {step}"),
            "id" => "randomblob(16)".to_owned(),
            "sha256" => "randomblob(32)".to_owned(),
            _ => format!("\"{column}\""),
        };
        let values: Vec<String> = columns.iter().map(value).collect();
        connection.execute_batch(&format!(
            "WITH RECURSIVE copies (copy) AS
                 (SELECT 1 UNION ALL SELECT copy + 1 FROM copies WHERE copy < {LARGE_FACTOR} - 1)
             INSERT INTO {table} SELECT {} FROM copies CROSS JOIN (SELECT * FROM {table})",
            values.join(", ")
        ))?;
    }
    connection.execute_batch("COMMIT; PRAGMA journal_mode = WAL")
}

/// Identifiers from everywhere in the table.
fn sample(path: &Path) -> rusqlite::Result<Vec<String>> {
    let connection = Connection::open(path)?;
    let count: i64 = connection.query_row("SELECT COUNT(*) FROM folios", [], |row| row.get(0))?;
    let step = (count / SAMPLED_FOLIOS).max(1);
    connection
        .prepare("SELECT lower(hex(id)) FROM folios WHERE seq % ?1 = 0 ORDER BY random() LIMIT ?2")?
        .query_map([step, SAMPLED_FOLIOS], |row| row.get(0))?
        .collect()
}
