//! A request's body, bounded in size and in time.

use super::errors::{Cause, Failure};
use axum::body::Body;
use bytes::Bytes;
use http_body_util::BodyExt;
use std::time::Duration;
use tokio::time::Instant;

/// The lowest average rate of a body after its grace period.
const SLOWEST: u64 = 1024;
/// How long a body may pause, as a multiple of the grace period.
const SILENCE: u32 = 3;
/// How long an unread body is drained. A client that is still sending reads the response only if the server
/// keeps reading.
const LINGER: Duration = Duration::from_secs(5);
/// Bodies drained at the same time.
static LINGERING: tokio::sync::Semaphore = tokio::sync::Semaphore::const_new(256);

/// Why reading a body stopped.
#[derive(Debug, Clone, Copy, thiserror::Error)]
pub(crate) enum Broken {
    #[error("too large")]
    TooLarge,
    #[error("too slow")]
    TooSlow,
    #[error("the client went away")]
    Gone,
}

impl From<Broken> for Failure {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::TooLarge => Cause::TooLarge.into(),
            Broken::TooSlow => Cause::TooSlow.into(),
            Broken::Gone => Self::Gone,
        }
    }
}

/// The body of a request.
#[derive(Debug)]
pub(crate) struct Incoming {
    body: Body,
    received: u64,
    begun: Option<Instant>,
    grace: Duration,
    finished: bool,
}

impl Incoming {
    pub(crate) fn new(body: Body, grace: Duration) -> Self {
        let finished = http_body::Body::is_end_stream(&body);
        Self {
            body,
            received: 0,
            begun: None,
            grace,
            finished,
        }
    }

    /// The next bytes; nothing at the end.
    pub(crate) async fn next(&mut self, most: u64) -> Result<Option<Bytes>, Broken> {
        if http_body::Body::size_hint(&self.body).lower() > most.saturating_sub(self.received) {
            return Err(Broken::TooLarge);
        }
        let begun = *self.begun.get_or_insert_with(Instant::now);
        let deadline = begun + self.grace + Duration::from_millis(self.received * 1000 / SLOWEST);
        // A fast start does not buy a long pause: as much as a phone needs to find its network again.
        let deadline = deadline.min(Instant::now() + self.grace * SILENCE);
        loop {
            let frame = tokio::time::timeout_at(deadline, self.body.frame()).await;
            match frame.map_err(|_| Broken::TooSlow)? {
                None => {
                    self.finished = true;
                    return Ok(None);
                }
                Some(Err(_)) => return Err(Broken::Gone),
                Some(Ok(frame)) => {
                    let Ok(bytes) = frame.into_data() else { continue };
                    self.received += bytes.len() as u64;
                    return if self.received > most {
                        Err(Broken::TooLarge)
                    } else {
                        Ok(Some(bytes))
                    };
                }
            }
        }
    }

    /// Upper bound of the bytes still to come, if the client has sent a length.
    pub(crate) fn left(&self) -> Option<u64> {
        http_body::Body::size_hint(&self.body).upper()
    }

    /// Reads the whole body into memory.
    pub(crate) async fn short(&mut self, most: u64) -> Result<Vec<u8>, Broken> {
        let mut whole = Vec::new();
        while let Some(bytes) = self.next(most).await? {
            whole.extend_from_slice(&bytes);
        }
        Ok(whole)
    }

    /// Drains an unread body on a task of its own. Returns whether there was one: the connection must then
    /// be closed. Without the draining, the client would see a reset connection instead of the response.
    pub(crate) fn linger(&mut self) -> bool {
        if self.finished {
            return false;
        }
        let mut body = std::mem::replace(&mut self.body, Body::empty());
        if let Ok(permit) = LINGERING.try_acquire() {
            tokio::spawn(async move {
                let rest = async { while let Some(Ok(_)) = body.frame().await {} };
                let _ = tokio::time::timeout(LINGER, rest).await;
                drop(permit);
            });
        }
        true
    }
}
