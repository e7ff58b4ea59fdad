//! The increments that acts append to documents, and the state from which the next one is made.

use crate::dialect::ColumnType::{Bytes, Int};
use crate::error::Error;
use crate::rows::{DocumentPlace, FolioRow};
use crate::tx::Tx;
use crate::value::{Param, Row, Rows, only_column, sql_int};
use domain::{DocumentIndex, Timestamp};
use std::collections::HashSet;

/// The state of a document from which the next increment is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SigningState {
    /// Its folio's number in the database.
    pub folio: FolioRow,
    /// Its index in the folio.
    pub position: DocumentIndex,
    /// How many acts have appended to it.
    pub increments: i64,
    /// Whether its sheet is kept, to become part of it with the first act.
    pub sheet: bool,
    /// The PDF engine's state after the last byte.
    pub prepared: Vec<u8>,
}

/// An increment that an act appends to a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewIncrement {
    /// Its folio's number in the database.
    pub folio: FolioRow,
    /// Its index in the folio.
    pub position: DocumentIndex,
    /// How many acts had appended to it before.
    pub after: i64,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The PDF engine's state after the last byte.
    pub prepared: Vec<u8>,
    /// SHA-256 of the whole document from now on.
    pub sha256: [u8; 32],
    /// Its length from now on.
    pub size: u64,
}

/// The sheet of a document to which nothing was appended yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSheet {
    /// Its folio's number in the database.
    pub folio: FolioRow,
    /// Its index in the folio.
    pub position: DocumentIndex,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The PDF engine's state after the last byte.
    pub prepared: Vec<u8>,
}

