//! RFC 3161 over plain HTTP, as public authorities offer it: responses are signed.

use super::client::{REQUEST_TYPE, RESPONSE_TYPE, Transport};
use super::error::Error;
use super::response::RESPONSE_LIMIT;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// Bytes of a response's head.
const HEAD_LIMIT: usize = 16 * 1024;

/// An authority behind an `http://` address.
#[derive(Debug, Clone)]
pub struct HttpTransport {
    host: String,
    authority: String,
    path: String,
    timeout: Duration,
}

/// Why an authority could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// Not an `http://` address.
    #[error("`{0}` is not an http:// address")]
    Address(String),
    /// The connection failed, or the response was late.
    #[error("the timestamp authority could not be reached")]
    Connection(#[from] io::Error),
    /// The response was no timestamp response.
    #[error("the timestamp authority answered {0}")]
    Answer(String),
    /// The response was not acceptable.
    #[error(transparent)]
    Response(#[from] Error),
}

impl HttpTransport {
    /// An authority at that address, which must answer within `timeout`, the connection included.
    pub fn new(address: &str, timeout: Duration) -> Result<Self, HttpError> {
        let bad = || HttpError::Address(address.to_owned());
        let rest = address.strip_prefix("http://").ok_or_else(bad)?;
        let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        let clean = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
        if authority.is_empty() || authority.contains('@') || !clean(authority) || !clean(path) {
            return Err(bad());
        }
        let has_port = authority
            .rsplit_once(':')
            .is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        Ok(Self {
            host: authority.to_owned(),
            authority: if has_port {
                authority.to_owned()
            } else {
                format!("{authority}:80")
            },
            path: if path.starts_with('/') {
                path.to_owned()
            } else {
                format!("/{path}")
            },
            timeout,
        })
    }

    fn connect(&self, deadline: Instant) -> Result<TcpStream, HttpError> {
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for address in self.authority.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, left(deadline)?) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error,
            }
        }
        Err(last.into())
    }
}

impl Transport for HttpTransport {
    type Error = HttpError;

    fn exchange(&mut self, request: &[u8]) -> Result<Vec<u8>, HttpError> {
        let deadline = Instant::now() + self.timeout;
        let mut stream = self.connect(deadline)?;
        // HTTP/1.0: the response comes in one piece and ends with the connection.
        let head = format!(
            "POST {} HTTP/1.0\r\nHost: {}\r\nContent-Type: {REQUEST_TYPE}\r\nAccept: {RESPONSE_TYPE}\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            self.path,
            self.host,
            request.len()
        );
        stream.set_write_timeout(Some(left(deadline)?))?;
        stream.write_all(&[head.as_bytes(), request].concat())?;
        let answer = read(&mut stream, deadline)?;
        body(&answer)
    }
}

fn left(deadline: Instant) -> io::Result<Duration> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        Err(io::ErrorKind::TimedOut.into())
    } else {
        Ok(left)
    }
}

/// Reads until the end of the connection, or of the stated length, within the limits.
fn read(stream: &mut TcpStream, deadline: Instant) -> Result<Vec<u8>, HttpError> {
    let mut answer = Vec::new();
    let mut block = [0; 8192];
    loop {
        stream.set_read_timeout(Some(left(deadline)?))?;
        let count = stream.read(&mut block)?;
        answer.extend_from_slice(&block[..count]);
        if count == 0 || is_complete(&answer) {
            return Ok(answer);
        }
        if answer.len() > HEAD_LIMIT + RESPONSE_LIMIT {
            return Err(HttpError::Answer("with too many bytes".to_owned()));
        }
    }
}

fn split(answer: &[u8]) -> Option<(&str, &[u8])> {
    let end = memchr::memmem::find(answer, b"\r\n\r\n")?;
    Some((std::str::from_utf8(&answer[..end]).ok()?, &answer[end + 4..]))
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = head.lines().skip(1).filter_map(|line| line.split_once(':'));
    lines
        .find(|(key, _)| key.trim().eq_ignore_ascii_case(name))
        .map(|(_, value)| value.trim())
}

fn is_complete(answer: &[u8]) -> bool {
    let stated = |head| header(head, "content-length").and_then(|length| length.parse::<usize>().ok());
    split(answer).is_some_and(|(head, body)| stated(head).is_some_and(|length| body.len() >= length))
}

fn body(answer: &[u8]) -> Result<Vec<u8>, HttpError> {
    let (head, body) = split(answer).ok_or_else(|| HttpError::Answer("without a head".to_owned()))?;
    let first = head.lines().next().unwrap_or_default();
    if first.split(' ').nth(1) != Some("200") {
        return Err(HttpError::Answer(format!("`{first}`")));
    }
    let kind = header(head, "content-type").unwrap_or_default();
    if !kind
        .split(';')
        .next()
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case(RESPONSE_TYPE))
    {
        return Err(HttpError::Answer(format!("with the content type `{kind}`")));
    }
    if body.len() > RESPONSE_LIMIT {
        return Err(HttpError::Answer("with too many bytes".to_owned()));
    }
    Ok(body.to_vec())
}
