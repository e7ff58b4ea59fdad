//! `GET /panel/folios`: the company's folios, newest first, as far as they are looked for.

use crate::page::{PageResult, PanelLang};
use crate::panel::auth::{PanelRequest, RequireReader};
use crate::panel::layout::{PanelLayout, Section};
use app::folios::list::{ListPage, Listing};
use app::panel::Role;
use askama::Template;
use domain::{FolioState, SignerState, Timestamp};
use jiff::civil::Date;
use store::{FolioRow, ListedFolio};

/// Characters of a search text.
const MAX_SEARCH_CHARS: usize = 200;

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/folios.html")]
pub(crate) struct FoliosPage {
    pub(crate) f: PanelLayout,
    pub(crate) query: FolioQuery,
    pub(crate) counts: Vec<CountView>,
    pub(crate) rows: Vec<FolioListItem>,
    /// The address of the next page.
    pub(crate) next: Option<String>,
    pub(crate) unfinished: bool,
    /// The states that the page offers.
    pub(crate) states: Vec<FolioState>,
    /// Whether the company has no folio at all.
    pub(crate) bare: bool,
}

/// The filter of the request.
#[derive(Debug, Clone, Default)]
pub(crate) struct FolioQuery {
    pub(crate) typed: String,
    pub(crate) state: Option<FolioState>,
    pub(crate) from: Option<Date>,
    pub(crate) to: Option<Date>,
    pub(crate) before: Option<FolioRow>,
}

/// A state with how many folios are in it.
#[derive(Debug)]
pub(crate) struct CountView {
    pub(crate) label: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) count: i64,
    pub(crate) address: String,
    pub(crate) here: bool,
}

/// A folio in a list.
#[derive(Debug)]
pub(crate) struct FolioListItem {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) state: FolioState,
    pub(crate) dropped: bool,
    pub(crate) expired: bool,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Option<Timestamp>,
    pub(crate) signers: Vec<String>,
    pub(crate) signed: usize,
}

impl FolioListItem {
    pub(crate) fn new(folio: &ListedFolio, now: Timestamp) -> Self {
        let signers = &folio.signers;
        Self {
            id: folio.id.to_string(),
            name: folio.name.clone(),
            state: folio.state,
            dropped: folio.dropped,
            expired: folio.state == FolioState::Pending && folio.expires_at.is_some_and(|end| end <= now),
            created_at: folio.created_at,
            updated_at: folio.updated_at,
            signers: signers.iter().map(|signer| signer.name.clone()).collect(),
            signed: signers
                .iter()
                .filter(|signer| signer.state == SignerState::Signed)
                .count(),
        }
    }

    /// The name; an erased folio has none of its own.
    pub(crate) fn title(&self, l: PanelLang) -> &str {
        if self.name.is_empty() {
            l.folio_erased_name()
        } else {
            &self.name
        }
    }

    /// The names of its signers; those of an erased folio have none.
    pub(crate) fn signer_names(&self) -> String {
        let shown = self.signers.iter().map(String::as_str);
        let shown: Vec<&str> = shown.filter(|name| !name.is_empty()).collect();
        shown.join(", ")
    }

    pub(crate) const fn kind(&self) -> &'static str {
        kind(self.state)
    }

    pub(crate) fn words(&self, l: PanelLang) -> &'static str {
        if self.expired {
            l.folio_expired()
        } else {
            l.folio_state_label(self.state)
        }
    }
}

/// The icon of a state.
pub(crate) const fn kind(state: FolioState) -> &'static str {
    match state {
        FolioState::Pending => "wait",
        FolioState::Signed | FolioState::Approved => "good",
        FolioState::RejectedBySigner | FolioState::Disapproved => "bad",
        FolioState::Cancelled => "over",
    }
}

/// The states that a company's pages offer: those of approval only where it is used, or was.
pub(crate) fn states_in_use(f: &PanelLayout, count: impl Fn(FolioState) -> i64) -> Vec<FolioState> {
    let approval = f.user.as_ref().is_some_and(|user| user.approval);
    let judged = [FolioState::Approved, FolioState::Disapproved];
    let in_use = |state: &FolioState| approval || !judged.contains(state) || count(*state) > 0;
    FolioState::ALL.into_iter().filter(in_use).collect()
}

