//! Reports about emails that had left: delivery status notifications (RFC 3464) and feedback reports (RFC 5965), as a mail
//! server hands them over.

use app::messages::MessageReport;
use domain::ReturnKind;
use mailparse::{MailHeader, MailHeaderMap, MailParseError, ParsedMail, parse_headers, parse_mail};

/// Bytes of a report that are read: what counts is at its beginning, before what is left of the email.
pub const MAX_REPORT_BYTES: u64 = 1 << 20;
/// Recipients of a status notification. The emails of this service have one.
const MAX_RECIPIENTS: usize = 100;

/// Why an email is no report about another.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// It is no email.
    #[error("the input is not an email")]
    Unreadable(#[from] MailParseError),
    /// It has no part that a program could read.
    #[error(
        "the email is neither a delivery status notification (RFC 3464) nor a feedback report (RFC 5965)"
    )]
    NoReport,
    /// It does not say of which email it speaks.
    #[error("the report does not name the Message-ID of the email that it is about")]
    NoMessage,
}

/// What an email reports; nothing if it reports nothing that lasts: a delay, a delivery, a mistaken complaint.
pub fn read_report(email: &[u8]) -> Result<Option<MessageReport>, ReportError> {
    let mail = parse_mail(email)?;
    let status = part(
        &mail,
        &["message/delivery-status", "message/global-delivery-status"],
    );
    let feedback = part(&mail, &["message/feedback-report"]);
    let found = match (status, feedback) {
        (Some(status), _) => bounce(&status.get_body_raw()?)?.map(|reason| (ReturnKind::Bounced, reason)),
        (None, Some(feedback)) => {
            complaint(&feedback.get_body_raw()?)?.map(|reason| (ReturnKind::Complained, reason))
        }
        (None, None) => return Err(ReportError::NoReport),
    };
    let Some((kind, reason)) = found else {
        return Ok(None);
    };
    let message_id = message_id(&mail)?.ok_or(ReportError::NoMessage)?;
    Ok(Some(MessageReport {
        kind,
        message_id,
        reason,
    }))
}

/// The first part with one of these types.
fn part<'m>(mail: &'m ParsedMail<'m>, types: &[&str]) -> Option<&'m ParsedMail<'m>> {
    mail.parts()
        .find(|part| types.contains(&part.ctype.mimetype.as_str()))
}

/// The email's own name: in what was returned of it; or else in what the report answers, as some servers return nothing.
fn message_id(mail: &ParsedMail<'_>) -> Result<Option<String>, MailParseError> {
    let returned = [
        "message/rfc822",
        "text/rfc822-headers",
        "message/global",
        "message/global-headers",
    ];
    if let Some(returned) = part(mail, &returned) {
        let body = returned.get_body_raw()?;
        let (headers, _) = parse_headers(&body)?;
        if let Some(id) = headers.get_first_value("Message-ID") {
            return Ok(Some(id));
        }
    }
    let answered = ["In-Reply-To", "References"];
    let answered = answered
        .iter()
        .find_map(|name| mail.headers.get_first_value(name));
    Ok(answered.and_then(|ids| ids.split_whitespace().last().map(str::to_owned)))
}

