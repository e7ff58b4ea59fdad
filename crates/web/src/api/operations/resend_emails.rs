//! `POST forward_emails`: the signing emails again, perhaps to corrected contacts.

use crate::Web;
use crate::api::errors::{ApiError, Cause};
use crate::api::fields;
use crate::api::fields::{Fields, InvalidFields};
use crate::api::invalid_field::InvalidField;
use crate::api::request::{ApiRequest, idempotent, response_of};
use crate::api::response::ApiResponse;
use crate::api::signers::corrections;
use domain::{Correction, FieldError, FolioId, ReturnUrl, limits};

pub(crate) const RESENT: &str = "Los correos fueron reenviados exitosamente.";

pub(crate) async fn handle(web: &Web, request: &mut ApiRequest) -> Result<ApiResponse, ApiError> {
    let caller = web.caller(request.access()).await?;
    let fields = fields::read_text_form(request).await?;
    let idempotency_key =
        request.idempotency_key(|| Some(fields.fingerprint(request.operation.name(), &[])))?;
    let (folio, corrections, return_url) = match read(&fields) {
        Ok(read) => read,
        Err(error) => {
            return web
                .refuse(request.operation, &caller, idempotency_key, error)
                .await;
        }
    };
    let idempotent = idempotent(request.operation, idempotency_key, render);
    let resent = web
        .app
        .resend_emails(caller, folio, corrections, return_url, idempotent)
        .await?;
    Ok(response_of(resent, render))
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
