//! The server: accepts connections, limits their number and duration, and shuts down gracefully.

mod client_limit;
mod host;
mod lingering_close;
mod write_timeout;

use crate::http::client_address::{Peer, TrustedProxies};
use crate::http::request_id::{self, RequestId};
use crate::http::trace_context;
use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::{
    CONNECTION, CONTENT_TYPE, HeaderMap, HeaderValue, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
};
use client_limit::{ClientLimit, ClientPermit};
use hyper::body::Incoming;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use lingering_close::{LingeringClose, UnreadBody, WatchedBody};
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use tower_service::Service;
use tracing::Instrument;
use write_timeout::WriteTimeout;

/// The limits of connections.
#[derive(Debug, Clone)]
pub struct Connections {
    /// Open connections; more wait in the system's queue.
    pub max: usize,
    /// Connections of one client; more are closed at once. 0 for any number.
    pub per_client: usize,
    /// Proxies whose connections belong to many clients, and are not counted.
    pub trusted_proxies: TrustedProxies,
    /// Whether browsers reach the service by https; then responses have `Strict-Transport-Security`.
    pub https: bool,
    /// How long a client may take to send a request's head, or to begin the next one.
    pub head_timeout: Duration,
    /// How long a client may accept no bytes of a response.
    pub write_timeout: Duration,
    /// Bytes of an unread body that are discarded before the connection is closed.
    pub linger_bytes: u64,
    /// How long open requests may continue during shutdown.
    pub shutdown_timeout: Duration,
}

impl Default for Connections {
    fn default() -> Self {
        Self {
            max: 4096,
            per_client: 256,
            trusted_proxies: TrustedProxies::default(),
            https: false,
            head_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            linger_bytes: 200 << 20,
            shutdown_timeout: Duration::from_secs(30),
        }
    }
}

/// Bytes of the read buffer: the limit of a request's head, and the memory of a connection whose body
/// arrives faster than it is stored.
const READ_BUFFER_BYTES: usize = 128 * 1024;
/// The first pause after a failure to accept; each further failure doubles it.
const FIRST_ACCEPT_PAUSE: Duration = Duration::from_millis(50);
const MAX_ACCEPT_PAUSE: Duration = Duration::from_secs(1);
/// How often the log warns of clients with too many connections.
const CLIENT_LIMIT_LOG_INTERVAL: Duration = Duration::from_mins(1);
/// A year, for this host alone: the operator's other hosts are not this program's to decide about.
const HSTS: &str = "max-age=31536000";

/// Serves until `stop` completes; then accepts no more connections and finishes open requests.
pub async fn serve<S>(
    listener: TcpListener,
    site: S,
    connections: Connections,
    stop: impl Future<Output = ()>,
) where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    let graceful = GracefulShutdown::new();
    let https = connections.https;
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(connections.head_timeout)
        .max_buf_size(READ_BUFFER_BYTES);
    let mut acceptor = Acceptor::new(listener, &connections);
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = acceptor.next() => accepted,
            () = &mut stop => break,
        };
        let Some((stream, peer, permits)) = accepted else {
            continue;
        };
        let site = site.clone();
        let unread = UnreadBody::default();
        let stream = WriteTimeout::new(stream, connections.write_timeout);
        let stream = LingeringClose::new(stream, unread.clone(), connections.linger_bytes);
        let service = hyper::service::service_fn(move |request: Request<Incoming>| {
            let request = request.map(|body| unread.watch(body));
            respond(site.clone(), peer, https, unread.clone(), request)
        });
        let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended with an error");
            }
            drop(permits);
        });
    }
    drop(acceptor);
    if tokio::time::timeout(connections.shutdown_timeout, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("requests were still open after the shutdown timeout");
    }
}

/// Accepts connections within the limits.
struct Acceptor {
    listener: TcpListener,
    connection_permits: Arc<Semaphore>,
    clients: ClientLimit,
    pause: Duration,
    /// When the log last warned of a client with too many connections.
    logged: Option<Instant>,
}

/// The permits of a connection.
type Permits = (OwnedSemaphorePermit, ClientPermit);

impl Acceptor {
    fn new(listener: TcpListener, connections: &Connections) -> Self {
        Self {
            listener,
            connection_permits: Arc::new(Semaphore::new(connections.max)),
            clients: ClientLimit::new(connections.per_client, connections.trusted_proxies.clone()),
            pause: FIRST_ACCEPT_PAUSE,
            logged: None,
        }
    }

