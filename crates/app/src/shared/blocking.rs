//! Blocking work of acts and workers, off the async threads.

use crate::Error;

pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    #[cfg(feature = "simulation")]
    if crate::shared::simulated::is_on() {
        return work();
    }
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Error::Internal(error.into()))?
}
