//! Carries requests to another timestamp authority (RFC 3161 over HTTP). Who asked verifies what comes back.

#[cfg(test)]
mod tests;

use crate::sms::with_cause;
use crate::tls::{client_config, https_connector_with};
use app::TimestampTransport;
use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, Request, StatusCode, Uri};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use pki::time::{REQUEST_TYPE, RESPONSE_LIMIT, RESPONSE_TYPE};
use std::time::Duration;
use url::Url;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// How long an authority may take, from its name to the end of its answer.
const TSA_TIMEOUT: Duration = Duration::from_secs(20);
/// Bytes of an answer's head.
const HEAD_LIMIT: usize = 16 * 1024;

/// The way to an authority behind an http or https address.
#[derive(Debug)]
pub struct TimestampClient {
    address: Uri,
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    timeout: Duration,
}

/// Why an authority could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum TimestampError {
    /// Not an address to ask.
    #[error("`{0}` is not an http or https address without a user")]
    Address(String),
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
    /// The way to the authority at that address.
    pub fn new(address: &Url) -> Result<Self, TimestampError> {
        Self::with(address, client_config()?, TSA_TIMEOUT)
    }

    fn with(address: &Url, tls: rustls::ClientConfig, timeout: Duration) -> Result<Self, TimestampError> {
        let plain = matches!(address.scheme(), "http" | "https")
            && address.username().is_empty()
            && address.password().is_none();
        let uri = address.as_str().parse().ok().filter(|_| plain);
        let connector = https_connector_with(tls);
        Ok(Self {
            address: uri.ok_or_else(|| TimestampError::Address(address.to_string()))?,
            // A connection ends with the runtime of its exchange: none is kept.
            client: Client::builder(TokioExecutor::new())
                .pool_max_idle_per_host(0)
                .http1_max_buf_size(HEAD_LIMIT)
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
        let message = Request::post(self.address.clone())
            .header(CONTENT_TYPE, REQUEST_TYPE)
            .header(ACCEPT, RESPONSE_TYPE)
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
        match Limited::new(answer.into_body(), RESPONSE_LIMIT).collect().await {
            Ok(body) => Ok(body.to_bytes().into()),
            Err(error) if error.is::<LengthLimitError>() => {
                Err(TimestampError::Answer("with too many bytes".to_owned()))
            }
            Err(error) => Err(TimestampError::Connection(with_cause(&*error))),
        }
    }
}

/// The type of an answer, without its parameters.
fn content_type(headers: &HeaderMap) -> &str {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let value = value.unwrap_or_default();
    value.split_once(';').map_or(value, |(kind, _)| kind).trim()
}

impl TimestampTransport for TimestampClient {
    fn exchange(&self, request: &[u8]) -> Result<Vec<u8>, BoxError> {
        Ok(self.wait_for(request)?)
    }
}
