//! Lingering close: after a response to a request whose body was not read, the server reads on for a while before it
//! closes. A client that is still sending would otherwise see a reset connection instead of the response.

use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// How long the server reads on.
const MAX_LINGER: Duration = Duration::from_secs(30);
/// How long the client may send nothing meanwhile.
const MAX_SILENCE: Duration = Duration::from_secs(5);
/// Bytes that are read and discarded at once.
const DISCARD_BYTES: usize = 16 * 1024;

/// Whether a connection's last request had a body that was not read to its end.
#[derive(Debug, Clone, Default)]
pub(super) struct UnreadBody(Arc<AtomicBool>);

impl UnreadBody {
    pub(super) fn is_unread(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// The body of the connection's next request.
    pub(super) fn watch(&self, body: Incoming) -> WatchedBody<Incoming> {
        self.0.store(false, Ordering::Release);
        WatchedBody {
            body,
            ended: false,
            unread: self.clone(),
        }
    }
}

/// A request's body that tells the connection if it is dropped before its end.
#[derive(Debug)]
pub(super) struct WatchedBody<B: Body> {
    body: B,
    ended: bool,
    unread: UnreadBody,
}

impl<B: Body + Unpin> Body for WatchedBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let this = self.get_mut();
        let frame = ready!(Pin::new(&mut this.body).poll_frame(cx));
        this.ended = !matches!(frame, Some(Ok(_)));
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<B: Body> Drop for WatchedBody<B> {
    fn drop(&mut self) {
        if !self.ended && !self.body.is_end_stream() {
            self.unread.0.store(true, Ordering::Release);
        }
    }
}

/// A stream that is closed slowly if a request's body was not read.
#[derive(Debug)]
pub(super) struct LingeringClose<S> {
    stream: S,
    unread: UnreadBody,
    /// Bytes that are still discarded.
    bytes_left: u64,
    timers: Option<Timers>,
}

#[derive(Debug)]
struct Timers {
    end: Pin<Box<Sleep>>,
    silence: Pin<Box<Sleep>>,
}

impl<S> LingeringClose<S> {
    /// Discards up to that many bytes before it closes.
    pub(super) const fn new(stream: S, unread: UnreadBody, max_bytes: u64) -> Self {
        Self {
            stream,
            unread,
            bytes_left: max_bytes,
            timers: None,
        }
    }
}

impl<S: AsyncRead + Unpin> LingeringClose<S> {
    /// Reads and discards until the client closes its side, or a limit is reached.
    fn poll_discard(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let timers = self.timers.get_or_insert_with(|| Timers {
            end: Box::pin(tokio::time::sleep(MAX_LINGER)),
            silence: Box::pin(tokio::time::sleep(MAX_SILENCE)),
        });
        while self.bytes_left > 0 {
            let mut space = [0; DISCARD_BYTES];
            let mut buffer = ReadBuf::new(&mut space);
            let Poll::Ready(read) = Pin::new(&mut self.stream).poll_read(cx, &mut buffer) else {
                let over =
                    timers.end.as_mut().poll(cx).is_ready() || timers.silence.as_mut().poll(cx).is_ready();
                return if over { Poll::Ready(()) } else { Poll::Pending };
            };
            let bytes = buffer.filled().len();
            if read.is_err() || bytes == 0 {
                break;
            }
            self.bytes_left = self.bytes_left.saturating_sub(bytes as u64);
            timers.silence.as_mut().reset(Instant::now() + MAX_SILENCE);
        }
        Poll::Ready(())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for LingeringClose<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for LingeringClose<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.timers.is_none() {
            ready!(Pin::new(&mut this.stream).poll_shutdown(cx))?;
        }
        if this.unread.is_unread() {
            ready!(this.poll_discard(cx));
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

    fn linger(unread: bool, max_bytes: u64) -> (LingeringClose<DuplexStream>, DuplexStream) {
        let (ours, theirs) = tokio::io::duplex(64);
        let state = UnreadBody::default();
        state.0.store(unread, Ordering::Release);
        (LingeringClose::new(ours, state, max_bytes), theirs)
    }

    /// How long closing takes while the client sends ten bytes each interval, for that many times, and then waits.
    async fn closed_after(unread: bool, max_bytes: u64, interval: Duration, times: usize) -> Duration {
        let (mut ours, mut theirs) = linger(unread, max_bytes);
        let started = Instant::now();
        let client = async {
            for _ in 0..times {
                tokio::time::sleep(interval).await;
                if theirs.write_all(&[0; 10]).await.is_err() {
                    return;
                }
            }
            std::future::pending::<()>().await;
        };
        let close = async {
            ours.shutdown().await.unwrap();
            started.elapsed()
        };
        tokio::select! {
            elapsed = close => elapsed,
            () = client => unreachable!("the server waits for the client's end"),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn it_ends_after_silence_after_its_time_and_after_its_bytes() {
        let second = Duration::from_secs(1);
        assert_eq!(
            closed_after(true, 1000, second, 3).await,
            Duration::from_secs(3) + MAX_SILENCE
        );
        assert_eq!(closed_after(true, 1000, second, 100).await, MAX_LINGER);
        assert_eq!(closed_after(true, 40, second, 100).await, Duration::from_secs(4));
        assert_eq!(closed_after(false, 1000, second, 100).await, Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn the_client_reads_the_response_while_it_is_still_sending() {
        let (mut ours, mut theirs) = linger(true, 1 << 20);
        let server = async {
            ours.write_all(b"no").await.unwrap();
            ours.shutdown().await.unwrap();
        };
        let client = async {
            for _ in 0..100 {
                theirs.write_all(&[0; 100]).await.unwrap();
            }
            let mut response = String::new();
            theirs.read_to_string(&mut response).await.unwrap();
            theirs.shutdown().await.unwrap();
            response
        };
        let started = Instant::now();
        let ((), response) = tokio::join!(server, client);
        assert_eq!((response.as_str(), started.elapsed()), ("no", Duration::ZERO));
    }
}
