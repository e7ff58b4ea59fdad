//! `GET consult`: one folio.

use crate::Web;
use crate::api::errors::ApiError;
use crate::api::request::ApiRequest;
use crate::api::response::ApiResponse;
use app::Access;
use domain::FolioId;
use wire::FolioJson;

pub(crate) const FOUND: &str = "Consulta realizada exitosamente.";

pub(crate) async fn handle(
    web: &Web,
    access: Access,
    request: &mut ApiRequest,
) -> Result<ApiResponse, ApiError> {
    let id = request
        .query("folioId")
        .ok()
        .and_then(|text| text.parse::<FolioId>().ok());
    let Some(id) = id else {
        return Err(web.malformed_query(access).await);
    };
    let folio = web.app.read_folio(access, id).await?;
    Ok(ApiResponse::success(
        FOUND,
        FolioJson::new(&folio, &web.settings.timezone),
    ))
}
