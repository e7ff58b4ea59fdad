//! `GET consult_massive_sign`: the folios of a bulk signature.

use crate::Web;
use crate::api::errors::ApiError;
use crate::api::operations::read_folio::FOUND;
use crate::api::request::ApiRequest;
use crate::api::response::ApiResponse;
use app::Access;
use domain::BulkId;
use wire::FolioJson;

pub(crate) async fn handle(
    web: &Web,
    access: Access,
    request: &mut ApiRequest,
) -> Result<ApiResponse, ApiError> {
    let id = request
        .query("massiveId")
        .ok()
        .and_then(|text| text.parse::<BulkId>().ok());
    let Some(id) = id else {
        return Err(web.malformed_query(access).await);
    };
    let folios = web.app.read_bulk(access, id).await?;
    let folios: Vec<_> = folios
        .iter()
        .map(|folio| FolioJson::new(folio, &web.settings.timezone))
        .collect();
    Ok(ApiResponse::success(FOUND, folios))
}
