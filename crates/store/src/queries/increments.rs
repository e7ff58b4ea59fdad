//! What acts append to documents, and what the next increment is made from.

use super::folios::number;
use crate::dialect::Kind::{Bytes, Int};
use crate::error::Error;
use crate::tx::Tx;
use crate::value::{Param, Rows};
use domain::Timestamp;

/// The end of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tip {
    /// Its folio's number in the database.
    pub folio: i64,
    /// Its place in the folio.
    pub position: usize,
    /// How many acts have appended to it.
    pub increments: i64,
    /// The PDF engine's state after the last byte.
    pub prepared: Vec<u8>,
}

/// What an act appends to a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewIncrement {
    /// Its folio's number in the database.
    pub folio: i64,
    /// Its place in the folio.
    pub position: usize,
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

impl Tx<'_> {
    pub(crate) fn insert_tips(&mut self, folio: i64, prepared: &[Vec<u8>]) -> Result<(), Error> {
        let mut params = Rows::new();
        for (place, prepared) in prepared.iter().enumerate() {
            params.push([folio.into(), number(place)?.into(), prepared.as_slice().into()]);
        }
        self.insert_rows(
            "INSERT INTO document_tips (folio, position, prepared) VALUES",
            &[Int, Int, Bytes],
            &params,
        )
    }

    /// The ends of the documents of these folios, which the caller has locked.
    pub fn tips(&mut self, folios: &[i64]) -> Result<Vec<Tip>, Error> {
        let sql = "SELECT folio, position, increments, prepared FROM document_tips
                   WHERE folio IN ({list}) ORDER BY folio, position";
        self.query_in(sql, &[], folios.iter().map(|seq| Param::from(*seq)), |row| {
            Ok(Tip {
                folio: row.get(0)?,
                position: row.get(1)?,
                increments: row.get(2)?,
                prepared: row.get(3)?,
            })
        })
    }

    /// Appends to documents of folios that the caller has locked. [`Error::Duplicate`] when somebody else
    /// appended to one of them first.
    pub fn append_increments(&mut self, new: &[NewIncrement], at: Timestamp) -> Result<(), Error> {
        if new.is_empty() {
            return Ok(());
        }
        let (mut increments, mut tips, mut documents) = (Rows::new(), Rows::new(), Rows::new());
        for increment in new {
            let (folio, position) = (Param::from(increment.folio), number(increment.position)?.into());
            let count = Param::from(increment.after + 1);
            increments.push([folio, position, count, increment.bytes.as_slice().into()]);
            tips.push([folio, position, count, increment.prepared.as_slice().into()]);
            documents.push([
                folio,
                position,
                (&increment.sha256).into(),
                number(increment.size)?.into(),
                at.into(),
            ]);
        }
        self.insert_rows(
            "INSERT INTO increments (folio, position, number, bytes) VALUES",
            &[Int, Int, Int, Bytes],
            &increments,
        )?;
        self.update_rows(
            "UPDATE document_tips SET increments = c.column3, prepared = c.column4 FROM (VALUES {rows}) AS c
             WHERE document_tips.folio = c.column1 AND document_tips.position = c.column2",
            &[Int, Int, Int, Bytes],
            &tips,
        )?;
        self.update_rows(
            "UPDATE documents SET current_sha256 = c.column3, current_size = c.column4, changed_at = c.column5
             FROM (VALUES {rows}) AS c
             WHERE documents.folio = c.column1 AND documents.position = c.column2",
            &[Int, Int, Bytes, Int, Int],
            &documents,
        )
    }

    /// What was appended to a document, in order.
    pub(crate) fn increments(&mut self, folio: i64, position: i64) -> Result<Vec<Vec<u8>>, Error> {
        let sql = "SELECT bytes FROM increments WHERE folio = $1 AND position = $2 ORDER BY number";
        self.query(sql, &[folio.into(), position.into()], |row| row.get(0))
    }
}
