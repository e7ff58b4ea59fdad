//! A stream with a timeout on writes.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// A stream whose writes fail when the client accepts no bytes for the timeout.
#[derive(Debug)]
pub(super) struct WriteTimeout<S> {
    stream: S,
    timeout: Duration,
    /// Created by the first blocked write and reused: few connections need it.
    deadline: Option<Pin<Box<Sleep>>>,
    is_waiting: bool,
}

impl<S> WriteTimeout<S> {
    pub(super) fn new(stream: S, timeout: Duration) -> Self {
        Self {
            stream,
            timeout,
            deadline: None,
            is_waiting: false,
        }
    }

    /// The result of a write. The stream is polled before the timer: a busy machine must not look like a
    /// stalled client.
    fn check_deadline(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.is_waiting = false;
            return written;
        }
        let timeout = self.timeout;
        let deadline = self
            .deadline
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(timeout)));
        if !self.is_waiting {
            self.is_waiting = true;
            deadline.as_mut().reset(Instant::now() + timeout);
        }
        ready!(deadline.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteTimeout<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(cx, bytes);
        this.check_deadline(cx, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(cx, slices);
        this.check_deadline(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    const TIMEOUT: Duration = Duration::from_secs(30);

    #[tokio::test(start_paused = true)]
    async fn a_write_that_the_client_does_not_read_times_out() {
        let (ours, _theirs) = tokio::io::duplex(8);
        let written = WriteTimeout::new(ours, TIMEOUT).write_all(&[0; 64]).await;
        assert_eq!(
            written.map_err(|error| error.kind()),
            Err(io::ErrorKind::TimedOut)
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_slowly_is_not_timed_out() {
        let (ours, mut theirs) = tokio::io::duplex(8);
        let mut ours = WriteTimeout::new(ours, TIMEOUT);
        let write = async move { ours.write_all(&[0; 64]).await };
        let read = async {
            let mut left = 64;
            while left > 0 {
                tokio::time::sleep(TIMEOUT * 9 / 10).await;
                left -= theirs.read(&mut [0; 8]).await.unwrap();
            }
        };
        let (written, ()) = tokio::join!(write, read);
        assert!(written.is_ok(), "{written:?}");
    }
}
