//! The HTTP interface: requests become acts, and outcomes become responses.

pub mod api;
mod assets;
mod docs;
mod email_reports;
mod home;
pub mod http;
mod mailbox;
mod monitoring;
mod openapi;
mod page;
pub mod panel;
mod sandbox;
pub mod signer;
mod verify;

pub use email_reports::EmailReportsToken;
pub use http::client_address::TrustedProxies;
pub use http::rate_limit::RateLimits;
pub use http::trace_context::export_requests;
pub use http::unlisted_proxy::UnlistedProxy;
pub use mailbox::MailboxToken;
pub use monitoring::metrics::Metrics;

use app::App;
use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::get;
use http::rate_limit::{self, RateLimiter};
use http::trace_context;
use http::unlisted_proxy::ProxyWatch;
use monitoring::disks::DiskSpace;
use monitoring::installation::Installation;
use monitoring::single_flight::SingleFlight;
use monitoring::storage_probe::StorageProbe;
use monitoring::write_probe::WriteProbe;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use verify::Verifier;

/// The settings of the HTTP interface.
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
    /// Grace period before a body must keep the minimum rate.
    pub body_grace: Duration,
    /// How long the database or the storage may take to respond to a health check.
    pub part_timeout: Duration,
    /// Proxies whose `x-forwarded-for` is trusted.
    pub trusted_proxies: TrustedProxies,
    /// The token of the built-in mailbox, if it is enabled.
    pub mailbox: Option<MailboxToken>,
    /// What a provider of email shows to report bounces and complaints, if it may.
    pub email_reports: Option<EmailReportsToken>,
    /// Directories whose disks must not fill up, each with its name in the metrics.
    pub watched_directories: Vec<(&'static str, PathBuf)>,
}

/// The state of every handler. A clone costs one reference count; a request makes several.
#[derive(Debug, Clone)]
pub struct Web(Arc<Shared>);

/// The state shared by the clones of [`Web`].
#[derive(Debug)]
pub struct Shared {
    /// The acts.
    pub app: App,
    /// The choices.
    pub settings: Settings,
    /// The metrics.
    pub metrics: Metrics,
    api_limits: RateLimiter,
    signer_limits: rate_limit::SignerLimits,
    verifier: Verifier,
    proxies: ProxyWatch,
    write_probe: WriteProbe,
    storage_probe: StorageProbe,
    storage_check: SingleFlight<bool>,
    disk_measure: SingleFlight<Vec<DiskSpace>>,
    stopping: AtomicBool,
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
        let api_limits = RateLimiter::new(settings.rate_limits);
        Self(Arc::new(Shared {
            app,
            settings,
            metrics: Metrics::default(),
            api_limits,
            signer_limits: rate_limit::SignerLimits::new(),
            verifier: Verifier::new(),
            proxies: ProxyWatch::default(),
            write_probe: WriteProbe::default(),
            storage_probe: StorageProbe::default(),
            storage_check: SingleFlight::default(),
            disk_measure: SingleFlight::default(),
            stopping: AtomicBool::new(false),
        }))
    }

    /// From now on `/ready` says that this instance is about to stop, so that balancers send requests to others.
    pub fn announce_stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// The metrics, as the text that Prometheus reads (`OpenMetrics`).
    pub async fn metrics_text(&self) -> Result<String, std::fmt::Error> {
        let installation = Installation::ask(self).await;
        self.metrics.render(&self.app, &installation)
    }

    /// Notifies of proxies that forward requests and are not trusted.
    pub fn unlisted_proxies(&self) -> watch::Receiver<Option<UnlistedProxy>> {
        self.proxies.subscribe()
    }
}

/// Every address the service answers at.
pub fn site(web: Web) -> Router {
    let described = openapi::document(&web.settings.base_url, web.app.policy.documents);
    let mailbox = if web.settings.mailbox.is_some() {
        mailbox::routes().merge(sandbox::routes())
    } else {
        Router::new()
    };
    let email_reports = if web.settings.email_reports.is_some() {
        email_reports::routes()
    } else {
        Router::new()
    };
    Router::new()
        .merge(api::routes())
        .merge(verify::authority::routes())
        .route("/", get(home::page))
        .route("/health", get(monitoring::health::health))
        .route("/ready", get(monitoring::health::ready))
        .merge(assets::routes())
        .merge(docs::routes(&web.settings.base_url, described))
        .merge(page::logos::routes())
        .merge(mailbox)
        .merge(email_reports)
        .merge(panel::routes())
        .merge(signer::routes())
        .merge(verify::routes())
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(middleware::from_fn_with_state(web.clone(), observe))
        .with_state(web)
}

/// Notes proxies that are not trusted, and counts pages. The API counts its own requests.
async fn observe(State(web): State<Web>, request: Request, next: Next) -> Response {
    web.proxies
        .observe(&web.settings.trusted_proxies, &request, &web.app.clock);
    let route = request.extensions().get::<MatchedPath>().cloned();
    if let Some(route) = &route {
        trace_context::name_route(request.method(), route.as_str());
    }
    if request.uri().path().starts_with("/api/") {
        return next.run(request).await;
    }
    let (method, started) = (request.method().clone(), Instant::now());
    let response = next.run(request).await;
    let route = route.as_ref().map(MatchedPath::as_str);
    web.metrics
        .count_page(&method, route, response.status().as_u16(), started.elapsed());
    response
}

/// The routes of the listener for operators.
pub fn monitoring(web: Web) -> Router {
    Router::new()
        .route("/health", get(monitoring::health::health))
        .route("/ready", get(monitoring::health::ready_by_part))
        .route("/metrics", get(monitoring::health::metrics))
        .with_state(web)
}

/// An unknown path: a page below `/sign` and `/panel`, JSON or plain text outside them.
async fn not_found(state: State<Web>, request: Request) -> Response {
    if request.uri().path().starts_with("/sign/") {
        return signer::not_found(state, request).await;
    }
    if request.uri().path().starts_with("/panel/") {
        return panel::not_found(state, request).await;
    }
    api::not_found(&request)
}

/// A known path with another method. The address of a form stays in the browser while its page shows an
/// error; opened with `GET`, it redirects to the page of the form.
async fn method_not_allowed(request: Request) -> Response {
    let path = request.uri().path();
    let is_opened = [Method::GET, Method::HEAD].contains(request.method());
    if is_opened && path.starts_with("/sign/") {
        return page::see_other(page::signer_page_of(path));
    }
    if is_opened && path.starts_with("/panel/") {
        return page::see_other(panel::page_of(path));
    }
    api::method_not_allowed(&request)
}
