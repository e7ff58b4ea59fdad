//! Lists folios by state, date and subset, with pagination.
//!
//! A page costs about the same however many folios there are: an index has the newest of each state first.

use super::PAGE_SIZE;
use super::search::{Matches, Search, find, find_whole_words, is_wanted};
use crate::panel::User;
use crate::workers::projector::{hour, zone_of};
use crate::{App, Error};
use domain::{CompanyId, FolioState, Timestamp, search};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::collections::HashMap;
use std::time::Duration;
use store::{FolioFilter, FolioRow, FolioSubset, ListedFolio, Tx, UserRow};

/// The longest time until the projector has written a folio's hour span.
const MAX_PROJECTION_DELAY: Duration = Duration::from_hours(24);

/// How long before its end a pending folio counts as one that expires.
const EXPIRING_WITHIN: Duration = Duration::from_hours(24 * 7);
/// The most folios of one page.
const MAX_PAGE_SIZE: usize = 500;

/// What a list is narrowed to, besides states and days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListSubset {
    /// Folios that an administrator dropped.
    Dropped,
    /// Pending folios that end within a week; those that end first come first.
    Expiring,
    /// Folios of which a message was given up, came back, or was complained about.
    Undelivered,
    /// Folios that this panel user made.
    MadeBy(UserRow),
}

/// The order of a list. A search, a subset or days leave a list in the order of creation: an index for each combination would be
/// written by every act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ListOrder {
    /// The newest first.
    #[default]
    Newest,
    /// The oldest first; a search finds the newest first in any case.
    Oldest,
    /// By name, without regard to accents and capitals.
    Name,
    /// Pending ones first, then by how they ended; the newest first in each state.
    State,
    /// Pending folios that have an end, those that end first before the others.
    Ending,
}

impl ListSubset {
    /// Folios that the user made.
    pub const fn made_by(user: &User) -> Self {
        Self::MadeBy(user.seq)
    }
}

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
    /// After the folio of this number, in the order of the list.
    pub before: Option<FolioRow>,
    /// Of this subset only.
    pub subset: Option<ListSubset>,
    /// In which state that folio was, in the order of states.
    pub before_state: Option<FolioState>,
    /// The order.
    pub order: ListOrder,
    /// Folios of a page, if not [`PAGE_SIZE`].
    pub size: Option<usize>,
}

impl Listing {
    /// The order in which the list comes.
    pub fn effective_order(&self) -> ListOrder {
        let is_plain = self.subset.is_none()
            && self.from.is_none()
            && self.to.is_none()
            && !self.kept
            && search::terms(&self.typed).is_empty();
        let pending = self.state.is_none_or(|state| state == FolioState::Pending);
        match self.order {
            ListOrder::Name if is_plain => ListOrder::Name,
            ListOrder::State if is_plain && self.state.is_none() => ListOrder::State,
            ListOrder::Ending if is_plain && pending => ListOrder::Ending,
            ListOrder::Oldest if search::terms(&self.typed).is_empty() => ListOrder::Oldest,
            _ => ListOrder::Newest,
        }
    }

    fn page_size(&self) -> usize {
        self.size.unwrap_or(PAGE_SIZE).clamp(1, MAX_PAGE_SIZE)
    }
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
    /// The order in which they come.
    pub order: ListOrder,
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
    let size = listing.page_size();
    let matches = if !terms.is_empty() {
        let whole = Listing {
            before: None,
            ..listing.clone()
        };
        let first_page = self::wanted(tx, company, &whole, &zone, now)?;
        let search = Search {
            company,
            terms: &terms,
            size,
        };
        find_exact_first(tx, search, &wanted, &first_page, &listing.typed)?
    } else if let Some(FolioSubset::Expiring(from, until)) = wanted.subset {
        let seqs = tx.expiring_folios(company, (from, until), listing.before, size + 1)?;
        let mut matches = matches_of(tx, company, seqs, size)?;
        matches.folios.retain(|folio| is_wanted(folio, &wanted));
        matches
    } else {
        let max = size + 1;
        let seqs = match listing.effective_order() {
            ListOrder::Name => tx.folios_by_name(company, listing.state, listing.before, max)?,
            ListOrder::State => {
                let after = listing.before_state.zip(listing.before);
                tx.folios_by_state(company, after, max)?
            }
            ListOrder::Ending => {
                let ever = (Timestamp::from_micros(0), Timestamp::from_micros(i64::MAX));
                tx.expiring_folios(company, ever, listing.before, max)?
            }
            ListOrder::Newest | ListOrder::Oldest => tx.newest_folios(company, &wanted, max)?,
        };
        matches_of(tx, company, seqs, size)?
    };
    Ok(ListPage {
        folios: matches.folios,
        next: matches.next,
        unfinished: matches.unfinished,
        counts: tx.state_counts(company)?,
        zone,
        order: listing.effective_order(),
    })
}

