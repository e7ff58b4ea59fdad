//! The API of an installation, over HTTP.

use super::error::ToolError;
use super::form::Form;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;
use std::error::Error;
use std::fmt::Write;
use std::time::Duration;
use url::Url;

/// How long an operation may take, from the first byte sent to the last received.
const OPERATION_TIMEOUT: Duration = Duration::from_mins(2);
/// Bytes of a response; documents grow with their signatures.
const MAX_RESPONSE_BYTES: usize = 128 << 20;

/// Where it is, and the key to act with.
pub(super) struct Api {
    base: Url,
    key: HeaderValue,
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
}

/// What a request brings.
pub(super) enum Body {
    Form(Form),
    Json(Value),
}

impl Api {
    pub(super) fn new(url: &str, key: &str) -> Result<Self, Box<dyn Error>> {
        let mut base = Url::parse(url).map_err(|error| format!("FIRMEZA_URL: {error}"))?;
        let plain = matches!(base.scheme(), "http" | "https")
            && base.username().is_empty()
            && base.password().is_none();
        if !plain {
            return Err("FIRMEZA_URL must be an http or https address without a user".into());
        }
        base.set_path("/api/integrations/");
        let key = HeaderValue::from_str(&format!("Bearer {key}"));
        let mut key = key.map_err(|_| "FIRMEZA_API_KEY has characters that no key has")?;
        key.set_sensitive(true);
        // Between two messages the program does not look at the connection: the installation may have closed it long ago.
        let client = Client::builder(TokioExecutor::new())
            .pool_max_idle_per_host(0)
            .build(delivery::https_connector()?);
        Ok(Self { base, key, client })
    }

    pub(super) async fn get(&self, operation: &str, query: &[(&str, &str)]) -> Result<Bytes, ToolError> {
        let mut url = self.address(operation)?;
        url.query_pairs_mut().extend_pairs(query);
        let request = Request::builder().method(Method::GET);
        self.send(&url, request, Vec::new()).await
    }

    pub(super) async fn post(
        &self,
        operation: &str,
        body: Body,
        idempotency_key: Option<&str>,
    ) -> Result<Bytes, ToolError> {
        let url = self.address(operation)?;
        let (kind, body) = match body {
            Body::Form(form) => form.finish(),
            Body::Json(value) => ("application/json".to_owned(), value.to_string().into_bytes()),
        };
        let mut request = Request::builder().method(Method::POST).header(CONTENT_TYPE, kind);
        if let Some(key) = idempotency_key {
            request = request.header("idempotency-key", key);
        }
        self.send(&url, request, body).await
    }

    fn address(&self, operation: &str) -> Result<Url, ToolError> {
        let address = self.base.join(operation);
        address.map_err(|error| ToolError(format!("La dirección no es válida: {error}")))
    }

    async fn send(
        &self,
        url: &Url,
        request: http::request::Builder,
        body: Vec<u8>,
    ) -> Result<Bytes, ToolError> {
        let request = request
            .uri(url.as_str())
            .header("x-api-key", self.key.clone())
            .body(Full::new(Bytes::from(body)))
            .map_err(|error| ToolError(format!("La solicitud no se puede escribir: {error}")))?;
        let host = self.base.origin().ascii_serialization();
        let unreachable =
            |cause: &dyn Error| ToolError(format!("No hay respuesta de {host}: {}", with_causes(cause)));
        let exchange = async {
            let response = self.client.request(request).await;
            let response = response.map_err(|error| unreachable(&error))?;
            let status = response.status();
            let body = Limited::new(response.into_body(), MAX_RESPONSE_BYTES)
                .collect()
                .await;
            let body = body.map_err(|error| unreachable(&*error))?;
            Ok((status, body.to_bytes()))
        };
        let answered = tokio::time::timeout(OPERATION_TIMEOUT, exchange).await;
        let (status, body) = answered.map_err(|elapsed| unreachable(&elapsed))??;
        if status == StatusCode::OK {
            Ok(body)
        } else {
            Err(refusal(status, &body))
        }
    }
}

fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let _ = write!(text, ": {cause}");
        source = cause.source();
    }
    text
}

/// What the API says about an error. Operations differ in where the message is; a proxy may have answered without JSON.
fn refusal(status: StatusCode, body: &[u8]) -> ToolError {
    let said: Value = serde_json::from_slice(body).unwrap_or_default();
    let message = said["message"].as_str().or(said["error"]["message"].as_str());
    let message = message.unwrap_or("la respuesta no es de la API");
    let mut text = format!("Error {}: {message}", status.as_u16());
    let faults = said["errors"].as_array().into_iter().flatten();
    for fault in faults.filter_map(|fault| fault["message"].as_str()) {
        if fault != message {
            let _ = write!(text, "\n- {fault}");
        }
    }
    if let Some(id) = said["requestId"].as_str() {
        let _ = write!(text, "\nrequestId: {id}");
    }
    ToolError(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_what_the_api_says() {
        let said = |body: &str| refusal(StatusCode::BAD_REQUEST, body.as_bytes()).0;
        assert_eq!(
            said(r#"{"message": "uno", "errors": [{"message": "uno"}, {"message": "dos"}]}"#),
            "Error 400: uno\n- dos"
        );
        assert_eq!(
            said(r#"{"error": {"message": "mal"}, "requestId": "abc"}"#),
            "Error 400: mal\nrequestId: abc"
        );
        assert_eq!(said("<html>"), "Error 400: la respuesta no es de la API");
    }

    #[test]
    fn an_address_with_a_user_is_refused() {
        for wrong in [
            "firmas",
            "ftp://firmas.example.com",
            "https://ana:clave@firmas.example.com",
        ] {
            assert!(Api::new(wrong, "firmeza_x").is_err(), "{wrong}");
        }
        assert!(Api::new("https://firmas.example.com/", "firmeza_x").is_ok());
        assert!(Api::new("https://firmas.example.com", "dos\nlíneas").is_err());
    }
}
