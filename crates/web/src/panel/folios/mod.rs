//! Folios in the panel: the list, the page of one, and what can be done with them.

pub(super) mod acts;
pub(super) mod cancel;
pub(super) mod draft_form;
pub(super) mod drop;
pub(super) mod erase;
pub(super) mod export;
pub(super) mod files;
pub(super) mod folio_request;
pub(super) mod list;
mod list_query;
pub(super) mod new;
pub(super) mod page;
mod receive_form;
pub(super) mod resend;
pub(super) mod samples;
pub(super) mod saved_searches;

use super::auth::PanelRequest;
use app::signing::pages::{PageViewer, Requester};
use app::{Caller, Error};
use domain::FolioId;

pub(super) use list::{FolioListItem, kind, states_in_use};
pub(super) use list_query::{FolioQuery, ListPages};

/// The user as the caller of an act.
pub(super) fn caller(request: &PanelRequest) -> Caller {
    request.session.caller(request.address)
}

/// Who pays for the rendering of page images: limits count by company and user.
fn requester(request: &PanelRequest) -> Requester {
    Requester {
        company: request.user().company,
        viewer: PageViewer::User(request.user().id),
    }
}

/// The folio identifier of an address.
fn folio(id: &str) -> Result<FolioId, Error> {
    id.parse().map_err(|_| Error::NotFound)
}

/// Where a folio's page is.
fn address(id: FolioId) -> String {
    format!("/panel/folios/{id}")
}
