//! `POST massive_sign`: many folios, one signer, one address.

use crate::Web;
use crate::api::errors::ApiError;
use crate::api::fields;
use crate::api::fields::{Fields, InvalidFields};
use crate::api::request::ApiRequest;
use crate::api::response::ApiResponse;
use crate::api::signers::new_signers;
use app::Caller;
use app::folios::start_bulk::StartedBulk;
use domain::bulk::check_folios;
use domain::{BulkId, FieldError, FolioId, NewBulk, ReturnUrl, limits};
use serde::Serialize;

pub(crate) const STARTED: &str = "URL para la firma masiva generada exitosamente.";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StartedBulkData<'a> {
    sign_process_massive_url: &'a str,
    massive_id: BulkId,
}

pub(crate) async fn handle(
    web: &Web,
    caller: Caller,
    request: &mut ApiRequest,
) -> Result<ApiResponse, ApiError> {
    let (fields, idempotency_key) = fields::read_idempotent_form(request).await?;
    web.act_once(
        request.operation,
        caller,
        idempotency_key,
        read(&fields),
        |caller, new, idempotent| web.app.start_bulk(caller, new, idempotent),
        render,
    )
    .await
}

fn read(fields: &Fields) -> Result<NewBulk, ApiError> {
    let mut invalid = InvalidFields::default();
    let folios = invalid.check(
        "foliosIds",
        fields.texts("foliosIds").and_then(|texts| folio_ids(&texts)),
    );
    let signers = invalid.check("signer", fields.json("signer"));
    let signers = signers.and_then(|json| new_signers("signer", json, 1, &mut invalid));
    let signer =
        signers.and_then(|mut signers| invalid.check("signer", signers.pop().ok_or(FieldError::Missing)));
    let url = fields
        .text("urlReturn")
        .and_then(|text| ReturnUrl::new(text, limits::RETURN_URL_SHORT));
    let url = invalid.check("urlReturn", url);
    let new = folios.zip(signer).zip(url);
    invalid.into_result(new.map(|((folios, signer), return_url)| NewBulk {
        folios,
        signer,
        return_url,
    }))
}

fn folio_ids(texts: &[String]) -> Result<Vec<FolioId>, FieldError> {
    let ids: Result<Vec<FolioId>, _> = texts.iter().map(|text| text.parse()).collect();
    let ids = ids.map_err(|_| FieldError::NotJson)?;
    check_folios(&ids)?;
    Ok(ids)
}

fn render(started: &StartedBulk) -> ApiResponse {
    let data = StartedBulkData {
        sign_process_massive_url: started.url.as_str(),
        massive_id: started.id,
    };
    ApiResponse::success(STARTED, data)
}
