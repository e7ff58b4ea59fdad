//! An email as it goes over the wire: headers that nothing can break, plain text and HTML.

use crate::safe_text::one_line;
use crate::{Failure, MessageId, Reason};
use app::messages::{DocumentCopy, SendFailure};
use domain::Timestamp;
use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Body, Mailbox, MultiPart, SinglePart};
use lettre::{Address, Message};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// An email to one person.
#[derive(Debug)]
pub struct EmailMessage<'a> {
    /// Its lasting name.
    pub id: MessageId,
    /// When.
    pub at: Timestamp,
    /// The name of the company.
    pub company: &'a str,
    /// Where to.
    pub recipient: &'a str,
    /// The person's name, unless it must not be said.
    pub name: Option<&'a str>,
    /// What it is about.
    pub subject: &'a str,
    /// Its plain text.
    pub text: &'a str,
    /// Its page.
    pub html: &'a str,
    /// What is attached.
    pub attachments: &'a [DocumentCopy],
}

/// An email ready to be handed over.
pub(super) struct Ready {
    pub(super) from: Address,
    pub(super) to: Address,
    /// Whether the address needs a server that takes every script.
    pub(super) international: bool,
    /// The whole, ended as SMTP wants it: lines that begin with a dot are doubled, and one dot ends it.
    pub(super) data: String,
}

impl EmailMessage<'_> {
    pub(super) fn write(&self, sender: &Mailbox) -> Result<Ready, Failure> {
        let to = address(self.recipient)?;
        let named = |name: &str| Some(one_line(name)).filter(|name| !name.is_empty());
        let from_name = match (named(self.company), &sender.name) {
            (Some(company), Some(service)) => Some(format!("{company} · {service}")),
            (company, service) => company.or_else(|| service.clone()),
        };
        let automatic = HeaderName::new_from_ascii_str("Auto-Submitted");
        let message = Message::builder()
            .from(Mailbox::new(from_name, sender.email.clone()))
            .to(Mailbox::new(self.name.and_then(named), to.clone()))
            .subject(one_line(self.subject))
            .date(time(self.at))
            .message_id(Some(self.id.header()))
            .raw_header(HeaderValue::new(automatic, "auto-generated".to_owned()))
            .multipart(self.parts()?)
            .map_err(|error| Failure::permanent(Reason::detailed(SendFailure::Email, error)))?;
        Ok(Ready {
            from: sender.email.clone(),
            international: !to.to_string().is_ascii(),
            to,
            data: dotted(&String::from_utf8_lossy(&message.formatted())),
        })
    }
}

impl EmailMessage<'_> {
    fn parts(&self) -> Result<MultiPart, Failure> {
        let texts = MultiPart::alternative_plain_html(self.text.to_owned(), self.html.to_owned());
        if self.attachments.is_empty() {
            return Ok(texts);
        }
        let mut parts = MultiPart::mixed().multipart(texts);
        for copy in self.attachments {
            parts = parts.singlepart(attachment(copy)?);
        }
        Ok(parts)
    }
}

/// In base64 always: no byte of a signed document may change on the way, not even a line end.
fn attachment(copy: &DocumentCopy) -> Result<SinglePart, Failure> {
    let unwritable = |_| Failure::permanent(SendFailure::Attachment);
    let body = Body::new_with_encoding(copy.bytes.to_vec(), ContentTransferEncoding::Base64);
    let kind = ContentType::parse("application/pdf").map_err(|_| unwritable(Vec::new()))?;
    Ok(Attachment::new(copy.name.for_download()).body(body.map_err(unwritable)?, kind))
}

/// The address with its domain in ASCII; a name before the `@` may need more of the server.
fn address(text: &str) -> Result<Address, Failure> {
    let bad = || Failure::permanent(SendFailure::BadAddress);
    let (user, domain) = text.rsplit_once('@').ok_or_else(bad)?;
    let Ok(url::Host::Domain(domain)) = url::Host::parse(domain) else {
        return Err(bad());
    };
    if user.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err(bad());
    }
    Address::new(user, domain).map_err(|_| bad())
}

