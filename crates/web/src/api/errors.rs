//! Every error of the API as one table: operation × cause → status and words. The form of the body is the operation's.

use super::error_texts;
use super::invalid_field::InvalidField;
use super::operation::{ErrorForm, Operation};
use super::response::ApiResponse;
use crate::http::body::BodyError;
use crate::http::request_id::RequestId;
use axum::http::{HeaderValue, StatusCode, header};
use domain::Refusal;
use serde::Serialize;
use serde_json::json;
use std::borrow::Cow;
use std::time::Duration;

/// The reasons for which a request fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// No key.
    NoKey,
    /// A key that is unknown, expired or revoked, or lacks the permission.
    Denied,
    /// The operation does not accept this request.
    Malformed,
    /// Signers that are not JSON of the right shape.
    MalformedSigners,
    /// A field that must be there is not.
    Missing,
    /// It belongs to another company.
    Foreign,
    /// It does not exist.
    NotFound,
    /// No such signer in the folio.
    UnknownSigner,
    /// The signer has signed or rejected.
    AlreadyActed,
    /// The folio can no longer be signed.
    NotActive,
    /// A document cannot be signed.
    Unfit,
    /// A condition that the document does not meet.
    Condition,
    /// A range that the document does not have.
    Range,
    /// An idempotency key used for another request.
    KeyReused,
    /// More bytes than allowed.
    TooLarge,
    /// A body that does not arrive in time.
    TooSlow,
    /// Too many requests.
    TooOften,
    /// More work than can be done.
    Overloaded,
    /// It is not known whether the act was done.
    Unconfirmed,
    /// The service failed.
    Internal,
    /// The folio's history is not the one that was written.
    BrokenHistory,
}

impl Cause {
    /// All of them.
    pub(crate) const ALL: [Self; 21] = [
        Self::NoKey,
        Self::Denied,
        Self::Malformed,
        Self::MalformedSigners,
        Self::Missing,
        Self::Foreign,
        Self::NotFound,
        Self::UnknownSigner,
        Self::AlreadyActed,
        Self::NotActive,
        Self::Unfit,
        Self::Condition,
        Self::Range,
        Self::KeyReused,
        Self::TooLarge,
        Self::TooSlow,
        Self::TooOften,
        Self::Overloaded,
        Self::Unconfirmed,
        Self::Internal,
        Self::BrokenHistory,
    ];
}

pub(crate) const NO_KEY: &str = "Autenticación requerida";
const DENIED: &str = "Acceso denegado. No tiene los permisos necesarios para acceder a este recurso.";
const DENIED_OR_GONE: &str = "Acceso denegado. No tiene los permisos necesarios para acceder a este recurso o es \
                              posible que el recurso al que intenta acceder ya no exista.";
/// When it is worth asking again whether an act was done.
const UNCONFIRMED_PAUSE: Duration = Duration::from_secs(5);
const INTERNAL: &str = "Se ha producido un error interno, inténtelo de nuevo.";

