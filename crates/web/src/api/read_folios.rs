//! `POST consult`: several folios, each on its own.

use super::answer::Answer;
use super::call::Call;
use super::errors::{Cause, Failure, entry};
use super::fields::{Fields, texts};
use super::form;
use super::json;
use super::operation::Operation;
use super::read_folio::FOUND;
use super::wire::FolioDetail;
use crate::Web;
use app::read_folios::Sought;
use domain::{FolioId, limits};
use serde::Serialize;
use serde_json::Value;

/// Bytes of the JSON form.
const JSON: u64 = 256 * 1024;

#[derive(Serialize)]
struct Element<'a> {
    success: bool,
    status: u16,
    message: &'a str,
    #[serde(rename = "folioId")]
    folio_id: &'a str,
    data: Option<FolioDetail<'a>>,
}

pub(crate) async fn handle(web: &Web, call: &mut Call) -> Result<Answer, Failure> {
    let caller = web.caller(call.access()).await?;
    let (texts, fingerprint) = requested(call).await?;
    let ticket = call.ticket(fingerprint)?;
    let texts = match texts {
        Ok(texts) => texts,
        Err(failure) => return web.refuse(call.operation, &caller, ticket, failure).await,
    };
    let ids: Vec<FolioId> = texts.iter().filter_map(|text| text.parse().ok()).collect();
    let found = web.app.read_folios(caller.clone().into(), ids).await?;
    let elements: Vec<Element<'_>> = texts
        .iter()
        .map(|text| {
            let cause = match text.parse::<FolioId>().ok().map(|id| found.get(&id)) {
                None => Cause::Malformed,
                Some(Some(Sought::Own(stored))) => {
                    let data = Some(FolioDetail::new(&stored.folio, &web.settings.timezone));
                    return Element {
                        success: true,
                        status: 200,
                        message: FOUND,
                        folio_id: text,
                        data,
                    };
                }
                Some(Some(Sought::Foreign)) => Cause::Foreign,
                Some(Some(Sought::Unknown) | None) => Cause::NotFound,
            };
            // Each element says what a read of it alone would say.
            let (status, message) = entry(Operation::ReadFolio, cause).unwrap_or_default();
            Element {
                success: false,
                status: status.as_u16(),
                message,
                folio_id: text,
                data: None,
            }
        })
        .collect();
    web.keep(&caller, ticket, Answer::data(elements)).await
}

/// The identifiers asked for, as they were written, in either form; and what tells this request from another.
async fn requested(call: &mut Call) -> Result<(Result<Vec<String>, Failure>, [u8; 32]), Failure> {
    let is_json = call
        .content_type()
        .split(';')
        .next()
        .is_some_and(|t| t.trim().eq_ignore_ascii_case("application/json"));
    let (fields, list) = if is_json {
        let body = call.body.short(JSON).await?;
        let list = json::read(&body).ok().and_then(listed);
        let mut fields = Fields::default();
        fields.push("folioId", body);
        (fields, list)
    } else {
        let fields = form::short(call).await?;
        let list = fields.texts("folios").ok();
        (fields, list)
    };
    let list = list.filter(|list| (1..=limits::READ_FOLIOS).contains(&list.len()));
    let list = list.ok_or(Failure::Cause(Cause::Malformed));
    Ok((list, fields.fingerprint(call.operation.name(), &[])))
}

fn listed(body: Value) -> Option<Vec<String>> {
    let Value::Object(mut members) = body else {
        return None;
    };
    texts(members.remove("folioId")?).ok()
}
