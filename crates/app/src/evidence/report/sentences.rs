//! What the report says: the words of a language, filled with what the evidence has.

use super::super::SealedEvidence;
use super::super::bundle::{EventFacts, MessageFacts, SignerFacts};
use super::Report;
use crate::messages::{failure_text, reply_text};
use domain::client::browser_name;
use domain::mask::masked;
use domain::personal::restored;
use domain::{Channel, FileName};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;
use std::collections::HashMap;

/// An event as text.
pub(super) struct DescribedEvent {
    pub(super) number: i64,
    pub(super) when: String,
    pub(super) what: String,
    pub(super) details: Vec<String>,
}

/// A text with its `{names}` filled in, each once and never inside what was filled in.
pub(super) fn filled(text: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let Some(end) = rest.find('}') else { break };
        let value = values.iter().find(|(name, _)| *name == &rest[1..end]);
        out.push_str(value.map_or(&rest[..=end], |(_, value)| value));
        rest = &rest[end + 1..];
    }
    out + rest
}

/// The word of a list for what is stored; that itself where the list has none.
pub(super) fn word<'w>(words: &[(&'static str, &'static str)], stored: &'w str) -> &'w str {
    let found = words.iter().find(|(known, _)| *known == stored);
    found.map_or(stored, |(_, word)| word)
}

/// A point in time as people write it, in the company's zone.
pub(super) fn format_time(text: &str, zone: &TimeZone) -> String {
    text.parse::<Timestamp>()
        .map_or_else(|_| text.to_owned(), |at| in_zone(at, zone))
}

fn in_zone(at: Timestamp, zone: &TimeZone) -> String {
    let at = at.to_zoned(zone.clone());
    at.strftime("%Y-%m-%d %H:%M:%S%.3f %:z").to_string()
}

/// When an event happened, for a narrow column.
pub(super) fn short_time(body: &Value, zone: &TimeZone) -> String {
    event_time(body).map_or_else(String::new, |at| {
        at.to_zoned(zone.clone())
            .strftime("%Y-%m-%d %H:%M:%S%.3f")
            .to_string()
    })
}

fn event_time(body: &Value) -> Option<Timestamp> {
    Timestamp::from_microsecond(body["at"].as_i64()?).ok()
}

/// The command that verifies the files, line by line as a shell takes them.
pub(super) fn verify_command(sealed: &SealedEvidence) -> Vec<String> {
    let documents = sealed.evidence.documents.iter().map(|document| {
        // A document is downloaded under a name that every system takes, which need not be the one that it was sent with.
        quoted(&FileName::stored(document.name.clone()).for_download())
    });
    let own = [sealed.report_name(), sealed.json_name()];
    let mut lines = vec!["firmeza verify --root root.crt \\".to_owned()];
    let files: Vec<String> = own.into_iter().chain(documents).collect();
    let last = files.len().saturating_sub(1);
    for (at, file) in files.into_iter().enumerate() {
        let more = if at == last { "" } else { " \\" };
        lines.push(format!("{file}{more}"));
    }
    lines
}

/// A file's name as a shell takes it. A program would take a name that begins with a dash as an option.
fn quoted(name: &str) -> String {
    let folder = if name.starts_with('-') { "./" } else { "" };
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    if name.chars().all(plain) {
        format!("{folder}{name}")
    } else {
        format!("'{folder}{}'", name.replace('\'', r"'\''"))
    }
}

fn text<'b>(body: &'b Value, key: &str) -> &'b str {
    body[key].as_str().unwrap_or_default()
}

