//! `GET consult`: one folio.

use super::answer::Answer;
use super::call::Call;
use super::errors::{Cause, Failure};
use crate::Web;
use domain::FolioId;
use wire::FolioJson;

pub(crate) const FOUND: &str = "Consulta realizada exitosamente.";

pub(crate) async fn handle(web: &Web, call: &mut Call) -> Result<Answer, Failure> {
    let id = call
        .query("folioId")
        .ok()
        .and_then(|text| text.parse::<FolioId>().ok());
    let Some(id) = id else {
        web.caller(call.access()).await?;
        return Err(Cause::Malformed.into());
    };
    let folio = web.app.read_folio(call.access()?, id).await?;
    Ok(Answer::success(
        FOUND,
        FolioJson::new(&folio, &web.settings.timezone),
    ))
}
