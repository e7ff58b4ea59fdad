//! The requests that clients send, prepared once; a mark makes each of them another.

use crate::load::{Client, Response};
use crate::pdf::{self, MARK_BYTES, Pdf};
use parts::{Error, Result};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const BOUNDARY: &str = "----firmeza-bench-7MA4YWxkTrZu0gW";
const SIGNERS: &str = r#"[{"name":"María Fernanda Pérez Gómez","email":"maria.perez@example.com","documentType":"CC","documentNumber":"1020304050","cellPhoneNumber":"3001234567"},{"name":"Juan Camilo Rodríguez","email":"juan.rodriguez@example.com","documentType":"CC","documentNumber":"1098765432","cellPhoneNumber":"3109876543"}]"#;

/// How a document travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum As {
    File,
    Base64,
}

/// A create: two signers, one document, and its emails.
#[derive(Debug)]
pub(crate) struct Create {
    before: Vec<u8>,
    after: Vec<u8>,
    travels: As,
}

impl Create {
    /// The create of a document of that many bytes.
    pub(crate) fn new(key: &str, size: usize, travels: As) -> Self {
        Self::with(key, size, travels, false)
    }

    /// The same, by file, whose signers are written to.
    pub(crate) fn inviting(key: &str, size: usize) -> Self {
        Self::with(key, size, As::File, true)
    }

    fn with(key: &str, size: usize, travels: As, invites: bool) -> Self {
        let Pdf { bytes, mark_at } = pdf::contract(size);
        let (begin, end) = (&bytes[..mark_at], &bytes[mark_at + MARK_BYTES..]);
        let mut before = fields(travels, invites);
        let mut after = Vec::with_capacity(end.len() + 64);
        match travels {
            As::File => {
                before.extend_from_slice(
                    b"Content-Disposition: form-data; name=\"documents[]\"; filename=\"Contrato de arrendamiento.pdf\"\r\n\
                      Content-Type: application/pdf\r\n\r\n",
                );
                before.extend_from_slice(begin);
                after.extend_from_slice(end);
            }
            As::Base64 => {
                before.extend_from_slice(
                    b"Content-Disposition: form-data; name=\"documentsBase64\"\r\n\r\n\
                      [{\"name\":\"Contrato de arrendamiento.pdf\",\"content\":\"",
                );
                before.extend_from_slice(base64(begin).as_bytes());
                after.extend_from_slice(base64(end).as_bytes());
                after.extend_from_slice(b"\"}]");
            }
        }
        after.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
        let mark = match travels {
            As::File => MARK_BYTES,
            As::Base64 => MARK_BYTES / 3 * 4,
        };
        let mut head = format!(
            "POST /api/integrations/sign HTTP/1.1\r\nHost: bench\r\nx-api-key: Bearer {key}\r\n\
             Content-Type: multipart/form-data; boundary={BOUNDARY}\r\nContent-Length: {}\r\n\r\n",
            before.len() + mark + after.len()
        )
        .into_bytes();
        head.append(&mut before);
        Self {
            before: head,
            after,
            travels,
        }
    }

    /// Sends it with a new document.
    pub(crate) fn send<'c>(&self, client: &'c mut Client) -> Result<Response<'c>> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mark = pdf::mark(NEXT.fetch_add(1, Relaxed));
        match self.travels {
            As::File => client.ask(&[&self.before, &mark, &self.after]),
            As::Base64 => client.ask(&[&self.before, base64(&mark).as_bytes(), &self.after]),
        }
    }
}

fn base64(bytes: &[u8]) -> String {
    data_encoding::BASE64.encode(bytes)
}

fn fields(travels: As, invites: bool) -> Vec<u8> {
    let kind = match travels {
        As::File => "file",
        As::Base64 => "base64",
    };
    let fields = [
        ("signers", SIGNERS),
        ("folioName", "Contrato de arrendamiento, calle 100"),
        (
            "folioMessage",
            "Por favor lea y firme el contrato antes del viernes.",
        ),
        ("signatureType", "1"),
        ("urlReturn", "https://example.com/gracias"),
        ("fileType", kind),
        // Sending is another act, done a while later: it would fall on whatever is measured then.
        ("sendEmail", if invites { "true" } else { "false" }),
    ];
    let part = |(name, value): (&str, &str)| {
        format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let end = format!("--{BOUNDARY}\r\n");
    let form: String = fields.into_iter().map(part).chain([end]).collect();
    form.into_bytes()
}

/// `GET` of an address with the key.
pub(crate) fn get(key: &str, path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: bench\r\nx-api-key: Bearer {key}\r\n\r\n").into_bytes()
}

/// The read of one folio.
pub(crate) fn read_one(key: &str, folio: &str) -> Vec<u8> {
    get(key, &format!("/api/integrations/consult?folioId={folio}"))
}

/// The read of several folios.
pub(crate) fn read_many(key: &str, folios: &[String]) -> Vec<u8> {
    let body = serde_json::json!({ "folioId": folios }).to_string();
    format!(
        "POST /api/integrations/consult HTTP/1.1\r\nHost: bench\r\nx-api-key: Bearer {key}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// The download of a document.
pub(crate) fn download(key: &str, document: &str) -> Vec<u8> {
    get(key, &format!("/api/integrations/download?documentId={document}"))
}

/// A text within an answer's JSON.
pub(crate) fn text(answer: &Response<'_>, pointer: &str) -> Result<String> {
    let json: serde_json::Value =
        serde_json::from_slice(answer.body).map_err(Error::while_("an answer that is not JSON"))?;
    let text = json.pointer(pointer).and_then(serde_json::Value::as_str);
    text.map(str::to_owned)
        .ok_or_else(|| Error::new(format!("no {pointer} in {json}")))
}
