//! Connects only to addresses that the policy allows. A name is resolved once, the addresses are checked,
//! and the checked address is connected to. A later DNS answer has no effect (DNS rebinding).

use app::WebhookPolicy;
use app::webhooks::BadAddress;
use http::Uri;
use hyper_util::rt::TokioIo;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::net::{TcpStream, lookup_host};
use tower_service::Service;

/// What is said of an address that must not be reached.
pub(crate) const NOT_PUBLIC: &str = "leads to no public address";

#[derive(Debug, Clone)]
pub(crate) struct PublicOnly(pub(crate) WebhookPolicy);

impl Service<Uri> for PublicOnly {
    type Response = TokioIo<TcpStream>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, io::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), io::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let policy = self.0.clone();
        Box::pin(async move {
            let host = uri.host().unwrap_or_default();
            let host = host.trim_start_matches('[').trim_end_matches(']');
            let secure = uri.scheme_str() == Some("https");
            let port = uri.port_u16().unwrap_or(if secure { 443 } else { 80 });
            let found = lookup_host((host, port)).await?;
            let mut allowed: Vec<SocketAddr> = Vec::new();
            let mut refusal = NOT_PUBLIC.to_owned();
            for address in found {
                match policy.reaches(address, secure) {
                    Ok(()) => allowed.push(address),
                    Err(BadAddress::NotPublic) => {}
                    Err(other) => refusal = other.to_string(),
                }
            }
            if allowed.is_empty() {
                return Err(io::Error::other(refusal));
            }
            let stream = TcpStream::connect(allowed.as_slice()).await?;
            Ok(TokioIo::new(stream))
        })
    }
}
