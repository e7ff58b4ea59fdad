//! Carries requests to another timestamp authority (RFC 3161 over HTTP), with a password or a client certificate where it
//! asks for one. The caller verifies the response.

#[cfg(test)]
mod failover_tests;
mod identity;
#[cfg(test)]
mod tests;

pub use identity::{BadIdentity, ClientIdentity};

use crate::call_span::{call_span, note_failure};
use crate::sms::with_cause;
use crate::tls::{https_connector_with, machine_roots, tls_builder};
use app::TimestampTransport;
use bytes::Bytes;
use data_encoding::BASE64;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Request, StatusCode, Uri};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use percent_encoding::percent_decode_str;
use pki::time::{MAX_TIMESTAMP_RESPONSE_BYTES, REQUEST_TYPE, RESPONSE_TYPE};
use std::time::Duration;
use url::Url;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// How long an authority may take, from its name to the end of its answer.
const TSA_TIMEOUT: Duration = Duration::from_secs(20);
/// Bytes of an answer's head.
const MAX_HEAD_BYTES: usize = 16 * 1024;

/// The transport to an authority behind an http or https address.
#[derive(Debug)]
pub struct TimestampClient {
    address: Uri,
    /// The password, as HTTP's basic authentication has it.
    authorization: Option<HeaderValue>,
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    timeout: Duration,
}

/// Why an authority could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum TimestampError {
    /// Not an address to ask.
    #[error("`{0}` is not an http or https address")]
    Address(String),
    /// A password would go over the network in the clear.
    #[error("a password needs an https address")]
    PlainPassword,
    /// TLS cannot be had.
    #[error("TLS cannot be set up")]
    Tls(#[from] rustls::Error),
    /// The request could not be sent at all.
    #[error("the timestamp authority cannot be asked from here")]
    Runtime(#[from] std::io::Error),
    /// The connection failed.
    #[error("the timestamp authority could not be reached: {0}")]
    Connection(String),
    /// The answer was late.
    #[error("the timestamp authority did not answer in time")]
    Timeout,
    /// The answer was none.
    #[error("the timestamp authority answered {0}")]
    Answer(String),
}

impl TimestampClient {
    /// The transport to the authority at that address, with the user and the password in it, and with a certificate of ours.
    pub fn new(address: &Url, identity: Option<ClientIdentity>) -> Result<Self, TimestampError> {
        let builder = tls_builder(machine_roots())?;
        let tls = match identity {
            Some(identity) => builder.with_client_auth_cert(identity.certificates, identity.key)?,
            None => builder.with_no_client_auth(),
        };
        Self::with(address, tls, TSA_TIMEOUT)
    }

    fn with(address: &Url, tls: rustls::ClientConfig, timeout: Duration) -> Result<Self, TimestampError> {
        let authorization = basic(address)?;
        let mut plain = address.clone();
        // Only an address without a host refuses these, and has neither.
        let _ = (plain.set_username(""), plain.set_password(None));
        let known = matches!(plain.scheme(), "http" | "https");
        let uri = plain.as_str().parse().ok().filter(|_| known);
        let connector = https_connector_with(tls);
        Ok(Self {
            address: uri.ok_or_else(|| TimestampError::Address(plain.to_string()))?,
            authorization,
            // A connection ends with the runtime of its exchange: none is kept.
            client: Client::builder(TokioExecutor::new())
                .pool_max_idle_per_host(0)
                .http1_max_buf_size(MAX_HEAD_BYTES)
                .build(connector),
            timeout,
        })
    }

    fn wait_for(&self, request: &[u8]) -> Result<Vec<u8>, TimestampError> {
        // The caller's thread waits, and may do so while the service's own runtime ends.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let answer = runtime.block_on(async { tokio::time::timeout(self.timeout, self.post(request)).await });
        // A name that is still being looked up is not waited for.
        runtime.shutdown_background();
        answer.map_err(|_| TimestampError::Timeout)?
    }

    async fn post(&self, request: &[u8]) -> Result<Vec<u8>, TimestampError> {
        let mut message = Request::post(self.address.clone())
            .header(CONTENT_TYPE, REQUEST_TYPE)
            .header(ACCEPT, RESPONSE_TYPE);
        if let Some(authorization) = &self.authorization {
            message = message.header(AUTHORIZATION, authorization);
        }
        let message = message
            .body(Full::new(Bytes::copy_from_slice(request)))
            .map_err(|_| TimestampError::Address(self.address.to_string()))?;
        let answer = self.client.request(message).await.map_err(|error| {
            let said = with_cause(&error);
            if error.is_connect() {
                TimestampError::Connection(said)
            } else {
                TimestampError::Answer(format!("with no valid response: {said}"))
            }
        })?;
        if answer.status() != StatusCode::OK {
            return Err(TimestampError::Answer(format!("`{}`", answer.status())));
        }
        let kind = content_type(answer.headers());
        if !kind.eq_ignore_ascii_case(RESPONSE_TYPE) {
            return Err(TimestampError::Answer(format!("with the content type `{kind}`")));
        }
        match Limited::new(answer.into_body(), MAX_TIMESTAMP_RESPONSE_BYTES)
            .collect()
            .await
        {
            Ok(body) => Ok(body.to_bytes().into()),
            Err(error) if error.is::<LengthLimitError>() => {
                Err(TimestampError::Answer("with too many bytes".to_owned()))
            }
            Err(error) => Err(TimestampError::Connection(with_cause(&*error))),
        }
    }
}

/// The user and the password of an address, as a header.
fn basic(address: &Url) -> Result<Option<HeaderValue>, TimestampError> {
    let password = address.password();
    if address.username().is_empty() && password.is_none() {
        return Ok(None);
    }
    if address.scheme() != "https" {
        return Err(TimestampError::PlainPassword);
    }
    let decoded = |text: &str| percent_decode_str(text).collect::<Vec<u8>>();
    let (user, password) = (decoded(address.username()), decoded(password.unwrap_or_default()));
    let encoded = BASE64.encode(&[&user[..], b":", &password].concat());
    let mut header = HeaderValue::try_from(format!("Basic {encoded}"))
        .map_err(|_| TimestampError::Address("the user or the password".to_owned()))?;
    header.set_sensitive(true);
    Ok(Some(header))
}

/// The type of an answer, without its parameters.
fn content_type(headers: &HeaderMap) -> &str {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let value = value.unwrap_or_default();
    value.split_once(';').map_or(value, |(kind, _)| kind).trim()
}

impl TimestampTransport for TimestampClient {
    fn exchange(&self, request: &[u8]) -> Result<Vec<u8>, BoxError> {
        let span = call_span("timestamp");
        let answered = span.in_scope(|| self.wait_for(request));
        if answered.is_err() {
            note_failure(&span);
        }
        Ok(answered?)
    }
}
