//! Finished folios whose increments wait to be moved from their rows to a blob of the document storage.

use crate::dialect::ColumnType::{Bytes, Int};
use crate::error::Error;
use crate::queries::due_times::DueTimes;
use crate::queries::folios::documents::{AppendedBlob, appended_blob};
use crate::queries::leases::{Lease, LeasedFolio, held};
use crate::rows::FolioRow;
use crate::tx::Tx;
use crate::value::{Param, Rows, only_column, sql_int};
use domain::{DocumentIndex, Timestamp};

/// A document of a folio whose increments are to be moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovableDocument {
    /// Its index in the folio.
    pub position: DocumentIndex,
    /// SHA-256 of the bytes before the increments.
    pub sha256: [u8; 32],
    /// How many these are.
    pub size: u64,
    /// SHA-256 of the whole document.
    pub current_sha256: [u8; 32],
    /// Its length.
    pub current_size: u64,
    /// The blob with the increments that were moved before.
    pub appended: Option<AppendedBlob>,
    /// The number of its last increment.
    pub last_number: i64,
    /// The increments that are rows, in order.
    pub increments: Vec<Vec<u8>>,
}

/// The increments of a document, in a blob that is durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MovedIncrements {
    /// The document's index in its folio.
    pub position: DocumentIndex,
    /// SHA-256 of the whole document. If it is another now, something was appended since.
    pub current_sha256: [u8; 32],
    /// The blob.
    pub appended: AppendedBlob,
}

/// Moves that wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingMoves {
    /// How many folios there are.
    pub waiting: i64,
    /// Those of them whose last try failed.
    pub failed: i64,
    /// When the oldest of them was planned.
    pub oldest: Option<Timestamp>,
}

