//! `GET consult_massive_sign`: the folios of a bulk signature.

use super::answer::Answer;
use super::call::Call;
use super::errors::{Cause, Failure};
use crate::Web;
use domain::BulkId;

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
    Ok(Answer::found(folios.len(), |json| {
        json.folios(&folios, &web.settings.timezone);
    }))
}
