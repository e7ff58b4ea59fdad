//! `POST consult`: several folios, each on its own.

use super::answer::{Answer, room_for};
use super::call::Call;
use super::errors::{Cause, Failure, entry};
use super::fields::{Fields, texts};
use super::form;
use super::json;
use super::operation::Operation;
use super::read_folio::FOUND;
use super::sheaf::Sheaf;
use crate::Web;
use app::read_folios::Scribe;
use domain::{FolioId, limits};
use serde_json::Value;
use std::collections::HashSet;
use store::Shown;

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
    let asked: Vec<Asked> = texts.into_iter().map(Asked::new).collect();
    let ids = asked.iter().filter_map(|asked| asked.id).collect();
    let list = List {
        sheaf: Sheaf::with_room(room_for(asked.len()), web.settings.timezone.clone()),
        asked,
    };
    let answer = web.app.dictate_folios(caller.clone().into(), ids, list).await?;
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

/// The answer in the making.
struct List {
    asked: Vec<Asked>,
    sheaf: Sheaf,
}

impl Scribe for List {
    type Written = Answer;

    fn take(&mut self, of: usize, shown: &Shown<'_>) {
        self.sheaf.take(of, shown);
    }

    fn finish(self, foreign: &HashSet<FolioId>) -> Answer {
        let own = self.sheaf.sheets();
        Answer::list(&self.asked, |json, Asked { text, id }| {
            let cause = match id {
                None => Cause::Malformed,
                Some(id) => {
                    if let Some(sheet) = own.get(id) {
                        json.text(r#"{"success":true,"status":200,"message":"#, FOUND)
                            .text(r#","folioId":"#, text)
                            .raw(r#","data":"#);
                        self.sheaf.write(sheet, json);
                        json.raw("}");
                        return;
                    }
                    if foreign.contains(id) {
                        Cause::Foreign
                    } else {
                        Cause::NotFound
                    }
                }
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
