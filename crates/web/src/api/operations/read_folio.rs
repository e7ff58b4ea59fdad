//! `GET consult`: one folio.

use crate::Web;
use crate::api::errors::{ApiError, Cause};
use crate::api::request::ApiRequest;
use crate::api::response::ApiResponse;
use domain::FolioId;
use wire::FolioJson;

pub(crate) const FOUND: &str = "Consulta realizada exitosamente.";

pub(crate) async fn handle(web: &Web, request: &mut ApiRequest) -> Result<ApiResponse, ApiError> {
    let id = request
        .query("folioId")
        .ok()
        .and_then(|text| text.parse::<FolioId>().ok());
    let Some(id) = id else {
        web.caller(request.access()).await?;
        return Err(Cause::Malformed.into());
    };
    let folio = web.app.read_folio(request.access()?, id).await?;
    Ok(ApiResponse::success(
        FOUND,
        FolioJson::new(&folio, &web.settings.timezone),
    ))
}
