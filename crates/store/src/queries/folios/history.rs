//! Events, each in its place in its folio's chain.

use crate::dialect::ColumnType::{Bytes, Int, Text};
use crate::error::Error;
use crate::queries::folios::evidence::chained;
use crate::queries::projections::change_log::FolioChange;
use crate::rows::FolioRow;
use crate::tx::Tx;
use crate::value::Rows;
use domain::event::ChainedEvent;
use domain::{Actor, CompanyId, Event, FolioId, HistoryHead, Timestamp};
use std::collections::HashMap;

/// An event in its place, and the MAC that authenticates it.
pub(crate) struct NewEvent {
    event: ChainedEvent,
    mac: [u8; 32],
}

/// A folio whose history grows.
struct End {
    seq: FolioRow,
    company: CompanyId,
    link: HistoryHead,
    erased: bool,
}

/// The ends of the histories of folios that are locked.
pub(crate) struct Histories(HashMap<FolioId, End>);

impl Histories {
    /// Whether the folio was erased.
    pub(crate) fn is_erased(&self, folio: FolioId) -> bool {
        self.0.get(&folio).is_some_and(|end| end.erased)
    }
}

/// How many of a folio's last events are searched for one that may have been appended before.
const SEARCHED_EVENTS: i64 = 256;
/// Folios whose events are searched with one statement.
const SEARCHED_FOLIOS: usize = 64;

impl Tx<'_> {
    /// The history of a folio of the company, oldest first.
    pub fn history(&mut self, company: CompanyId, folio: FolioId) -> Result<Vec<ChainedEvent>, Error> {
        let sql = "SELECT e.number, e.body, e.personal, e.hash FROM events e JOIN folios f ON f.seq = e.folio
                   WHERE f.company = $1 AND f.id = $2 ORDER BY e.number";
        self.query(sql, &[company.0.into(), (&folio).into()], chained)
    }

    /// The event at the end of a chain, with its MAC, and the new end. No event is written without the key.
    pub(crate) fn chain(
        &self,
        end: HistoryHead,
        folio: FolioId,
        event: &Event,
    ) -> Result<(NewEvent, HistoryHead), Error> {
        let key = self.history_key().ok_or(Error::NoHistoryKey)?;
        let (event, next) = end.append(folio, event, &mut key.salts());
        let mac = key.mac(folio, event.number, &event.hash);
        Ok((NewEvent { event, mac }, next))
    }

    /// Locks the folio's row against other writers until the transaction ends.
    pub fn lock_folio(&mut self, folio: FolioId) -> Result<(), Error> {
        let lock = self.dialect().for_update();
        let sql = format!("SELECT seq FROM folios WHERE id = $1{lock}");
        self.query_one(&sql, &[(&folio).into()], |_| Ok(())).map(drop)
    }

    /// Appends events to folios, each to the end of its own chain. Events of folios that do not exist are passed over.
    pub fn append_events(&mut self, events: &[(FolioId, Event)]) -> Result<(), Error> {
        let ends = self.lock_histories(events.iter().map(|(folio, _)| *folio))?;
        self.append_to(ends, events.iter())
    }

    /// Like `append_events`, for a caller that may have appended some of them before: it has lost the answer to a commit.
    /// Those that are among the last of their folio are passed over.
    pub fn append_missing_events(&mut self, events: &[(FolioId, Event)]) -> Result<(), Error> {
        let ends = self.lock_histories(events.iter().map(|(folio, _)| *folio))?;
        let refs: Vec<&(FolioId, Event)> = events.iter().collect();
        let missing = self.missing_from(&ends, &refs)?;
        self.append_to(ends, missing.into_iter())
    }

    /// Locks the folios, in the order of their row numbers; the ends of their histories.
    pub(crate) fn lock_histories(
        &mut self,
        folios: impl Iterator<Item = FolioId>,
    ) -> Result<Histories, Error> {
        let sql = "SELECT seq, id, history_length, history_hash, company, erased_at FROM folios
                   WHERE id IN ({list}) ORDER BY seq{lock}";
        let mut ids: Vec<FolioId> = folios.collect();
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
                    erased: row.get::<Option<Timestamp>>("erased_at")?.is_some(),
                },
            ))
        })?;
        Ok(Histories(ends.into_iter().collect()))
    }

    /// The events that are not among the last of their folio, which is locked.
    pub(crate) fn missing_from<'e>(
        &mut self,
        Histories(ends): &Histories,
        events: &[&'e (FolioId, Event)],
    ) -> Result<Vec<&'e (FolioId, Event)>, Error> {
        let sql = "SELECT e.folio, e.number, e.body, e.personal, e.hash FROM events e JOIN folios f ON f.seq = e.folio
                   WHERE e.number > f.history_length - $1 AND e.folio IN ({list})";
        let mut seqs: Vec<FolioRow> = events
            .iter()
            .filter_map(|(folio, _)| Some(ends.get(folio)?.seq))
            .collect();
        seqs.sort_unstable();
        seqs.dedup();
        let mut last: HashMap<FolioRow, Vec<ChainedEvent>> = HashMap::new();
        for seqs in seqs.chunks(SEARCHED_FOLIOS) {
            let seqs = seqs.iter().map(|seq| (*seq).into());
            let found = self.query_in(sql, &[SEARCHED_EVENTS.into()], seqs, |row| {
                Ok((row.get("folio")?, chained(row)?))
            })?;
            for (folio, event) in found {
                last.entry(folio).or_default().push(event);
            }
        }
        let is_missing = |(folio, event): &(FolioId, Event)| {
            let known = ends.get(folio).and_then(|end| last.get(&end.seq));
            known.is_none_or(|known| !known.iter().any(|one| one.is(*folio, event)))
        };
        Ok(events.iter().copied().filter(|one| is_missing(one)).collect())
    }

    /// Appends events to folios that are locked.
    pub(crate) fn append_to<'e>(
        &mut self,
        Histories(mut ends): Histories,
        events: impl Iterator<Item = &'e (FolioId, Event)>,
    ) -> Result<(), Error> {
        let mut chained = Vec::new();
        let mut logged = Vec::new();
        for (folio, event) in events {
            // An erased folio gets no event of work begun before; later events keep only values of panel users.
            let end = ends.get_mut(folio);
            if let Some(end) = end.filter(|end| !end.erased || !event.what.is_outcome()) {
                let (mut new, next) = self.chain(end.link, *folio, event)?;
                if end.erased && !matches!(event.origin.actor, Actor::User { .. }) {
                    new.event.personal = new.event.erased_values();
                }
                logged.extend(FolioChange::counted(end.company, end.seq, next.length, event));
                chained.push((end.seq, new));
                end.link = next;
            }
        }
        if chained.is_empty() {
            return Ok(());
        }
        // Events of one folio are inserted together, so that each index page is read and changed once.
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
