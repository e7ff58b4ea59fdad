//! `POST /panel/folios/searches`: keeps a search under a name, or deletes one. Every user has their own.

use super::caller;
use super::list::list_page;
use super::list_query::FolioQuery;
use crate::page::PageResult;
use crate::panel::auth::RequireReader;
use crate::panel::csrf_form::CsrfForm;
use axum::extract::Path;
use domain::limits;
use store::SavedSearchRow;

pub(crate) async fn save(RequireReader(request): RequireReader, CsrfForm(form): CsrfForm) -> PageResult {
    let query = FolioQuery::of(&request);
    let name = form.get("name").trim().chars().filter(|c| !c.is_control());
    let name: String = name.take(limits::SAVED_SEARCH_NAME).collect();
    if name.is_empty() || !query.is_narrow() {
        return list_page(&request, None, Some(request.l.search_unnamed())).await;
    }
    let address = query.address("/panel/folios", query.state);
    let text = address.split_once('?').map_or("", |(_, query)| query).to_owned();
    let saved = request
        .web
        .app
        .save_search(caller(&request), request.user(), name, text)
        .await;
    if !saved.map_err(|error| request.error_page(error))? {
        return list_page(&request, None, Some(request.l.search_too_many())).await;
    }
    let separator = if address.contains('?') { '&' } else { '?' };
    Ok(request.redirect(&format!("{address}{separator}done=saved")))
}

/// `POST /panel/folios/searches/{search}/remove`.
pub(crate) async fn remove(
    RequireReader(request): RequireReader,
    Path(row): Path<String>,
    _: CsrfForm,
) -> PageResult {
    let row = row.parse().unwrap_or(SavedSearchRow::ZERO);
    let deleted = request
        .web
        .app
        .delete_saved_search(caller(&request), request.user(), row)
        .await;
    deleted.map_err(|error| request.error_page(error))?;
    Ok(request.redirect("/panel/folios?done=removed"))
}
