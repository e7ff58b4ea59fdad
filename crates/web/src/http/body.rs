//! A request's body, bounded in size and in time.

use axum::body::Body;
use bytes::Bytes;
use http_body_util::BodyExt;
use std::time::Duration;
use tokio::time::Instant;

/// The lowest average rate of a body after its grace period.
const MIN_BYTES_PER_SECOND: u64 = 1024;
/// How long a body may pause, as a multiple of the grace period.
const MAX_SILENCE_GRACES: u32 = 3;
/// Why reading a body stopped.
#[derive(Debug, Clone, Copy, thiserror::Error)]
pub(crate) enum BodyError {
    #[error("too large")]
    TooLarge,
    #[error("too slow")]
    TooSlow,
    #[error("the client went away")]
    Gone,
    #[error("malformed")]
    Malformed,
}

/// The body of a request.
#[derive(Debug)]
pub(crate) struct RequestBody {
    body: Body,
    received: u64,
    started: Option<Instant>,
    grace: Duration,
}

impl RequestBody {
    pub(crate) fn new(body: Body, grace: Duration) -> Self {
        Self {
            body,
            received: 0,
            started: None,
            grace,
        }
    }

    /// The next bytes; nothing at the end.
    pub(crate) async fn next(&mut self, max_bytes: u64) -> Result<Option<Bytes>, BodyError> {
        if http_body::Body::size_hint(&self.body).lower() > max_bytes.saturating_sub(self.received) {
            return Err(BodyError::TooLarge);
        }
        let started = *self.started.get_or_insert_with(Instant::now);
        let deadline =
            started + self.grace + Duration::from_millis(self.received * 1000 / MIN_BYTES_PER_SECOND);
        // A fast start does not buy a long pause: as much as a phone needs to find its network again.
        let deadline = deadline.min(Instant::now() + self.grace * MAX_SILENCE_GRACES);
        loop {
            let frame = tokio::time::timeout_at(deadline, self.body.frame()).await;
            match frame.map_err(|_| BodyError::TooSlow)? {
                None => return Ok(None),
                Some(Err(_)) => return Err(BodyError::Gone),
                Some(Ok(frame)) => {
                    let Ok(bytes) = frame.into_data() else { continue };
                    self.received += bytes.len() as u64;
                    return if self.received > max_bytes {
                        Err(BodyError::TooLarge)
                    } else {
                        Ok(Some(bytes))
                    };
                }
            }
        }
    }

    /// Upper bound of the bytes still to come, if the client has sent a length.
    pub(crate) fn remaining(&self) -> Option<u64> {
        http_body::Body::size_hint(&self.body).upper()
    }

    /// Reads the whole body into memory.
    pub(crate) async fn read_whole(&mut self, max_bytes: u64) -> Result<Vec<u8>, BodyError> {
        let mut whole = Vec::new();
        while let Some(bytes) = self.next(max_bytes).await? {
            whole.extend_from_slice(&bytes);
        }
        Ok(whole)
    }
}
