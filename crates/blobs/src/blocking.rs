//! Blocking work, off the async threads.

use crate::Error;
use tracing::Span;

/// Runs the work. What it logs belongs to the caller's request.
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    #[cfg(feature = "simulation")]
    if let Some(fault) = crate::simulated::next_fault() {
        return crate::simulated::run(work, fault);
    }
    let caller = Span::current();
    tokio::task::spawn_blocking(move || caller.in_scope(work))
        .await
        .map_err(Error::interrupted)?
}