/// The word for a state in addresses.
const fn word(state: FolioState) -> &'static str {
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
    fn of(request: &PanelRequest) -> Self {
        let date = |name| request.query(name).and_then(|text| text.parse().ok());
        let state = request.query("state").unwrap_or_default();
        let typed = request.query("q").unwrap_or_default();
        Self {
            typed: typed.trim().chars().take(MAX_SEARCH_CHARS).collect(),
            state: FolioState::ALL.into_iter().find(|known| word(*known) == state),
            from: date("from"),
            to: date("to"),
            before: request.query("before").and_then(|text| text.parse().ok()),
        }
    }

    /// The address of the same filter in a state, from a position on.
    fn address(&self, state: Option<FolioState>, before: Option<FolioRow>) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        if !self.typed.is_empty() {
            query.append_pair("q", &self.typed);
        }
        if let Some(state) = state {
            query.append_pair("state", word(state));
        }
        for (name, date) in [("from", self.from), ("to", self.to)] {
            if let Some(date) = date {
                query.append_pair(name, &date.to_string());
            }
        }
        if let Some(before) = before {
            query.append_pair("before", &before.to_string());
        }
        let query = query.finish();
        let question = if query.is_empty() { "" } else { "?" };
        format!("/panel/folios{question}{query}")
    }

    /// Whether the filter has any condition.
    pub(crate) fn is_narrow(&self) -> bool {
        !self.typed.is_empty() || self.state.is_some() || self.from.is_some() || self.to.is_some()
    }

    /// The days as fields show them.
    pub(crate) fn days(&self) -> (String, String) {
        let day = |date: Option<Date>| date.map_or_else(String::new, |date| date.to_string());
        (day(self.from), day(self.to))
    }
}

impl FoliosPage {
    pub(crate) fn new(f: PanelLayout, query: FolioQuery, page: &ListPage) -> Self {
        let l = f.l;
        let count = |state: FolioState| page.counts.get(&state).copied().unwrap_or(0).max(0);
        let all: i64 = FolioState::ALL.into_iter().map(count).sum();
        let of_state = |state| CountView {
            label: l.folio_state_label(state),
            kind: kind(state),
            count: count(state),
            address: query.address(Some(state), None),
            here: query.state == Some(state),
        };
        let states = states_in_use(&f, count);
        let mut counts = vec![CountView {
            label: l.folios_all(),
            kind: "all",
            count: all,
            address: query.address(None, None),
            here: query.state.is_none(),
        }];
        counts.extend(states.iter().copied().map(of_state));
        let rows = page.folios.iter().map(|folio| FolioListItem::new(folio, f.now));
        Self {
            rows: rows.collect(),
            next: page.next.map(|next| query.address(query.state, Some(next))),
            unfinished: page.unfinished,
            bare: all == 0,
            states,
            counts,
            query,
            f,
        }
    }

    pub(crate) fn may_create(&self) -> bool {
        self.f
            .user
            .as_ref()
            .is_some_and(|user| user.role >= Role::Supervisor)
    }

    /// The address of the first page.
    pub(crate) fn first(&self) -> String {
        self.query.address(self.query.state, None)
    }

    /// The states to choose from: word, name, and whether it is the chosen one.
    pub(crate) fn states(&self) -> Vec<(&'static str, &'static str, bool)> {
        let view = |state: &FolioState| {
            let chosen = self.query.state == Some(*state);
            (word(*state), self.f.l.folio_state_label(*state), chosen)
        };
        self.states.iter().map(view).collect()
    }
}

pub(crate) async fn page(RequireReader(request): RequireReader) -> PageResult {
    let query = FolioQuery::of(&request);
    let listing = Listing {
        typed: query.typed.clone(),
        state: query.state,
        kept: false,
        from: query.from,
        to: query.to,
        before: query.before,
    };
    let page = request
        .web
        .app
        .list_folios(request.user().company, listing)
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.page(&FoliosPage::new(request.frame(Section::Folios), query, &page)))
}
