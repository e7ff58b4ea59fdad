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
    folio_id: String,
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
    let read = read(&fields);
    let list = read.as_ref().map(|(list, _)| list.clone()).unwrap_or_default();
    web.act_once(
        request.operation,
        caller,
        idempotency_key,
        read,
        |caller, (list, observation), idempotent| {
            let folios: Vec<FolioId> = list.iter().filter_map(ListedFolio::id).collect();
            let unreadable = folios.len() < list.len();
            web.app
                .cancel_folios(caller, folios, unreadable, observation, idempotent)
        },
        move |outcomes| render(&list, outcomes),
    )
    .await
}

/// An element of the list: an identifier, or a text that is none.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ListedFolio {
    Id(FolioId),
    Unreadable(String),
}

impl ListedFolio {
    const fn id(&self) -> Option<FolioId> {
        match self {
            Self::Id(id) => Some(*id),
            Self::Unreadable(_) => None,
        }
    }
}

fn read(fields: &Fields) -> Result<(Vec<ListedFolio>, Observation), ApiError> {
    let mut invalid = InvalidFields::default();
    let folios = invalid.check("folios", fields.texts("folios").and_then(listed_folios));
    let observation = fields.text("observation").and_then(Observation::new);
    let observation = invalid.check("observation", observation);
    invalid.into_result(folios.zip(observation))
}

/// The list without repetitions.
fn listed_folios(texts: Vec<String>) -> Result<Vec<ListedFolio>, FieldError> {
    if texts.is_empty() {
        return Err(FieldError::Missing);
    }
    if texts.len() > limits::CANCEL_FOLIOS {
        return Err(FieldError::TooMany {
            max: limits::CANCEL_FOLIOS,
        });
    }
    let mut list = Vec::with_capacity(texts.len());
    for text in texts {
        let folio = text
            .parse()
            .map_or(ListedFolio::Unreadable(text), ListedFolio::Id);
        if !list.contains(&folio) {
            list.push(folio);
        }
    }
    Ok(list)
}

fn render(list: &[ListedFolio], outcomes: &BatchOutcomes) -> ApiResponse {
    let detail = |folio: &ListedFolio| {
        let of = |id| outcomes.iter().find(|(folio, _)| *folio == id);
        let outcome = folio.id().and_then(of).map(|(_, outcome)| outcome);
        let (status, message) = match outcome {
            Some(BatchOutcome::Done) => ("CANCELLED", ONE_CANCELLED),
            Some(BatchOutcome::Refused(_)) => (
                "FAILED",
                "El folio no se encuentra en un estado que permita anularlo.",
            ),
            Some(BatchOutcome::Foreign) => (
                "FAILED",
                "Acceso denegado. No tiene permisos para cancelar este folio.",
            ),
            Some(BatchOutcome::Unknown) => ("FAILED", "El folio no existe."),
            None => ("FAILED", "El ID del folio no contiene un formato válido."),
        };
        let folio_id = match folio {
            ListedFolio::Id(id) => id.to_string(),
            ListedFolio::Unreadable(text) => text.clone(),
        };
        CancelDetail {
            folio_id,
            status,
            message,
        }
    };
    let details: Vec<CancelDetail> = list.iter().map(detail).collect();
    let cancelled = outcomes
        .iter()
        .filter(|(_, outcome)| *outcome == BatchOutcome::Done)
        .count();
    let failed = list.len() - cancelled;
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
