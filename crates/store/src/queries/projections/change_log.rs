//! The change log: one small row in the transaction of each act. The projector takes the rows later, and
//! derives statistics, the search index and webhook events from them.

use crate::dialect::ColumnType::{Int, Text};
use crate::error::Error;
use crate::queries::enum_columns;
use crate::queries::folios::folio::StoredFolio;
use crate::rows::{ChangeRow, FolioRow};
use crate::tx::Tx;
use crate::value::{Rows, only_column, sql_int};
use domain::{Change, ChangeKind, CompanyId, Event, FolioState, HistoryHead, Timestamp};

/// Something that happened to a folio.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FolioChange {
    /// Its number: later changes of a folio have higher ones.
    pub seq: ChangeRow,
    /// Whose folio it is.
    pub company: CompanyId,
    /// The folio's number in the database.
    pub folio: FolioRow,
    /// What kind of change it was.
    pub kind: ChangeKind,
    /// The state before; none for a new folio, and where states have nothing to do with it.
    pub was: Option<FolioState>,
    /// The state afterwards.
    pub became: Option<FolioState>,
    /// How many events the folio's history had before.
    pub history_from: i64,
    /// How many it had afterwards.
    pub history_to: i64,
    /// When.
    pub at: Timestamp,
}

impl FolioChange {
    /// A change for an event that leaves the folio's state as it is and is counted in statistics.
    pub(crate) fn counted(company: CompanyId, folio: FolioRow, number: i64, event: &Event) -> Option<Self> {
        Some(Self {
            seq: ChangeRow::ZERO,
            company,
            folio,
            kind: ChangeKind::of(&event.what)?,
            was: None,
            became: None,
            history_from: number - 1,
            history_to: number,
            at: event.at,
        })
    }

    /// The state that the folio left by it, and the one it entered.
    pub fn moved(&self) -> Option<(Option<FolioState>, FolioState)> {
        let became = self.became?;
        (self.was != self.became).then_some((self.was, became))
    }
}

impl Tx<'_> {
    pub(crate) fn log_created(
        &mut self,
        company: CompanyId,
        folios: &[(FolioRow, FolioState)],
        at: Timestamp,
    ) -> Result<(), Error> {
        let created = |(folio, state): &(FolioRow, FolioState)| FolioChange {
            seq: ChangeRow::ZERO,
            company,
            folio: *folio,
            kind: ChangeKind::Created,
            was: None,
            became: Some(*state),
            history_from: 0,
            history_to: 1,
            at,
        };
        let created: Vec<FolioChange> = folios.iter().map(created).collect();
        self.log(&created)
    }

    /// Logs what acts changed; `ends` are the ends of the histories afterwards.
    pub(crate) fn log_changes(
        &mut self,
        company: CompanyId,
        changes: &[(&StoredFolio, Change)],
        ends: &[HistoryHead],
    ) -> Result<(), Error> {
        let mut log = Vec::with_capacity(changes.len());
        for ((stored, change), end) in changes.iter().zip(ends) {
            let kind = change.events.last().and_then(|event| ChangeKind::of(&event.what));
            if let Some(kind) = kind {
                log.push(FolioChange {
                    seq: ChangeRow::ZERO,
                    company,
                    folio: stored.seq,
                    kind,
                    was: Some(change.from),
                    became: Some(change.to),
                    history_from: stored.history.length,
                    history_to: end.length,
                    at: change.at,
                });
            }
        }
        self.log(&log)
    }

    pub(crate) fn log(&mut self, log: &[FolioChange]) -> Result<(), Error> {
        let mut params = Rows::new();
        for changed in log {
            params.push([
                changed.company.0.into(),
                changed.folio.into(),
                enum_columns::change_kind(changed.kind).into(),
                changed.was.map(enum_columns::folio_state).into(),
                changed.became.map(enum_columns::folio_state).into(),
                changed.history_from.into(),
                changed.history_to.into(),
                changed.at.into(),
            ]);
        }
        self.run_rows(
            "INSERT INTO folio_changes (company, folio, kind, was, became, history_from, history_to, at) VALUES",
            &[Int, Int, Text, Text, Text, Int, Int, Int],
            &params,
        )
    }

    /// The number of the oldest change in the log. `PostgreSQL` steps over every row that was deleted and that an older
    /// snapshot could still see.
    pub fn oldest_change(&mut self) -> Result<Option<ChangeRow>, Error> {
        let oldest = self.query_one("SELECT MIN(seq) FROM folio_changes", &[], only_column)?;
        Ok(oldest.flatten())
    }

    /// Whether there is a change with that number or a higher one.
    pub fn has_changes(&mut self, from: ChangeRow) -> Result<bool, Error> {
        let sql = "SELECT seq FROM folio_changes WHERE seq >= $1 ORDER BY seq LIMIT 1";
        let from = self.dialect().position_in_queue(from.0);
        Ok(self.query_one(sql, &[from.into()], |_| Ok(()))?.is_some())
    }

    /// Takes up to `max` changes off the log, oldest first, beginning with that number. The projector applies them in the same
    /// transaction.
    pub fn take_changes(&mut self, from: ChangeRow, max: usize) -> Result<Vec<FolioChange>, Error> {
        let skip = self.dialect().for_update_skip_locked();
        let sql = format!(
            "WITH taken AS MATERIALIZED (SELECT seq FROM folio_changes WHERE seq >= $2 ORDER BY seq LIMIT $1{skip})
             DELETE FROM folio_changes WHERE seq IN (SELECT seq FROM taken)
             RETURNING seq, company, folio, kind, was, became, history_from, history_to, at"
        );
        let from = self.dialect().position_in_queue(from.0);
        let mut taken = self.query(&sql, &[sql_int(max)?.into(), from.into()], |row| {
            Ok(FolioChange {
                seq: row.get("seq")?,
                company: CompanyId(row.get("company")?),
                folio: row.get("folio")?,
                kind: row.get("kind")?,
                was: row.get("was")?,
                became: row.get("became")?,
                history_from: row.get("history_from")?,
                history_to: row.get("history_to")?,
                at: row.get("at")?,
            })
        })?;
        taken.sort_unstable_by_key(|changed| changed.seq);
        Ok(taken)
    }
}