/// Why the first recipient whose delivery failed for good did not get the email.
fn bounce(status: &[u8]) -> Result<Option<String>, MailParseError> {
    let mut rest = status;
    for _ in 0..=MAX_RECIPIENTS {
        let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        rest = &rest[blank..];
        if rest.is_empty() {
            break;
        }
        let (group, length) = parse_headers(rest)?;
        if value(&group, "Action").is_some_and(|action| action.eq_ignore_ascii_case("failed")) {
            let status = value(&group, "Status");
            // "smtp; 550 5.1.1 …": the type of the code says nothing to people.
            let said = value(&group, "Diagnostic-Code");
            let said = said.map(|said| {
                said.split_once(';')
                    .map_or(said.clone(), |(_, words)| words.trim().to_owned())
            });
            let reason = match (status, said) {
                (Some(status), Some(said)) if !said.contains(&status) => format!("{status} {said}"),
                (_, Some(said)) => said,
                (status, None) => status.unwrap_or_default(),
            };
            return Ok(Some(reason));
        }
        if length == 0 {
            break;
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    Ok(None)
}

/// What kind of complaint it is.
fn complaint(feedback: &[u8]) -> Result<Option<String>, MailParseError> {
    let (fields, _) = parse_headers(feedback)?;
    let kind = value(&fields, "Feedback-Type").unwrap_or_default();
    if kind.eq_ignore_ascii_case("not-spam") {
        return Ok(None);
    }
    let reporter = value(&fields, "Reporting-MTA").or_else(|| value(&fields, "User-Agent"));
    Ok(Some(match reporter {
        Some(reporter) => format!("{kind} ({reporter})"),
        None => kind,
    }))
}

fn value(fields: &[MailHeader<'_>], name: &str) -> Option<String> {
    let value = fields.get_first_value(name)?;
    Some(value.trim().to_owned()).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "<7.0123456789abcdef@firma.example.com>";

    /// A report of these parts, each with its type.
    fn report(kind: &str, parts: &[(&str, &str)]) -> Vec<u8> {
        let mut text = format!(
            "From: MAILER-DAEMON@mx.example.com\r\nTo: firmas@example.com\r\nSubject: Undelivered Mail\r\n\
             Auto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n\
             Content-Type: multipart/report; report-type={kind};\r\n\tboundary=\"AB/mx.example.com\"\r\n\r\n\
             This is a MIME-encapsulated message.\r\n"
        );
        for (kind, body) in parts {
            let body = body.replace('\n', "\r\n");
            let head = format!("\r\n--AB/mx.example.com\r\nContent-Type: {kind}\r\n\r\n");
            text.extend([head.as_str(), &body, "\r\n"]);
        }
        text.push_str("\r\n--AB/mx.example.com--\r\n");
        text.into_bytes()
    }

    /// As Postfix writes it.
    fn status(action: &str) -> String {
        format!(
            "Reporting-MTA: dns; mx.example.com\nX-Postfix-Queue-ID: 1234\nArrival-Date: Mon,  2 Mar 2026 09:30:00 -0500\n\n\
             Final-Recipient: rfc822; maria@example.com\nOriginal-Recipient: rfc822;maria@example.com\n\
             Action: {action}\nStatus: 5.1.1\nRemote-MTA: dns; mx2.example.com\n\
             Diagnostic-Code: smtp; 550 5.1.1 <maria@example.com>: Recipient address\n    rejected: User unknown\n"
        )
    }

    fn original() -> String {
        format!("From: firmas@example.com\nTo: maria@example.com\nSubject: Hola\nMessage-ID: {ID}\n\nHola")
    }

    #[test]
    fn a_failed_delivery_is_read_with_its_reason() {
        let human = ("text/plain; charset=us-ascii", "I am sorry.");
        for (kind, original) in [
            ("message/rfc822", original()),
            ("text/rfc822-headers", original()),
            (
                "text/rfc822-headers; charset=utf-8",
                format!("Subject: Hola\nMessage-Id: {ID}\n"),
            ),
        ] {
            let status = status("failed");
            let email = report(
                "delivery-status",
                &[human, ("message/delivery-status", &status), (kind, &original)],
            );
            let found = read_report(&email).unwrap().unwrap();
            assert_eq!(found.kind, ReturnKind::Bounced);
            assert_eq!(found.message_id, ID);
            assert_eq!(
                found.reason,
                "550 5.1.1 <maria@example.com>: Recipient address rejected: User unknown"
            );
        }
    }

    #[test]
    fn a_report_that_returns_nothing_names_the_email_that_it_answers() {
        let status = "Reporting-MTA: dns; x\n\nAction: Failed\nStatus: 5.7.1\n";
        let email = report("delivery-status", &[("message/delivery-status", status)]);
        assert!(matches!(read_report(&email), Err(ReportError::NoMessage)));
        let answering = [format!("In-Reply-To: {ID}\r\n").into_bytes(), email].concat();
        let found = read_report(&answering).unwrap().unwrap();
        assert_eq!((found.message_id.as_str(), found.reason.as_str()), (ID, "5.7.1"));
    }

    #[test]
    fn what_does_not_last_is_not_reported() {
        let original = original();
        for action in ["delayed", "delivered", "relayed", "expanded"] {
            let status = status(action);
            let parts = [
                ("message/delivery-status", status.as_str()),
                ("message/rfc822", &original),
            ];
            assert_eq!(
                read_report(&report("delivery-status", &parts)).unwrap(),
                None,
                "{action}"
            );
        }
        let mistaken = "Feedback-Type: not-spam\nVersion: 1\n";
        let parts = [
            ("message/feedback-report", mistaken),
            ("message/rfc822", &original),
        ];
        assert_eq!(read_report(&report("feedback-report", &parts)).unwrap(), None);
    }

    #[test]
    fn a_complaint_is_read() {
        let fields = "Feedback-Type: abuse\nUser-Agent: SomeGenerator/1.0\nVersion: 1\nOriginal-Rcpt-To: <maria@example.com>\n";
        let original = original();
        let parts = [
            ("text/plain", "This is an email abuse report"),
            ("message/feedback-report", fields),
            ("message/rfc822", original.as_str()),
        ];
        let found = read_report(&report("feedback-report", &parts)).unwrap().unwrap();
        assert_eq!(found.kind, ReturnKind::Complained);
        assert_eq!(
            (found.message_id.as_str(), found.reason.as_str()),
            (ID, "abuse (SomeGenerator/1.0)")
        );
    }

    #[test]
    fn anything_else_is_no_report_and_stops_nothing() {
        for other in [
            &b""[..],
            b"\0\xff",
            b"hello",
            b"Subject: x\r\n\r\nhello",
            b"Content-Type: multipart/report; boundary=x\r\n\r\n--x\r\n--x\r\n--x",
        ] {
            assert!(
                read_report(other).is_err(),
                "{:?}",
                String::from_utf8_lossy(other)
            );
        }
        let levels =
            (0..5000).map(|n| format!("Content-Type: multipart/mixed; boundary={n}\r\n\r\n--{n}\r\n"));
        let nested = levels.collect::<Vec<_>>().concat();
        assert!(read_report(nested.as_bytes()).is_err());
        let endless = "\n\nAction: delayed".repeat(100_000);
        let email = report("delivery-status", &[("message/delivery-status", &endless)]);
        assert!(matches!(read_report(&email), Ok(None) | Err(_)));
    }
}
