//! Operations that are done once for an idempotency key: a repeated request gets the response that was stored first.

use super::errors::{self, ApiError};
use super::operation::Operation;
use super::response::ApiResponse;
use crate::Web;
use app::{Caller, IdempotencyKey, Idempotent, IdempotentResult};
use domain::FolioId;

/// Pairs an idempotency key with the function that renders the response to be stored under it.
fn idempotent<T: 'static>(
    operation: Operation,
    idempotency_key: Option<IdempotencyKey>,
    render: impl Fn(&T) -> ApiResponse + Send + 'static,
) -> Option<Idempotent<T>> {
    let render = move |outcome: &Result<T, app::Error>| {
        let response = match outcome {
            Ok(done) => render(done),
            Err(error) => errors::act_error_response(operation, error, None),
        };
        is_replayable(&response).then(|| response.to_stored()).flatten()
    };
    idempotency_key.map(|idempotency_key| Idempotent {
        idempotency_key,
        render: Box::new(render),
    })
}

/// Whether a repeated request may be sent this response: no rate limit and no error of the service.
fn is_replayable(response: &ApiResponse) -> bool {
    let status = response.status.as_u16();
    status < 500 && status != 429
}

impl Web {
    /// Acts once for an idempotency key, with what was read of the request. The response to a request that could not be
    /// read is stored, too.
    pub(crate) async fn act_once<R, T: 'static, F>(
        &self,
        operation: Operation,
        caller: Caller,
        idempotency_key: Option<IdempotencyKey>,
        read: Result<R, ApiError>,
        act: impl FnOnce(Caller, R, Option<Idempotent<T>>) -> F,
        render: impl Fn(&T) -> ApiResponse + Clone + Send + 'static,
    ) -> Result<ApiResponse, ApiError>
    where
        F: Future<Output = Result<IdempotentResult<T>, app::Error>>,
    {
        let read = match read {
            Ok(read) => read,
            Err(error) => return self.refuse(operation, &caller, idempotency_key, error).await,
        };
        let idempotent = idempotent(operation, idempotency_key, render.clone());
        Ok(match act(caller, read, idempotent).await? {
            IdempotentResult::Fresh(done) => render(&done),
            IdempotentResult::Replayed(stored) => ApiResponse::replayed(stored),
        })
    }

    /// Stores a response under the idempotency key. Returns the response that was stored first. `shown` are the folios
    /// whose data it has.
    pub(crate) async fn store_response(
        &self,
        caller: &Caller,
        idempotency_key: Option<IdempotencyKey>,
        response: ApiResponse,
        shown: Vec<FolioId>,
    ) -> Result<ApiResponse, ApiError> {
        let Some(idempotency_key) = idempotency_key.filter(|_| is_replayable(&response)) else {
            return Ok(response);
        };
        let Some(kept) = response.to_stored() else {
            return Ok(response);
        };
        let first = self
            .app
            .store_response(caller.company, idempotency_key, kept.clone(), shown)
            .await?;
        Ok(if first == kept {
            response
        } else {
            ApiResponse::replayed(first)
        })
    }

    /// The response to a request that fails before its act.
    pub(crate) async fn refuse(
        &self,
        operation: Operation,
        caller: &Caller,
        idempotency_key: Option<IdempotencyKey>,
        error: ApiError,
    ) -> Result<ApiResponse, ApiError> {
        if idempotency_key.is_none() {
            return Err(error);
        }
        self.store_response(
            caller,
            idempotency_key,
            errors::error_response(operation, &error, None),
            Vec::new(),
        )
        .await
    }
}