fn time(at: Timestamp) -> SystemTime {
    UNIX_EPOCH + Duration::from_micros(u64::try_from(at.as_micros()).unwrap_or(0))
}

fn dotted(message: &str) -> String {
    let mut data = String::with_capacity(message.len() + 16);
    for line in message.strip_suffix("\r\n").unwrap_or(message).split("\r\n") {
        if line.starts_with('.') {
            data.push('.');
        }
        data.push_str(line);
        data.push_str("\r\n");
    }
    data.push_str(".\r\n");
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(change: impl FnOnce(&mut EmailMessage<'static>)) -> Ready {
        let mut message = EmailMessage {
            id: MessageId::new(
                domain::FolioId::from_bytes([1; 16]),
                store::MessageRow(7),
                "firmeza.example.com",
            ),
            at: Timestamp::from_micros(1_772_461_800_000_000),
            company: "Inmobiliaria Ñandú",
            recipient: "maria@example.com",
            name: Some("María Pérez"),
            subject: "Su código para firmar",
            text: "Hola\n.\n..",
            html: "<p>Hola</p>",
            attachments: &[],
        };
        change(&mut message);
        message
            .write(&"Firmeza <firmas@example.com>".parse().unwrap())
            .unwrap()
    }

    /// The header lines, unfolded.
    fn headers(ready: &Ready) -> Vec<String> {
        let (head, _) = ready.data.split_once("\r\n\r\n").unwrap();
        let unfolded = head.replace("\r\n ", " ").replace("\r\n\t", " ");
        unfolded.split("\r\n").map(str::to_owned).collect()
    }

    #[test]
    fn headers_are_ascii_and_name_everything() {
        let ready = written(|_| {});
        assert!(ready.data.is_ascii());
        let headers = headers(&ready);
        let has = |start: &str| headers.iter().any(|line| line.starts_with(start));
        assert!(has("Message-ID: <7."), "{headers:?}");
        assert!(has("Date: Mon, 02 Mar 2026 14:30:00"), "{headers:?}");
        assert!(has("Auto-Submitted: auto-generated"), "{headers:?}");
        assert!(
            has("Subject: =?utf-8?b?") || has("Subject: Su =?utf-8?b?"),
            "{headers:?}"
        );
        assert!(has("Content-Type: multipart/alternative"), "{headers:?}");
    }

    #[test]
    fn no_text_splits_a_header() {
        let worst = "x\r\nBcc: all@evil.example\r\n\r\n<script>\n\0\u{85}\u{2028}y\"><";
        let plain = headers(&written(|_| {})).len();
        for place in 0..3 {
            let ready = written(|message| match place {
                0 => message.company = worst,
                1 => message.name = Some(worst),
                _ => message.subject = worst,
            });
            let headers = headers(&ready);
            assert_eq!(headers.len(), plain, "{headers:?}");
            assert!(!headers.iter().any(|line| line.starts_with("Bcc")), "{headers:?}");
        }
    }

    #[test]
    fn a_dot_alone_does_not_end_the_message() {
        let ready = written(|_| {});
        assert!(ready.data.ends_with("\r\n.\r\n"));
        let body = ready.data.strip_suffix(".\r\n").unwrap();
        assert!(!body.contains("\r\n.\r\n"), "{body}");
    }

    #[test]
    fn domains_are_written_in_ascii_and_names_are_not_guessed_at() {
        let ready = written(|message| message.recipient = "maria@compañía.com");
        assert!(ready.to.domain().starts_with("xn--"), "{}", ready.to);
        assert!(!ready.international);
        assert!(written(|message| message.recipient = "maría@example.com").international);
        assert!(address("a b@example.com").is_err());
        assert!(address("a@b@").is_err());
    }
}