impl Tx<'_> {
    /// Queues these folios for the increment mover. The caller has locked them. A running move loses its lease, because it has not
    /// read what the caller appended.
    pub fn plan_increment_moves(&mut self, folios: &[FolioRow], now: Timestamp) -> Result<(), Error> {
        let mut params = Rows::new();
        for folio in folios {
            params.push([(*folio).into(), now.into(), now.into(), now.into()]);
        }
        self.run_rows(
            "INSERT INTO increment_moves (folio, planned_at, due_at, due_set_at) VALUES {rows}
                 ON CONFLICT (folio) DO UPDATE SET planned_at = excluded.planned_at, due_at = excluded.due_at,
                     due_set_at = excluded.due_set_at, leased_until = NULL, leased_by = NULL, attempts = 0, last_error = NULL",
            &[Int, Int, Int, Int],
            &params,
        )
    }

    /// Leases the folios that have been due for longest.
    pub fn lease_increment_moves(
        &mut self,
        due: impl Into<DueTimes>,
        lease: &Lease,
        limit: usize,
    ) -> Result<Vec<LeasedFolio>, Error> {
        let DueTimes { from, now } = due.into();
        let lock = self.dialect().for_update_skip_locked();
        let held = held("moves", 2);
        // The limit is in the text: PostgreSQL plans for a few rows then, and reads the index.
        let sql = format!(
            "SELECT moves.folio FROM increment_moves moves WHERE moves.due_at <= $1 AND moves.due_at >= $5 AND NOT {held}
             ORDER BY moves.due_at LIMIT {limit}{lock}"
        );
        let [clock, by, dead_before] = lease.clock_params();
        let params = [now.into(), clock, by, dead_before, from.into()];
        let folios: Vec<FolioRow> = self.query(&sql, &params, only_column)?;
        let numbers = || folios.iter().map(|folio| Param::from(*folio));
        let sql = "UPDATE increment_moves SET leased_until = $1, leased_by = $2 WHERE folio IN ({list}) RETURNING folio";
        self.each_in(sql, &[lease.until.into(), by], numbers(), |_| Ok(()))?;
        let sql = "SELECT moves.folio, f.id, f.company, moves.attempts FROM increment_moves moves JOIN folios f ON f.seq = moves.folio
                   WHERE moves.folio IN ({list}) ORDER BY moves.folio";
        self.query_in(sql, &[], numbers(), |row| LeasedFolio::read(row, lease))
    }

    /// The moves that wait. For the operator: no company.
    pub fn waiting_moves(&mut self) -> Result<WaitingMoves, Error> {
        let sql = "SELECT COUNT(*) AS waiting, COUNT(last_error) AS failed, MIN(planned_at) AS oldest FROM increment_moves";
        let waiting = self.query_one(sql, &[], |row| {
            Ok(WaitingMoves {
                waiting: row.get("waiting")?,
                failed: row.get("failed")?,
                oldest: row.get("oldest")?,
            })
        })?;
        waiting.ok_or(Error::Corrupt("answer"))
    }

    /// Why the move that failed last did. For the operator: no company.
    pub fn last_move_error(&mut self) -> Result<Option<String>, Error> {
        let sql = "SELECT last_error FROM increment_moves WHERE last_error IS NOT NULL
                   ORDER BY due_set_at DESC LIMIT 1";
        self.query_one(sql, &[], only_column)
    }

    /// The documents of a folio of which increments are rows. A sheet that waits belongs to none yet.
    pub fn documents_to_move(&mut self, folio: FolioRow) -> Result<Vec<MovableDocument>, Error> {
        let sql = "SELECT d.position, d.sha256, d.size, d.current_sha256, d.current_size, d.appended_sha256,
                       d.appended_size, d.appended_number, i.number, i.bytes
                   FROM documents d JOIN increments i ON i.folio = d.folio AND i.position = d.position
                   WHERE d.folio = $1 AND d.current_sha256 IS NOT NULL AND d.erased = 0
                   ORDER BY d.position, i.number";
        let mut documents: Vec<MovableDocument> = Vec::new();
        let rows = self.query(sql, &[folio.into()], |row| {
            let document = MovableDocument {
                position: row.get("position")?,
                sha256: row.get("sha256")?,
                size: row.get("size")?,
                current_sha256: row.get("current_sha256")?,
                current_size: row.get("current_size")?,
                appended: appended_blob(row)?,
                last_number: row.get("number")?,
                increments: Vec::new(),
            };
            Ok((document, row.get::<Vec<u8>>("bytes")?))
        })?;
        for (document, increment) in rows {
            match documents.last_mut() {
                Some(last) if last.position == document.position => {
                    last.last_number = document.last_number;
                    last.increments.push(increment);
                }
                _ => documents.push(MovableDocument {
                    increments: vec![increment],
                    ..document
                }),
            }
        }
        Ok(documents)
    }

    /// The blobs with increments of a folio's documents.
    pub fn appended_blobs(&mut self, folio: FolioRow) -> Result<Vec<(DocumentIndex, AppendedBlob)>, Error> {
        let sql = "SELECT position, appended_sha256, appended_size, appended_number FROM documents
                   WHERE folio = $1 AND appended_sha256 IS NOT NULL AND erased = 0 ORDER BY position";
        let found = self.query(sql, &[folio.into()], |row| {
            Ok((row.get("position")?, appended_blob(row)?))
        })?;
        let named = |(position, blob): (DocumentIndex, Option<AppendedBlob>)| Some((position, blob?));
        Ok(found.into_iter().filter_map(named).collect())
    }

    /// Names the blobs in the documents of a folio that the caller has locked, and deletes the rows: all of its increments are
    /// moved. [`Error::Stale`] if the lease is over, or if something was appended since.
    pub fn name_moved_increments(
        &mut self,
        leased: &LeasedFolio,
        moved: &[MovedIncrements],
    ) -> Result<(), Error> {
        let (folio, until, by) = (leased.folio, leased.leased_until, &leased.leased_by);
        let sql = "DELETE FROM increment_moves WHERE folio = $1 AND leased_until = $2 AND leased_by = $3";
        if self.execute(sql, &[folio.into(), until.into(), by.into()])? == 0 {
            return Err(Error::Stale);
        }
        if moved.is_empty() {
            return Ok(());
        }
        let (mut positions, mut rows) = (Vec::with_capacity(moved.len()), Rows::new());
        for one in moved {
            let position = Param::from(sql_int(one.position.0)?);
            positions.push(position);
            rows.push([
                folio.into(),
                position,
                (&one.current_sha256).into(),
                (&one.appended.sha256).into(),
                sql_int(one.appended.size)?.into(),
                one.appended.number.into(),
            ]);
        }
        // A document that was moved before keeps what it replaced, if the blob is the same.
        let sql = "UPDATE documents SET replaced_sha256 = CASE WHEN appended_sha256 = c.column4 THEN replaced_sha256
                           ELSE appended_sha256 END, appended_sha256 = c.column4,
                       appended_size = c.column5, appended_number = c.column6
                   FROM (VALUES {rows}) AS c WHERE documents.folio = c.column1 AND documents.position = c.column2
                       AND documents.current_sha256 = c.column3 AND documents.erased = 0";
        let named = self.execute_rows(sql, &[Int, Int, Bytes, Bytes, Int, Int], 0, &rows)?;
        if named != moved.len() as u64 {
            return Err(Error::Stale);
        }
        let sql = "DELETE FROM increments WHERE folio = $1 AND position IN ({list}) RETURNING number";
        self.each_in(sql, &[folio.into()], positions.into_iter(), |_| Ok(()))
    }
}
