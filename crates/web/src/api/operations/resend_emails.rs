//! `POST forward_emails`: the signing emails again, perhaps to corrected contacts.

use crate::Web;
use crate::api::errors::{ApiError, Cause};
use crate::api::fields;
use crate::api::fields::{Fields, InvalidFields};
use crate::api::invalid_field::InvalidField;
use crate::api::request::ApiRequest;
use crate::api::response::ApiResponse;
use crate::api::signers::corrections;
use app::Caller;
use domain::{Correction, FieldError, FolioId, ReturnUrl, limits};

pub(crate) const RESENT: &str = "Los correos fueron reenviados exitosamente.";

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
        |caller, (folio, corrections, return_url), idempotent| {
            web.app
                .resend_emails(caller, folio, corrections, Some(return_url), idempotent)
        },
        render,
    )
    .await
}

fn read(fields: &Fields) -> Result<(FolioId, Vec<Correction>, ReturnUrl), ApiError> {
    let mut invalid = InvalidFields::default();
    let folio = fields
        .text("folioId")
        .and_then(|text| text.parse().map_err(|_| FieldError::NotJson));
    let folio = invalid.check("folioId", folio);
    let url = fields
        .text("urlReturn")
        .and_then(|text| ReturnUrl::new(text, limits::RETURN_URL_SHORT));
    let url = invalid.check("urlReturn", url);
    let signers = match fields.json("signers") {
        Err(FieldError::NotJson) => {
            let invalid_field = InvalidField::new("signers", FieldError::NotJson);
            return Err(ApiError::Fields(Cause::MalformedSigners, vec![invalid_field]));
        }
        json => invalid
            .check("signers", json)
            .and_then(|json| corrections("signers", json, limits::SIGNERS, &mut invalid)),
    };
    if signers.as_ref().is_some_and(Vec::is_empty) {
        invalid.check::<()>("signers", Err(FieldError::Missing));
    }
    let read = folio
        .zip(signers)
        .zip(url)
        .map(|((folio, signers), url)| (folio, signers, url));
    invalid.into_result(read)
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "outcomes are rendered by reference"
)]
fn render((): &()) -> ApiResponse {
    ApiResponse::message(RESENT)
}
