//! HTTP, and nothing else: requests become acts, outcomes become answers.

pub mod address;
pub mod api;
mod assets;
mod authority;
mod docs;
mod health;
mod logos;
mod mailbox;
mod metrics;
mod multipart;
mod openapi;
mod page;
pub mod panel;
mod rate;
mod request_id;
pub mod server;
pub mod signer;
mod unlisted_proxy;
mod verify;

pub use address::TrustedProxies;
pub use mailbox::MailboxToken;
pub use metrics::Metrics;
pub use rate::RateLimits;
pub use unlisted_proxy::UnlistedProxy;

use app::App;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::get;
use rate::Limiter;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use unlisted_proxy::ProxyWatch;
use verify::Verifier;

/// What the installation chose about HTTP.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where this service is reached from outside, for documents that name it.
    pub base_url: String,
    /// The zone in which dates are shown.
    pub timezone: jiff::tz::TimeZone,
    /// Requests a key may make.
    pub rate_limits: RateLimits,
    /// Bytes of documents in one request.
    pub request_bytes: u64,
    /// How long a body may be slower than the slowest acceptable.
    pub body_grace: Duration,
    /// Whose word about the client's address is taken.
    pub trusted_proxies: TrustedProxies,
    /// What opens the built-in mailbox, where there is one to show.
    pub mailbox: Option<MailboxToken>,
}

/// Everything a handler needs. Clones share it, each at the cost of one count: a request makes several.
#[derive(Debug, Clone)]
pub struct Web(Arc<Shared>);

/// What clones of [`Web`] share.
#[derive(Debug)]
pub struct Shared {
    /// The acts.
    pub app: App,
    /// The choices.
    pub settings: Settings,
    /// What is counted.
    pub metrics: Metrics,
    limiter: Limiter,
    signer_limits: rate::SignerLimits,
    verifier: Verifier,
    proxies: ProxyWatch,
}

impl Deref for Web {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Web {
    /// Handlers over these acts.
    pub fn new(app: App, settings: Settings) -> Self {
        let limiter = Limiter::new(settings.rate_limits);
        Self(Arc::new(Shared {
            app,
            settings,
            metrics: Metrics::default(),
            limiter,
            signer_limits: rate::SignerLimits::new(),
            verifier: Verifier::new(),
            proxies: ProxyWatch::default(),
        }))
    }

    /// Hears of proxies that pass requests on and are not trusted.
    pub fn unlisted_proxies(&self) -> watch::Receiver<Option<UnlistedProxy>> {
        self.proxies.subscribe()
    }
}

/// Every address the service answers at.
pub fn site(web: Web) -> Router {
    let described = openapi::document(&web.settings.base_url, web.app.policy.documents);
    let mailbox = if web.settings.mailbox.is_some() {
        mailbox::routes()
    } else {
        Router::new()
    };
    Router::new()
        .merge(api::routes())
        .merge(authority::routes())
        .route("/health", get(health::health))
        .route("/ready", get(health::ready))
        .merge(assets::routes())
        .merge(docs::routes(&described))
        .merge(logos::routes())
        .merge(mailbox)
        .merge(panel::routes())
        .merge(signer::routes())
        .merge(verify::routes())
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(middleware::from_fn_with_state(web.clone(), watch_proxies))
        .with_state(web)
}

async fn watch_proxies(State(web): State<Web>, request: Request, next: Next) -> Response {
    web.proxies
        .look(&web.settings.trusted_proxies, &request, &web.app.clock);
    next.run(request).await
}

/// What operators and their tools ask, at a listener of its own: the public address says no more than a word.
pub fn monitoring(web: Web) -> Router {
    Router::new()
        .route("/health", get(health::health))
        .route("/ready", get(health::ready_by_part))
        .route("/metrics", get(health::metrics))
        .with_state(web)
}

/// What no route knows, in words for whoever asked: a person below `/sign` and `/panel`, a program elsewhere.
async fn not_found(state: State<Web>, request: Request) -> Response {
    if request.uri().path().starts_with("/sign/") {
        return signer::not_found(state, request).await;
    }
    if request.uri().path().starts_with("/panel/") {
        return panel::not_found(state, request).await;
    }
    api::not_found(&request)
}

/// What a route knows by another method. A form's address stands in the browser while its page says what is wrong;
/// opened from there, it leads to the page that the form is on.
async fn method_not_allowed(request: Request) -> Response {
    let path = request.uri().path();
    let is_opened = [Method::GET, Method::HEAD].contains(request.method());
    if is_opened && path.starts_with("/sign/") {
        return page::see_other(signer::page_of(path));
    }
    if is_opened && path.starts_with("/panel/") {
        return page::see_other(panel::page_of(path));
    }
    api::method_not_allowed(&request)
}
