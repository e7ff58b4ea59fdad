//! One request to a webhook, and what its answer means.

use super::connector::PublicOnly;
use super::signature::sign;
use crate::call_span::{call_span, note_failure};
use crate::failure::plain_reply;
use crate::sms::with_cause;
use crate::tls::client_config;
use app::{App, WebhookPolicy};
use bytes::Bytes;
use http::header::{CONTENT_TYPE, USER_AGENT};
use http::{Method, Request};
use http_body_util::{BodyExt, Full};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use std::time::Duration;
use store::LeasedWebhook;
use tracing::Instrument;

/// Bytes of a response that are read.
const MAX_RESPONSE_BYTES: usize = 16 * 1024;
/// Bytes of its text that are stored.
const MAX_STORED_BYTES: usize = 1024;
const PRODUCT: &str = concat!("Firmeza/", env!("CARGO_PKG_VERSION"));

/// The outcome of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RequestOutcome {
    pub(crate) status: Option<u16>,
    pub(crate) error: Option<String>,
    /// The beginning of the response's body.
    pub(crate) response: Option<String>,
}

impl RequestOutcome {
    /// Whether the receiver took it.
    pub(crate) fn arrived(&self) -> bool {
        self.error.is_none() && self.status.is_some_and(|status| (200..300).contains(&status))
    }

    pub(crate) fn failed(error: impl std::fmt::Display) -> Self {
        Self {
            status: None,
            error: Some(plain_reply(&error.to_string(), &[])),
            response: None,
        }
    }
}

#[derive(Debug)]
enum Way {
    Http(Box<Client<HttpsConnector<PublicOnly>, Full<Bytes>>>),
    /// Into a simulation.
    #[cfg(feature = "simulation")]
    Simulated(std::sync::Arc<dyn crate::simulated::World>),
}

/// The HTTP client for webhooks.
#[derive(Debug)]
pub(crate) struct WebhookClient {
    way: Way,
    policy: WebhookPolicy,
    timeout: Duration,
}

impl WebhookClient {
    pub(crate) fn new(policy: WebhookPolicy, timeout: Duration) -> Result<Self, rustls::Error> {
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(client_config()?)
            .https_or_http()
            .enable_http1()
            .wrap_connector(PublicOnly(policy.clone()));
        // One connection per message: the name is resolved and checked again for the next (DNS rebinding).
        let client = Client::builder(TokioExecutor::new())
            .pool_max_idle_per_host(0)
            .build(connector);
        Ok(Self {
            way: Way::Http(Box::new(client)),
            policy,
            timeout,
        })
    }

    #[cfg(feature = "simulation")]
    pub(crate) fn simulated(
        policy: WebhookPolicy,
        timeout: Duration,
        world: std::sync::Arc<dyn crate::simulated::World>,
    ) -> Self {
        Self {
            way: Way::Simulated(world),
            policy,
            timeout,
        }
    }

    pub(crate) async fn send(&self, app: &App, leased: &LeasedWebhook, body: &str) -> RequestOutcome {
        let span = call_span("webhook");
        let exchange = self.exchange(app, leased, body).instrument(span.clone());
        let outcome = match tokio::time::timeout(self.timeout, exchange).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(error)) => RequestOutcome::failed(error),
            Err(_) => RequestOutcome::failed("no answer in time"),
        };
        if !outcome.arrived() {
            note_failure(&span);
        }
        outcome
    }

    async fn exchange(
        &self,
        app: &App,
        leased: &LeasedWebhook,
        body: &str,
    ) -> Result<RequestOutcome, String> {
        // The rules may have changed since the address was taken.
        let address = self.policy.address(&leased.address);
        let address = address.map_err(|error| error.to_string())?;
        let secrets: Vec<Vec<u8>> = leased
            .secrets
            .iter()
            .filter_map(|sealed| app.open_webhook_secret(sealed))
            .collect();
        if secrets.is_empty() {
            return Err("the secret cannot be opened: is the master key the right one?".to_owned());
        }
        let id = format!("msg_{}", leased.id);
        let seconds = app.clock.now().as_micros().div_euclid(1_000_000);
        let request = Request::builder()
            .method(Method::POST)
            .uri(address.as_str())
            .header(CONTENT_TYPE, "application/json")
            .header(USER_AGENT, PRODUCT)
            .header("webhook-id", &id)
            .header("webhook-timestamp", seconds)
            .header("webhook-signature", sign(&secrets, &id, seconds, body))
            .body(Full::new(Bytes::from(body.to_owned())))
            .map_err(|error| error.to_string())?;
        let client = match &self.way {
            Way::Http(client) => client,
            #[cfg(feature = "simulation")]
            Way::Simulated(world) => {
                let status = world.take_webhook(&id, body).await?;
                return Ok(RequestOutcome {
                    status: Some(status),
                    error: None,
                    response: None,
                });
            }
        };
        let answer = client.request(request).await;
        let answer = answer.map_err(|error| with_cause(&error))?;
        let status = answer.status();
        let response = beginning(answer.into_body()).await;
        Ok(RequestOutcome {
            status: Some(status.as_u16()),
            error: status
                .is_redirection()
                .then(|| "redirects are not followed".to_owned()),
            response,
        })
    }
}

/// The beginning of a response's body, as text. More is read than is stored, so that a receiver that writes its
/// response is not cut off. A response that breaks off counts by its status all the same.
async fn beginning(mut body: impl BodyExt<Data = Bytes> + Unpin) -> Option<String> {
    let (mut start, mut read) = (Vec::new(), 0);
    while read < MAX_RESPONSE_BYTES
        && let Some(Ok(frame)) = body.frame().await
    {
        if let Some(data) = frame.data_ref() {
            read += data.len();
            start.extend(data.iter().take(MAX_STORED_BYTES + 3 - start.len()));
        }
    }
    stored_text(&start)
}

/// The text that is stored: whole characters only. `PostgreSQL` stores no zero bytes in a text.
fn stored_text(start: &[u8]) -> Option<String> {
    let mut text = String::from_utf8_lossy(start).replace('\0', "\u{fffd}");
    text.truncate(text.floor_char_boundary(MAX_STORED_BYTES));
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_response_is_short_text() {
        assert_eq!(stored_text(b""), None);
        assert_eq!(stored_text(b"a\0\xffb").as_deref(), Some("a\u{fffd}\u{fffd}b"));
        // A character across the end is left out, and not stored as a broken one.
        let long = format!("{}\u{1f58a}", "x".repeat(MAX_STORED_BYTES - 1));
        assert_eq!(
            stored_text(long.as_bytes()),
            Some("x".repeat(MAX_STORED_BYTES - 1))
        );
        let broken = [0xff; MAX_STORED_BYTES + 3];
        assert!(stored_text(&broken).unwrap().len() <= MAX_STORED_BYTES);
    }
}
