//! `/sandbox`: what tests of integrators drive: the clock, and signers that act as told. Only where there is a mailbox,
//! behind its gate, and with an API key.

use crate::Web;
use crate::api::request::api_key_of;
use crate::api::response::ApiResponse;
use crate::mailbox::MailboxAccess;
use app::sandbox::clock::MAX_OFFSET;
use app::sandbox::signers::ScriptedAct;
use app::{Access, Caller, Error};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use domain::{Causes, DocumentNumber, FieldError, FolioId, Observation, Permission, Refusal, Timestamp};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use wire::Date;

/// Bytes of a request.
const MAX_BODY_BYTES: usize = 16 * 1024;

pub(crate) fn routes() -> Router<Web> {
    Router::new()
        .route("/sandbox/clock", get(show_clock).post(move_clock))
        .route("/sandbox/signers", post(script_signer))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
}

/// Why a request fails.
struct SandboxError {
    status: StatusCode,
    message: String,
    retry_after: Option<Duration>,
}

impl IntoResponse for SandboxError {
    fn into_response(self) -> Response {
        let mut response = ApiResponse::plain_error(self.status, &self.message).into_response();
        if let Some(wait) = self.retry_after {
            let seconds = HeaderValue::from(wait.as_secs().max(1));
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        response
    }
}

/// A request that passed the mailbox's gate and showed a live key.
struct SandboxRequest {
    caller: Caller,
    body: Bytes,
}

impl FromRequest<Web> for SandboxRequest {
    type Rejection = SandboxError;

