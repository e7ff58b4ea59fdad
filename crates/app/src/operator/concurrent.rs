//! Work on many things at once, on all threads of the runtime: a bucket answers each access late, and hashing takes time.

use futures_util::{Stream, StreamExt};
use std::pin::pin;
use tokio::task::{JoinError, JoinSet};

/// Runs work on each item, at most `limit` at once, and passes on the results in any order. Stops at the first error.
pub(crate) async fn for_each_concurrent<I, F, E>(
    items: impl Stream<Item = I>,
    limit: usize,
    work: impl Fn(I) -> F,
    mut take: impl FnMut(F::Output) -> Result<(), E>,
) -> Result<(), E>
where
    F: Future<Output: Send + 'static> + Send + 'static,
    E: From<JoinError>,
{
    let mut items = pin!(items);
    let mut running = JoinSet::new();
    let mut has_more = true;
    loop {
        if has_more && running.len() < limit {
            match items.next().await {
                Some(item) => {
                    running.spawn(work(item));
                }
                None => has_more = false,
            }
            continue;
        }
        match running.join_next().await {
            Some(done) => take(done?)?,
            None => return Ok(()),
        }
    }
}
