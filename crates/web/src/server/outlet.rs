//! The way out to a client: what lies in a file that the system has in memory is sent from there, without a copy.

use rustix::fs::sendfile;
use rustix::net::{SendAncillaryBuffer, SendFlags, sendmsg};
use std::fs::File;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;

/// A connection, and whoever knows in which file, and where in it, bytes lie that are the same as some in memory.
#[derive(Debug)]
pub(super) struct Outlet<F> {
    stream: TcpStream,
    files: F,
}

/// What of a write lies in a file.
struct Found {
    file: Arc<File>,
    from: u64,
    len: usize,
    /// How many slices come before it.
    before: usize,
}

impl<F: Fn(&[u8]) -> Option<(Arc<File>, u64)>> Outlet<F> {
    pub(super) const fn new(stream: TcpStream, files: F) -> Self {
        Self { stream, files }
    }

    fn find(&self, slices: &[IoSlice<'_>]) -> Option<Found> {
        slices.iter().enumerate().find_map(|(before, slice)| {
            (self.files)(slice).map(|(file, from)| Found {
                file,
                from,
                len: slice.len(),
                before,
            })
        })
    }

    /// Sends what lies in a file, after the slices before it; how much of all that was sent.
    fn send(&self, slices: &[IoSlice<'_>], found: &Found) -> io::Result<usize> {
        let before = &slices[..found.before];
        let mut sent = 0;
        if !before.is_empty() {
            let more = SendFlags::MORE | SendFlags::NOSIGNAL;
            sent = sendmsg(&self.stream, before, &mut SendAncillaryBuffer::default(), more)?;
            if sent < before.iter().map(|slice| slice.len()).sum() {
                return Ok(sent);
            }
        }
        let mut from = found.from;
        match sendfile(&self.stream, &*found.file, Some(&mut from), found.len) {
            Ok(more) => Ok(sent + more),
            // Whoever sends the rest will be told.
            Err(_) if sent > 0 => Ok(sent),
            Err(error) => Err(error.into()),
        }
    }
}

impl<F: Fn(&[u8]) -> Option<(Arc<File>, u64)> + Unpin> AsyncWrite for Outlet<F> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(cx, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if let Some(found) = this.find(slices) {
            loop {
                ready!(this.stream.poll_write_ready(cx))?;
                let sent = this
                    .stream
                    .try_io(Interest::WRITABLE, || this.send(slices, &found));
                match sent {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    // The file is not what it was, or the system cannot send it: there are still the bytes.
                    Ok(0) | Err(_) => break,
                    Ok(sent) => return Poll::Ready(Ok(sent)),
                }
            }
        }
        Pin::new(&mut this.stream).poll_write_vectored(cx, slices)
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

impl<F: Unpin> AsyncRead for Outlet<F> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(cx, buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    const LEN: usize = 3_000_000;

    /// What a client gets that is sent a head, a body and an end, where the body's place in a file is said to be there.
    async fn sent(body: &[u8], files: impl Fn(&[u8]) -> Option<(Arc<File>, u64)> + Unpin) -> Vec<u8> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (ours, theirs) = tokio::join!(
            TcpStream::connect(listener.local_addr().unwrap()),
            listener.accept()
        );
        let (mut client, mut outlet) = (ours.unwrap(), Outlet::new(theirs.unwrap().0, files));
        let send = async move {
            let mut slices = [b"head" as &[u8], body, b"end"].map(IoSlice::new);
            let mut left = &mut slices[..];
            while !left.is_empty() {
                let sent = outlet.write_vectored(left).await.unwrap();
                IoSlice::advance_slices(&mut left, sent);
            }
        };
        let mut got = Vec::new();
        let (read, ()) = tokio::join!(client.read_to_end(&mut got), send);
        read.unwrap();
        got
    }

    /// Bytes that tell where they stand.
    fn body() -> Vec<u8> {
        (0..LEN)
            .map(|at| (at ^ at >> 8 ^ at >> 16).to_le_bytes()[0])
            .collect()
    }

    fn file(bytes: &[u8]) -> Arc<File> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        Arc::new(file)
    }

    fn place_in(body: &[u8], slice: &[u8]) -> Option<u64> {
        let at = slice.as_ptr().addr().checked_sub(body.as_ptr().addr())?;
        (at + slice.len() <= body.len() && slice.len() > 4).then_some(at as u64)
    }

    #[tokio::test]
    async fn what_lies_in_a_file_is_sent_from_there() {
        let body = body();
        // Different bytes, so that it can be told where those that come are from.
        let other: Vec<u8> = body.iter().map(|byte| !byte).collect();
        let file = file(&[&b"before"[..], &other].concat());
        let files = |slice: &[u8]| Some((Arc::clone(&file), place_in(&body, slice)? + 6));
        assert!(sent(&body, files).await == [&b"head"[..], &other, b"end"].concat());
    }

    #[tokio::test]
    async fn what_cannot_be_sent_from_a_file_is_sent_from_memory() {
        let body = body();
        let whole = [&b"head"[..], &body, b"end"].concat();
        let (short, none) = (file(&body[..1_000]), Arc::new(File::open("/").unwrap()));
        for file in [short, none] {
            let files = |slice: &[u8]| Some((Arc::clone(&file), place_in(&body, slice)?));
            assert!(sent(&body, files).await == whole);
        }
        assert!(sent(&body, |_: &[u8]| None).await == whole);
    }
}