    async fn from_request(request: Request, web: &Web) -> Result<Self, SandboxError> {
        let address = web.settings.trusted_proxies.of(&request);
        let (mut parts, body) = request.into_parts();
        let gate =
            <MailboxAccess as axum::extract::FromRequestParts<Web>>::from_request_parts(&mut parts, web)
                .await;
        gate.map_err(|(status, message)| refused(status, message.trim_end()))?;
        let key = api_key_of(&parts.headers).map_err(|_| no_key())?;
        let caller = web
            .app
            .authenticate(Access::with_key(&key, address, Permission::Act))
            .await;
        let caller = caller.map_err(|error| failed(&error))?;
        let body = Bytes::from_request(Request::from_parts(parts, body), web).await;
        let body = body.map_err(|_| {
            refused(
                StatusCode::PAYLOAD_TOO_LARGE,
                "La solicitud supera el tamaño permitido.",
            )
        })?;
        Ok(Self { caller, body })
    }
}

impl SandboxRequest {
    fn json<T: DeserializeOwned>(&self) -> Result<T, SandboxError> {
        serde_json::from_slice(&self.body).map_err(|error| {
            let message = format!("El cuerpo de la solicitud no cumple el formato esperado: {error}");
            refused(StatusCode::BAD_REQUEST, &message)
        })
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownClock {
    now: Date,
    epoch_seconds: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ClockMove {
    advance_seconds: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Script {
    folio_id: String,
    document_number: String,
    action: Action,
    reason: Option<String>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Action {
    Sign,
    Reject,
    Ignore,
    Bounce,
}

async fn show_clock(State(web): State<Web>, _: SandboxRequest) -> Response {
    clock_response(&web, web.app.clock.now())
}

async fn move_clock(State(web): State<Web>, request: SandboxRequest) -> Result<Response, SandboxError> {
    let asked: ClockMove = request.json()?;
    let moved = web
        .app
        .move_clock(Duration::from_secs(asked.advance_seconds))
        .await;
    if let Some(now) = moved.map_err(|error| failed(&error))? {
        return Ok(clock_response(&web, now));
    }
    let days = MAX_OFFSET.as_secs() / 86_400;
    let message = format!("El reloj de pruebas no puede adelantarse más de {days} días en total.");
    Err(refused(StatusCode::BAD_REQUEST, &message))
}

fn clock_response(web: &Web, now: Timestamp) -> Response {
    let shown = ShownClock {
        now: Date::new(now, &web.settings.timezone),
        epoch_seconds: now.as_micros().div_euclid(1_000_000),
    };
    ApiResponse::success("Reloj de pruebas.", shown).into_response()
}

async fn script_signer(State(web): State<Web>, request: SandboxRequest) -> Result<Response, SandboxError> {
    let script: Script = request.json()?;
    let invalid = |field: &str| {
        let message = format!("El parámetro ({field}) no contiene un formato válido.");
        refused(StatusCode::BAD_REQUEST, &message)
    };
    let folio: FolioId = script.folio_id.parse().map_err(|_| invalid("folioId"))?;
    let number = DocumentNumber::new(script.document_number).map_err(|_| invalid("documentNumber"))?;
    let reason = script.reason.map(Observation::new).transpose();
    let reason = reason.map_err(|problem| match problem {
        FieldError::TooShort { min } => {
            let message = format!("El parámetro (reason) debe tener al menos {min} caracteres.");
            refused(StatusCode::BAD_REQUEST, &message)
        }
        _ => invalid("reason"),
    })?;
    let act = match (script.action, reason) {
        (Action::Sign, None) => ScriptedAct::Sign,
        (Action::Ignore, None) => ScriptedAct::Ignore,
        (Action::Bounce, None) => ScriptedAct::Bounce,
        (Action::Reject, Some(reason)) => ScriptedAct::Reject(reason),
        // A rejection has a reason, and nothing else does.
        (Action::Reject, None) | (_, Some(_)) => return Err(invalid("reason")),
    };
    let done = web.app.script_signer(request.caller, folio, number, act).await;
    done.map_err(|error| failed(&error))?;
    Ok(ApiResponse::message("Hecho.").into_response())
}

fn no_key() -> SandboxError {
    refused(StatusCode::UNAUTHORIZED, "Autenticación requerida")
}

fn refused(status: StatusCode, message: &str) -> SandboxError {
    SandboxError {
        status,
        message: message.to_owned(),
        retry_after: None,
    }
}

fn failed(error: &Error) -> SandboxError {
    let retry_after = match error {
        Error::TooOften { retry_after } | Error::DocumentsBeingChecked { retry_after } => Some(*retry_after),
        _ => None,
    };
    let (status, message) = match error {
        Error::Denied | Error::Foreign => (
            StatusCode::FORBIDDEN,
            "Acceso denegado. No tiene los permisos necesarios para acceder a este recurso.",
        ),
        Error::NotFound => (StatusCode::NOT_FOUND, "El recurso solicitado no existe."),
        Error::Refused(Refusal::UnknownSigner) => (StatusCode::NOT_FOUND, "El folio no tiene ese firmante."),
        Error::Refused(Refusal::AlreadyActed) => (
            StatusCode::CONFLICT,
            "El firmante ya ha realizado la firma o rechazado este folio.",
        ),
        Error::Refused(_) => (StatusCode::CONFLICT, "El folio no se encuentra activo."),
        Error::TooOften { .. } | Error::Locked { .. } => (
            StatusCode::TOO_MANY_REQUESTS,
            "El firmante no puede pedir otro código todavía: adelante el reloj de pruebas.",
        ),
        Error::Unproven => (
            StatusCode::CONFLICT,
            "El mensaje con el código no llegó al firmante.",
        ),
        Error::DocumentUnavailable => (StatusCode::CONFLICT, "Un documento del folio no está disponible."),
        Error::Overloaded | Error::Unavailable(_) | Error::DocumentsBeingChecked { .. } => (
            StatusCode::SERVICE_UNAVAILABLE,
            "El servicio no está disponible en este momento, intente nuevamente.",
        ),
        other => {
            tracing::error!(error = %Causes(other), "a scripted act failed");
            (
                StatusCode::INTERNAL_SERVER_ERROR,
                "Se ha producido un error interno, inténtelo de nuevo.",
            )
        }
    };
    SandboxError {
        retry_after,
        ..refused(status, message)
    }
}