/// Status and message of an error; `None` where the operation cannot fail this way.
#[expect(
    clippy::too_many_lines,
    clippy::match_same_arms,
    reason = "a table, in the order of the operations"
)]
pub(crate) fn entry(operation: Operation, cause: Cause) -> Option<(StatusCode, &'static str)> {
    use Cause as C;
    use Operation as O;
    use StatusCode as S;
    let has_body = !matches!(operation, O::ReadFolio | O::ReadBulk | O::ReadEvidence);
    let keeps_answers = has_body && operation != O::DownloadDocument;
    let acts = keeps_answers && operation != O::ReadFolios;
    Some(match (operation, cause) {
        (_, C::NoKey) => (S::UNAUTHORIZED, NO_KEY),
        (_, C::Denied) => (S::FORBIDDEN, DENIED),

        (O::CreateFolio, C::Malformed | C::Missing | C::MalformedSigners) => (
            S::BAD_REQUEST,
            "El cuerpo de la solicitud no cumple el formato esperado.",
        ),
        (O::CreateFolio, C::Unfit) => (S::CONFLICT, "No fue posible guardar los documentos."),

        (O::ReadFolio, C::Malformed | C::Missing) => (
            S::BAD_REQUEST,
            "El ID del folio a consultar no existe o no contiene un formato válido.",
        ),
        (O::ReadFolio | O::ReadFolios, C::Foreign) => (
            S::FORBIDDEN,
            "Acceso denegado. No tiene permisos para consultar este folio.",
        ),
        (O::ReadFolio | O::ReadFolios, C::NotFound) => (S::NOT_FOUND, "El recurso solicitado no existe."),
        (O::ReadFolios, C::Malformed | C::Missing) => (
            S::BAD_REQUEST,
            "El cuerpo de la solicitud no cumple el formato esperado.",
        ),

        (O::ResendEmails, C::Malformed | C::Missing) => (S::BAD_REQUEST, "Invalid parameters"),
        (O::ResendEmails, C::MalformedSigners) => (S::BAD_REQUEST, "json de firmantes invalido"),
        (O::ResendEmails, C::UnknownSigner) => (S::BAD_REQUEST, "número de documento invalido"),
        (O::ResendEmails, C::AlreadyActed) => (
            S::BAD_REQUEST,
            "El firmante ya ha realizado la firma o rechazado este folio.",
        ),
        (O::ResendEmails, C::NotActive) => (S::BAD_REQUEST, "El folio no se encuentra activo."),
        (O::ResendEmails, C::Foreign) => (
            S::FORBIDDEN,
            "No tiene permisos para acceder al paquete de folios seleccionado",
        ),
        (O::ResendEmails, C::Internal) => (
            S::INTERNAL_SERVER_ERROR,
            "An error occurred while forwarding emails, please try again.",
        ),

        (O::DownloadDocument, C::Malformed | C::Missing) => (
            S::BAD_REQUEST,
            "El parámetro (documentId) no contiene un formato válido.",
        ),
        (O::DownloadDocument, C::Foreign) => (S::FORBIDDEN, DENIED),
        (O::DownloadDocument, C::NotFound) => (S::NOT_FOUND, "El recurso al que intenta acceder no existe."),
        (O::DownloadDocument, C::Condition) => (
            S::PRECONDITION_FAILED,
            "El documento no corresponde a la versión solicitada.",
        ),
        (O::DownloadDocument, C::Range) => (
            S::RANGE_NOT_SATISFIABLE,
            "El rango solicitado no existe en el documento.",
        ),
        (O::DownloadDocument, C::Internal) => (
            S::INTERNAL_SERVER_ERROR,
            "Se ha producido un error interno, no ha sido posible descargar el documento, inténtelo de nuevo.",
        ),

        (O::CancelFolios, C::Missing) => (
            S::BAD_REQUEST,
            "El parámetro (folios y observación) son obligatorios",
        ),
        (O::CancelFolios, C::Malformed) => (
            S::BAD_REQUEST,
            "El cuerpo de la solicitud no cumple el formato esperado.",
        ),
        (O::CancelFolios, C::Foreign) => (
            S::FORBIDDEN,
            "Acceso denegado. No tiene permisos para cancelar uno o más folios.",
        ),
        (O::CancelFolios, C::Internal) => (
            S::INTERNAL_SERVER_ERROR,
            "No fue posible cancelar los folios, intente nuevamente.",
        ),

        (O::StartBulk, C::Malformed | C::Missing | C::MalformedSigners | C::UnknownSigner) => {
            (S::BAD_REQUEST, "Parámetros inválidos en la solicitud.")
        }
        (O::StartBulk, C::Foreign) => (S::FORBIDDEN, DENIED),
        (O::StartBulk, C::NotFound) => (S::NOT_FOUND, DENIED_OR_GONE),
        (O::StartBulk, C::NotActive) => (S::GONE, DENIED_OR_GONE),
        (O::StartBulk, C::AlreadyActed) => (
            S::CONFLICT,
            "El firmante ya ha realizado la firma o rechazado este folio.",
        ),
        (O::StartBulk, C::Internal) => (
            S::INTERNAL_SERVER_ERROR,
            "Se produjo un error al generar la URL para la firma masiva",
        ),

        (O::ReadEvidence, C::Malformed | C::Missing) => (
            S::BAD_REQUEST,
            "El ID del folio a consultar no existe o no contiene un formato válido.",
        ),
        (O::ReadEvidence, C::Foreign) => (
            S::FORBIDDEN,
            "Acceso denegado. No tiene permisos para consultar este folio.",
        ),
        (O::ReadEvidence, C::NotFound) => (S::NOT_FOUND, "El recurso solicitado no existe."),
        (O::ReadEvidence, C::BrokenHistory) => (
            S::INTERNAL_SERVER_ERROR,
            "El historial de este folio está dañado: no es el que el servicio escribió. No se entrega evidencia de él.",
        ),

        (O::ReadBulk, C::Malformed | C::Missing) => {
            (S::BAD_REQUEST, "El massiveId proporcionado no es válido.")
        }
        (O::ReadBulk, C::Foreign) => (S::FORBIDDEN, DENIED),
        (O::ReadBulk, C::NotFound) => (S::NOT_FOUND, "La operación masiva solicitada no existe."),

        (_, C::KeyReused) if keeps_answers => (
            S::CONFLICT,
            "El encabezado (Idempotency-Key) ya fue utilizado con otra solicitud.",
        ),
        (_, C::TooLarge) if has_body => (S::PAYLOAD_TOO_LARGE, "La solicitud supera el tamaño permitido."),
        (_, C::TooSlow) if has_body => (S::REQUEST_TIMEOUT, "La solicitud tardó demasiado en llegar."),
        (_, C::TooOften) => (
            S::TOO_MANY_REQUESTS,
            "Demasiadas solicitudes, intente nuevamente más tarde.",
        ),
        (_, C::Overloaded) => (
            S::SERVICE_UNAVAILABLE,
            "El servicio no está disponible en este momento, intente nuevamente.",
        ),
        (_, C::Unconfirmed) if acts => (
            S::SERVICE_UNAVAILABLE,
            "No fue posible confirmar si la solicitud quedó guardada. Repítala con el mismo encabezado (Idempotency-Key), \
             o consulte el resultado antes de enviarla otra vez.",
        ),
        (_, C::Internal) => (S::INTERNAL_SERVER_ERROR, INTERNAL),
        _ => return None,
    })
}

