//! The scrubber's place in its round through all documents, and the documents it found damaged. For the operator: no
//! company.

use crate::error::Error;
use crate::queries::leases::{Lease, held};
use crate::queries::operator::integrity::document_place;
use crate::rows::DocumentPlace;
use crate::tx::Tx;
use domain::Timestamp;

/// A round through all documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScrubRound {
    /// The document that was checked last.
    pub place: DocumentPlace,
    /// Documents checked so far.
    pub checked: i64,
    /// Documents that the round before checked: about as many as there are. Counting all documents would exceed the statement
    /// timeout.
    pub documents: i64,
    /// When it began.
    pub started_at: Timestamp,
    /// When the round before ended; nothing in the first one.
    pub finished_at: Option<Timestamp>,
}

/// What the scrubber has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScrubReport {
    /// Documents that are damaged.
    pub damaged: i64,
    /// When the round under way began, if one ever did.
    pub started_at: Option<Timestamp>,
    /// When the last whole round ended.
    pub finished_at: Option<Timestamp>,
}

impl Tx<'_> {
    /// Leases the round under way, of which the first begins now; `None` while another instance is at it, or another task of
    /// this one.
    pub fn claim_scrub(&mut self, lease: &Lease, now: Timestamp) -> Result<Option<ScrubRound>, Error> {
        let sql = format!(
            "UPDATE scrub SET leased_until = $1, leased_by = $3, started_at = COALESCE(NULLIF(started_at, 0), $5)
             WHERE NOT {}
             RETURNING folio, position, checked, documents, started_at, finished_at",
            held("scrub", 2)
        );
        let [clock, by, dead_before] = lease.clock_params();
        let params = [lease.until.into(), clock, by, dead_before, now.into()];
        self.query_one(&sql, &params, |row| {
            Ok(ScrubRound {
                place: document_place(row)?,
                checked: row.get("checked")?,
                documents: row.get("documents")?,
                started_at: row.get("started_at")?,
                finished_at: row.get("finished_at")?,
            })
        })
    }

    /// Ends the lease, so that another instance may continue the round. As below, without effect if another took over.
    pub fn release_scrub(&mut self, lease: &Lease) -> Result<(), Error> {
        let sql = "UPDATE scrub SET leased_until = NULL, leased_by = NULL WHERE leased_by = $1 AND leased_until = $2";
        self.execute(sql, &[(&lease.by).into(), lease.until.into()])
            .map(drop)
    }

    /// Notes that documents were checked, up to this one, and ends the lease.
    pub fn advance_scrub(&mut self, lease: &Lease, to: DocumentPlace, checked: i64) -> Result<(), Error> {
        let sql =
            "UPDATE scrub SET folio = $1, position = $2, checked = checked + $3, leased_until = NULL, leased_by = NULL
                   WHERE leased_by = $4 AND leased_until = $5";
        let params = [
            to.folio.into(),
            to.position.into(),
            checked.into(),
            (&lease.by).into(),
            lease.until.into(),
        ];
        self.execute(sql, &params).map(drop)
    }

    /// Ends the round and the lease, and begins the next round.
    pub fn finish_scrub_round(&mut self, lease: &Lease, now: Timestamp) -> Result<(), Error> {
        let sql =
            "UPDATE scrub SET folio = 0, position = -1, documents = checked, checked = 0, started_at = $1,
                       finished_at = $1, leased_until = NULL, leased_by = NULL
                   WHERE leased_by = $2 AND leased_until = $3";
        let params = [now.into(), (&lease.by).into(), lease.until.into()];
        self.execute(sql, &params).map(drop)
    }

    /// Notes that a document is damaged; true if it was not known.
    pub fn note_damaged(
        &mut self,
        place: DocumentPlace,
        reason: &str,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let params = [
            place.folio.into(),
            place.position.into(),
            reason.into(),
            now.into(),
        ];
        let sql =
            "UPDATE damaged_documents SET reason = $3, checked_at = $4 WHERE folio = $1 AND position = $2";
        if self.execute(sql, &params)? > 0 {
            return Ok(false);
        }
        let sql = "INSERT INTO damaged_documents (folio, position, reason, found_at, checked_at)
                   VALUES ($1, $2, $3, $4, $4) ON CONFLICT DO NOTHING";
        Ok(self.execute(sql, &params)? > 0)
    }

    /// Notes that a document is whole again, or gone.
    pub fn note_whole(&mut self, place: DocumentPlace) -> Result<(), Error> {
        let sql = "DELETE FROM damaged_documents WHERE folio = $1 AND position = $2";
        self.execute(sql, &[place.folio.into(), place.position.into()])
            .map(drop)
    }

    /// Damaged documents, least recently checked first.
    pub fn damaged_documents(&mut self, limit: i64) -> Result<Vec<DocumentPlace>, Error> {
        let sql = "SELECT folio, position FROM damaged_documents ORDER BY checked_at LIMIT $1";
        self.query(sql, &[limit.into()], document_place)
    }

    /// What the scrubber has found.
    pub fn scrub_report(&mut self) -> Result<ScrubReport, Error> {
        let sql = "SELECT NULLIF(started_at, 0) AS started_at, finished_at,
                       (SELECT COUNT(*) FROM damaged_documents) AS damaged FROM scrub";
        let report = self.query_one(sql, &[], |row| {
            Ok(ScrubReport {
                damaged: row.get("damaged")?,
                started_at: row.get("started_at")?,
                finished_at: row.get("finished_at")?,
            })
        })?;
        report.ok_or(Error::Corrupt("scrub"))
    }
}
