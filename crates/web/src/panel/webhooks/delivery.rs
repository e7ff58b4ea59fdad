//! One delivery: the body that was sent, and the response to each attempt.

use crate::page::PageResult;
use crate::panel::auth::RequireAdministrator;
use crate::panel::layout::{PanelLayout, Section};
use app::Error;
use askama::Template;
use axum::extract::Path;
use pki::escape::{escape, escape_json};
use serde_json::Value;
use store::{AttemptRow, DeliveryDetails, DeliveryState, WebhookRow};

/// Attempts shown, the last ones: every attempt of a delivery that was not sent again more than four times.
const MAX_SHOWN_ATTEMPTS: usize = 50;

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/webhook_delivery.html")]
pub(crate) struct DeliveryPage {
    pub(crate) f: PanelLayout,
    pub(crate) webhook: WebhookRow,
    pub(crate) sent: DeliveryDetails,
    /// The attempts, newest first.
    pub(crate) attempts: Vec<AttemptRow>,
}

impl DeliveryPage {
    /// The identifier that the receiver sees.
    pub(crate) fn message_id(&self) -> String {
        format!("msg_{}", self.sent.delivery.id)
    }
}

/// `GET /panel/webhooks/deliveries/{delivery}`.
pub(crate) async fn page(
    RequireAdministrator(request): RequireAdministrator,
    Path(delivery): Path<String>,
) -> PageResult {
    let notice = (request.done().as_deref() == Some("resent")).then(|| request.l.webhook_resent());
    let Ok(id) = delivery.parse() else {
        return Err(request.error_page(Error::NotFound).into());
    };
    let app = &request.web.app;
    let found = app
        .webhook_delivery(request.user().company, id, MAX_SHOWN_ATTEMPTS)
        .await;
    let (webhook, sent, mut attempts) = found.map_err(|error| request.error_page(error))?;
    attempts.reverse();
    Ok(request.page(&DeliveryPage {
        f: request.frame(Section::Webhooks).with_notice(notice),
        webhook,
        sent,
        attempts,
    }))
}

/// A body of JSON, with a line for each value.
fn pretty(body: &str) -> String {
    let value: Result<Value, _> = serde_json::from_str(body);
    let text = value.and_then(|value| serde_json::to_string_pretty(&value));
    escape_json(&text.unwrap_or_else(|_| body.to_owned())).into_owned()
}

/// A text of a receiver, line by line. Characters that show nothing, or deceive, are spelt out.
fn visible(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(escape).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_keeps_its_order_and_a_response_its_lines() {
        let body = r#"{"type":"folio.signed","data":{"event":7,"b":"1\u202e","a":[]}}"#;
        let lines = [
            "{",
            "  \"type\": \"folio.signed\",",
            "  \"data\": {",
            "    \"event\": 7,",
            "    \"b\": \"1\\u202e\",",
            "    \"a\": []",
            "  }",
            "}",
        ];
        assert_eq!(pretty(body), lines.join("\n"));
        assert_eq!(pretty("no JSON"), "no JSON");
        assert_eq!(visible("<h1>\r\nno\u{1b}[2J\tñ"), "<h1>\nno\\u{1b}[2J\\u{9}ñ");
    }
}
