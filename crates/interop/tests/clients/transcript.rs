//! What a program reported of its steps, what it sent, and what must follow from both.

use crate::sample;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use testkit::Company;

const DENIED: &str = "Acceso denegado. No tiene los permisos necesarios para acceder a este recurso.";

/// The steps that every program takes, in this order. A program may take more of those that begin with `create_` or
/// `refused_`.
const STEPS: [&str; 19] = [
    "create_file",
    "create_base64",
    "read_one",
    "read_several_json",
    "read_several_form",
    "resend",
    "download_get",
    "download_post",
    "bulk_start",
    "bulk_read",
    "cancel",
    "sign",
    "download_signed",
    "evidence",
    "evidence_pdf",
    "no_key",
    "wrong_key",
    "create_large",
    "refused_large",
];

/// The steps of one run.
#[derive(Debug)]
pub(crate) struct Transcript {
    /// What the program printed of each step: `{"step": …, "status": …}`, and more where a client tells more.
    lines: Vec<Value>,
    /// The body of each response as the client read it. A text is what its decoder made of it.
    bodies: BTreeMap<String, Vec<u8>>,
    /// What the program sent, connection by connection, except in `refused_large`, which goes past the recorder.
    connections: Vec<Vec<u8>>,
}

impl Transcript {
    pub(crate) fn read(printed: &str, output: &Path, connections: Vec<Vec<u8>>) -> Self {
        let lines: Vec<Value> = printed
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
            .collect();
        let bodies = lines.iter().filter_map(|line| {
            let step = line["step"].as_str().unwrap();
            let body = fs::read(output.join(step)).ok()?;
            Some((step.to_owned(), body))
        });
        Self {
            bodies: bodies.collect(),
            lines,
            connections,
        }
    }

    /// What the program printed of a step.
    pub(crate) fn line(&self, step: &str) -> &Value {
        let found = self.lines.iter().find(|line| line["step"] == step);
        found.unwrap_or_else(|| panic!("no step {step} in {:?}", self.lines))
    }

    /// Insists that the program's requests shared connections. Some clients now and then open one more.
    #[track_caller]
    pub(crate) fn assert_kept_alive(&self) {
        let (connections, steps) = (self.connections.len(), self.lines.len());
        assert!(
            connections * 4 <= steps,
            "{connections} connections for {steps} steps"
        );
    }

    /// Insists that one of the lines that the program sent is this one. ASCII letters match in either case.
    #[track_caller]
    pub(crate) fn assert_sent(&self, line: impl AsRef<[u8]>) {
        let line = line.as_ref();
        let found = self.lines_sent().any(|sent| sent.eq_ignore_ascii_case(line));
        assert!(
            found,
            "{:?} is not among {:#?}",
            String::from_utf8_lossy(line),
            self.heads()
        );
    }

    fn lines_sent(&self) -> impl Iterator<Item = &[u8]> {
        let lines = self
            .connections
            .iter()
            .flat_map(|sent| sent.split(|byte| *byte == b'\n'));
        lines.map(<[u8]>::trim_ascii)
    }

    /// The lines that look like headers, for a failure.
    fn heads(&self) -> BTreeSet<String> {
        let names = ["content-", "transfer-", "expect"];
        let lines = self
            .lines_sent()
            .map(|line| String::from_utf8_lossy(line).into_owned());
        lines
            .filter(|line| {
                names
                    .iter()
                    .any(|name| line.to_ascii_lowercase().starts_with(name))
            })
            .collect()
    }

    fn body(&self, step: &str) -> &[u8] {
        assert_eq!(self.line(step)["status"], 200, "{step}: {}", self.text(step));
        &self.bodies[step]
    }

    fn text(&self, step: &str) -> String {
        let body = self.bodies.get(step);
        body.map_or_else(String::new, |body| String::from_utf8_lossy(body).into_owned())
    }

    fn json(&self, step: &str) -> Value {
        let text = self.text(step);
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{step}: {error}: {text}"))
    }

    fn ok(&self, step: &str) -> Value {
        let json = self.json(step);
        assert_eq!(self.line(step)["status"], 200, "{step}: {json}");
        assert_eq!(
            (&json["success"], &json["status"]),
            (&json!(true), &json!(200)),
            "{step}: {json}"
        );
        json
    }

    /// The words of a refusal, which the client has read to the last letter.
    fn refused(&self, step: &str, status: u16, words: &str) {
        assert_eq!(self.line(step)["status"], status, "{step}: {}", self.line(step));
        let expected = json!({ "success": false, "status": status, "message": words });
        assert_eq!(self.json(step), expected, "{step}");
    }

