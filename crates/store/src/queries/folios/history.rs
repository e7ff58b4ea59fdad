//! Events, each in its place in its folio's chain.

use crate::dialect::ColumnType::{Bytes, Int, Text};
use crate::error::Error;
use crate::queries::folios::evidence::chained;
use crate::queries::projections::change_log::FolioChange;
use crate::rows::FolioRow;
use crate::tx::Tx;
use crate::value::Rows;
use domain::event::ChainedEvent;
use domain::{CompanyId, Event, FolioId, HistoryHead};
use std::collections::HashMap;

/// An event in its place, and the code that authenticates it.
pub(crate) struct NewEvent {
    event: ChainedEvent,
    mac: [u8; 32],
}

/// A folio whose history grows.
struct End {
    seq: FolioRow,
    company: CompanyId,
    link: HistoryHead,
}

impl Tx<'_> {
    /// The history of a folio of the company, oldest first.
    pub fn history(&mut self, company: CompanyId, folio: FolioId) -> Result<Vec<ChainedEvent>, Error> {
        let sql = "SELECT e.number, e.body, e.personal, e.hash FROM events e JOIN folios f ON f.seq = e.folio
                   WHERE f.company = $1 AND f.id = $2 ORDER BY e.number";
        self.query(sql, &[company.0.into(), (&folio).into()], chained)
    }

    /// The event at the end of a chain, with its code, and the new end. No event is written without the key.
    pub(crate) fn chain(
        &self,
        end: HistoryHead,
        folio: FolioId,
        event: &Event,
    ) -> Result<(NewEvent, HistoryHead), Error> {
        let key = self.history_key().ok_or(Error::NoHistoryKey)?;
        let (event, next) = end.append(folio, event, &mut key.salts());
        let mac = key.code(folio, event.number, &event.hash);
        Ok((NewEvent { event, mac }, next))
    }

    /// Makes others who would change the folio wait until the transaction ends.
    pub fn lock_folio(&mut self, folio: FolioId) -> Result<(), Error> {
        let lock = self.dialect().for_update();
        let sql = format!("SELECT seq FROM folios WHERE id = $1{lock}");
        self.query_one(&sql, &[(&folio).into()], |_| Ok(())).map(drop)
    }

    /// Appends events to folios, each to the end of its own chain. Events of folios that do not exist are passed over.
    pub fn append_events(&mut self, events: &[(FolioId, Event)]) -> Result<(), Error> {
        let sql = "SELECT seq, id, history_length, history_hash, company FROM folios
                   WHERE id IN ({list}) ORDER BY seq{lock}";
        let mut ids: Vec<FolioId> = events.iter().map(|(folio, _)| *folio).collect();
        ids.sort_unstable();
        ids.dedup();
        let ends = self.query_in(sql, &[], ids.iter().map(Into::into), |row| {
            Ok((
                row.get::<FolioId>("id")?,
                End {
                    seq: row.get("seq")?,
                    company: CompanyId(row.get("company")?),
                    link: HistoryHead {
                        length: row.get("history_length")?,
                        hash: row.get("history_hash")?,
                    },
                },
            ))
        })?;
        let mut ends: HashMap<FolioId, End> = ends.into_iter().collect();
        let mut chained = Vec::with_capacity(events.len());
        let mut logged = Vec::new();
        for (folio, event) in events {
            if let Some(end) = ends.get_mut(folio) {
                let (new, next) = self.chain(end.link, *folio, event)?;
                logged.extend(FolioChange::counted(end.company, end.seq, next.length, event));
                chained.push((end.seq, new));
                end.link = next;
            }
        }
        // Those of a folio side by side: the index has a page for each folio to be found, changed and kept.
        chained.sort_unstable_by_key(|(seq, new)| (*seq, new.event.number));
        self.insert_events(&chained)?;
        let ends: Vec<(FolioRow, HistoryHead)> = ends.into_values().map(|end| (end.seq, end.link)).collect();
        self.set_history_ends(&ends)?;
        self.log(&logged)
    }

    pub(crate) fn insert_events(&mut self, events: &[(FolioRow, NewEvent)]) -> Result<(), Error> {
        let mut params = Rows::new();
        for (folio, NewEvent { event, mac }) in events {
            params.push([
                (*folio).into(),
                event.number.into(),
                (&event.body).into(),
                (&event.personal).into(),
                (&event.hash).into(),
                mac.into(),
            ]);
        }
        let sql = "INSERT INTO events (folio, number, body, personal, hash, mac) VALUES";
        self.run_rows(sql, &[Int, Int, Text, Text, Bytes, Bytes], &params)
    }

    pub(crate) fn set_history_ends(&mut self, ends: &[(FolioRow, HistoryHead)]) -> Result<(), Error> {
        let sql = "UPDATE folios SET history_length = ends.column2, history_hash = ends.column3
                   FROM (VALUES {rows}) AS ends WHERE folios.seq = ends.column1";
        let mut params = Rows::new();
        for (seq, end) in ends {
            params.push([(*seq).into(), end.length.into(), (&end.hash).into()]);
        }
        self.run_rows(sql, &[Int, Int, Bytes], &params)
    }
}
