//! What a test asks a folio to be, and how that is put into a form.

use super::http::Request;
use super::pdf::pdf;
use super::random::TestRandom;
use data_encoding::BASE64;
use serde_json::{Value, json};

/// A document to be sent: its bytes follow from its seed.
#[derive(Clone, Debug)]
pub(crate) struct Paper {
    pub(crate) name: String,
    seed: u64,
    filling: usize,
}

impl Paper {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        pdf(self.seed, self.filling)
    }
}

/// A folio to be created.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) name: String,
    pub(crate) message: String,
    pub(crate) signature_type: &'static str,
    pub(crate) signers: Vec<Value>,
    pub(crate) papers: Vec<Paper>,
    pub(crate) base64: bool,
    /// The idempotency key.
    pub(crate) key: Option<String>,
}

impl Order {
    /// A folio of one small document.
    pub(crate) fn small() -> Self {
        Self::sized(1000)
    }

    /// A folio of one document with that many bytes and a few.
    pub(crate) fn sized(filling: usize) -> Self {
        let mut random = TestRandom::fresh();
        let mut order = Self::any(&mut random);
        order.papers.truncate(1);
        order.papers[0].filling = filling;
        order.base64 = false;
        order.key = None;
        order
    }

    /// Any folio: one to three signers, one to three documents, sent as files or as base64, with an idempotency
    /// key or without.
    pub(crate) fn any(random: &mut TestRandom) -> Self {
        let id = random.next();
        let signer = |place: usize| {
            let kind = ["CC", "CE", "NIT", "TI"][place];
            json!({
                "name": format!("Firmante {place} de {id:016x}"),
                "email": format!("f{place}.{id:016x}@example.com"),
                "documentType": kind,
                "documentNumber": format!("{}", 10_000_000 + place),
                "cellPhoneNumber": format!("+5730012345{place:02}"),
            })
        };
        let paper = |place: usize, random: &mut TestRandom| Paper {
            name: format!("documento {place}.pdf"),
            seed: random.next(),
            // Most are small, some as large as three hundred thousand.
            filling: (1 << (10 + random.below(9))) + random.below(40_000),
        };
        Self {
            name: format!("Folio {id:016x}"),
            message: format!("Por favor firme: {id:016x}, señor ✍"),
            signature_type: ["1", "2"][random.below(2)],
            signers: (0..=random.below(3)).map(signer).collect(),
            papers: (0..=random.below(3)).map(|place| paper(place, random)).collect(),
            base64: random.below(3) == 0,
            key: (random.below(2) == 0).then(|| format!("clave-{id:016x}")),
        }
    }

    pub(crate) fn request(&self) -> Request {
        let signers = Value::from(self.signers.clone()).to_string();
        let mut form = Form::new()
            .field("signers", &signers)
            .field("folioName", &self.name)
            .field("folioMessage", &self.message)
            .field("signatureType", self.signature_type)
            .field("urlReturn", "https://example.com/gracias")
            .field("sendEmail", "true")
            .field("fileType", if self.base64 { "base64" } else { "file" });
        if self.base64 {
            let document =
                |paper: &Paper| json!({ "name": paper.name, "content": BASE64.encode(&paper.bytes()) });
            let documents: Vec<Value> = self.papers.iter().map(document).collect();
            form = form.field("documentsBase64", &Value::from(documents).to_string());
        } else {
            for paper in &self.papers {
                form = form.file("documents[]", &paper.name, &paper.bytes());
            }
        }
        let request = form.request("/api/integrations/sign");
        match &self.key {
            Some(key) => request.with("idempotency-key", key),
            None => request,
        }
    }
}

/// A multipart form.
#[derive(Default)]
pub(crate) struct Form {
    body: Vec<u8>,
}

const BOUNDARY: &str = "----firmeza-7d3f1c9ab2e84655";

impl Form {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn field(self, name: &str, value: &str) -> Self {
        self.part(&format!("name=\"{name}\""), value.as_bytes())
    }

    fn file(self, name: &str, file: &str, content: &[u8]) -> Self {
        let head = format!("name=\"{name}\"; filename=\"{file}\"\r\nContent-Type: application/pdf");
        self.part(&head, content)
    }

    fn part(mut self, head: &str, content: &[u8]) -> Self {
        let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; {head}\r\n\r\n");
        self.body.extend_from_slice(head.as_bytes());
        self.body.extend_from_slice(content);
        self.body.extend_from_slice(b"\r\n");
        self
    }

    pub(crate) fn request(mut self, target: &str) -> Request {
        self.body
            .extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
        let kind = format!("multipart/form-data; boundary={BOUNDARY}");
        Request::new("POST", target, &[("content-type", &kind)], self.body)
    }
}
