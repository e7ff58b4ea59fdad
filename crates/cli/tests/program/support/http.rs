//! A small HTTP client whose every byte and every wait is in the test's hand.

use super::STALL_TIMEOUT;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};

const HOST: &str = "firmeza.test";

/// A request before it is sent.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn new(method: &str, target: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Self {
        let mut head = format!("{method} {target} HTTP/1.1\r\nhost: {HOST}\r\n");
        for (name, value) in headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        let _ = write!(head, "content-length: {}\r\n", body.len());
        Self { head, body }
    }

    pub(crate) fn get(target: &str) -> Self {
        Self::new("GET", target, &[], Vec::new())
    }

    /// The same, by another name of the host.
    pub(crate) fn with_host(mut self, host: &str) -> Self {
        self.head = self.head.replacen(HOST, host, 1);
        self
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        let _ = write!(self.head, "{name}: {value}\r\n");
        self
    }
}

/// What came back.
#[derive(Debug)]
pub(crate) struct HttpResponse {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl HttpResponse {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error} in a response with {}: {}", self.status, self.text()))
    }
}

/// One connection, kept open from request to request.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
}

impl Connection {
    pub(crate) fn open(port: u16) -> io::Result<Self> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let stream = TcpStream::connect_timeout(&address, STALL_TIMEOUT)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(STALL_TIMEOUT))?;
        stream.set_write_timeout(Some(STALL_TIMEOUT))?;
        Ok(Self {
            stream: BufReader::new(stream),
        })
    }

    pub(crate) fn send(&mut self, request: &Request) -> io::Result<HttpResponse> {
        self.send_head(request)?;
        self.write(&request.body)?;
        self.response()
    }

    pub(crate) fn send_head(&mut self, request: &Request) -> io::Result<()> {
        self.write(format!("{}\r\n", request.head).as_bytes())
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.get_mut().write_all(bytes)
    }

    pub(crate) fn response(&mut self) -> io::Result<HttpResponse> {
        let mut response = self.response_head()?;
        let length = response.header("content-length").map(str::parse);
        let length: usize = length
            .and_then(Result::ok)
            .ok_or_else(|| io::Error::other("a response without a length"))?;
        response.body = self.read(length)?;
        Ok(response)
    }

    /// A response of which only the head is read.
    pub(crate) fn response_head(&mut self) -> io::Result<HttpResponse> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if self.stream.read_line(&mut head)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| io::Error::other(format!("not a response: {head}")))?;
        Ok(HttpResponse {
            status,
            head,
            body: Vec::new(),
        })
    }

    pub(crate) fn read(&mut self, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}
