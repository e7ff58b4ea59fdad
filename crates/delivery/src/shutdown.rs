//! The order to stop, which every worker waits for beside its work.

use tokio::sync::watch;

/// Waits for the order to stop.
pub(crate) async fn stop_requested(stopping: &mut watch::Receiver<bool>) {
    // A dropped sender means stop as well.
    let _ = stopping.wait_for(|stop| *stop).await;
}
