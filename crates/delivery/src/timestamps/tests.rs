use super::*;
use crate::tls::tls_builder;
use rustls::RootCertStore;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Instant;

/// Longer than a busy machine needs; shorter than forever.
const STALL_TIMEOUT: Duration = Duration::from_mins(2);
/// A certificate of its own for `localhost`, good for a hundred years, and its key.
const LOCALHOST: &[u8] = include_bytes!("localhost.crt.der");
const LOCALHOST_KEY: &[u8] = include_bytes!("localhost.key.der");

trait Stream: Read + Write {}
impl<S: Read + Write> Stream for S {}

/// Answers one request; gives the address to ask.
fn authority(
    scheme: &str,
    secure: impl FnOnce(std::net::TcpStream) -> Box<dyn Stream> + Send + 'static,
    answer: impl FnOnce(&mut dyn Stream, Vec<u8>) + Send + 'static,
) -> Url {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let mut stream = BufReader::new(secure(listener.accept().unwrap().0));
        let (mut head, mut line) = (Vec::new(), String::new());
        while stream.read_line(&mut line).unwrap() > 2 {
            head.push(std::mem::take(&mut line).trim().to_lowercase());
        }
        assert_eq!(head[0], "post /tsa?x=1 http/1.1");
        assert!(head.contains(&"content-type: application/timestamp-query".to_owned()));
        let length = head.iter().find_map(|line| line.strip_prefix("content-length: "));
        let mut request = vec![0; length.unwrap().parse().unwrap()];
        stream.read_exact(&mut request).unwrap();
        answer(stream.get_mut(), request);
    });
    format!("{scheme}://localhost:{port}/tsa?x=1").parse().unwrap()
}

fn plain(answer: impl FnOnce(&mut dyn Stream, Vec<u8>) + Send + 'static) -> Url {
    authority("http", |stream| Box::new(stream), answer)
}

fn ask(address: &Url, timeout: Duration, roots: RootCertStore) -> Result<Vec<u8>, TimestampError> {
    let client = TimestampClient::with(
        address,
        tls_builder(roots).unwrap().with_no_client_auth(),
        timeout,
    )?;
    client.wait_for(b"a request")
}

fn ask_plain(address: &Url, timeout: Duration) -> Result<Vec<u8>, TimestampError> {
    ask(address, timeout, RootCertStore::empty())
}

#[test]
fn a_response_comes_with_a_length_and_without() {
    for length in ["content-length: 8\r\n", ""] {
        let address = plain(move |stream, request| {
            assert_eq!(request, b"a request");
            let head = "HTTP/1.1 200 OK\r\nContent-Type: Application/timestamp-reply; x=y\r\n";
            write!(stream, "{head}{length}\r\nresponse").unwrap();
        });
        assert_eq!(ask_plain(&address, STALL_TIMEOUT).unwrap(), b"response");
    }
}

#[test]
fn over_https_the_server_must_be_known() {
    for known in [true, false] {
        let certificate = CertificateDer::from(LOCALHOST);
        let mut roots = RootCertStore::empty();
        if known {
            roots.add(certificate.clone()).unwrap();
        }
        let key = PrivateKeyDer::try_from(LOCALHOST_KEY).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let server = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .unwrap();
        let secure = |stream| -> Box<dyn Stream> {
            let session = rustls::ServerConnection::new(Arc::new(server)).unwrap();
            Box::new(rustls::StreamOwned::new(session, stream))
        };
        let address = authority("https", secure, |stream, _| {
            let head =
                "HTTP/1.1 200 OK\r\ncontent-type: application/timestamp-reply\r\ncontent-length: 8\r\n";
            write!(stream, "{head}\r\nresponse").unwrap();
        });
        let answer = ask(&address, STALL_TIMEOUT, roots);
        if known {
            assert_eq!(answer.unwrap(), b"response");
        } else {
            assert!(
                matches!(&answer, Err(TimestampError::Connection(why)) if why.contains("UnknownIssuer")),
                "{answer:?}"
            );
        }
    }
}

#[test]
fn answers_that_are_none_are_refused() {
    let reply = "HTTP/1.1 200 OK\r\nContent-Type: application/timestamp-reply\r\n";
    for (answer, why) in [
        (String::new(), "no valid response"),
        ("nonsense\r\n\r\n".to_owned(), "no valid response"),
        (
            "HTTP/1.1 503 Busy\r\n\r\n".to_owned(),
            "`503 Service Unavailable`",
        ),
        (
            "HTTP/1.1 302 Found\r\nLocation: /other\r\n\r\n".to_owned(),
            "`302 Found`",
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>hello</p>".to_owned(),
            "`text/html`",
        ),
        (
            format!("{reply}\r\n{}", "x".repeat(MAX_TIMESTAMP_RESPONSE_BYTES + 1)),
            "too many bytes",
        ),
        (
            format!("{reply}x: {}\r\n\r\n", "y".repeat(4 * MAX_HEAD_BYTES)),
            "no valid response",
        ),
    ] {
        let address = plain(move |stream, _| {
            // The client may hang up before the end of a long answer.
            let _ = stream.write_all(answer.as_bytes());
        });
        let refused = ask_plain(&address, STALL_TIMEOUT);
        assert!(
            matches!(&refused, Err(TimestampError::Answer(said)) if said.contains(why)),
            "{why}: {refused:?}"
        );
    }
}

#[test]
fn an_exchange_ends_with_its_timeout() {
    let silent = plain(|_, _| std::thread::park_timeout(2 * STALL_TIMEOUT));
    let dripping = plain(|stream, _| {
        let mut written = stream.write_all(b"HTTP/1.1 200 OK\r\nx: ");
        while written.is_ok() {
            std::thread::park_timeout(Duration::from_millis(20));
            written = stream.write_all(b"y");
        }
    });
    for address in [silent, dripping] {
        let begun = Instant::now();
        let refused = ask_plain(&address, Duration::from_millis(300));
        assert!(matches!(refused, Err(TimestampError::Timeout)), "{refused:?}");
        assert!(begun.elapsed() < STALL_TIMEOUT);
    }
}

#[test]
fn an_unreachable_server_is_an_error() {
    // Bound, so that nothing else gets the port; without a listener, so that connections are refused.
    let closed = tokio::net::TcpSocket::new_v4().unwrap();
    closed.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = format!("http://{}/", closed.local_addr().unwrap())
        .parse()
        .unwrap();
    let refused = ask_plain(&address, STALL_TIMEOUT);
    assert!(
        matches!(refused, Err(TimestampError::Connection(_))),
        "{refused:?}"
    );
}

#[test]
fn addresses_that_are_none_are_refused() {
    let refused = ask_plain(&"ftp://tsa.example/".parse().unwrap(), STALL_TIMEOUT);
    assert!(matches!(refused, Err(TimestampError::Address(_))), "{refused:?}");
    for address in ["http://u@h/", "http://u:secret-word@h/"] {
        let refused = ask_plain(&address.parse().unwrap(), STALL_TIMEOUT);
        assert!(
            matches!(refused, Err(TimestampError::PlainPassword)),
            "{refused:?}"
        );
        assert!(!refused.unwrap_err().to_string().contains("secret-word"));
    }
}
