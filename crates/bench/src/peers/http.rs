//! hyper, and nothing on top of it.

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode, header};
use hyper_util::rt::TokioIo;
use parts::Result;
use std::convert::Infallible;
use std::future::Future;
use std::net::Ipv4Addr;
use tokio::net::TcpListener;

/// Answers every request with JSON, or with why there is none.
pub(super) async fn serve<F, Fut>(port: u16, answer: F) -> Result<()>
where
    F: Fn(Request<Incoming>) -> Fut + Clone + Send + 'static,
    Fut: Future<Output = Result<Bytes>> + Send,
{
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let answer = answer.clone();
        let service = service_fn(move |request| respond(answer.clone(), request));
        tokio::spawn(
            hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service),
        );
    }
}

async fn respond<F, Fut>(answer: F, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible>
where
    F: Fn(Request<Incoming>) -> Fut,
    Fut: Future<Output = Result<Bytes>>,
{
    if request.uri().path() == "/ready" {
        return Ok(Response::new(Full::default()));
    }
    let (status, body) = match answer(request).await {
        Ok(body) => (StatusCode::OK, body),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string().into()),
    };
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = status;
    let json = header::HeaderValue::from_static("application/json; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    Ok(response)
}
