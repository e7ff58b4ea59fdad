//! A request's body, bounded in size and in time.

use super::errors::{Cause, Failure};
use axum::body::Body;
use bytes::Bytes;
use http_body_util::BodyExt;
use std::time::Duration;
use tokio::time::Instant;

/// The slowest a body may arrive on the whole after its grace, in bytes a second.
const SLOWEST: u64 = 1024;
/// How long a body may be silent, in graces.
const SILENCE: u32 = 3;
/// How long a body that nobody wants is still read, so that its sender gets to read the answer.
const LINGER: Duration = Duration::from_secs(5);
/// Bodies lingered over at once.
static LINGERING: tokio::sync::Semaphore = tokio::sync::Semaphore::const_new(256);

/// Why no more of a body comes.
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
        // What came fast buys little silence: as much as a telephone needs to find its network again.
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

    /// How many bytes are still to come at the most, if the sender has said so.
    pub(crate) fn left(&self) -> Option<u64> {
        http_body::Body::size_hint(&self.body).upper()
    }

    /// The whole body, which must be short.
    pub(crate) async fn short(&mut self, most: u64) -> Result<Vec<u8>, Broken> {
        let mut whole = Vec::new();
        while let Some(bytes) = self.next(most).await? {
            whole.extend_from_slice(&bytes);
        }
        Ok(whole)
    }

    /// Lets go of a body that was not read to its end. True when there was one: the connection must end, and
    /// the rest is read for a while, or the sender would see a broken connection instead of the answer.
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