/// A row of the table of errors, as people read it.
#[derive(Debug, Clone)]
pub struct ErrorRow {
    /// The operation's name.
    pub operation: &'static str,
    /// The cause.
    pub cause: String,
    /// The status.
    pub status: u16,
    /// The body.
    pub body: String,
}

/// Every error of every operation.
pub fn error_table() -> Vec<ErrorRow> {
    let rows = |operation: Operation| {
        let known = Cause::ALL
            .into_iter()
            .filter(move |cause| entry(operation, *cause).is_some());
        known.filter_map(move |cause| {
            let kept = error_response(operation, &cause.into(), None).to_stored()?;
            Some(ErrorRow {
                operation: operation.name(),
                cause: format!("{cause:?}"),
                status: kept.status,
                body: kept.body,
            })
        })
    };
    Operation::ALL.into_iter().flat_map(rows).collect()
}

/// Why a request fails.
#[derive(Debug)]
pub(crate) enum ApiError {
    /// A cause of the table.
    Cause(Cause),
    /// Invalid fields, in the order in which they were found.
    Fields(Cause, Vec<InvalidField>),
    /// The act failed.
    App(app::Error),
    /// Too many requests.
    TooOften(Duration),
    /// The client disconnected.
    Gone,
}

impl From<app::Error> for ApiError {
    fn from(error: app::Error) -> Self {
        Self::App(error)
    }
}

impl From<Cause> for ApiError {
    fn from(cause: Cause) -> Self {
        Self::Cause(cause)
    }
}

impl From<BodyError> for ApiError {
    fn from(error: BodyError) -> Self {
        match error {
            BodyError::TooLarge => Cause::TooLarge.into(),
            BodyError::TooSlow => Cause::TooSlow.into(),
            BodyError::Malformed => Cause::Malformed.into(),
            BodyError::Gone => Self::Gone,
        }
    }
}

#[derive(Serialize)]
struct Field<'a> {
    field: &'a str,
    message: String,
}

/// The response to a failed request.
pub(crate) fn error_response(operation: Operation, error: &ApiError, id: Option<&RequestId>) -> ApiResponse {
    match error {
        ApiError::Cause(cause) => error_with_cause(operation, *cause, None, id),
        ApiError::Gone => error_with_cause(operation, Cause::Malformed, None, id),
        ApiError::TooOften(wait) => retry_later(operation, Cause::TooOften, *wait, id),
        ApiError::App(error) => act_error_response(operation, error, id),
        ApiError::Fields(cause, invalid) => invalid_fields_response(operation, *cause, invalid),
    }
}

/// The response to a failed act.
pub(crate) fn act_error_response(
    operation: Operation,
    error: &app::Error,
    id: Option<&RequestId>,
) -> ApiResponse {
    let cause = match error {
        app::Error::Denied => Cause::Denied,
        app::Error::Foreign => Cause::Foreign,
        app::Error::NotFound => Cause::NotFound,
        app::Error::KeyReused => Cause::KeyReused,
        app::Error::Overloaded | app::Error::Unavailable(_) => {
            return retry_later(operation, Cause::Overloaded, Duration::from_secs(1), id);
        }
        app::Error::Unconfirmed(_) => {
            let known = entry(operation, Cause::Unconfirmed).map(|_| Cause::Unconfirmed);
            // What only reads has lost nothing.
            let cause = known.unwrap_or(Cause::Overloaded);
            return retry_later(operation, cause, UNCONFIRMED_PAUSE, id);
        }
        app::Error::TooOften { retry_after } => {
            return retry_later(operation, Cause::TooOften, *retry_after, id);
        }
        app::Error::BrokenHistory => Cause::BrokenHistory,
        // No operation of the interface has a signer's session, sends codes or signs.
        app::Error::Internal(_)
        | app::Error::Locked { .. }
        | app::Error::SessionOver
        | app::Error::Unproven
        | app::Error::Unread(_)
        | app::Error::NotAccepted
        | app::Error::PictureMissing
        | app::Error::DocumentUnavailable
        | app::Error::DocumentsBeingChecked { .. } => Cause::Internal,
        app::Error::Unfit(unfit) => {
            return error_with_cause(operation, Cause::Unfit, Some(error_texts::unfit(unfit)), id);
        }
        app::Error::Refused(refusal) => cause_of_refusal(*refusal),
    };
    error_with_cause(operation, cause, None, id)
}

