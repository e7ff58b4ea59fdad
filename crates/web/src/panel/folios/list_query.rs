//! What a list of folios is asked for, as the addresses of its pages say it.

use crate::page::PanelLang;
use crate::panel::auth::PanelRequest;
use app::folios::PAGE_SIZE;
use app::folios::list::{ListOrder, ListPage, ListSubset, Listing};
use app::panel::User;
use domain::FolioState;
use jiff::civil::Date;
use store::FolioRow;

/// Characters of a search text.
const MAX_SEARCH_CHARS: usize = 200;
/// Pages on the way back that an address names.
const MAX_TRAIL: usize = 40;
/// Folios of a page, as they are offered.
pub(super) const SIZES: [usize; 2] = [PAGE_SIZE, 50];
/// The orders as they are offered, with their words in addresses.
pub(super) const ORDERS: [(ListOrder, &str); 5] = [
    (ListOrder::Newest, ""),
    (ListOrder::Oldest, "oldest"),
    (ListOrder::Name, "name"),
    (ListOrder::State, "state"),
    (ListOrder::Ending, "ending"),
];
/// The filter of the request.
#[derive(Debug, Clone, Default)]
pub(crate) struct FolioQuery {
    pub(crate) typed: String,
    pub(crate) state: Option<FolioState>,
    pub(crate) from: Option<Date>,
    pub(crate) to: Option<Date>,
    pub(crate) subset: Option<SubsetChoice>,
    pub(crate) order: ListOrder,
    pub(crate) size: usize,
    /// Where this page begins.
    pub(crate) start: PageStart,
    /// The pages before this one, the first of them first.
    pub(crate) trail: Vec<PageStart>,
}

/// Where a page begins, and how many folios are before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PageStart {
    pub(crate) before: Option<FolioRow>,
    pub(crate) skipped: usize,
    /// In which state that folio was, in a list by state.
    pub(crate) state: Option<FolioState>,
}

impl PageStart {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('.');
        let before: FolioRow = parts.next()?.parse().ok()?;
        Some(Self {
            before: Some(before).filter(|before| *before > FolioRow::ZERO),
            skipped: parts.next()?.parse().ok()?,
            state: parts.next().and_then(state_of),
        })
    }

    fn word(self) -> String {
        let start = format!("{}.{}", self.before.unwrap_or(FolioRow::ZERO), self.skipped);
        match self.state {
            Some(state) => format!("{start}.{}", word(state)),
            None => start,
        }
    }
}

/// The state of that word.
fn state_of(text: &str) -> Option<FolioState> {
    FolioState::ALL.into_iter().find(|known| word(*known) == text)
}

/// The ways from a page of a list.
#[derive(Debug)]
pub(crate) struct ListPages {
    /// Which folios of the list are shown.
    pub(crate) range: Option<String>,
    /// The addresses of this page, and of those before and after it.
    pub(crate) own: String,
    pub(crate) previous: Option<String>,
    pub(crate) next: Option<String>,
}

/// What a list is narrowed to, besides states and days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SubsetChoice {
    Expiring,
    Undelivered,
    Mine,
    Dropped,
}

impl SubsetChoice {
    pub(super) const ALL: [Self; 4] = [Self::Expiring, Self::Undelivered, Self::Mine, Self::Dropped];

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Expiring => "expiring",
            Self::Undelivered => "undelivered",
            Self::Mine => "mine",
            Self::Dropped => "dropped",
        }
    }

    pub(super) const fn label(self, l: PanelLang) -> &'static str {
        match self {
            Self::Expiring => l.mark_expiring(),
            Self::Undelivered => l.mark_undelivered(),
            Self::Mine => l.mark_mine(),
            Self::Dropped => l.mark_dropped(),
        }
    }
}

/// The word for a state in addresses.
pub(super) const fn word(state: FolioState) -> &'static str {
    match state {
        FolioState::Pending => "pending",
        FolioState::Signed => "signed",
        FolioState::RejectedBySigner => "rejected",
        FolioState::Approved => "approved",
        FolioState::Disapproved => "disapproved",
        FolioState::Cancelled => "cancelled",
    }
}

impl FolioQuery {
    pub(super) fn of(request: &PanelRequest) -> Self {
        let text = |name| request.query(name).unwrap_or_default();
        let date = |name| text(name).parse().ok();
        let (state, subset, typed) = (text("state"), text("mark"), text("q"));
        let subset = SubsetChoice::ALL.into_iter().find(|known| known.word() == subset);
        let trail = text("trail");
        let trail = trail.split('-').filter_map(PageStart::parse).take(MAX_TRAIL);
        Self {
            typed: typed.trim().chars().take(MAX_SEARCH_CHARS).collect(),
            // What ends soon is pending.
            state: FolioState::ALL
                .into_iter()
                .find(|known| word(*known) == state && subset != Some(SubsetChoice::Expiring)),
            from: date("from"),
            to: date("to"),
            subset,
            order: {
                let asked = text("order");
                let known = ORDERS.into_iter().find(|(_, word)| *word == asked);
                known.map_or_else(ListOrder::default, |(order, _)| order)
            },
            size: text("size")
                .parse()
                .ok()
                .filter(|size| SIZES.contains(size))
                .unwrap_or(PAGE_SIZE),
            start: PageStart {
                before: text("before").parse().ok(),
                skipped: text("skipped").parse().unwrap_or(0),
                state: state_of(&text("in")),
            },
            trail: trail.collect(),
        }
    }

