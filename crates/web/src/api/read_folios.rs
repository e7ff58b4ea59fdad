//! `POST consult`: several folios, each on its own.

use super::answer::Answer;
use super::call::Call;
use super::errors::{Cause, Failure, entry};
use super::fields::{Fields, texts};
use super::form;
use super::json;
use super::operation::Operation;
use super::read_folio::FOUND;
use crate::Web;
use app::read_folios::Sought;
use domain::{FolioId, limits};
use serde::Serialize;
use serde_json::Value;
use store::StoredFolio;
use wire::FolioJson;

/// Bytes of the JSON form.
const JSON: u64 = 256 * 1024;

pub(crate) async fn handle(web: &Web, call: &mut Call) -> Result<Answer, Failure> {
    let caller = web.caller(call.access()).await?;
    let (texts, fingerprint) = requested(call).await?;
    let ticket = call.ticket(|| Some(fingerprint))?;
    let texts = match texts {
        Ok(texts) => texts,
        Err(failure) => return web.refuse(call.operation, &caller, ticket, failure).await,
    };
    let asked: Vec<(String, Option<FolioId>)> = texts
        .into_iter()
        .map(|text| {
            let id = text.parse().ok();
            (text, id)
        })
        .collect();
    let ids = asked.iter().filter_map(|(_, id)| *id).collect();
    let found = web.app.read_folios(caller.clone().into(), ids).await?;
    let entries: Vec<_> = asked
        .iter()
        .map(|(text, id)| Entry::new(text, id.and_then(|id| found.get(&id)), web))
        .collect();
    let answer = Answer::list(entries);
    web.keep(&caller, ticket, answer).await
}

/// What is said of one identifier: what a read of it alone would say.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'f> {
    success: bool,
    status: u16,
    message: &'static str,
    /// As it was written.
    folio_id: &'f str,
    data: Option<FolioJson<'f>>,
}

impl<'f> Entry<'f> {
    fn new(text: &'f str, found: Option<&'f Sought<StoredFolio>>, web: &Web) -> Self {
        let cause = match found {
            Some(Sought::Own(stored)) => {
                return Self {
                    success: true,
                    status: 200,
                    message: FOUND,
                    folio_id: text,
                    data: Some(FolioJson::new(&stored.folio, &web.settings.timezone)),
                };
            }
            Some(Sought::Foreign) => Cause::Foreign,
            Some(Sought::Unknown) => Cause::NotFound,
            None => Cause::Malformed,
        };
        let (status, message) = entry(Operation::ReadFolio, cause).unwrap_or_default();
        Self {
            success: false,
            status: status.as_u16(),
            message,
            folio_id: text,
            data: None,
        }
    }
}

/// The identifiers as the client wrote them, from JSON or a form; and the fingerprint of the request.
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
