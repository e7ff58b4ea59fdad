//! `/panel/folios/{folio}/drop`: asks first, and drops a finished folio.

use super::page::open;
use super::{address, caller};
use crate::page::{PageError, PageResult};
use crate::panel::auth::{PanelRequest, RequireAdministrator};
use crate::panel::confirm::ConfirmPage;
use crate::panel::csrf_form::CsrfForm;
use crate::panel::layout::Section;
use app::{BatchOutcome, Error};
use axum::extract::Path;
use domain::Refusal;

/// A folio that can be dropped.
async fn finished(request: &PanelRequest, id: &str) -> Result<domain::Folio, PageError> {
    let folio = open(request, id).await?.folio;
    if folio.dropped || !folio.state.is_final() {
        return Err(request.error_page(Error::Refused(Refusal::NotFinal)).into());
    }
    Ok(folio)
}

pub(crate) async fn page(
    RequireAdministrator(request): RequireAdministrator,
    Path(id): Path<String>,
) -> PageResult {
    let folio = finished(&request, &id).await?;
    let l = request.l;
    Ok(request.page(&ConfirmPage {
        f: request.frame(Section::Folios),
        title: l.drop_title().to_owned(),
        lead: l.drop_lead().to_owned(),
        lasting: true,
        about: vec![folio.name.as_str().to_owned()],
        action: format!("{}/drop", address(folio.id)),
        fields: Vec::new(),
        button: l.drop_do().to_owned(),
        back: address(folio.id),
    }))
}

pub(crate) async fn drop_folio(
    RequireAdministrator(request): RequireAdministrator,
    Path(id): Path<String>,
    _: CsrfForm,
) -> PageResult {
    let folio = finished(&request, &id).await?;
    let dropped = request
        .web
        .app
        .drop_folios(caller(&request), vec![folio.id])
        .await;
    let dropped = dropped.map_err(|error| request.error_page(error))?;
    if let Some((_, BatchOutcome::Refused(refusal))) = dropped.first() {
        return Err(request.error_page(Error::Refused(*refusal)).into());
    }
    Ok(request.redirect(&format!("{}?done=dropped", address(folio.id))))
}