    /// What the list is asked for.
    pub(super) fn listing(&self, user: &User) -> Listing {
        Listing {
            typed: self.typed.clone(),
            state: self.state,
            kept: false,
            from: self.from,
            to: self.to,
            before: self.start.before,
            before_state: self.start.state,
            subset: self.subset.map(|subset| match subset {
                SubsetChoice::Expiring => ListSubset::Expiring,
                SubsetChoice::Undelivered => ListSubset::Undelivered,
                SubsetChoice::Mine => ListSubset::made_by(user),
                SubsetChoice::Dropped => ListSubset::Dropped,
            }),
            order: self.order,
            size: Some(self.size),
        }
    }

    /// The query of the same filter in a state, without a position.
    fn pairs(&self, state: Option<FolioState>) -> form_urlencoded::Serializer<'static, String> {
        let mut query = form_urlencoded::Serializer::new(String::new());
        if !self.typed.is_empty() {
            query.append_pair("q", &self.typed);
        }
        if let Some(state) = state {
            query.append_pair("state", word(state));
        }
        if let Some(subset) = self.subset {
            query.append_pair("mark", subset.word());
        }
        for (name, date) in [("from", self.from), ("to", self.to)] {
            if let Some(date) = date {
                query.append_pair(name, &date.to_string());
            }
        }
        let order = ORDERS.into_iter().find(|(order, _)| *order == self.order);
        if let Some((_, word)) = order.filter(|(order, _)| *order != ListOrder::Newest) {
            query.append_pair("order", word);
        }
        if self.size > PAGE_SIZE {
            query.append_pair("size", &self.size.to_string());
        }
        query
    }

    /// The address of that path with the same filter.
    pub(super) fn address(&self, path: &str, state: Option<FolioState>) -> String {
        joined(path, &self.pairs(state).finish())
    }

    /// Where the request is in a list that is not filtered.
    pub(crate) fn unfiltered(request: &PanelRequest) -> Self {
        let Self { start, trail, .. } = Self::of(request);
        Self {
            size: PAGE_SIZE,
            start,
            trail,
            ..Self::default()
        }
    }

    /// The address of a page of the list at that path, with the same filter.
    fn page_address(&self, path: &str, start: PageStart, trail: &[PageStart]) -> String {
        let mut query = self.pairs(self.state);
        if let Some(before) = start.before {
            query.append_pair("before", &before.to_string());
            query.append_pair("skipped", &start.skipped.to_string());
            if let Some(state) = start.state {
                query.append_pair("in", word(state));
            }
        }
        if !trail.is_empty() {
            let words: Vec<String> = trail.iter().map(|start| start.word()).collect();
            query.append_pair("trail", &words.join("-"));
        }
        joined(path, &query.finish())
    }

    /// The address of this page.
    fn own_address(&self, path: &str) -> String {
        self.page_address(path, self.start, &self.trail)
    }

    /// The address of the page after this one, which has so many folios and ends in that state.
    fn next_address(&self, path: &str, next: FolioRow, shown: usize, last: Option<FolioState>) -> String {
        let mut trail = self.trail.clone();
        trail.push(self.start);
        // The way back leads past the pages that are too many to name, to the first one.
        if trail.len() > MAX_TRAIL {
            trail.remove(1);
        }
        let start = PageStart {
            before: Some(next),
            skipped: self.start.skipped.saturating_add(shown),
            state: last.filter(|_| self.order == ListOrder::State),
        };
        self.page_address(path, start, &trail)
    }

    /// The address of the page before this one, unless this is the first.
    fn previous_address(&self, path: &str) -> Option<String> {
        self.start.before?;
        Some(match self.trail.split_last() {
            Some((last, rest)) => self.page_address(path, *last, rest),
            None => self.page_address(path, PageStart::default(), &[]),
        })
    }

    /// The ways from the page that shows these folios of the list at that path.
    pub(crate) fn pages(&self, l: PanelLang, path: &str, page: &ListPage, total: Option<i64>) -> ListPages {
        let (skipped, shown) = (self.start.skipped, page.folios.len());
        ListPages {
            range: (shown > 0)
                .then(|| l.range(skipped.saturating_add(1), skipped.saturating_add(shown), total)),
            own: self.own_address(path),
            previous: self.previous_address(path),
            next: page.next.map(|next| {
                let last = page.folios.last().map(|folio| folio.state);
                self.next_address(path, next, shown, last)
            }),
        }
    }

    /// Whether the filter has any condition.
    pub(crate) fn is_narrow(&self) -> bool {
        !self.typed.is_empty()
            || self.state.is_some()
            || self.from.is_some()
            || self.to.is_some()
            || self.subset.is_some()
    }

    /// The days as fields show them.
    pub(crate) fn days(&self) -> (String, String) {
        let day = |date: Option<Date>| date.map_or_else(String::new, |date| date.to_string());
        (day(self.from), day(self.to))
    }
}

fn joined(path: &str, query: &str) -> String {
    let question = if query.is_empty() { "" } else { "?" };
    format!("{path}{question}{query}")
}
