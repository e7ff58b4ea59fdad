//! `POST massive_sign`: many folios, one signer, one address.

use super::answer::Answer;
use super::call::{Call, answered, once};
use super::errors::Failure;
use super::fields::{Faults, Fields};
use super::form;
use super::signers::new_signers;
use crate::Web;
use app::start_bulk::StartedBulk;
use domain::bulk::check_folios;
use domain::{BulkId, FolioId, NewBulk, Problem, ReturnUrl, limits};
use serde::Serialize;

pub(crate) const STARTED: &str = "URL para la firma masiva generada exitosamente.";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    sign_process_massive_url: &'a str,
    massive_id: BulkId,
}

pub(crate) async fn handle(web: &Web, call: &mut Call) -> Result<Answer, Failure> {
    let caller = web.caller(call.access()).await?;
    let fields = form::short(call).await?;
    let ticket = call.ticket(|| Some(fields.fingerprint(call.operation.name(), &[])))?;
    let new = match read(&fields) {
        Ok(new) => new,
        Err(failure) => return web.refuse(call.operation, &caller, ticket, failure).await,
    };
    let once = once(call.operation, ticket, render);
    Ok(answered(web.app.start_bulk(caller, new, once).await?, render))
}

fn read(fields: &Fields) -> Result<NewBulk, Failure> {
    let mut faults = Faults::default();
    let folios = faults.take(
        "foliosIds",
        fields.texts("foliosIds").and_then(|texts| folio_ids(&texts)),
    );
    let signers = faults.take("signer", fields.json("signer"));
    let signers = signers.and_then(|json| new_signers("signer", json, 1, &mut faults));
    let signer = signers.and_then(|mut signers| faults.take("signer", signers.pop().ok_or(Problem::Missing)));
    let url = fields
        .text("urlReturn")
        .and_then(|text| ReturnUrl::new(text, limits::RETURN_URL_SHORT));
    let url = faults.take("urlReturn", url);
    let new = folios.zip(signer).zip(url);
    faults.unless_any(new.map(|((folios, signer), return_url)| NewBulk {
        folios,
        signer,
        return_url,
    }))
}

fn folio_ids(texts: &[String]) -> Result<Vec<FolioId>, Problem> {
    let ids: Result<Vec<FolioId>, _> = texts.iter().map(|text| text.parse()).collect();
    let ids = ids.map_err(|_| Problem::NotJson)?;
    check_folios(&ids)?;
    Ok(ids)
}

fn render(started: &StartedBulk) -> Answer {
    let data = Data {
        sign_process_massive_url: started.url.as_str(),
        massive_id: started.id,
    };
    Answer::success(STARTED, data)
}
