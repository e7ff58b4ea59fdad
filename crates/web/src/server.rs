//! Connections: accepted, bounded in time and number, and let go in good order.

mod outlet;
mod patient;

use crate::address::Peer;
use crate::request_id::{self, RequestId};
use axum::body::Body;
use hyper::body::Incoming;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use outlet::Outlet;
use patient::Patient;
use std::convert::Infallible;
use std::fs::File;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower_service::Service;

/// How connections are treated.
#[derive(Debug, Clone, Copy)]
pub struct Connections {
    /// How many there may be at once; more wait in the system's queue.
    pub most: usize,
    /// How long a client may take to send a request's head, or to begin the next one.
    pub head: Duration,
    /// How long a client may take nothing of what it is sent.
    pub write: Duration,
    /// How long requests under way may go on after the order to stop.
    pub farewell: Duration,
}

impl Default for Connections {
    fn default() -> Self {
        Self {
            most: 4096,
            head: Duration::from_secs(30),
            write: Duration::from_secs(30),
            farewell: Duration::from_secs(30),
        }
    }
}

/// Bytes of a request that are held before they are taken up: the most that its head may have, and what a
/// connection costs while a document comes in faster than it is kept.
const BUFFER: usize = 128 * 1024;

/// Serves until told to stop; then stops accepting, and finishes what is under way. Whoever knows of bytes on their way
/// out in which file they are, and where in it, spares the system a copy.
pub async fn serve<S>(
    listener: TcpListener,
    site: S,
    files: impl Fn(&[u8]) -> Option<(Arc<File>, u64)> + Clone + Unpin + Send + 'static,
    connections: Connections,
    stop: impl Future<Output = ()>,
) where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(connections.most));
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(connections.head)
        .max_buf_size(BUFFER);
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &places) => accepted,
            () = &mut stop => break,
        };
        let Some((stream, peer, place)) = accepted else {
            continue;
        };
        let site = site.clone();
        let service = hyper::service::service_fn(move |request| answer(site.clone(), peer, request));
        let stream = Patient::new(Outlet::new(stream, files.clone()), connections.write);
        let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended badly");
            }
            drop(place);
        });
    }
    drop(listener);
    if tokio::time::timeout(connections.farewell, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("requests were still under way after the time to finish them");
    }
}

async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(TcpStream, SocketAddr, tokio::sync::OwnedSemaphorePermit)> {
    let place = places.clone().acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, peer)) => {
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!(%error, "a connection could not be set up");
            }
            Some((stream, peer, place))
        }
        Err(error) => {
            pause_after(&error).await;
            None
        }
    }
}

/// A client that went away is nothing; running out of file descriptors is worth a moment's rest.
async fn pause_after(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    ) {
        tracing::error!(%error, "connections cannot be accepted");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn answer<S>(
    mut site: S,
    peer: SocketAddr,
    mut request: Request<Incoming>,
) -> Result<Response<Body>, Infallible>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
{
    let id = request_id::choose(request.headers());
    request.extensions_mut().insert(Peer(peer));
    request.extensions_mut().insert(RequestId(id.clone()));
    let mut response = site.call(request.map(Body::new)).await?;
    response.headers_mut().insert(request_id::HEADER, id);
    Ok(response)
}
