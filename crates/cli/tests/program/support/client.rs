//! An integrator's system: a key, a connection, and the operations.

use super::http::{Connection, HttpResponse, Request};
use super::order::{Form, Order};
use serde_json::{Value, json};
use std::io;

/// A caller with a key.
pub(crate) struct Client {
    port: u16,
    key: String,
    connection: Option<Connection>,
}

impl Client {
    pub(crate) fn new(port: u16, key: &str) -> Self {
        Self {
            port,
            key: key.to_owned(),
            connection: None,
        }
    }

    /// Another one with the same key.
    pub(crate) fn another(&self) -> Self {
        Self::new(self.port, &self.key)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The request with the key.
    pub(crate) fn signed(&self, request: Request) -> Request {
        request.with("x-api-key", &format!("Bearer {}", self.key))
    }

    /// Sends a request; the answer, or that none came.
    pub(crate) fn try_send(&mut self, request: Request) -> io::Result<HttpResponse> {
        let request = self.signed(request);
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => Connection::open(self.port)?,
        };
        let answer = connection.send(&request)?;
        if answer.header("connection") != Some("close") {
            self.connection = Some(connection);
        }
        Ok(answer)
    }

    /// Sends a request that is answered, on a connection of its own.
    pub(crate) fn send(&self, request: Request) -> HttpResponse {
        self.another().try_send(request).expect("an answer")
    }

    pub(crate) fn create(&self, order: &Order) -> HttpResponse {
        self.send(order.request())
    }

    /// Creates a folio, which must succeed; its identifier.
    pub(crate) fn created(&self, order: &Order) -> String {
        folio_id(&done(&self.create(order)))
    }

    pub(crate) fn read(&self, folio: &str) -> HttpResponse {
        self.send(read(folio))
    }

    /// The identifiers of a folio's documents.
    pub(crate) fn documents(&self, folio: &str) -> Vec<String> {
        document_ids(&done(&self.read(folio))["data"])
    }
}

/// Signs a folio as each of its signers, in a sandbox.
pub(crate) fn sign_all(client: &Client, folio: &str) {
    let detail = done(&client.read(folio));
    for signer in detail["data"]["signers"].as_array().unwrap() {
        let body = json!({ "folioId": folio, "documentNumber": signer["documentNumber"], "action": "sign" });
        let request = Request::new("POST", "/sandbox/signers", &[], body.to_string().into_bytes());
        // A sandbox is driven from its own machine.
        done(&client.send(request.with_host("localhost")));
    }
}

/// The body of an answer that must be a success.
pub(crate) fn done(answer: &HttpResponse) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

pub(crate) fn folio_id(created: &Value) -> String {
    created["data"]["folioId"].as_str().unwrap().to_owned()
}

pub(crate) fn document_ids(detail: &Value) -> Vec<String> {
    let documents = detail["documents"].as_array().unwrap();
    let id = |document: &Value| document["documentId"].as_str().unwrap().to_owned();
    documents.iter().map(id).collect()
}

pub(crate) fn read(folio: &str) -> Request {
    Request::get(&format!("/api/integrations/consult?folioId={folio}"))
}

pub(crate) fn read_several(folios: &[&str]) -> Request {
    let body = json!({ "folioId": folios }).to_string().into_bytes();
    let json = [("content-type", "application/json")];
    Request::new("POST", "/api/integrations/consult", &json, body)
}

pub(crate) fn download(document: &str) -> Request {
    Request::get(&format!("/api/integrations/download?documentId={document}"))
}

pub(crate) fn cancel(folio: &str, observation: &str) -> Request {
    Form::new()
        .field("folios", &json!([folio]).to_string())
        .field("observation", observation)
        .request("/api/integrations/cancel")
}

/// Writes to a signer again, at the address given.
pub(crate) fn resend(folio: &str, signer: &Value, email: &str) -> Request {
    let signers = json!([{
        "documentNumber": signer["documentNumber"],
        "email": email,
        "cellPhoneNumber": signer["cellPhoneNumber"],
    }]);
    Form::new()
        .field("folioId", folio)
        .field("signers", &signers.to_string())
        .field("urlReturn", "https://example.com/gracias")
        .request("/api/integrations/forward_emails")
}