impl Tx<'_> {
    pub(crate) fn insert_signing_states<'f>(
        &mut self,
        folios: impl Iterator<Item = (FolioRow, &'f [Vec<u8>])>,
    ) -> Result<(), Error> {
        let mut params = Rows::new();
        for (folio, prepared) in folios {
            for (place, prepared) in prepared.iter().enumerate() {
                params.push([folio.into(), sql_int(place)?.into(), prepared.as_slice().into()]);
            }
        }
        self.run_rows(
            "INSERT INTO signing_states (folio, position, prepared) VALUES",
            &[Int, Int, Bytes],
            &params,
        )
    }

    /// The signing states of the documents of these folios, which the caller has locked.
    pub fn signing_states(&mut self, folios: &[FolioRow]) -> Result<Vec<SigningState>, Error> {
        let sql = "SELECT folio, position, increments, sheet, prepared FROM signing_states
                   WHERE folio IN ({list}) ORDER BY folio, position";
        self.query_in(
            sql,
            &[],
            folios.iter().map(|seq| Param::from(*seq)),
            signing_state,
        )
    }

    /// The signing states of those documents of these folios to which nothing was appended, and whose sheet is not kept yet.
    /// None of folios that ended.
    pub fn signing_states_without_sheet(&mut self, folios: &[FolioRow]) -> Result<Vec<SigningState>, Error> {
        let sql = "SELECT folio, position, increments, sheet, prepared FROM signing_states
                   WHERE folio IN ({list}) AND sheet = 0 AND increments = 0 AND EXISTS (
                       SELECT 1 FROM folios f WHERE f.seq = signing_states.folio AND f.state = 'pending')
                   ORDER BY folio, position";
        self.query_in(
            sql,
            &[],
            folios.iter().map(|seq| Param::from(*seq)),
            signing_state,
        )
    }

    /// Keeps the sheets of documents of folios that the caller has locked. Where one is kept already, or the document
    /// was signed meanwhile, the new one is left out.
    pub fn keep_sheets(&mut self, sheets: &[NewSheet]) -> Result<(), Error> {
        let folios: Vec<FolioRow> = sheets.iter().map(|sheet| sheet.folio).collect();
        let wanted: HashSet<_> = self
            .signing_states_without_sheet(&folios)?
            .into_iter()
            .map(|signing_state| (signing_state.folio, signing_state.position))
            .collect();
        let (mut increments, mut signing_states) = (Rows::new(), Rows::new());
        for sheet in sheets {
            if wanted.contains(&(sheet.folio, sheet.position)) {
                let (folio, position) = (Param::from(sheet.folio), sql_int(sheet.position.0)?.into());
                increments.push([folio, position, Param::from(0), sheet.bytes.as_slice().into()]);
                signing_states.push([folio, position, sheet.prepared.as_slice().into()]);
            }
        }
        self.insert_increments(&increments)?;
        self.run_rows(
            "UPDATE signing_states SET sheet = 1, before_sheet = prepared, prepared = c.column3 FROM (VALUES {rows}) AS c
             WHERE signing_states.folio = c.column1 AND signing_states.position = c.column2",
            &[Int, Int, Bytes],
            &signing_states,
        )
    }

    /// Deletes the sheets of a folio that wait for a first signature: what is on them is no longer so. The caller has locked the
    /// folio. The next code has them drawn again, or the signature.
    pub fn forget_sheets(&mut self, folio: FolioRow) -> Result<(), Error> {
        let sql = "UPDATE signing_states SET sheet = 0, prepared = before_sheet, before_sheet = NULL
                   WHERE folio = $1 AND increments = 0 AND before_sheet IS NOT NULL";
        self.execute(sql, &[folio.into()])?;
        let sql = "DELETE FROM increments WHERE folio = $1 AND number = 0 AND EXISTS (
                       SELECT 1 FROM signing_states s WHERE s.folio = increments.folio
                           AND s.position = increments.position AND s.sheet = 0 AND s.increments = 0)";
        self.execute(sql, &[folio.into()]).map(drop)
    }

    /// Deletes the sheets that wait for a first signature, and the states after them, of folios that can be signed no more.
    pub(crate) fn delete_waiting_sheets(&mut self, folios: &[FolioRow]) -> Result<(), Error> {
        let sql = "DELETE FROM signing_states WHERE folio IN ({list}) AND sheet = 1 AND increments = 0
                   RETURNING folio";
        let waiting: Vec<FolioRow> =
            self.query_in(sql, &[], folios.iter().map(|seq| Param::from(*seq)), only_column)?;
        let sql = "DELETE FROM increments WHERE folio IN ({list}) AND number = 0 AND NOT EXISTS (
                       SELECT 1 FROM signing_states s WHERE s.folio = increments.folio
                           AND s.position = increments.position)
                   RETURNING folio";
        self.each_in(sql, &[], waiting.iter().map(|seq| Param::from(*seq)), |_| Ok(()))
    }

    /// Deletes the sheets of up to so many folios that expired between these times without a signature. Returns how many
    /// folios. For all companies.
    pub fn delete_expired_sheets(
        &mut self,
        from: Timestamp,
        until: Timestamp,
        max: usize,
    ) -> Result<u64, Error> {
        // SQLite keeps this order, and reads the folios of each company by when they end.
        let sql = "SELECT f.seq FROM companies c CROSS JOIN folios f
                   WHERE f.company = c.seq AND f.state = 'pending' AND f.expires_at > $1 AND f.expires_at <= $2
                       AND EXISTS (SELECT 1 FROM signing_states s
                           WHERE s.folio = f.seq AND s.sheet = 1 AND s.increments = 0)
                   LIMIT $3";
        let params = [from.into(), until.into(), sql_int(max)?.into()];
        let folios: Vec<FolioRow> = self.query(sql, &params, only_column)?;
        self.delete_waiting_sheets(&folios)?;
        Ok(folios.len() as u64)
    }

    /// Appends to documents of folios that the caller has locked. [`Error::Stale`] when another transaction appended to one of
    /// them first.
    pub fn append_increments(&mut self, new: &[NewIncrement], at: Timestamp) -> Result<(), Error> {
        if new.is_empty() {
            return Ok(());
        }
        let (mut increments, mut signing_states, mut documents) = (Rows::new(), Rows::new(), Rows::new());
        for increment in new {
            let (folio, position) = (
                Param::from(increment.folio),
                sql_int(increment.position.0)?.into(),
            );
            let count = Param::from(increment.after + 1);
            increments.push([folio, position, count, increment.bytes.as_slice().into()]);
            signing_states.push([folio, position, count, increment.prepared.as_slice().into()]);
            documents.push([
                folio,
                position,
                (&increment.sha256).into(),
                sql_int(increment.size)?.into(),
                at.into(),
            ]);
        }
        // The row of the other's increment tells nothing once it was moved.
        let sql =
            "UPDATE signing_states SET increments = c.column3, prepared = c.column4, before_sheet = NULL
                   FROM (VALUES {rows}) AS c
                   WHERE signing_states.folio = c.column1 AND signing_states.position = c.column2
                       AND signing_states.increments = c.column3 - 1 RETURNING folio";
        let appended = self.query_rows(sql, &[Int, Int, Int, Bytes], &signing_states, |_| Ok(()))?;
        if appended.len() != new.len() {
            return Err(Error::Stale);
        }
        self.insert_increments(&increments)?;
        self.run_rows(
            "UPDATE documents SET current_sha256 = c.column3, current_size = c.column4, changed_at = c.column5
             FROM (VALUES {rows}) AS c
             WHERE documents.folio = c.column1 AND documents.position = c.column2",
            &[Int, Int, Bytes, Int, Int],
            &documents,
        )
    }

    fn insert_increments(&mut self, rows: &[Param<'_>]) -> Result<(), Error> {
        let sql = "INSERT INTO increments (folio, position, number, bytes) VALUES";
        self.run_rows(sql, &[Int, Int, Int, Bytes], rows)
    }

    /// Puts back the increments that are rows of a document whose whole has that hash, and whose blob has those up to that
    /// number, if it has one; false if the document was appended to, moved or erased meanwhile. For the operator: no company.
    pub fn put_back_increments(
        &mut self,
        place: DocumentPlace,
        sha256: &[u8; 32],
        moved: Option<i64>,
        increments: &[(i64, Vec<u8>)],
    ) -> Result<bool, Error> {
        let DocumentPlace { folio, position } = place;
        // Acts, the increment mover and an erasure write this row.
        let lock = "UPDATE documents SET current_sha256 = $3 WHERE folio = $1 AND position = $2 AND current_sha256 = $3
                        AND COALESCE(appended_number, -1) = $4 AND erased = 0";
        let params = [
            folio.into(),
            position.into(),
            sha256.into(),
            moved.unwrap_or(-1).into(),
        ];
        if self.execute(lock, &params)? == 0 {
            return Ok(false);
        }
        self.execute(
            "DELETE FROM increments WHERE folio = $1 AND position = $2",
            &[folio.into(), position.into()],
        )?;
        let mut rows = Rows::new();
        for (number, bytes) in increments {
            rows.push([
                folio.into(),
                position.into(),
                (*number).into(),
                bytes.as_slice().into(),
            ]);
        }
        self.insert_increments(&rows)?;
        Ok(true)
    }

    /// The increments of all documents of a folio that are rows, in order.
    pub fn folio_increments(&mut self, folio: FolioRow) -> Result<Vec<(DocumentIndex, Vec<u8>)>, Error> {
        let sql = "SELECT position, bytes FROM increments WHERE folio = $1 ORDER BY position, number";
        self.query(sql, &[folio.into()], |row| {
            Ok((row.get("position")?, row.get("bytes")?))
        })
    }

    /// The increments of a signed document that are rows, in order: its sheet first, if that was stored separately.
    pub(crate) fn increments(
        &mut self,
        folio: FolioRow,
        position: DocumentIndex,
    ) -> Result<Vec<Vec<u8>>, Error> {
        let sql = "SELECT bytes FROM increments WHERE folio = $1 AND position = $2 ORDER BY number";
        self.query(sql, &[folio.into(), sql_int(position.0)?.into()], only_column)
    }
}

fn signing_state(row: &Row<'_>) -> Result<SigningState, Error> {
    Ok(SigningState {
        folio: row.get("folio")?,
        position: row.get("position")?,
        increments: row.get("increments")?,
        sheet: row.get("sheet")?,
        prepared: row.get("prepared")?,
    })
}
