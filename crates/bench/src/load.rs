//! The clients: raw connections that stay open, one thread each, in this process so that they are not counted.

use parts::{Error, Result};
use std::io::{IoSlice, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// A round ends after this time, however much of it is done.
const MAX_ROUND_TIME: Duration = Duration::from_secs(20);
/// How long one response may take.
const RESPONSE_TIMEOUT: Duration = Duration::from_mins(1);
/// Bytes of a response's head.
const MAX_HEAD_BYTES: usize = 16 * 1024;

/// One connection.
#[derive(Debug)]
pub(crate) struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    pub(crate) fn connect(port: u16) -> Result<Self> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).map_err(Error::while_("connect"))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(RESPONSE_TIMEOUT))?;
        stream.set_write_timeout(Some(RESPONSE_TIMEOUT))?;
        let buffer = vec![0; 256 * 1024];
        Ok(Self { stream, buffer })
    }

    /// Sends a request of several parts and reads its response, which must be a success.
    pub(crate) fn ask(&mut self, request: &[&[u8]]) -> Result<Response<'_>> {
        let mut slices: Vec<IoSlice<'_>> = request.iter().map(|part| IoSlice::new(part)).collect();
        let mut left = slices.as_mut_slice();
        while !left.is_empty() {
            let sent = self.stream.write_vectored(left).map_err(Error::while_("send"))?;
            IoSlice::advance_slices(&mut left, sent);
        }
        let (head, mut filled) = self.head()?;
        let text = String::from_utf8_lossy(&self.buffer[..head]).into_owned();
        let length = length(&text)?;
        let mut received = filled - head;
        if head + length <= self.buffer.len() {
            while filled < head + length {
                filled += self.read(filled)?;
            }
        } else {
            while received < length {
                received += self.read(0)?;
            }
        }
        let body = &self.buffer[head.min(filled)..filled.min(head + length)];
        if text.starts_with("HTTP/1.1 200") {
            return Ok(Response { body, length });
        }
        let body = String::from_utf8_lossy(body);
        Err(Error::new(format!("a request was refused: {text}{body}")))
    }

    fn head(&mut self) -> Result<(usize, usize)> {
        let mut filled = 0;
        loop {
            filled += self.read(filled)?;
            let end = self.buffer[..filled]
                .windows(4)
                .position(|four| four == b"\r\n\r\n");
            if let Some(end) = end {
                return Ok((end + 4, filled));
            }
            if filled > MAX_HEAD_BYTES {
                return Err(Error::new("a response's head has no end"));
            }
        }
    }

    fn read(&mut self, from: usize) -> Result<usize> {
        match self.stream.read(&mut self.buffer[from..]) {
            Ok(0) => Err(Error::new("the server closed the connection")),
            read => read.map_err(Error::while_("receive")),
        }
    }
}

/// A successful response.
#[derive(Debug)]
pub(crate) struct Response<'c> {
    /// The body, unless it is larger than anyone here wants to see.
    pub(crate) body: &'c [u8],
    /// How many bytes it had.
    pub(crate) length: usize,
}

fn length(head: &str) -> Result<usize> {
    let value = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then_some(value)
    });
    value
        .and_then(|value| value.trim().parse().ok())
        .ok_or_else(|| Error::new(format!("a response without a length: {head}")))
}

/// Has so many clients make that many requests between them, and says how many were made. The work is given a
/// connection and the number of the request.
pub(crate) fn run(
    port: u16,
    clients: usize,
    requests: u64,
    work: impl Fn(&mut Client, u64) -> Result<()> + Sync,
) -> Result<f64> {
    run_on(&[port], clients, requests, work)
}

/// The same with the clients spread over several servers.
pub(crate) fn run_on(
    ports: &[u16],
    clients: usize,
    requests: u64,
    work: impl Fn(&mut Client, u64) -> Result<()> + Sync,
) -> Result<f64> {
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let begun = Instant::now();
    let client = |port: u16| {
        let mut client = Client::connect(port)?;
        while begun.elapsed() < MAX_ROUND_TIME {
            let number = next.fetch_add(1, Relaxed);
            if number >= requests {
                break;
            }
            work(&mut client, number)?;
            done.fetch_add(1, Relaxed);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let client = &client;
        let ports = ports.iter().cycle().take(clients);
        let threads: Vec<_> = ports.map(|port| scope.spawn(move || client(*port))).collect();
        let ended = |thread: thread::ScopedJoinHandle<'_, Result<()>>| {
            thread
                .join()
                .unwrap_or_else(|_| Err(Error::new("a client panicked")))
        };
        threads.into_iter().map(ended).collect::<Result<Vec<()>>>()
    })?;
    #[expect(clippy::cast_precision_loss, reason = "a count of requests is far below 2^52")]
    Ok(done.load(Relaxed) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_is_found_in_any_case() {
        assert_eq!(length("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n").unwrap(), 7);
        assert!(length("HTTP/1.1 200 OK\r\n\r\n").is_err());
    }
}