impl Report<'_> {
    /// Who sent the folio, as the history says.
    pub(super) fn sender(&self) -> String {
        let (evidence, w) = (self.evidence, self.w);
        let company = evidence.company.as_str();
        let created = evidence.history.events.first().map(|first| self.body(first));
        let sender = created.as_ref().map(|created| &created["sender"]);
        let sentence = sender.and_then(|sender| match sender["kind"].as_str()? {
            "person" => Some(w.sender_person),
            _ => Some(w.sender_system),
        });
        let name = sender.map_or("", |sender| text(sender, "name"));
        match sentence {
            Some(sentence) if !name.is_empty() => filled(sentence, &[("company", company), ("name", name)]),
            _ => company.to_owned(),
        }
    }

    /// Messages of which no event tells: those that wait, and codes that a newer one replaced.
    pub(super) fn messages_without_event(&self) -> Vec<String> {
        let messages = self.evidence.messages.iter();
        let pending = messages.filter(|message| matches!(message.state.as_str(), "waiting" | "superseded"));
        pending.map(|message| self.message(message)).collect()
    }

    fn message(&self, message: &MessageFacts) -> String {
        let w = self.w;
        let created = format_time(&message.created_at, self.zone);
        let sentence = filled(
            w.message,
            &[
                ("template", word(&w.templates, &message.template)),
                ("channel", word(&w.channels, &message.channel)),
                ("to", &message.recipient),
                ("created", &created),
                ("state", word(&w.message_states, &message.state)),
            ],
        );
        capital(&sentence)
    }

    /// The event's body; a placeholder stands for every value that is not in the file.
    fn body(&self, event: &EventFacts) -> Value {
        let body = event.parsed_body();
        let mut values = event.values.clone();
        for value in &mut values {
            if value.shown().is_none() {
                let word = if value.erased {
                    self.w.erased
                } else {
                    self.w.withheld
                };
                value.masked = Some(word.to_owned());
            }
        }
        restored(body, &values)
    }

    /// The events in words. What a browser says of itself is told where it says something else than before.
    pub(super) fn described_events(&self) -> Vec<DescribedEvent> {
        let mut known: HashMap<String, String> = HashMap::new();
        let events = self.evidence.history.events.iter();
        events
            .map(|event| {
                let body = self.body(event);
                let (what, mut details) = self.sentence(&body);
                let device = self.device(body["device"].as_str(), body["language"].as_str());
                if let Some(device) = device {
                    let who = body["signer"].to_string();
                    if known.get(&who) != Some(&device) {
                        details.push(filled(self.w.reports_itself, &[("device", &device)]));
                        known.insert(who, device);
                    }
                }
                DescribedEvent {
                    number: event.number,
                    when: event_time(&body).map_or_else(String::new, |at| in_zone(at, self.zone)),
                    what: format!("{what}{}.", self.origin(&body)),
                    details,
                }
            })
            .collect()
    }

    /// What a browser says of itself: in two words where they are known, then as it says it.
    pub(super) fn device(&self, device: Option<&str>, language: Option<&str>) -> Option<String> {
        let device = device?;
        let named =
            browser_name(device).map_or_else(|| device.to_owned(), |name| format!("{name} ({device})"));
        Some(match language {
            Some(languages) => format!(
                "{named}; {}",
                filled(self.w.languages, &[("languages", languages)])
            ),
            None => named,
        })
    }

    /// Who did it, where the sentence does not say so, and from where.
    fn origin(&self, body: &Value) -> String {
        let w = self.w;
        let who = match text(body, "who") {
            "integration" => filled(w.by_system, &[("company", &self.evidence.company)]),
            "user" => filled(w.by_person, &[("who", text(body, "email"))]),
            "signer" if text(body, "what").ends_with("downloaded") => {
                filled(w.by_person, &[("who", self.name(body))])
            }
            _ => String::new(),
        };
        let address = body["address"].as_str();
        who + &address.map_or_else(String::new, |address| {
            filled(w.from_address, &[("address", address)])
        })
    }

    /// How the signature of a signer was verified, and the text that was accepted, as its event says.
    pub(super) fn signature(&self, signer: &SignerFacts) -> Option<(String, String)> {
        let w = self.w;
        let events = self.evidence.history.events.iter().map(|event| self.body(event));
        let mut signatures = events.filter(|body| body["what"] == "signed");
        let place = u64::try_from(signer.signer.0).ok()?;
        let body = signatures.find(|body| body["signer"].as_u64() == Some(place))?;
        let way = match text(&body, "channel") {
            "email" => Channel::Email,
            _ => Channel::Sms,
        };
        let to = text(&body, "recipient");
        // A copy for another signer has it masked already, and an erased one has a word in its place.
        let to = if to.contains(['•', '(']) {
            to.to_owned()
        } else {
            masked(way, to)
        };
        let name = body["template"].as_str().unwrap_or(w.unknown);
        let channel = word(&w.channels, text(&body, "channel"));
        Some((
            filled(w.way_text, &[("channel", channel), ("to", &to)]),
            filled(
                w.accepted_text_reference,
                &[("version", name), ("hash", text(&body, "consent"))],
            ),
        ))
    }

    /// Why the report lists no consent text.
    pub(super) fn no_consents(&self) -> &'static str {
        let evidence = self.evidence;
        if !evidence.signers.iter().any(|signer| signer.state == "signed") {
            self.w.no_signature
        } else if evidence.history.events.iter().any(is_signature) {
            self.w.unknown_consent
        } else {
            self.w.consent_elsewhere
        }
    }

    /// The name of the signer that an event is about.
    fn name(&self, body: &Value) -> &str {
        let signer_index = body["signer"]
            .as_u64()
            .and_then(|signer_index| usize::try_from(signer_index).ok());
        let signer = signer_index.and_then(|signer_index| self.evidence.signers.get(signer_index));
        signer.map_or("", |signer| signer.name.as_str())
    }

    /// The document that an event is about, by its name.
    fn document_name(&self, body: &Value) -> String {
        let mut documents = self.evidence.documents.iter();
        let found = documents.find(|document| body["document"] == document.id.as_str());
        found.map_or_else(
            || self.w.a_document.to_owned(),
            |found| filled(self.w.document_named, &[("name", &found.name)]),
        )
    }

    /// The sentence of an event, and what stands below it.
    fn sentence(&self, body: &Value) -> (String, Vec<String>) {
        let w = self.w;
        let kind = match text(body, "what") {
            "resent" if body["before"].is_object() => "resent_corrected",
            "undelivered" if body["given_up"] == true => "undelivered_given_up",
            "delivered" if body["reply"].is_null() => "delivered_mailbox",
            kind => kind,
        };
        let to = match text(body, "recipient") {
            "" => text(&body["contact"], "email"),
            to => to,
        };
        let (document, left) = (self.document_name(body), body["tries_left"].to_string());
        let sentence = filled(
            word(&w.events, kind),
            &[
                ("name", self.name(body)),
                ("to", to),
                ("channel", word(&w.channels, text(body, "channel"))),
                ("server", word(&w.servers, text(body, "channel"))),
                ("template", word(&w.templates, text(body, "template"))),
                ("document", &document),
                ("left", &left),
            ],
        );
        (sentence, self.details(body))
    }

    fn details(&self, body: &Value) -> Vec<String> {
        let w = self.w;
        let mut details = Vec::new();
        let language = w.language;
        // A provider of email need not say why.
        let reason = body["reason"].as_str().filter(|reason| !reason.is_empty());
        details.extend(reason.map(|reason| match text(body, "what") {
            "undelivered" => failure_text(reason, language),
            "bounced" => reply_text(reason, language),
            _ => reason.to_owned(),
        }));
        details.extend(body["observation"].as_str().map(str::to_owned));
        let code = body["code"].as_str();
        details.extend(code.map(|code| filled(w.code_name, &[("code", code)])));
        let reply = body["reply"].as_str();
        details.extend(reply.map(|reply| reply_text(reply, language)));
        let list = |key: &str| body[key].as_array().into_iter().flatten();
        if body["what"] == "accepted" {
            details.extend(list("shown").map(|shown| self.shown(shown)));
        }
        match text(&body["picture"], "kind") {
            "drawn" => details.push(w.drew.to_owned()),
            "typed" => details.push(filled(
                w.typed_picture,
                &[("text", text(&body["picture"], "picture_text"))],
            )),
            _ => {}
        }
        details.extend(list("repaired").map(|repair| {
            let done = word(&w.repairs, text(repair, "repair"));
            filled(w.repaired, &[("repair", done), ("hash", text(repair, "sent"))])
        }));
        let number = |of: &str| body[of]["document_number"].as_str();
        if let (Some(before), Some(now)) = (number("before"), number("now")) {
            details.push(filled(w.number_corrected, &[("before", before), ("now", now)]));
        }
        if body["what"] == "bulk_started" {
            let ways = ["email", "mobile"].into_iter();
            let other = ways.filter_map(|way| body["contact"][way].as_str());
            details.extend(other.map(|contact| filled(w.other_contact, &[("contact", contact)])));
        }
        details
    }

    /// What had been shown of a document when a text was accepted.
    fn shown(&self, shown: &Value) -> String {
        let (count, pages) = (shown["shown"].to_string(), shown["pages"].to_string());
        let document = self.document_name(shown);
        let sentence = filled(
            self.w.shown,
            &[("shown", &count), ("pages", &pages), ("document", &document)],
        );
        if shown["downloaded"] == true {
            sentence + self.w.downloaded_too
        } else {
            sentence
        }
    }

    /// The hashes that an event names, for the annex.
    pub(super) fn hashes_of(&self, event: &EventFacts) -> Vec<String> {
        let w = self.w;
        let body = event.parsed_body();
        let mut hashes = Vec::new();
        if let (Some(code), Some(hash)) = (body["code"].as_str(), body["code_hash"].as_str()) {
            hashes.push(filled(w.code_hash, &[("code", code), ("hash", hash)]));
        }
        if let (Some(code), Some(digits)) = (body["code"].as_str(), body["code_digits"].as_str()) {
            let salt = text(&body, "code_salt");
            hashes.push(filled(
                w.code_revealed,
                &[("code", code), ("digits", digits), ("salt", salt)],
            ));
        }
        let consent = body["consent"].as_str();
        hashes.extend(consent.map(|consent| format!("{}: {consent}", w.accepted_text)));
        let single = body["sha256"].as_str();
        hashes.extend(single.map(|sha256| format!("{}: {sha256}", w.sha256)));
        for key in ["documents", "results"] {
            let list = body[key].as_array().into_iter().flatten();
            hashes.extend(list.filter_map(|document| {
                let name = self.document_name(document);
                Some(format!("{name}: {}", document["sha256"].as_str()?))
            }));
        }
        hashes
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn is_signature(event: &EventFacts) -> bool {
    serde_json::from_str::<Value>(&event.body).is_ok_and(|body| body["what"] == "signed")
}

#[cfg(test)]
mod tests {
    use super::super::texts::Texts;
    use super::*;
    use domain::{Actor, Client, FolioId, Language, Origin};
    use serde_json::json;

    /// Evidence of a folio that one person was asked to sign, with these events of so many.
    fn sealed(state: &str, length: usize, events: &[Value]) -> SealedEvidence {
        let events = events.iter().zip(1..);
        let events = events.map(
            |(body, number)| json!({"number": number, "hash": "", "body": body.to_string(), "values": []}),
        );
        let made = json!({
            "format": "firmeza-evidence", "version": 1, "made": {"at": "", "by": "", "program": ""},
            "company": "Acme",
            "folio": {"id": "", "name": "", "message": "", "state": "", "signature_type": "", "created_at": ""},
            "documents": [],
            "signers": [{"signer": 0, "name": "María", "document_type": "", "document_number": "", "email": "",
                "mobile": "", "state": state, "certificates": []}],
            "history": {"length": length, "head": "", "before": "", "events": events.collect::<Vec<_>>()},
            "consents": [], "certificates": [], "messages": [],
        });
        SealedEvidence {
            evidence: serde_json::from_value(made).unwrap(),
            text: String::new(),
            folio: FolioId::from_bytes([1; 16]),
            part: 1,
            origin: Origin {
                actor: Actor::Service,
                client: Client::default(),
            },
            sha256: [0; 32],
            zone: TimeZone::UTC,
        }
    }

    #[test]
    fn a_part_without_the_signature_does_not_speak_of_a_text_it_does_not_know() {
        let what = |what: &str| json!({ "what": what });
        for (state, length, events, said) in [
            ("pending", 1, vec![what("created")], "Nadie ha firmado"),
            (
                "signed",
                2,
                vec![what("created"), what("signed")],
                "no es de los que este programa conoce",
            ),
            (
                "signed",
                3,
                vec![what("created"), what("downloaded")],
                "no está en esta parte del historial",
            ),
        ] {
            let sealed = sealed(state, length, &events);
            let told = Report::new(&sealed).no_consents();
            assert!(told.contains(said), "{told}");
        }
    }

    #[test]
    fn a_browser_is_told_where_it_says_something_new() {
        let act = |what: &str, device: &str| json!({"what": what, "signer": 0, "at": 0, "device": device});
        let (one, other) = ("Mozilla/5.0 (Linux) Firefox/140.0", "curl/8.9");
        let events = [act("opened", one), act("accepted", one), act("signed", other)];
        let sealed = sealed("signed", 3, &events);
        let told = Report::new(&sealed).described_events();
        let devices: Vec<usize> = told.iter().map(|event| event.details.len()).collect();
        assert_eq!(devices, [1, 0, 1]);
        assert!(
            told[0].details[0].contains("Firefox, Linux"),
            "{:?}",
            told[0].details
        );
        assert_eq!(told[0].when, "1970-01-01 00:00:00.000 +00:00");
    }

    #[test]
    fn why_a_message_did_not_leave_is_told_in_the_language_of_the_report() {
        let lost = |reason: &str| json!({"what": "undelivered", "signer": 0, "at": 0, "template": "code", "reason": reason});
        let events = [
            lost("the mail server does not answer in time"),
            lost("RCPT TO: 550 5.1.1 nobody here"),
            json!({"what": "bounced", "signer": 0, "at": 0, "reason": "550 5.1.1 nobody here"}),
            json!({"what": "rejected", "signer": 0, "at": 0, "reason": "connecting"}),
        ];
        let sealed = sealed("pending", 4, &events);
        let details = Report::new(&sealed)
            .described_events()
            .into_iter()
            .map(|event| event.details);
        let expected = [
            "El servidor de correo no respondió a tiempo",
            "El envío falló al indicar el destinatario al servidor de correo. El servidor respondió: 550 5.1.1 nobody here",
            "El servidor respondió: 550 5.1.1 nobody here",
            "connecting",
        ];
        assert_eq!(
            details.collect::<Vec<_>>(),
            expected.map(|detail| vec![detail.to_owned()])
        );
    }

    #[test]
    fn a_report_about_an_email_without_a_reason_leaves_no_empty_line() {
        let told = |what: &str| json!({"what": what, "signer": 0, "at": 0, "reason": ""});
        let sealed = sealed("pending", 2, &[told("bounced"), told("complained")]);
        for event in Report::new(&sealed).described_events() {
            assert_eq!(event.details, Vec::<String>::new(), "{}", event.what);
        }
    }

    #[test]
    fn a_download_names_who_downloaded() {
        let by = |who: &str| json!({"what": "downloaded", "at": 0, "who": who, "signer": 0, "email": "ana@acme.co"});
        let sealed = sealed("signed", 2, &[by("signer"), by("user")]);
        let told = Report::new(&sealed).described_events();
        assert_eq!(told[0].what, "Se descargó un documento, por María.");
        assert_eq!(told[1].what, "Se descargó un documento, por ana@acme.co.");
    }

    #[test]
    fn what_is_filled_in_is_not_filled_again() {
        assert_eq!(
            filled("{a} y {b} {c}", &[("a", "{b}"), ("b", "x")]),
            "{b} y x {c}"
        );
        assert_eq!(filled("abierto {", &[]), "abierto {");
    }

    #[test]
    fn every_event_has_its_sentence() {
        // The names of all kinds of events, as they are serialised.
        let source = include_str!("../../../../domain/src/event/kind.rs");
        let kinds = source.split("pub enum EventKind {").nth(1).unwrap();
        let kinds = kinds.split("\n}\n").next().unwrap().lines();
        let names = kinds
            .filter_map(|line| line.strip_prefix("    "))
            .filter(|line| line.starts_with(char::is_uppercase));
        let mut count = 0;
        for name in names {
            let name: String = name.chars().take_while(char::is_ascii_alphanumeric).collect();
            let mut kind = String::new();
            for c in name.chars() {
                if c.is_uppercase() && !kind.is_empty() {
                    kind.push('_');
                }
                kind.extend(c.to_lowercase());
            }
            assert!(
                Texts::of(Language::Spanish)
                    .events
                    .iter()
                    .any(|(known, _)| *known == kind),
                "{kind}"
            );
            count += 1;
        }
        assert!(count > 20);
    }

    #[test]
    fn the_command_names_files_as_they_are_downloaded() {
        let document = |name: &str| {
            let version = json!({"sha256": "", "size": 0, "since": ""});
            let facts = json!({"id": "", "name": name, "original": version, "current": version});
            serde_json::from_value(facts).unwrap()
        };
        let mut sealed = sealed("signed", 1, &[]);
        sealed.evidence.documents = vec![document("Contrato"), document("acta: dos.PDF")];
        sealed.part = 2;
        let folio = sealed.folio;
        assert_eq!(
            verify_command(&sealed),
            [
                "firmeza verify --root root.crt \\".to_owned(),
                format!("constancia-{folio}-2.pdf \\"),
                format!("evidencia-{folio}-2.json \\"),
                "Contrato.pdf \\".to_owned(),
                "'acta_ dos.PDF'".to_owned(),
            ]
        );
    }

    #[test]
    fn names_of_files_are_quoted_for_a_shell() {
        assert_eq!(quoted("contrato.pdf"), "contrato.pdf");
        assert_eq!(quoted("acta 'dos'.pdf"), r"'acta '\''dos'\''.pdf'");
        assert_eq!(quoted("-rf.pdf"), "./-rf.pdf");
        assert_eq!(quoted("- acta.pdf"), "'./- acta.pdf'");
    }
}
