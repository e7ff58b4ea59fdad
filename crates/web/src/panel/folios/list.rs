//! `GET /panel/folios`: the company's folios, as far as they are looked for, page by page.

use super::list_query::{FolioQuery, ListPages, ORDERS, SIZES, SubsetChoice, word};
use crate::page::{PageResult, PanelLang};
use crate::panel::auth::{PanelRequest, RequireReader};
use crate::panel::layout::{PanelLayout, Section};
use app::folios::PAGE_SIZE;
use app::folios::list::{ListOrder, ListPage};
use app::panel::Role;
use askama::Template;
use domain::{FolioState, SignerState, Timestamp};
use store::{ListedFolio, SavedSearch};

/// Signers that a row names.
const MAX_NAMED_SIGNERS: usize = 3;

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/folios.html")]
pub(crate) struct FoliosPage {
    pub(crate) f: PanelLayout,
    pub(crate) query: FolioQuery,
    /// The order of the list.
    pub(crate) order: ListOrder,
    pub(crate) counts: Vec<CountView>,
    pub(crate) rows: Vec<FolioListItem>,
    pub(crate) pages: ListPages,
    /// The addresses of the list as files.
    pub(crate) csv: String,
    pub(crate) json: String,
    /// Where the form with the chosen folios goes.
    pub(crate) acts: String,
    /// The searches that the user keeps.
    pub(crate) saved: Vec<SavedSearch>,
    /// Where the form goes that keeps this one.
    pub(crate) save: String,
    /// What is wrong with an act on several folios.
    pub(crate) error: Option<&'static str>,
    pub(crate) unfinished: bool,
    /// The states that the page offers.
    pub(crate) states: Vec<FolioState>,
    /// Whether the company has no folio at all.
    pub(crate) bare: bool,
}

