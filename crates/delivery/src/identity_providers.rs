//! Asks identity providers: their own descriptions, keys and tokens. Companies name them, so they may be where webhooks may
//! be.

use crate::call_span::{call_span, note_failure};
use crate::sms::with_cause;
use crate::tls::client_config;
use crate::webhooks::PublicOnly;
use app::WebhookPolicy;
use app::panel::identity_provider::{ProviderRequest, ProviderResponse, ProviderTransport};
use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, USER_AGENT};
use http::{HeaderValue, Method, Request};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;
use tracing::Instrument;

/// How long a provider may take, from its name to the end of its answer: a person waits.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Bytes of an answer: groups and keys can be many.
const MAX_RESPONSE_BYTES: usize = 512 << 10;
/// Bytes of an answer's head.
const MAX_HEAD_BYTES: usize = 32 << 10;
const PRODUCT: &str = concat!("Firmeza/", env!("CARGO_PKG_VERSION"));

/// The HTTP client for identity providers. It follows no redirect.
#[derive(Debug)]
pub struct ProviderClient {
    client: Client<HttpsConnector<PublicOnly>, Full<Bytes>>,
    timeout: Duration,
}

impl ProviderClient {
    /// Asks providers at addresses that the policy allows.
    pub fn new(policy: WebhookPolicy) -> Result<Self, rustls::Error> {
        Self::with_timeout(policy, TIMEOUT)
    }

    /// The same, with another time for an answer.
    pub fn with_timeout(policy: WebhookPolicy, timeout: Duration) -> Result<Self, rustls::Error> {
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(client_config()?)
            .https_or_http()
            .enable_http1()
            .wrap_connector(PublicOnly(policy));
        // One connection per request: the name is resolved and checked again for the next (DNS rebinding).
        let client = Client::builder(TokioExecutor::new())
            .pool_max_idle_per_host(0)
            .http1_max_buf_size(MAX_HEAD_BYTES)
            .build(connector);
        Ok(Self { client, timeout })
    }

    async fn exchange(&self, request: ProviderRequest) -> Result<ProviderResponse, String> {
        let method = if request.form.is_some() {
            Method::POST
        } else {
            Method::GET
        };
        let mut message = Request::builder()
            .method(method)
            .uri(request.address.as_str())
            .header(ACCEPT, "application/json")
            .header(USER_AGENT, PRODUCT);
        if request.form.is_some() {
            message = message.header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        }
        if let Some(authorization) = request.authorization {
            let mut value = HeaderValue::try_from(authorization).map_err(|error| error.to_string())?;
            value.set_sensitive(true);
            message = message.header(AUTHORIZATION, value);
        }
        let body = Full::new(Bytes::from(request.form.unwrap_or_default()));
        let message = message.body(body).map_err(|error| error.to_string())?;
        let answer = self.client.request(message).await;
        let answer = answer.map_err(|error| with_cause(&error))?;
        let status = answer.status().as_u16();
        match Limited::new(answer.into_body(), MAX_RESPONSE_BYTES)
            .collect()
            .await
        {
            Ok(body) => Ok(ProviderResponse {
                status,
                body: body.to_bytes().into(),
            }),
            Err(error) if error.is::<LengthLimitError>() => Err("the answer is too long".to_owned()),
            Err(error) => Err(with_cause(&*error)),
        }
    }
}

impl ProviderTransport for ProviderClient {
    fn send(
        &self,
        request: ProviderRequest,
    ) -> Pin<Box<dyn Future<Output = Result<ProviderResponse, String>> + Send + '_>> {
        Box::pin(async move {
            let span = call_span("identity provider");
            let exchange = self.exchange(request).instrument(span.clone());
            let answer = tokio::time::timeout(self.timeout, exchange).await;
            let answer = answer.unwrap_or_else(|_| Err("no answer in time".to_owned()));
            if answer.is_err() {
                note_failure(&span);
            }
            answer
        })
    }
}
