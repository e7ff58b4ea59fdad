//! Requests to the collector. What it does not take is lost: the log says when that begins and when it ends.

use crate::settings::OtlpSettings;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use http::{Request, StatusCode};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use prost::Message;
use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::task::JoinError;
use url::Url;

/// How long the collector may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Bytes of a response that are read, so that the connection can be used again.
const MAX_RESPONSE_BYTES: usize = 64 * 1024;

/// Why a batch is lost.
#[derive(Debug, thiserror::Error)]
enum SendError {
    #[error("the address is not valid")]
    Address(#[from] http::Error),
    #[error("it does not answer")]
    Unreachable(#[from] hyper_util::client::legacy::Error),
    #[error("it does not answer in time")]
    Timeout,
    #[error("it answered {0}")]
    Refused(StatusCode),
    #[error("the service ends")]
    Ended(#[from] JoinError),
}

/// The collector.
#[derive(Debug)]
pub(super) struct Collector {
    base: Url,
    headers: HeaderMap,
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    /// Where requests run: the thread that exports spans is none of the runtime's.
    runtime: Handle,
    failing: AtomicBool,
}

impl Collector {
    /// The way to it, in the current runtime.
    pub(super) fn new(otlp: &OtlpSettings) -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            base: otlp.endpoint.clone(),
            headers: otlp.headers.clone(),
            client: Client::builder(TokioExecutor::new()).build(delivery::https_connector()?),
            runtime: Handle::current(),
            failing: AtomicBool::new(false),
        })
    }

    /// Sends a message to `v1/traces` or `v1/metrics`. Returns whether it arrived.
    pub(super) async fn send(&self, signal: &str, message: &impl Message) -> bool {
        let sent = self.try_send(signal, message.encode_to_vec()).await;
        let failed = sent.is_err();
        if failed != self.failing.swap(failed, Ordering::Relaxed) {
            if let Err(error) = sent {
                tracing::warn!(
                    error = %domain::Causes(&error),
                    setting = "FIRMEZA_OTLP_ENDPOINT",
                    "the collector takes nothing: traces and metrics are lost until it does"
                );
            } else {
                tracing::info!("the collector takes traces and metrics again");
            }
        }
        !failed
    }

    async fn try_send(&self, signal: &str, body: Vec<u8>) -> Result<(), SendError> {
        let base = self.base.as_str().trim_end_matches('/');
        let mut request = Request::post(format!("{base}/v1/{signal}")).body(Full::new(Bytes::from(body)))?;
        request.headers_mut().extend(self.headers.clone());
        let kind = HeaderValue::from_static("application/x-protobuf");
        request.headers_mut().insert(CONTENT_TYPE, kind);
        let client = self.client.clone();
        let exchange = async move {
            let response = client.request(request).await?;
            let status = response.status();
            // The status has said everything.
            let _ = Limited::new(response.into_body(), MAX_RESPONSE_BYTES)
                .collect()
                .await;
            Ok::<_, SendError>(status)
        };
        let exchange = self
            .runtime
            .spawn(async { tokio::time::timeout(TIMEOUT, exchange).await });
        match exchange.await?.map_err(|_| SendError::Timeout)?? {
            status if status.is_success() => Ok(()),
            status => Err(SendError::Refused(status)),
        }
    }
}
