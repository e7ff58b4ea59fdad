//! `POST cancel`: cancels folios, with an outcome for each.

use crate::Web;
use crate::api::errors::ApiError;
use crate::api::fields;
use crate::api::fields::{Fields, InvalidFields};
use crate::api::request::ApiRequest;
use crate::api::response::ApiResponse;
use app::{BatchOutcome, BatchOutcomes, Caller};
use domain::{FieldError, FolioId, Observation, limits};
use serde::Serialize;

pub(crate) const CANCELLED: &str = "Los folios fueron anulados exitosamente.";
pub(crate) const ONE_CANCELLED: &str = "Folio anulado exitosamente.";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CancelSummary {
    cancelled_folios: usize,
    failed_folios: usize,
    details: Vec<CancelDetail>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CancelDetail {
    folio_id: FolioId,
    status: &'static str,
    message: &'static str,
}

#[derive(Serialize)]
struct CancelResponse<'a> {
    success: bool,
    status: u16,
    message: &'a str,
    data: CancelSummary,
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
        |caller, (folios, observation), idempotent| {
            web.app.cancel_folios(caller, folios, observation, idempotent)
        },
        render,
    )
    .await
}

fn read(fields: &Fields) -> Result<(Vec<FolioId>, Observation), ApiError> {
    let mut invalid = InvalidFields::default();
    let folios = invalid.check(
        "folios",
        fields.texts("folios").and_then(|texts| folio_ids(&texts)),
    );
    let observation = fields.text("observation").and_then(Observation::new);
    let observation = invalid.check("observation", observation);
    invalid.into_result(folios.zip(observation))
}

/// Identifiers without repetitions.
fn folio_ids(texts: &[String]) -> Result<Vec<FolioId>, FieldError> {
    if texts.is_empty() {
        return Err(FieldError::Missing);
    }
    if texts.len() > limits::CANCEL_FOLIOS {
        return Err(FieldError::TooMany {
            max: limits::CANCEL_FOLIOS,
        });
    }
    let mut ids = Vec::with_capacity(texts.len());
    for text in texts {
        let id = text.parse().map_err(|_| FieldError::NotJson)?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}

fn render(cancellations: &BatchOutcomes) -> ApiResponse {
    let detail = |(folio_id, outcome): &(FolioId, BatchOutcome)| {
        let (status, message) = match outcome {
            BatchOutcome::Done => ("CANCELLED", ONE_CANCELLED),
            BatchOutcome::Refused(_) => (
                "FAILED",
                "El folio no se encuentra en un estado que permita anularlo.",
            ),
            BatchOutcome::Foreign => (
                "FAILED",
                "Acceso denegado. No tiene permisos para cancelar este folio.",
            ),
            BatchOutcome::Unknown => ("FAILED", "El folio no existe."),
        };
        CancelDetail {
            folio_id: *folio_id,
            status,
            message,
        }
    };
    let details: Vec<CancelDetail> = cancellations.iter().map(detail).collect();
    let cancelled = cancellations
        .iter()
        .filter(|(_, outcome)| *outcome == BatchOutcome::Done)
        .count();
    let failed = cancellations.len() - cancelled;
    let message = match (cancelled, failed) {
        (_, 0) => CANCELLED,
        (0, _) => "Ningún folio pudo ser anulado.",
        _ => "Algunos folios no pudieron ser anulados.",
    };
    let data = CancelSummary {
        cancelled_folios: cancelled,
        failed_folios: failed,
        details,
    };
    ApiResponse::ok(&CancelResponse {
        success: cancelled > 0,
        status: 200,
        message,
        data,
    })
}
