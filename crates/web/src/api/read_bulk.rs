//! `GET consult_massive_sign`: the folios of a bulk signature.

use super::answer::Answer;
use super::call::Call;
use super::errors::{Cause, Failure};
use super::read_folio::FOUND;
use crate::Web;
use domain::BulkId;
use wire::FolioJson;

pub(crate) async fn handle(web: &Web, call: &mut Call) -> Result<Answer, Failure> {
    let id = call
        .query("massiveId")
        .ok()
        .and_then(|text| text.parse::<BulkId>().ok());
    let Some(id) = id else {
        web.caller(call.access()).await?;
        return Err(Cause::Malformed.into());
    };
    let folios = web.app.read_bulk(call.access()?, id).await?;
    let folios: Vec<_> = folios
        .iter()
        .map(|folio| FolioJson::new(folio, &web.settings.timezone))
        .collect();
    Ok(Answer::success(FOUND, folios))
}
