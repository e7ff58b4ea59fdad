//! An answer, read whole.

use crate::redact::redacted;
use http::{HeaderMap, StatusCode};
use serde_json::Value;
use std::fmt::Write;

/// What the server said.
#[derive(Debug, Clone)]
pub struct TestResponse {
    /// Status code.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// Body.
    pub body: Vec<u8>,
}

impl TestResponse {
    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        let read = serde_json::from_slice(&self.body);
        read.unwrap_or_else(|error| panic!("not JSON ({error}): {}", self.text()))
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The JSON of an answer that must be a success.
    #[track_caller]
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text());
        self.json()
    }

    /// A member of the JSON, by pointer, as text.
    #[track_caller]
    pub fn at(&self, pointer: &str) -> String {
        let json = self.json();
        let found = json.pointer(pointer).and_then(Value::as_str);
        found
            .unwrap_or_else(|| panic!("no text at {pointer}: {json}"))
            .to_owned()
    }

    /// The words of the message, in whichever envelope.
    #[track_caller]
    pub fn message(&self) -> String {
        let json = self.json();
        let found = json
            .pointer("/message")
            .or_else(|| json.pointer("/error/message"));
        found.and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Insists on a status, on the envelope's own copy of it, and on the words.
    #[track_caller]
    pub fn refused(&self, status: u16, words: &str) {
        assert_eq!(self.status, status, "{}", self.text());
        let json = self.json();
        assert_eq!(json["success"], false, "{json}");
        assert_eq!(json["status"], status, "{json}");
        assert!(self.message().contains(words), "`{words}` is not in {json}");
    }

    /// Status and body as a snapshot shows them: identifiers and tokens numbered, not spelled.
    pub fn shown(&self) -> String {
        let status = StatusCode::from_u16(self.status).unwrap();
        let mut shown = format!("{status}\n");
        let body = match serde_json::from_slice::<Value>(&self.body) {
            Ok(json) => serde_json::to_string_pretty(&json).unwrap(),
            Err(_) => self.text(),
        };
        write!(shown, "{body}").unwrap();
        redacted(&shown)
    }
}
