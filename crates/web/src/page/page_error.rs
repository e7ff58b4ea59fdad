//! How handlers of pages end.

use axum::response::{IntoResponse, Response};

/// What a handler of a page returns.
pub(crate) type PageResult = Result<Response, PageError>;

/// A response that ends a handler early: an error page, a refusal or a redirect. It is boxed because a `Response` is
/// large.
#[derive(Debug)]
pub(crate) struct PageError(Box<Response>);

impl From<Response> for PageError {
    fn from(response: Response) -> Self {
        Self(Box::new(response))
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        *self.0
    }
}