    /// Checks every step by what the client read, and by what the server holds.
    pub(crate) async fn check(&self, company: &Company<'_>) {
        let taken: Vec<&str> = self
            .lines
            .iter()
            .filter_map(|line| line["step"].as_str())
            .collect();
        let common: Vec<&str> = taken
            .iter()
            .copied()
            .filter(|step| STEPS.contains(step))
            .collect();
        assert_eq!(common, STEPS);
        let folio = self.folio_of("create_file");
        let cancelled = self.folio_of("create_base64");
        for step in taken.iter().filter(|step| step.starts_with("create_")) {
            self.check_created(company, step).await;
        }
        self.check_reads(&folio, &cancelled);
        let read = company.read(&folio).await.ok();
        let signer = &read["data"]["signers"][0];
        assert_eq!(signer["email"], sample::NEW_EMAIL, "the resend corrected it");
        assert_eq!(signer["cellPhoneNumber"], "3009876543");
        self.check_bulk(&folio, &cancelled);
        self.check_cancelled(company, &cancelled).await;
        self.check_downloads(company, &folio).await;
        self.refused("no_key", 401, "Autenticación requerida");
        self.refused("wrong_key", 403, DENIED);
        for step in taken.iter().filter(|step| step.starts_with("refused_")) {
            self.refused(step, 403, DENIED);
        }
    }

    fn folio_of(&self, step: &str) -> String {
        let created = self.ok(step);
        created["data"]["folioId"].as_str().unwrap().to_owned()
    }

    async fn check_created(&self, company: &Company<'_>, step: &str) {
        let read = company.read(&self.folio_of(step)).await.ok();
        let data = &read["data"];
        let latin1 = step.contains("latin1");
        let (name, message) = if latin1 {
            (sample::LATIN1_NAME, sample::LATIN1_MESSAGE)
        } else {
            (sample::NAME, sample::MESSAGE)
        };
        assert_eq!(data["folioData"]["name"], name, "{step}");
        assert_eq!(data["folioData"]["message"], message, "{step}");
        assert_eq!(data["signers"][0]["name"], sample::SIGNER_NAME, "{step}");
        let file_name = match step {
            "create_without_file_name" => "documento.pdf",
            "create_large" => "large.pdf",
            _ if latin1 => sample::LATIN1_FILE_NAME,
            _ => sample::FILE_NAME,
        };
        assert_eq!(
            data["documents"][0]["name"],
            file_name,
            "{step}: {:?}",
            self.heads()
        );
        assert_eq!(data["documents"].as_array().unwrap().len(), 1, "{step}");
        if step != "create_file" {
            let expected = if step == "create_large" {
                sample::large_document()
            } else {
                sample::document()
            };
            let document = data["documents"][0]["documentId"].as_str().unwrap();
            let stored = company.download(document).await;
            assert!(stored.body == expected, "{step}: other bytes are stored");
        }
    }

    fn check_reads(&self, folio: &str, other: &str) {
        let one = self.ok("read_one");
        assert_eq!(one["data"]["folioData"]["folioId"], folio);
        assert_eq!(one["data"]["folioData"]["name"], sample::NAME);
        assert_eq!(one["data"]["folioData"]["message"], sample::MESSAGE);
        assert_eq!(one["data"]["documents"][0]["name"], sample::FILE_NAME);
        for step in ["read_several_json", "read_several_form"] {
            let several = self.ok(step);
            let elements = several["data"].as_array().unwrap();
            let read: Vec<_> = elements
                .iter()
                .map(|element| (&element["folioId"], &element["data"]["folioData"]["name"]))
                .collect();
            let (folio, other, name) = (json!(folio), json!(other), json!(sample::NAME));
            assert_eq!(read, [(&folio, &name), (&other, &name)], "{step}");
        }
        self.ok("resend");
    }

    fn check_bulk(&self, folio: &str, other: &str) {
        let started = self.ok("bulk_start");
        assert!(started["data"]["massiveId"].is_string(), "{started}");
        let read = self.ok("bulk_read");
        let folios = read["data"].as_array().unwrap().iter();
        let folios: Vec<_> = folios.map(|element| &element["folioData"]["folioId"]).collect();
        assert_eq!(folios, [folio, other]);
    }

    async fn check_cancelled(&self, company: &Company<'_>, folio: &str) {
        let cancelled = self.ok("cancel");
        assert_eq!(cancelled["data"]["cancelledFolios"], 1, "{cancelled}");
        let read = company.read(folio).await.ok();
        assert_eq!(read["data"]["folioData"]["stateName"], "ANULADO");
        assert_eq!(read["data"]["folioData"]["observation"], sample::OBSERVATION);
    }

    async fn check_downloads(&self, company: &Company<'_>, folio: &str) {
        let sent = sample::document();
        for step in ["download_get", "download_post"] {
            assert!(self.body(step) == sent, "{step}: other bytes came");
        }
        self.ok("sign");
        let signed = self.body("download_signed");
        assert!(signed.len() > sent.len() && signed.starts_with(&sent));
        let document = company.document_of(folio).await;
        assert!(
            company.download(&document).await.body == signed,
            "download_signed: other bytes came"
        );
        let evidence = self.json("evidence");
        assert_eq!(self.line("evidence")["status"], 200);
        assert!(evidence.to_string().contains(folio), "{evidence}");
        assert!(self.body("evidence_pdf").starts_with(b"%PDF-"));
    }
}
