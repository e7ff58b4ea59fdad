//! `GET consult_massive_sign`: the folios of a bulk signature.

use crate::Web;
use crate::api::errors::{ApiError, Cause};
use crate::api::operations::read_folio::FOUND;
use crate::api::request::ApiRequest;
use crate::api::response::ApiResponse;
use domain::BulkId;
use wire::FolioJson;

pub(crate) async fn handle(web: &Web, request: &mut ApiRequest) -> Result<ApiResponse, ApiError> {
    let id = request
        .query("massiveId")
        .ok()
        .and_then(|text| text.parse::<BulkId>().ok());
    let Some(id) = id else {
        web.caller(request.access()).await?;
        return Err(Cause::Malformed.into());
    };
    let folios = web.app.read_bulk(request.access()?, id).await?;
    let folios: Vec<_> = folios
        .iter()
        .map(|folio| FolioJson::new(folio, &web.settings.timezone))
        .collect();
    Ok(ApiResponse::success(FOUND, folios))
}
