//! The forms in which providers of email report bounces and complaints. Each is recognised by a field that the others lack.

use app::messages::MessageReport;
use domain::ReturnKind;
use serde_json::Value;

/// Characters of a `Message-ID`: those of a line of an email (RFC 5322).
const MAX_MESSAGE_ID_CHARS: usize = 998;
/// Characters of the address that confirms a subscription.
const MAX_ADDRESS_CHARS: usize = 2_000;

/// How a provider writes what happened to an email. A field is a JSON pointer.
struct Form {
    /// The field that other forms lack.
    mark: &'static str,
    /// The first case that fits counts. What fits none is not of interest: a delivery, a delay.
    cases: &'static [Case],
    /// The field with the `Message-ID` that the service gave the email. Providers have names of their own beside it.
    message_id: &'static str,
    /// The first of these fields that says something is the reason.
    reasons: &'static [&'static str],
}

/// What it means that all these fields have these values.
struct Case {
    fields: &'static [(&'static str, &'static str)],
    means: Option<ReturnKind>,
}

const fn bounce(fields: &'static [(&'static str, &'static str)]) -> Case {
    let means = Some(ReturnKind::Bounced);
    Case { fields, means }
}

const fn complaint(fields: &'static [(&'static str, &'static str)]) -> Case {
    let means = Some(ReturnKind::Complained);
    Case { fields, means }
}

const fn ignored(fields: &'static [(&'static str, &'static str)]) -> Case {
    let means = None;
    Case { fields, means }
}

/// Amazon SES. A configuration set writes `eventType` where an identity's notifications have `notificationType`.
const SES: Form = Form {
    mark: "/mail/messageId",
    cases: &[
        bounce(&[
            ("/notificationType", "Bounce"),
            ("/bounce/bounceType", "Permanent"),
        ]),
        bounce(&[("/eventType", "Bounce"), ("/bounce/bounceType", "Permanent")]),
        // SES did not send the email: the recipient had complained about an earlier one.
        bounce(&[("/complaint/complaintSubType", "OnAccountSuppressionList")]),
        ignored(&[("/complaint/complaintFeedbackType", "not-spam")]),
        complaint(&[("/notificationType", "Complaint")]),
        complaint(&[("/eventType", "Complaint")]),
    ],
    message_id: "/mail/commonHeaders/messageId",
    reasons: &[
        "/bounce/bouncedRecipients/0/diagnosticCode",
        "/bounce/bounceSubType",
        "/complaint/complaintSubType",
        "/complaint/complaintFeedbackType",
    ],
};

/// `SendGrid`. A blocked email may be taken another time.
const SENDGRID: Form = Form {
    mark: "/event",
    cases: &[
        ignored(&[("/event", "bounce"), ("/type", "blocked")]),
        bounce(&[("/event", "bounce")]),
        bounce(&[("/event", "dropped")]),
        complaint(&[("/event", "spamreport")]),
    ],
    message_id: "/smtp-id",
    reasons: &["/reason"],
};

const MAILGUN: Form = Form {
    mark: "/event-data/event",
    cases: &[
        bounce(&[
            ("/event-data/event", "failed"),
            ("/event-data/severity", "permanent"),
        ]),
        complaint(&[("/event-data/event", "complained")]),
    ],
    message_id: "/event-data/message/headers/message-id",
    reasons: &[
        "/event-data/delivery-status/message",
        "/event-data/delivery-status/description",
        "/event-data/reason",
    ],
};

const FORMS: [&Form; 3] = [&SES, &SENDGRID, &MAILGUN];

/// The bounces and complaints of a request, if its form is a provider's.
pub(super) fn read(body: Value) -> Option<Vec<MessageReport>> {
    let from_topic = body.get("TopicArn").is_some();
    let events = match body {
        Value::Array(events) => events,
        body if from_topic => published(&body).into_iter().collect(),
        body => vec![body],
    };
    let known: Vec<(&Form, &Value)> = events
        .iter()
        .filter_map(|event| Some((form_of(event)?, event)))
        .collect();
    if known.is_empty() && !from_topic {
        return None;
    }
    let reports = known.iter().filter_map(|(form, event)| form.report(event));
    let reports: Vec<MessageReport> = reports.collect();
    if reports.iter().any(|report| report.message_id.is_empty()) {
        tracing::warn!("a provider's report about an email lacks the Message-ID that this service gave it");
    }
    Some(reports)
}

/// What was published to a topic of Amazon SNS. It sends only to an address that was confirmed, which is the operator's to do: a
/// service that fetched the address would fetch any.
fn published(envelope: &Value) -> Option<Value> {
    match text(envelope, "/Type")? {
        "Notification" => serde_json::from_str(text(envelope, "/Message")?).ok(),
        "SubscriptionConfirmation" => {
            let address = text(envelope, "/SubscribeURL")?;
            let address: String = address.chars().take(MAX_ADDRESS_CHARS).collect();
            tracing::warn!(
                ?address,
                "a topic of Amazon SNS will report about emails once its SubscribeURL was opened"
            );
            None
        }
        _ => None,
    }
}

fn form_of(event: &Value) -> Option<&'static Form> {
    FORMS.into_iter().find(|form| text(event, form.mark).is_some())
}

impl Form {
    fn report(&self, event: &Value) -> Option<MessageReport> {
        let fits = |case: &&Case| {
            let mut fields = case.fields.iter();
            fields.all(|(field, value)| text(event, field) == Some(*value))
        };
        let kind = self.cases.iter().find(fits)?.means?;
        let message_id = text(event, self.message_id).filter(|id| id.len() <= MAX_MESSAGE_ID_CHARS);
        let reason = self.reasons.iter().find_map(|field| text(event, field));
        // "smtp; 550 5.1.1 …": the type of the code says nothing to people.
        let reason = reason.map(|said| said.strip_prefix("smtp;").unwrap_or(said));
        Some(MessageReport {
            kind,
            message_id: message_id.unwrap_or_default().to_owned(),
            reason: reason.unwrap_or_default().to_owned(),
        })
    }
}

/// The field's text, unless it is empty.
fn text<'v>(event: &'v Value, field: &str) -> Option<&'v str> {
    let text = event.pointer(field)?.as_str()?;
    Some(text).filter(|text| !text.is_empty())
}
