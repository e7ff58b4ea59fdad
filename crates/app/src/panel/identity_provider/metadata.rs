//! What an identity provider says of itself: its addresses (`OpenID` Connect Discovery) and its keys (JWKS). Both are
//! remembered for a while, as is that it failed, and the keys are asked for again when a token names one that is not known.

use super::token::{Jwk, keys_of};
use super::transport::{ProviderRequest, ProviderResponse, ProviderTransport};
use crate::App;
use domain::Timestamp;
use quick_cache::sync::Cache;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// Providers that an instance remembers.
const MAX_KNOWN: usize = 200;
/// How long what is known counts.
const TTL: Duration = Duration::from_hours(1);
/// Keys are asked for again this often at most, however many tokens name unknown ones.
const KEYS_INTERVAL: Duration = Duration::from_secs(30);

/// The discovery document, as far as we use it.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Metadata {
    pub(super) issuer: String,
    #[serde(deserialize_with = "address")]
    pub(super) authorization_endpoint: Url,
    #[serde(deserialize_with = "address")]
    pub(super) token_endpoint: Url,
    #[serde(deserialize_with = "address")]
    pub(super) jwks_uri: Url,
    #[serde(default, deserialize_with = "optional_address")]
    pub(super) userinfo_endpoint: Option<Url>,
    #[serde(default)]
    pub(super) token_endpoint_auth_methods_supported: Vec<String>,
    #[serde(default)]
    pub(super) authorization_response_iss_parameter_supported: bool,
}

fn address<'de, D: Deserializer<'de>>(from: D) -> Result<Url, D::Error> {
    String::deserialize(from)?.parse().map_err(D::Error::custom)
}

fn optional_address<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Url>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    text.map(|text| text.parse().map_err(D::Error::custom))
        .transpose()
}

/// How long a provider that failed is not asked again: strangers begin sign-ins, and each would wait for it.
const FAILURE_TTL: Duration = Duration::from_secs(10);

/// What is known of a provider.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) metadata: Metadata,
    pub(super) keys: Vec<Jwk>,
    fetched_at: Timestamp,
    keys_fetched_at: Timestamp,
}

/// The client for identity providers, and a cache of their metadata.
#[derive(Debug)]
pub(crate) struct IdentityProviders {
    transport: Option<Arc<dyn ProviderTransport>>,
    /// By issuer.
    known: Cache<String, Arc<Known>>,
    /// When providers failed and why, by issuer.
    failures: Cache<String, (Timestamp, String)>,
}

impl Default for IdentityProviders {
    fn default() -> Self {
        Self::with(None)
    }
}

impl IdentityProviders {
    fn with(transport: Option<Arc<dyn ProviderTransport>>) -> Self {
        Self {
            transport,
            known: Cache::new(MAX_KNOWN),
            failures: Cache::new(MAX_KNOWN),
        }
    }
}

impl App {
    /// The same with a way to identity providers.
    #[must_use]
    pub fn with_identity_providers(self, transport: Arc<dyn ProviderTransport>) -> Self {
        Self {
            identity_providers: Arc::new(IdentityProviders::with(Some(transport))),
            ..self
        }
    }
}

/// Whether something of that time counts no more. A time that is still to come was written before the clock went back.
fn is_past(at: Timestamp, span: Duration, now: Timestamp) -> bool {
    at.after(span) <= now || at.is_ahead_of(now)
}

impl App {
    /// The provider's addresses and keys. The error says in English, for administrators, what is wrong.
    pub(super) async fn known_provider(&self, issuer: &str) -> Result<Arc<Known>, String> {
        let now = self.clock.now();
        let failed = self.identity_providers.failures.get(issuer);
        if let Some((_, reason)) = failed.filter(|(at, _)| !is_past(*at, FAILURE_TTL, now)) {
            return Err(reason);
        }
        let known = self.identity_providers.known.get(issuer);
        if let Some(known) = known.filter(|known| !is_past(known.fetched_at, TTL, now)) {
            return Ok(known);
        }
        let asked = self.ask_what_it_is(issuer, now).await;
        self.remember_failure(issuer, asked)
    }

