//! A webhook's receiver: a real HTTP server that keeps every request and responds as the test says.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::task::JoinHandle;

/// A request that arrived.
#[derive(Debug, Clone)]
pub struct ReceivedRequest {
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Bytes,
}

impl ReceivedRequest {
    /// The value of a header.
    #[track_caller]
    pub fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    /// The body, as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// How a receiver answers.
#[derive(Debug, Clone, Copy)]
pub enum Reply {
    /// With a status.
    Status(u16),
    /// With a status and a body.
    Body(u16, &'static [u8]),
    /// With a redirect to itself.
    Redirect,
    /// With a body that never ends.
    Endless,
}

#[derive(Debug, Default)]
struct ReceiverState {
    received: Vec<ReceivedRequest>,
    replies: VecDeque<Reply>,
}

/// A receiver that listens on this machine.
#[derive(Debug)]
pub struct Receiver {
    address: SocketAddr,
    state: Arc<Mutex<ReceiverState>>,
    serving: JoinHandle<()>,
}

impl Receiver {
    /// Starts it; it responds 204 unless `will` says otherwise.
    pub async fn start() -> Self {
        let state = Arc::<Mutex<ReceiverState>>::default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().fallback(receive).with_state(state.clone());
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self {
            address,
            state,
            serving,
        }
    }

    /// Where it listens.
    pub fn url(&self) -> String {
        format!("http://{}/avisos?de=firmeza", self.address)
    }

    /// On which port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// How the next requests are answered, one after the other.
    pub fn will(&self, replies: impl IntoIterator<Item = Reply>) {
        self.state.lock().unwrap().replies.extend(replies);
    }

    /// What arrived so far.
    pub fn received(&self) -> Vec<ReceivedRequest> {
        self.state.lock().unwrap().received.clone()
    }

    /// Waits until that many requests have arrived.
    pub async fn until(&self, count: usize) -> Vec<ReceivedRequest> {
        crate::until("requests to arrive", async || {
            let received = self.received();
            (received.len() >= count).then_some(received)
        })
        .await
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn receive(State(state): State<Arc<Mutex<ReceiverState>>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    let mut state = state.lock().unwrap();
    state.received.push(ReceivedRequest {
        headers: parts.headers,
        body,
    });
    match state.replies.pop_front().unwrap_or(Reply::Status(204)) {
        Reply::Status(status) => StatusCode::from_u16(status).unwrap().into_response(),
        Reply::Body(status, body) => (StatusCode::from_u16(status).unwrap(), body).into_response(),
        Reply::Redirect => (StatusCode::FOUND, [(header::LOCATION, "/otra")]).into_response(),
        Reply::Endless => {
            let block = Bytes::from(vec![b' '; 8 * 1024]);
            let blocks = futures_util::stream::repeat_with(move || Ok::<_, std::io::Error>(block.clone()));
            Body::from_stream(blocks).into_response()
        }
    }
}
