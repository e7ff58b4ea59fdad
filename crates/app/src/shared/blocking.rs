//! Blocking work of acts and workers, off the async threads.

use crate::Error;
use tracing::Span;

pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    #[cfg(feature = "simulation")]
    if crate::shared::simulated::is_on() {
        return work();
    }
    let caller = Span::current();
    let done = tokio::task::spawn_blocking(move || caller.in_scope(work)).await;
    done.map_err(|error| Error::Internal(error.into()))?
}
