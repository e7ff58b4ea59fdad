//! `POST consult`: several folios, each on its own.

use crate::Web;
use crate::api::errors::{ApiError, Cause, entry};
use crate::api::fields;
use crate::api::fields::{Fields, texts};
use crate::api::json;
use crate::api::operation::Operation;
use crate::api::operations::read_folio::FOUND;
use crate::api::request::ApiRequest;
use crate::api::response::ApiResponse;
use app::Caller;
use app::folios::read::Lookup;
use domain::{FolioId, limits};
use serde::Serialize;
use serde_json::Value;
use store::StoredFolio;
use wire::FolioJson;

/// Bytes of the JSON form.
const MAX_JSON_BYTES: u64 = 256 * 1024;

pub(crate) async fn handle(
    web: &Web,
    caller: Caller,
    request: &mut ApiRequest,
) -> Result<ApiResponse, ApiError> {
    let (texts, fingerprint) = requested(request).await?;
    let idempotency_key = request.idempotency_key(|| Some(fingerprint))?;
    let texts = match texts {
        Ok(texts) => texts,
        Err(error) => {
            return web
                .refuse(request.operation, &caller, idempotency_key, error)
                .await;
        }
    };
    let requested_folios: Vec<(String, Option<FolioId>)> = texts
        .into_iter()
        .map(|text| {
            let id = text.parse().ok();
            (text, id)
        })
        .collect();
    let ids = requested_folios.iter().filter_map(|(_, id)| *id).collect();
    let found = web.app.read_folios(caller.clone().into(), ids).await?;
    let entries: Result<Vec<_>, ApiError> = requested_folios
        .iter()
        .map(|(text, id)| FolioEntry::new(text, id.and_then(|id| found.get(&id)), web))
        .collect();
    let response = ApiResponse::list(entries?);
    let shown = found.iter().filter_map(|(id, lookup)| match lookup {
        Lookup::Own(stored) if !stored.folio.erased => Some(*id),
        _ => None,
    });
    let shown = shown.collect();
    web.store_response(&caller, idempotency_key, response, shown)
        .await
}

/// The entry of one identifier: status and message of a single read.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FolioEntry<'f> {
    success: bool,
    status: u16,
    message: &'static str,
    /// As it was written.
    folio_id: &'f str,
    data: Option<FolioJson<'f>>,
}

impl<'f> FolioEntry<'f> {
    fn new(text: &'f str, found: Option<&'f Lookup<StoredFolio>>, web: &Web) -> Result<Self, ApiError> {
        let cause = match found {
            Some(Lookup::Own(stored)) => {
                return Ok(Self {
                    success: true,
                    status: 200,
                    message: FOUND,
                    folio_id: text,
                    data: Some(FolioJson::new(&stored.folio, &web.settings.timezone)),
                });
            }
            Some(Lookup::Foreign) => Cause::Foreign,
            Some(Lookup::Unknown) => Cause::NotFound,
            None => Cause::Malformed,
        };
        let (status, message) = entry(Operation::ReadFolio, cause).ok_or(Cause::Internal)?;
        Ok(Self {
            success: false,
            status: status.as_u16(),
            message,
            folio_id: text,
            data: None,
        })
    }
}

/// The identifiers as the client wrote them, from JSON or a form; and the fingerprint of the request.
async fn requested(request: &mut ApiRequest) -> Result<(Result<Vec<String>, ApiError>, [u8; 32]), ApiError> {
    let is_json = request
        .content_type()
        .split(';')
        .next()
        .is_some_and(|t| t.trim().eq_ignore_ascii_case("application/json"));
    let (fields, list) = if is_json {
        let body = request.body.read_whole(MAX_JSON_BYTES).await?;
        let list = json::read(&body).ok().and_then(ids_of);
        (Fields::single("folioId", body), list)
    } else {
        let fields = fields::read_text_form(request).await?;
        let list = fields.texts("folios").ok();
        (fields, list)
    };
    let list = list.filter(|list| (1..=limits::READ_FOLIOS).contains(&list.len()));
    let list = list.ok_or(ApiError::Cause(Cause::Malformed));
    Ok((list, fields.fingerprint(request.operation.name(), &[])))
}

fn ids_of(body: Value) -> Option<Vec<String>> {
    let Value::Object(mut members) = body else {
        return None;
    };
    texts(members.remove("folioId")?).ok()
}
