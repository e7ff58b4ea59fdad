//! Text messages by the HTTP interface of a gateway.

mod format;

pub use format::{BadFormat, Format};

use crate::tls::https_connector;
use crate::{Failure, Reason};
use app::messages::SendFailure;
use bytes::Bytes;
use data_encoding::BASE64;
use http::header::{AUTHORIZATION, HeaderValue};
use http::{Request, StatusCode, Uri};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use percent_encoding::percent_decode_str;
use std::time::Duration;
use tower_service::Service;
use url::Url;

/// How long a gateway may take.
const GATEWAY_TIMEOUT: Duration = Duration::from_secs(30);
/// Bytes of a gateway's answer.
const MAX_RESPONSE_BYTES: usize = 64 * 1024;

/// Where the gateway is, and how it wants to be asked.
#[derive(Clone)]
pub struct SmsSettings {
    /// Its address, without a password.
    pub url: Url,
    /// What a request looks like.
    pub format: Format,
    /// The sender's number or name, where one is wanted.
    pub from: Option<String>,
    /// The value of the `Authorization` header.
    pub authorization: Option<String>,
    /// A text that every positive response contains, for gateways that refuse with status 200.
    pub accepted: Option<String>,
}

impl std::fmt::Debug for SmsSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let host = self.url.host_str();
        f.debug_struct("SmsSettings")
            .field("host", &host)
            .finish_non_exhaustive()
    }
}

/// One text message.
#[derive(Debug, Clone, Copy)]
pub struct Sms<'a> {
    /// The number to dial.
    pub to: &'a str,
    /// What it says.
    pub text: &'a str,
    /// Its identifier, the same at every attempt.
    pub id: &'a str,
}

/// Sends text messages through a gateway.
#[derive(Debug)]
pub struct Gateway {
    settings: SmsSettings,
    authorization: Option<HeaderValue>,
    connector: HttpsConnector<HttpConnector>,
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
}

impl Gateway {
    /// The transport to that gateway. A user and a password in its address become basic authentication.
    pub fn new(mut settings: SmsSettings) -> Result<Self, BadFormat> {
        settings.format.check(settings.from.is_some())?;
        let authorization = settings.authorization.clone().or_else(|| basic(&settings.url));
        let authorization = authorization
            .map(|text| HeaderValue::from_str(&text))
            .transpose()
            .map_err(|_| BadFormat::Authorization)?
            .map(|mut value| {
                value.set_sensitive(true);
                value
            });
        // These can fail for addresses without a host only, which http addresses are not.
        let _ = settings.url.set_username("");
        let _ = settings.url.set_password(None);
        let connector = https_connector().map_err(BadFormat::Tls)?;
        let client = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(Duration::from_secs(30))
            .pool_max_idle_per_host(8)
            .build(connector.clone());
        Ok(Self {
            settings,
            authorization,
            connector,
            client,
        })
    }

    /// Connects, with TLS where the address says so, and sends nothing.
    pub async fn check(&self) -> Result<String, Failure> {
        let uri = self.settings.url.as_str().parse::<Uri>();
        let uri =
            uri.map_err(|error| Failure::transient(Reason::detailed(SendFailure::GatewayRequest, error)))?;
        let mut connector = self.connector.clone();
        let connected = tokio::time::timeout(GATEWAY_TIMEOUT, connector.call(uri)).await;
        match connected {
            Err(_) => Err(Failure::transient(SendFailure::GatewayLate)),
            Ok(Err(error)) => Err(Failure::transient(Reason::detailed(
                SendFailure::GatewayConnection,
                error,
            ))),
            Ok(Ok(_)) => Ok(format!(
                "{} answers",
                self.settings.url.host_str().unwrap_or_default()
            )),
        }
    }

    /// Sends a text message; what the gateway answered when it took it.
    pub async fn send(&self, sms: Sms<'_>) -> Result<String, Failure> {
        let from = self.settings.from.as_deref().unwrap_or_default();
        let mut request: Request<Full<Bytes>> =
            self.settings
                .format
                .request(&self.settings.url, from, sms)
                .map_err(|error| Failure::permanent(Reason::detailed(SendFailure::GatewayRequest, error)))?;
        if let Some(authorization) = &self.authorization {
            request.headers_mut().insert(AUTHORIZATION, authorization.clone());
        }
        let asked = async {
            let answer = self.client.request(request).await;
            let answer = answer.map_err(|error| {
                Failure::transient(Reason::detailed(
                    SendFailure::GatewayConnection,
                    with_cause(&error),
                ))
            })?;
            let status = answer.status();
            let body = Limited::new(answer.into_body(), MAX_RESPONSE_BYTES)
                .collect()
                .await;
            let body = body.map(|body| body.to_bytes()).unwrap_or_default();
            Ok((status, String::from_utf8_lossy(&body).into_owned()))
        };
        let (status, body) = match tokio::time::timeout(GATEWAY_TIMEOUT, asked).await {
            Ok(answered) => answered?,
            Err(_) => return Err(Failure::transient(SendFailure::GatewayLate)),
        };
        self.interpret(status, &body)
    }

    fn interpret(&self, status: StatusCode, body: &str) -> Result<String, Failure> {
        let said = format!("{status}: {body}");
        match status {
            // In the body only: the status itself reads "200 OK".
            yes if yes.is_success() => match &self.settings.accepted {
                Some(word) if !body.contains(word) => Err(Failure::transient(Reason::reply(said))),
                _ => Ok(said),
            },
            // Rejected credentials are a configuration error that the operator can fix. They say nothing
            // about the message.
            StatusCode::UNAUTHORIZED
            | StatusCode::FORBIDDEN
            | StatusCode::REQUEST_TIMEOUT
            | StatusCode::TOO_MANY_REQUESTS => Err(Failure::transient(Reason::reply(said))),
            no if no.is_client_error() || no.is_redirection() => Err(Failure::permanent(Reason::reply(said))),
            _ => Err(Failure::transient(Reason::reply(said))),
        }
    }
}

fn basic(url: &Url) -> Option<String> {
    let decoded = |text: &str| percent_decode_str(text).collect::<Vec<u8>>();
    let mut pair = decoded(url.username());
    if pair.is_empty() {
        return None;
    }
    pair.push(b':');
    pair.extend(decoded(url.password().unwrap_or_default()));
    Some(format!("Basic {}", BASE64.encode(&pair)))
}

pub(crate) fn with_cause(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}
