//! Lists folios by state and date, newest first, with pagination.
//!
//! A page costs about the same however many folios there are: an index has the newest of each state first.

use super::PAGE_SIZE;
use super::search::{Matches, find};
use crate::workers::projector::{hour, zone_of};
use crate::{App, Error};
use domain::{CompanyId, FolioState, Timestamp, search};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::collections::HashMap;
use std::time::Duration;
use store::{FolioFilter, FolioRow, ListedFolio, Tx};

/// The longest time until the projector has written a folio's hour span.
const MAX_PROJECTION_DELAY: Duration = Duration::from_hours(24);

/// The filter of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// Words typed.
    pub typed: String,
    /// In this state only.
    pub state: Option<FolioState>,
    /// Not those that were dropped.
    pub kept: bool,
    /// Created on this day or later.
    pub from: Option<Date>,
    /// Created on this day or earlier.
    pub to: Option<Date>,
    /// Older than the folio of this number.
    pub before: Option<FolioRow>,
}

/// A page of a list.
#[derive(Debug, Clone)]
pub struct ListPage {
    /// The folios, newest first.
    pub folios: Vec<ListedFolio>,
    /// Where the next page begins, if there may be one.
    pub next: Option<FolioRow>,
    /// Whether the search stopped before the page was full, and can be carried on from `next`.
    pub unfinished: bool,
    /// How many folios the company has in each state.
    pub counts: HashMap<FolioState, i64>,
    /// The company's zone.
    pub zone: TimeZone,
}

impl App {
    /// A page of the company's folios.
    pub async fn list_folios(&self, company: CompanyId, listing: Listing) -> Result<ListPage, Error> {
        let (now, zone) = (self.clock.now(), self.notary.timezone().clone());
        let read = move |tx: &mut Tx<'_>| list(tx, company, &listing, &zone, now);
        self.store.read(read).await
    }
}

/// A page of the company's folios, in a transaction that is under way; `zone` is the installation's.
pub fn list(
    tx: &mut Tx<'_>,
    company: CompanyId,
    listing: &Listing,
    zone: &TimeZone,
    now: Timestamp,
) -> Result<ListPage, Error> {
    let zone = zone_of(tx, company, zone)?;
    let wanted = wanted(tx, company, listing, &zone, now)?;
    let terms = search::terms(&listing.typed);
    let matches = if terms.is_empty() {
        newest(tx, company, &wanted)?
    } else {
        find_exact_first(tx, company, &wanted, &listing.typed, &terms)?
    };
    Ok(ListPage {
        folios: matches.folios,
        next: matches.next,
        unfinished: matches.unfinished,
        counts: tx.state_counts(company)?,
        zone,
    })
}

/// What the terms find. Where a whole email address was typed, folios with exactly that address, if there are any.
fn find_exact_first(
    tx: &mut Tx<'_>,
    company: CompanyId,
    wanted: &FolioFilter,
    typed: &str,
    terms: &[String],
) -> Result<Matches, Error> {
    if let Some(email) = search::email_term(typed) {
        let exact = find(tx, company, wanted, &[email])?;
        if !exact.folios.is_empty() || exact.next.is_some() {
            return Ok(exact);
        }
    }
    find(tx, company, wanted, terms)
}

/// Turns days of the zone into timestamps and row-number bounds. The projector records the row numbers of
/// each hour, so that few folios of other days are read.
fn wanted(
    tx: &mut Tx<'_>,
    company: CompanyId,
    listing: &Listing,
    zone: &TimeZone,
    now: Timestamp,
) -> Result<FolioFilter, Error> {
    let begins = |date: Date| {
        let zoned = date.to_zoned(zone.clone()).ok()?;
        Some(Timestamp::from_micros(zoned.timestamp().as_microsecond()))
    };
    let mut wanted = FolioFilter {
        state: listing.state,
        kept: listing.kept,
        from: listing.from.and_then(begins),
        to: listing.to.and_then(|date| date.tomorrow().ok()).and_then(begins),
        before: listing.before.unwrap_or(FolioRow::MAX),
        not_below: FolioRow::ZERO,
    };
    if wanted.from.is_none() && wanted.to.is_none() {
        return Ok(wanted);
    }
    let (lowest, highest) = tx.folio_rows_between(
        company,
        wanted.from.map_or(0, hour),
        wanted.to.map_or(i64::MAX, hour),
    )?;
    if wanted.from.is_some() {
        wanted.not_below = lowest.unwrap_or(FolioRow::ZERO);
    }
    // Folios that are not projected yet may be of any time up to now.
    if wanted.to.is_some_and(|to| to.after(MAX_PROJECTION_DELAY) <= now) {
        let after = highest.map_or(FolioRow::ZERO, |highest| FolioRow(highest.0.saturating_add(1)));
        wanted.before = wanted.before.min(after);
    }
    Ok(wanted)
}

fn newest(tx: &mut Tx<'_>, company: CompanyId, wanted: &FolioFilter) -> Result<Matches, Error> {
    let mut seqs = tx.newest_folios(company, wanted, PAGE_SIZE + 1)?;
    let more = seqs.len() > PAGE_SIZE;
    seqs.truncate(PAGE_SIZE);
    Ok(Matches {
        next: seqs.last().copied().filter(|_| more),
        folios: tx.listed_folios(company, &seqs)?,
        unfinished: false,
    })
}
