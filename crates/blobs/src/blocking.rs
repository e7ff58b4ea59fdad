//! Blocking work, off the async threads.

use crate::Error;

pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    #[cfg(feature = "simulation")]
    if let Some(fault) = crate::simulated::next_fault() {
        return crate::simulated::run(work, fault);
    }
    tokio::task::spawn_blocking(work)
        .await
        .map_err(Error::interrupted)?
}
