//! Waiting for a condition.

use std::time::{Duration, Instant};

/// How long a test application waits for what the real one waits for a few seconds. A busy machine may stop any
/// part of a test for that long, and what is tested is not how fast the machine is.
pub(crate) const STALL_TIMEOUT: Duration = Duration::from_mins(1);
/// How long anything may take before the test gives up.
const WAIT_TIMEOUT: Duration = Duration::from_mins(2);

/// An answer that takes longer took work that grows faster than what was asked. A busy machine may halt for less.
pub const PROMPT: Duration = Duration::from_secs(30);

/// Asks again and again until there is an answer.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let mut asked = 0;
/// let answer = testkit::until("the third time", async || {
///     asked += 1;
///     (asked == 3).then_some(asked)
/// });
/// assert_eq!(answer.await, 3);
/// # });
/// ```
pub async fn until<T>(what: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        assert!(begun.elapsed() < WAIT_TIMEOUT, "waited in vain for {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