/// What the terms find. Where a whole email address was typed, folios with exactly that address, if there are any. On the first
/// page, a few of the folios that have every term as a whole word come before the others.
fn find_exact_first(
    tx: &mut Tx<'_>,
    search: Search<'_>,
    wanted: &FolioFilter,
    first_page: &FolioFilter,
    typed: &str,
) -> Result<Matches, Error> {
    if let Some(email) = search::email_term(typed) {
        let terms = [email];
        let exact = find(
            tx,
            Search {
                terms: &terms,
                ..search
            },
            wanted,
        )?;
        if !exact.folios.is_empty() || exact.next.is_some() {
            return Ok(exact);
        }
    }
    let mut matches = find(tx, search, wanted)?;
    let exact = find_whole_words(tx, search, first_page)?;
    matches
        .folios
        .retain(|folio| exact.iter().all(|one| one.seq != folio.seq));
    if wanted.before == first_page.before {
        matches.folios.splice(0..0, exact);
    }
    Ok(matches)
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
        before: FolioRow::MAX,
        not_below: FolioRow::ZERO,
        subset: listing.subset.map(|subset| match subset {
            ListSubset::Dropped => FolioSubset::Dropped,
            ListSubset::Expiring => FolioSubset::Expiring(now, now.after(EXPIRING_WITHIN)),
            ListSubset::Undelivered => FolioSubset::Undelivered,
            ListSubset::MadeBy(user) => FolioSubset::MadeBy(user),
        }),
        oldest_first: listing.order == ListOrder::Oldest && search::terms(&listing.typed).is_empty(),
    };
    match listing.before {
        Some(after) if wanted.oldest_first => wanted.not_below = FolioRow(after.0.saturating_add(1)),
        Some(before) => wanted.before = before,
        None => {}
    }
    if wanted.from.is_none() && wanted.to.is_none() {
        return Ok(wanted);
    }
    let (lowest, highest) = tx.folio_rows_between(
        company,
        wanted.from.map_or(0, hour),
        wanted.to.map_or(i64::MAX, hour),
    )?;
    if wanted.from.is_some() {
        wanted.not_below = wanted.not_below.max(lowest.unwrap_or(FolioRow::ZERO));
    }
    // Folios that are not projected yet may be of any time up to now.
    if wanted.to.is_some_and(|to| to.after(MAX_PROJECTION_DELAY) <= now) {
        let after = highest.map_or(FolioRow::ZERO, |highest| FolioRow(highest.0.saturating_add(1)));
        wanted.before = wanted.before.min(after);
    }
    Ok(wanted)
}

/// A page of these folios, of which there may be one more than it holds.
fn matches_of(
    tx: &mut Tx<'_>,
    company: CompanyId,
    mut seqs: Vec<FolioRow>,
    size: usize,
) -> Result<Matches, Error> {
    let more = seqs.len() > size;
    seqs.truncate(size);
    let mut folios = tx.listed_folios(company, &seqs)?;
    let indexes: HashMap<FolioRow, usize> = seqs.iter().enumerate().map(|(at, seq)| (*seq, at)).collect();
    folios.sort_by_key(|folio| indexes.get(&folio.seq).copied());
    Ok(Matches {
        next: seqs.last().copied().filter(|_| more),
        folios,
        unfinished: false,
    })
}