    async fn ask_what_it_is(&self, issuer: &str, now: Timestamp) -> Result<Arc<Known>, String> {
        let address = format!(
            "{}/.well-known/openid-configuration",
            issuer.trim_end_matches('/')
        );
        let address = Url::parse(&address).map_err(|error| error.to_string())?;
        let metadata: Metadata = self.provider_json(address, None).await?;
        if metadata.issuer != issuer {
            let said: String = metadata.issuer.chars().take(200).collect();
            return Err(format!("the provider calls itself `{said}`, not `{issuer}`"));
        }
        for endpoint in [&metadata.authorization_endpoint, &metadata.token_endpoint] {
            self.allowed(endpoint)?;
        }
        let keys = self.provider_keys(&metadata).await?;
        let known = Arc::new(Known {
            metadata,
            keys,
            fetched_at: now,
            keys_fetched_at: now,
        });
        self.remember(issuer, &known);
        Ok(known)
    }

    /// The same with the keys that the provider has now, unless they were asked for a moment ago.
    pub(super) async fn with_new_keys(&self, known: Arc<Known>) -> Result<Arc<Known>, String> {
        let now = self.clock.now();
        if !is_past(known.keys_fetched_at, KEYS_INTERVAL, now) {
            return Ok(known);
        }
        let keys = self.provider_keys(&known.metadata).await;
        let renewed = Arc::new(Known {
            metadata: known.metadata.clone(),
            keys: self.remember_failure(&known.metadata.issuer, keys)?,
            fetched_at: known.fetched_at,
            keys_fetched_at: now,
        });
        self.remember(&known.metadata.issuer, &renewed);
        Ok(renewed)
    }

    /// Forgets what is known of a provider: a new try asks anew.
    pub(super) fn forget_provider(&self, issuer: &str) {
        self.identity_providers.known.remove(issuer);
        self.identity_providers.failures.remove(issuer);
    }

    /// What a provider answered, once more. If it failed, it is not asked for a while.
    pub(super) fn remember_failure<T>(&self, issuer: &str, asked: Result<T, String>) -> Result<T, String> {
        if let Err(reason) = &asked {
            let failure = (self.clock.now(), reason.clone());
            self.identity_providers
                .failures
                .insert(issuer.to_owned(), failure);
        }
        asked
    }

    fn remember(&self, issuer: &str, known: &Arc<Known>) {
        self.identity_providers
            .known
            .insert(issuer.to_owned(), known.clone());
    }

    async fn provider_keys(&self, metadata: &Metadata) -> Result<Vec<Jwk>, String> {
        let keys = keys_of(&self.provider_json(metadata.jwks_uri.clone(), None).await?);
        if keys.is_empty() {
            return Err("the provider has no key that we can use (RSA, P-256, P-384 or Ed25519)".to_owned());
        }
        Ok(keys)
    }

    /// A JSON document of a provider.
    pub(super) async fn provider_json<T: DeserializeOwned>(
        &self,
        address: Url,
        authorization: Option<String>,
    ) -> Result<T, String> {
        let place = format!("{}{}", address.host_str().unwrap_or_default(), address.path());
        let answer = self
            .ask_provider(ProviderRequest {
                address,
                form: None,
                authorization,
            })
            .await?;
        if answer.status != 200 {
            return Err(format!("{place} answered {}", answer.status));
        }
        serde_json::from_slice(&answer.body).map_err(|error| format!("{place}: {error}"))
    }

    /// Sends a request to a provider, if its address may be asked.
    pub(super) async fn ask_provider(&self, request: ProviderRequest) -> Result<ProviderResponse, String> {
        self.allowed(&request.address)?;
        let Some(transport) = &self.identity_providers.transport else {
            return Err("this installation asks no identity providers".to_owned());
        };
        let place = request.address.host_str().unwrap_or_default().to_owned();
        let sent = transport.send(request).await;
        sent.map_err(|error| format!("{place}: {error}"))
    }

    /// Whether companies may name that address: the rules are those of webhooks.
    fn allowed(&self, address: &Url) -> Result<(), String> {
        let policy = &self.policy.webhooks;
        let allowed = policy.address(address.as_str());
        allowed.map(drop).map_err(|error| format!("{address}: {error}"))
    }
}
