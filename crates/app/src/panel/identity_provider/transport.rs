//! How identity providers are asked.

use futures_util::future::BoxFuture;
use url::Url;

/// A request to an identity provider.
#[derive(Clone)]
pub struct ProviderRequest {
    /// Where to.
    pub address: Url,
    /// The form to post; a `GET` without one.
    pub form: Option<String>,
    /// The value of the header `authorization`.
    pub authorization: Option<String>,
}

impl std::fmt::Debug for ProviderRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // No codes, no secrets: this may be logged.
        f.debug_struct("ProviderRequest")
            .field("host", &self.address.host_str())
            .finish_non_exhaustive()
    }
}

/// What an identity provider answered.
#[derive(Clone)]
pub struct ProviderResponse {
    /// The status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

impl std::fmt::Debug for ProviderResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProviderResponse")
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}

/// Sends requests to identity providers, to allowed addresses only, within a time and a size, following no redirect.
pub trait ProviderTransport: std::fmt::Debug + Send + Sync {
    /// Sends a request. The error says why there is no answer.
    fn send(&self, request: ProviderRequest) -> BoxFuture<'_, Result<ProviderResponse, String>>;
}
