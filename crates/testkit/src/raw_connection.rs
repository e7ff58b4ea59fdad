//! A client that sends exactly the given bytes, valid or not.

use crate::app::TestApp;
use crate::form::Form;
use crate::response::TestResponse;
use http::{HeaderMap, HeaderName, HeaderValue};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// How long a response may take.
const RESPONSE_TIMEOUT: Duration = Duration::from_mins(2);

/// A connection.
#[derive(Debug)]
pub struct RawConnection {
    stream: TcpStream,
    received: Vec<u8>,
}

impl RawConnection {
    /// Connects.
    pub async fn connect(app: &TestApp) -> Self {
        Self {
            stream: TcpStream::connect(app.address()).await.unwrap(),
            received: Vec::new(),
        }
    }

    /// The head of a form's request with that length.
    pub fn head(path: &str, key: &str, length: usize) -> String {
        format!(
            "POST /api/integrations/{path} HTTP/1.1\r\nhost: test\r\nx-api-key: {key}\r\n\
             content-type: {}\r\ncontent-length: {length}\r\n\r\n",
            Form::content_type()
        )
    }

    /// Sends bytes. A server that has closed its side meanwhile is not this call's business.
    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let _ = self.stream.write_all(bytes.as_ref()).await;
    }

    /// Sends bytes, all of which the server has to take.
    pub async fn send_whole(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).await.unwrap();
    }

    /// Sends bytes one by one at that pace. The response, if it comes before the last of them.
    pub async fn trickle(&mut self, bytes: &[u8], pace: Duration) -> Option<TestResponse> {
        for byte in bytes {
            self.send([*byte]).await;
            let answered = tokio::time::timeout(pace, self.stream.peek(&mut [0])).await;
            if answered.is_ok() {
                return Some(self.response().await);
            }
        }
        None
    }

    /// Waits to be asked for the body, which the request's head has to expect.
    pub async fn wait_for_continue(&mut self) {
        const CONTINUE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";
        while self.received.len() < CONTINUE.len() {
            tokio::time::timeout(RESPONSE_TIMEOUT, self.more())
                .await
                .expect("to be asked in time");
        }
        assert!(self.received.starts_with(CONTINUE));
        self.received.drain(..CONTINUE.len());
    }

    /// The next response; its body must have a length.
    pub async fn response(&mut self) -> TestResponse {
        tokio::time::timeout(RESPONSE_TIMEOUT, self.read_response())
            .await
            .expect("a response in time")
    }

    /// Whether the server ends the connection, without another byte, once this side has ended.
    pub async fn is_closed(&mut self) -> bool {
        // Until then a server may read on, so that its response is not lost with what was still on its way.
        let _ = self.stream.shutdown().await;
        let more = tokio::time::timeout(RESPONSE_TIMEOUT, self.stream.read_u8()).await;
        self.received.is_empty() && matches!(more, Ok(Err(_)))
    }

    async fn read_response(&mut self) -> TestResponse {
        let end = loop {
            if let Some(end) = self.received.windows(4).position(|w| w == b"\r\n\r\n") {
                break end;
            }
            self.more().await;
        };
        let head = String::from_utf8(self.received.drain(..end + 4).collect()).unwrap();
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1));
        let status = status
            .and_then(|status| status.parse().ok())
            .expect("a status line");
        let headers: HeaderMap = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| {
                let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
                (name, HeaderValue::from_str(value).unwrap())
            })
            .collect();
        let length = headers
            .get("content-length")
            .and_then(|value| value.to_str().ok());
        let length: usize = length.and_then(|text| text.parse().ok()).unwrap_or(0);
        while self.received.len() < length {
            self.more().await;
        }
        TestResponse {
            status,
            headers,
            body: self.received.drain(..length).collect(),
        }
    }

    async fn more(&mut self) {
        let read = self.stream.read_buf(&mut self.received).await.unwrap_or(0);
        assert!(read > 0, "the connection ended before the answer");
    }
}
