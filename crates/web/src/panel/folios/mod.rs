//! Folios in the panel: the list, the page of one, and what can be done with them.

pub(super) mod cancel;
pub(super) mod drop;
pub(super) mod files;
mod intake;
pub(super) mod list;
pub(super) mod new;
pub(super) mod page;
pub(super) mod resend;
pub(super) mod samples;

use super::desk::Desk;
use app::show_page::{Person, Requester};
use app::{Caller, Error};
use domain::FolioId;

pub(super) use list::{FolioRow, kind, spoken_of};

/// The user as the caller of an act.
pub(super) fn caller(desk: &Desk) -> Caller {
    desk.signed.caller(desk.address)
}

/// Who pays for the rendering of page images: limits count by company and user.
fn requester(desk: &Desk) -> Requester {
    Requester {
        company: desk.user().company,
        person: Person::User(desk.user().id),
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