    /// The next connection; `None` where it was refused or failed.
    async fn next(&mut self) -> Option<(TcpStream, SocketAddr, Permits)> {
        let connection = self.connection_permits.clone().acquire_owned().await.ok()?;
        let (stream, peer) = match self.listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                self.pause_after(&error).await;
                return None;
            }
        };
        self.pause = FIRST_ACCEPT_PAUSE;
        let Some(client) = self.clients.try_acquire(peer.ip()) else {
            self.log_refusal(peer);
            return None;
        };
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "TCP_NODELAY could not be set on a connection");
        }
        Some((stream, peer, (connection, client)))
    }

    /// A client that went away is no reason to wait. Without file descriptors the next call fails too, until a
    /// connection ends.
    async fn pause_after(&mut self, error: &io::Error) {
        use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
        if !matches!(
            error.kind(),
            ConnectionAborted | ConnectionRefused | ConnectionReset
        ) {
            tracing::error!(%error, "connections cannot be accepted");
            tokio::time::sleep(self.pause).await;
            self.pause = (self.pause * 2).min(MAX_ACCEPT_PAUSE);
        }
    }

    fn log_refusal(&mut self, peer: SocketAddr) {
        let now = Instant::now();
        let due = self
            .logged
            .is_none_or(|logged| now - logged >= CLIENT_LIMIT_LOG_INTERVAL);
        if due {
            self.logged = Some(now);
            tracing::warn!(
                client = %peer.ip(),
                setting = "FIRMEZA_CONNECTIONS_PER_CLIENT",
                "a client has as many connections as it may, and further ones are closed: if it is a proxy, \
                 FIRMEZA_TRUSTED_PROXIES should name it"
            );
        }
    }
}

async fn respond<S>(
    mut site: S,
    peer: SocketAddr,
    https: bool,
    unread: UnreadBody,
    mut request: Request<WatchedBody<Incoming>>,
) -> Result<Response<Body>, Infallible>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
{
    let id = request_id::choose(request.headers());
    let mut response = if host::is_named_once(request.version(), request.headers()) {
        let span = trace_context::begin(request.method(), request.headers());
        request.extensions_mut().insert(Peer(peer));
        request.extensions_mut().insert(RequestId(id.clone()));
        let answered = site.call(request.map(Body::new)).instrument(span.clone());
        let response = answered.await?;
        trace_context::end(&span, response.status());
        response
    } else {
        drop(request);
        bad_host()
    };
    // The connection ends after this response.
    if unread.is_unread() {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(CONNECTION, close);
    }
    let headers = response.headers_mut();
    headers.insert(request_id::HEADER, id);
    add_security_headers(headers, https);
    Ok(response)
}

/// The security headers of every response.
fn add_security_headers(headers: &mut HeaderMap, https: bool) {
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if https {
        headers.insert(STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HSTS));
    }
}

fn bad_host() -> Response<Body> {
    let mut response = Response::new(Body::from("La solicitud debe nombrar su host una sola vez.\n"));
    *response.status_mut() = StatusCode::BAD_REQUEST;
    let headers = response.headers_mut();
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/plain; charset=utf-8"),
    );
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn pauses_after_failures_to_accept_double_until_a_connection_comes() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut acceptor = Acceptor::new(listener, &Connections::default());
        let no_descriptors = io::Error::from(rustix::io::Errno::MFILE);
        let gone = io::Error::from(io::ErrorKind::ConnectionAborted);
        for milliseconds in [50, 100, 200, 400, 800, 1000, 1000] {
            let before = Instant::now();
            acceptor.pause_after(&gone).await;
            assert_eq!(before.elapsed(), Duration::ZERO);
            acceptor.pause_after(&no_descriptors).await;
            assert_eq!(before.elapsed(), Duration::from_millis(milliseconds));
        }
        let _client = std::net::TcpStream::connect(address).unwrap();
        assert!(acceptor.next().await.is_some());
        let before = Instant::now();
        acceptor.pause_after(&no_descriptors).await;
        assert_eq!(before.elapsed(), FIRST_ACCEPT_PAUSE);
    }
}