const fn cause_of_refusal(refusal: Refusal) -> Cause {
    match refusal {
        Refusal::UnknownSigner => Cause::UnknownSigner,
        Refusal::AlreadyActed => Cause::AlreadyActed,
        Refusal::RepeatedSigner | Refusal::NoSigners => Cause::Malformed,
        Refusal::NotPending
        | Refusal::NotAwaitingApproval
        | Refusal::NotFinal
        | Refusal::Dropped
        | Refusal::Erased
        | Refusal::Held
        | Refusal::NotHeld
        | Refusal::Expired => Cause::NotActive,
    }
}

fn error_with_cause(
    operation: Operation,
    cause: Cause,
    words: Option<String>,
    id: Option<&RequestId>,
) -> ApiResponse {
    let internal = (StatusCode::INTERNAL_SERVER_ERROR, INTERNAL);
    let (status, message) = entry(operation, cause).unwrap_or(internal);
    let message = words.map_or(Cow::Borrowed(message), Cow::Owned);
    // The exact body of a missing key is part of the interface.
    let form = if cause == Cause::NoKey {
        ErrorForm::Flat
    } else {
        operation.error_form()
    };
    let mut body = match form {
        ErrorForm::Flat => json!({ "success": false, "status": status.as_u16(), "message": message }),
        ErrorForm::Nested => {
            json!({ "success": false, "status": status.as_u16(), "error": { "message": message } })
        }
    };
    if let Some(id) = id.filter(|_| status.is_server_error()) {
        body["requestId"] = id.as_str().into();
    }
    ApiResponse::json(status, &body)
}

fn retry_later(operation: Operation, cause: Cause, wait: Duration, id: Option<&RequestId>) -> ApiResponse {
    let mut response = error_with_cause(operation, cause, None, id);
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    response
        .headers
        .push((header::RETRY_AFTER, HeaderValue::from(seconds.max(1))));
    response
}

/// The response to invalid fields. A create names the first and lists them all. Where the interface
/// prescribes the message, the list alone says which fields they are.
fn invalid_fields_response(operation: Operation, cause: Cause, invalid: &[InvalidField]) -> ApiResponse {
    let (status, fixed) = entry(operation, cause).unwrap_or((StatusCode::BAD_REQUEST, INTERNAL));
    let speaks_of_fields =
        matches!(operation, Operation::CreateFolio | Operation::CancelFolios) && cause == Cause::Malformed;
    let message = match invalid.first() {
        Some(first) if speaks_of_fields => error_texts::invalid_field(first),
        _ => fixed.to_owned(),
    };
    let errors: Vec<Field<'_>> = invalid
        .iter()
        .map(|invalid_field| Field {
            field: &invalid_field.field,
            message: error_texts::invalid_field(invalid_field),
        })
        .collect();
    match operation.error_form() {
        ErrorForm::Flat => ApiResponse::json(
            status,
            &json!({ "success": false, "status": status.as_u16(), "message": message, "errors": errors }),
        ),
        ErrorForm::Nested => ApiResponse::json(
            status,
            &json!({ "success": false, "status": status.as_u16(), "error": { "message": message }, "errors": errors }),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn a_failure_of_the_service_names_the_request_and_a_refusal_does_not() {
        let id = RequestId(HeaderValue::from_static("r-1"));
        let errors = [
            (app::Error::Overloaded, 503, json!("r-1")),
            (app::Error::Internal("a test".into()), 500, json!("r-1")),
            (app::Error::NotFound, 404, Value::Null),
        ];
        for (error, status, named) in errors {
            let response = error_response(Operation::ReadFolio, &error.into(), Some(&id));
            let kept = response.to_stored().unwrap();
            let body: Value = serde_json::from_str(&kept.body).unwrap();
            assert_eq!((kept.status, &body["requestId"]), (status, &named), "{body}");
        }
    }
}
