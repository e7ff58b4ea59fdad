//! Asking a timestamp authority over HTTP: one that answers, and several that do not.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod authority_tools;
mod cms_tools;
mod time_tools;

use authority_tools::{authority, now, rng};
use pki::authority::LocalKey;
use pki::cms::DigestAlgorithm;
use pki::time::{HttpError, HttpTransport, Imprint, Inquiry, Transport};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};
use time_tools::stamping;

/// Answers one connection; gives the address to ask.
fn responder(answer: impl FnOnce(TcpStream, Vec<u8>) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/tsa?x=1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = Vec::new();
        let mut block = [0; 4096];
        let body = loop {
            let count = stream.read(&mut block).unwrap();
            request.extend_from_slice(&block[..count]);
            let text = String::from_utf8_lossy(&request).into_owned();
            let Some((head, _)) = text.split_once("\r\n\r\n") else {
                continue;
            };
            assert!(head.starts_with("POST /tsa?x=1 HTTP/1.0\r\n"), "{head}");
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("Content-Length: "))
                .unwrap();
            let body = &request[head.len() + 4..];
            if body.len() == length.parse::<usize>().unwrap() {
                break body.to_vec();
            }
        };
        answer(stream, body);
    });
    address
}

fn inquiry() -> Inquiry {
    Inquiry::new(Imprint::of(DigestAlgorithm::Sha256, b"a document"), None, &rng()).unwrap()
}

fn ask(address: &str, timeout: u64) -> Result<(), HttpError> {
    let mut transport = HttpTransport::new(address, Duration::from_millis(timeout))?;
    transport.ask(&inquiry(), now()).map(drop)
}

#[test]
fn a_timestamp_comes_over_http() {
    for with_length in [true, false] {
        let tsa = stamping(&authority(), LocalKey::generate().unwrap());
        let address = responder(move |mut stream, request| {
            let reply = tsa.answer(&request, now(), &rng());
            let length = if with_length {
                format!("Content-Length: {}\r\n", reply.len())
            } else {
                String::new()
            };
            let head =
                format!("HTTP/1.1 200 OK\r\n{length}content-type: application/timestamp-reply; x=y\r\n\r\n");
            stream.write_all(&[head.as_bytes(), &reply].concat()).unwrap();
        });
        ask(&address, 10_000).unwrap();
    }
}

#[test]
fn answers_that_are_none_are_refused() {
    let endless = "HTTP/1.1 200 OK\r\nContent-Type: application/timestamp-reply\r\n\r\n".to_owned()
        + &"x".repeat(1 << 21);
    for answer in [
        String::new(),
        "nonsense".to_owned(),
        "HTTP/1.1 503 Busy\r\n\r\n".to_owned(),
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>hello</p>".to_owned(),
        endless,
    ] {
        let shown: String = answer.chars().take(60).collect();
        let address = responder(move |mut stream, _| {
            // The client may hang up before the end of an endless answer.
            let _ = stream.write_all(answer.as_bytes());
        });
        assert!(
            matches!(ask(&address, 10_000), Err(HttpError::Answer(_))),
            "{shown}"
        );
    }
    let address = responder(|mut stream, _| {
        stream
            .write_all(b"HTTP/1.1 200 OK\r\nContent-Type: application/timestamp-reply\r\n\r\n0000")
            .unwrap();
    });
    assert!(matches!(ask(&address, 10_000), Err(HttpError::Response(_))));
}

#[test]
fn an_exchange_ends_with_its_timeout() {
    let silent = responder(|stream, _| {
        std::thread::park_timeout(Duration::from_mins(1));
        drop(stream);
    });
    let dripping = responder(|mut stream, _| {
        while stream.write_all(b"H").is_ok() {
            std::thread::park_timeout(Duration::from_millis(20));
        }
    });
    for address in [silent, dripping] {
        let begun = Instant::now();
        assert!(matches!(ask(&address, 300), Err(HttpError::Connection(_))));
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn addresses_that_are_none_are_refused() {
    for address in [
        "https://tsa.example",
        "tsa.example",
        "http://",
        "http://a b/",
        "http://u@h/",
        "http://h/\r\nX: y",
    ] {
        let refused = HttpTransport::new(address, Duration::from_secs(1));
        assert!(matches!(refused, Err(HttpError::Address(_))), "{address}");
    }
}
