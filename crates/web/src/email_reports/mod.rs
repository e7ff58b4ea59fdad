//! `POST /email/reports`: a provider of email, or a small program between, reports bounces and complaints.

mod provider_forms;

use crate::Web;
use crate::api::response::ApiResponse;
use app::messages::{MessageReport, ReportOutcome};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use axum::routing::post;
use data_encoding::BASE64;
use domain::{Causes, ReturnKind};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Bytes of a request. `SendGrid` gathers events up to 768 KiB.
const MAX_BODY_BYTES: usize = 1 << 20;
/// Reports of a request in this service's own form.
const MAX_REPORTS: usize = 100;
/// Reports of a provider's request, most of which may be about emails of other systems.
const MAX_PROVIDER_REPORTS: usize = 5_000;
/// Characters that a token has at least.
const MIN_TOKEN_CHARS: usize = 32;

/// The token that a provider shows.
#[derive(Clone)]
pub struct EmailReportsToken(String);

impl std::fmt::Debug for EmailReportsToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("EmailReportsToken(…)")
    }
}

impl EmailReportsToken {
    /// The token with that text, if it is fit for a header and long enough not to be guessed.
    pub fn new(text: impl Into<String>) -> Option<Self> {
        let text = text.into();
        let fits = text.len() >= MIN_TOKEN_CHARS && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then_some(Self(text))
    }

    /// Compared in constant time.
    fn is(&self, given: &str) -> bool {
        aws_lc_rs::constant_time::verify_slices_are_equal(given.as_bytes(), self.0.as_bytes()).is_ok()
    }
}

#[derive(Deserialize)]
struct Reports {
    reports: Vec<Report>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    r#type: Kind,
    message_id: String,
    #[serde(default)]
    reason: String,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Bounce,
    Complaint,
}

/// What became of the reports, in numbers.
#[derive(Serialize, Default)]
struct Outcomes {
    recorded: usize,
    ignored: usize,
    unknown: usize,
}

pub(crate) fn routes() -> Router<Web> {
    Router::new()
        .route("/email/reports", post(take))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
}

async fn take(State(web): State<Web>, headers: HeaderMap, body: Bytes) -> Response {
    if !is_authorised(&web, &headers) {
        let mut refused = refused(StatusCode::UNAUTHORIZED, "El token no es el de esta instalación.");
        // Amazon SNS shows the password of an address only after it was asked for it.
        let asked = HeaderValue::from_static("Basic realm=\"email reports\"");
        refused.headers_mut().insert(header::WWW_AUTHENTICATE, asked);
        return refused;
    }
    let (reports, limit) = match reports(&body) {
        Ok(read) => read,
        Err(error) => {
            let message = format!("El cuerpo de la solicitud no cumple el formato esperado: {error}");
            return refused(StatusCode::BAD_REQUEST, &message);
        }
    };
    if reports.len() > limit {
        let message = format!("Una solicitud admite máximo {limit} avisos.");
        return refused(StatusCode::BAD_REQUEST, &message);
    }
    let mut outcomes = Outcomes::default();
    for report in reports {
        match web.app.record_report(report).await {
            Ok(ReportOutcome::Recorded) => outcomes.recorded += 1,
            Ok(ReportOutcome::Ignored) => outcomes.ignored += 1,
            Ok(ReportOutcome::UnknownMessage) => outcomes.unknown += 1,
            // The provider sends all of them again; those that are recorded are ignored then.
            Err(error) => {
                tracing::error!(error = %Causes(&error), "a report about an email was not recorded");
                return refused(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "No se pudo registrar. Intente de nuevo.",
                );
            }
        }
    }
    ApiResponse::ok(&outcomes).into_response()
}

/// The reports of a request, in this service's own form or in a provider's, and how many that form may have.
fn reports(body: &[u8]) -> Result<(Vec<MessageReport>, usize), serde_json::Error> {
    let own = match serde_json::from_slice::<Reports>(body) {
        Ok(Reports { reports }) => reports,
        Err(error) => {
            let read = provider_forms::read(serde_json::from_slice(body)?);
            return read.map(|read| (read, MAX_PROVIDER_REPORTS)).ok_or(error);
        }
    };
    let own = own.into_iter().map(|report| MessageReport {
        kind: match report.r#type {
            Kind::Bounce => ReturnKind::Bounced,
            Kind::Complaint => ReturnKind::Complained,
        },
        message_id: report.message_id,
        reason: report.reason,
    });
    Ok((own.collect(), MAX_REPORTS))
}

fn is_authorised(web: &Web, headers: &HeaderMap) -> bool {
    let given = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(shown_token);
    let token = web.settings.email_reports.as_ref();
    given.zip(token).is_some_and(|(given, token)| token.is(&given))
}

/// The token, as such or as the password of any user: providers set no header, and take a password from the address.
fn shown_token(authorization: &str) -> Option<Cow<'_, str>> {
    if let Some(token) = authorization.strip_prefix("Bearer ") {
        return Some(token.into());
    }
    let pair = authorization.strip_prefix("Basic ")?;
    let pair = String::from_utf8(BASE64.decode(pair.as_bytes()).ok()?).ok()?;
    let (_, password) = pair.split_once(':')?;
    Some(password.to_owned().into())
}

fn refused(status: StatusCode, message: &str) -> Response {
    ApiResponse::plain_error(status, message).into_response()
}