/// A state with how many folios are in it.
#[derive(Debug)]
pub(crate) struct CountView {
    pub(crate) label: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) count: String,
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
    pub(crate) expires_at: Option<Timestamp>,
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
            expires_at: folio.expires_at,
            signers: signers.iter().map(|signer| signer.name.clone()).collect(),
            signed: signers
                .iter()
                .filter(|signer| signer.state == SignerState::Signed)
                .count(),
        }
    }

    /// Whether it can be cancelled, or its signers written to again.
    pub(crate) fn may_act(&self) -> bool {
        self.state == FolioState::Pending && !self.dropped
    }

    /// When it ends, if that is still to come.
    pub(crate) fn ends_at(&self) -> Option<Timestamp> {
        self.expires_at
            .filter(|_| self.state == FolioState::Pending && !self.expired)
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
    pub(crate) fn signer_names(&self, l: PanelLang) -> String {
        let shown = self.signers.iter().map(String::as_str);
        let shown: Vec<&str> = shown.filter(|name| !name.is_empty()).collect();
        let (named, others) = shown.split_at(shown.len().min(MAX_NAMED_SIGNERS));
        let mut text = named.join(", ");
        if !others.is_empty() {
            text.push_str(&l.and_others(others.len()));
        }
        text
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

impl FoliosPage {
    pub(crate) fn new(f: PanelLayout, query: FolioQuery, page: &ListPage) -> Self {
        let l = f.l;
        let count = |state: FolioState| page.counts.get(&state).copied().unwrap_or(0).max(0);
        let all: i64 = FolioState::ALL.into_iter().map(count).sum();
        let of_state = |state| CountView {
            label: l.folio_state_label(state),
            kind: kind(state),
            count: l.number(count(state)),
            address: query.address("/panel/folios", Some(state)),
            here: query.state == Some(state),
        };
        let states = states_in_use(&f, count);
        let mut counts = vec![CountView {
            label: l.folios_all(),
            kind: "all",
            count: l.number(all),
            address: query.address("/panel/folios", None),
            here: query.state.is_none(),
        }];
        counts.extend(states.iter().copied().map(of_state));
        let rows = page.folios.iter().map(|folio| FolioListItem::new(folio, f.now));
        // Where nothing else narrows the list, it is known how many there are.
        let is_plain =
            query.typed.is_empty() && query.from.is_none() && query.to.is_none() && query.subset.is_none();
        let is_plain = is_plain && page.order != ListOrder::Ending;
        let total = is_plain.then(|| query.state.map_or(all, count));
        Self {
            pages: query.pages(l, "/panel/folios", page, total),
            csv: query.address("/panel/folios.csv", query.state),
            json: query.address("/panel/folios.json", query.state),
            acts: query.address("/panel/folios/acts", query.state),
            rows: rows.collect(),
            unfinished: page.unfinished,
            bare: all == 0,
            states,
            counts,
            error: None,
            saved: Vec::new(),
            order: page.order,
            save: query.address("/panel/folios/searches", query.state),
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

    /// Whether a filter is set besides the state, which is chosen above the list too.
    pub(crate) fn has_filters(&self) -> bool {
        let query = &self.query;
        query.from.is_some()
            || query.to.is_some()
            || query.subset.is_some()
            || query.order != ListOrder::Newest
            || query.size > PAGE_SIZE
    }

    /// Whether there is a folio on the page with which the user may do something.
    pub(crate) fn has_choice(&self) -> bool {
        self.may_create() && self.rows.iter().any(FolioListItem::may_act)
    }

    /// The subsets to choose from: word, name, and whether it is the chosen one.
    pub(crate) fn subsets(&self) -> [(&'static str, &'static str, bool); 4] {
        SubsetChoice::ALL.map(|subset| {
            (
                subset.word(),
                subset.label(self.f.l),
                self.query.subset == Some(subset),
            )
        })
    }

    /// The orders to choose from: word, name, and whether it is the chosen one.
    pub(crate) fn orders(&self) -> [(&'static str, &'static str, bool); 5] {
        let l = self.f.l;
        ORDERS.map(|(order, word)| {
            let label = match order {
                ListOrder::Newest => l.folios_newest_first(),
                ListOrder::Oldest => l.folios_oldest_first(),
                ListOrder::Name => l.folios_by_name(),
                ListOrder::State => l.folios_by_state(),
                ListOrder::Ending => l.folios_by_end(),
            };
            (word, label, self.query.order == order)
        })
    }

    /// Whether the order that was asked for is not that of the list.
    pub(crate) fn is_order_ignored(&self) -> bool {
        self.query.order != self.order
    }

    /// A heading that sorts the list: where it leads, and how the list is sorted by it now.
    pub(crate) fn heading(&self, column: &str) -> (String, Option<&'static str>) {
        let now = self.order;
        let (wanted, sorted) = match column {
            "name" => (ListOrder::Name, (now == ListOrder::Name).then_some("ascending")),
            "state" => (ListOrder::State, (now == ListOrder::State).then_some("ascending")),
            _ if now == ListOrder::Newest => (ListOrder::Oldest, Some("descending")),
            _ => (
                ListOrder::Newest,
                (now == ListOrder::Oldest).then_some("ascending"),
            ),
        };
        let query = FolioQuery {
            order: wanted,
            ..self.query.clone()
        };
        (query.address("/panel/folios", query.state), sorted)
    }

    /// The sizes of a page to choose from, and whether it is the chosen one.
    pub(crate) fn sizes(&self) -> [(usize, bool); 2] {
        SIZES.map(|size| (size, self.query.size == size))
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
    let l = request.l;
    let number = |name| {
        request
            .query(name)
            .and_then(|text| text.parse().ok())
            .unwrap_or(0)
    };
    let (done, failed) = (number("n"), number("failed"));
    let notice = match request.done().as_deref() {
        Some("cancelled") => Some(l.several_cancelled(done, failed)),
        Some("resent") => Some(l.several_resent(done, failed)),
        Some("imported") => Some(l.imported(done)),
        Some("saved") => Some(l.search_saved().to_owned()),
        Some("removed") => Some(l.search_removed().to_owned()),
        _ => None,
    };
    list_page(&request, notice, None).await
}

/// The list that the request asks for.
pub(super) async fn list_page(
    request: &PanelRequest,
    notice: Option<String>,
    error: Option<&'static str>,
) -> PageResult {
    let query = FolioQuery::of(request);
    let listing = query.listing(request.user());
    let page = request
        .web
        .app
        .list_folios(request.user().company, listing)
        .await
        .map_err(|error| request.error_page(error))?;
    let saved = request.web.app.saved_searches(request.user()).await;
    let frame = request.frame(Section::Folios).with_notice(notice);
    let page = FoliosPage {
        error,
        saved: saved.map_err(|error| request.error_page(error))?,
        ..FoliosPage::new(frame, query, &page)
    };
    if error.is_some() {
        return Ok(request.page_with_errors(&page));
    }
    Ok(request.page(&page))
}
