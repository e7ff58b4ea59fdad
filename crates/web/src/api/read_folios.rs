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
use jiff::tz::TimeZone;
use serde_json::Value;
use std::collections::HashMap;
use store::Stored;

/// Bytes of the JSON form.
const JSON: u64 = 256 * 1024;

pub(crate) async fn handle(web: &Web, call: &mut Call) -> Result<Answer, Failure> {
    let caller = web.caller(call.access()).await?;
    let (texts, fingerprint) = requested(call).await?;
    let ticket = call.ticket(fingerprint)?;
    let texts = match texts {
        Ok(texts) => texts,
        Err(failure) => return web.refuse(call.operation, &caller, ticket, failure).await,
    };
    let asked: Vec<Asked> = texts.into_iter().map(Asked::new).collect();
    let ids = asked.iter().filter_map(|asked| asked.id).collect();
    let zone = web.settings.timezone.clone();
    let show = move |found| answer(&asked, &found, &zone);
    let answer = web.app.read_folios(caller.clone().into(), ids, show).await?;
    web.keep(&caller, ticket, answer).await
}

/// An identifier as it was written, and what it names if it is one.
struct Asked {
    text: String,
    id: Option<FolioId>,
}

impl Asked {
    fn new(text: String) -> Self {
        let id = text.parse().ok();
        Self { text, id }
    }
}

fn answer(asked: &[Asked], found: &HashMap<FolioId, Sought<Stored>>, zone: &TimeZone) -> Answer {
    Answer::list(asked, |json, Asked { text, id }| {
        let cause = match id.map(|id| found.get(&id)) {
            None => Cause::Malformed,
            Some(Some(Sought::Own(stored))) => {
                json.text(r#"{"success":true,"status":200,"message":"#, FOUND)
                    .text(r#","folioId":"#, text)
                    .raw(r#","data":"#)
                    .folio(&stored.folio, zone)
                    .raw("}");
                return;
            }
            Some(Some(Sought::Foreign)) => Cause::Foreign,
            Some(Some(Sought::Unknown) | None) => Cause::NotFound,
        };
        // Each element says what a read of it alone would say.
        let (status, message) = entry(Operation::ReadFolio, cause).unwrap_or_default();
        json.raw(r#"{"success":false,"status":"#)
            .raw(status.as_str())
            .text(r#","message":"#, message)
            .text(r#","folioId":"#, text)
            .raw(r#","data":null}"#);
    })
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
