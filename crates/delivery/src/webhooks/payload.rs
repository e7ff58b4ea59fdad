//! The payload of a webhook event: what happened, when, and the folio as the API shows it.

use jiff::tz::TimeZone;
use serde::Serialize;
use store::LeasedWebhook;
use wire::FolioJson;

/// The kind of a test event.
const TEST_KIND: &str = "webhook.test";

#[derive(Serialize)]
struct Body<'a> {
    r#type: &'a str,
    timestamp: String,
    data: Data<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Data<'a> {
    Folio {
        event: i64,
        #[serde(flatten)]
        folio: Box<FolioJson<'a>>,
    },
    Test {
        message: &'static str,
    },
}

/// Why an event has no payload.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PayloadError {
    #[error("its folio or its event is missing")]
    Incomplete,
    #[error("its time is beyond the calendar")]
    Time(#[from] jiff::Error),
    #[error("it cannot be written as JSON")]
    Json(#[from] serde_json::Error),
}

/// The text of a message: the one it had before, or a new one.
pub(crate) fn body(leased: &LeasedWebhook, zone: &TimeZone) -> Result<String, PayloadError> {
    if let Some(body) = &leased.body {
        return Ok(body.clone());
    }
    let data = match (&leased.folio, leased.event) {
        (Some(folio), Some(event)) => Data::Folio {
            event,
            folio: Box::new(FolioJson::new(folio, zone)),
        },
        (None, None) if leased.kind == TEST_KIND => Data::Test {
            message: "Prueba: este webhook funciona.",
        },
        _ => return Err(PayloadError::Incomplete),
    };
    Ok(serde_json::to_string(&Body {
        r#type: &leased.kind,
        timestamp: jiff::Timestamp::from_microsecond(leased.happened_at.as_micros())?.to_string(),
        data,
    })?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{DeliveryId, Timestamp};
    use store::{DeliveryRow, WebhookEndpointRow};

    fn leased(kind: &str, event: Option<i64>) -> LeasedWebhook {
        LeasedWebhook {
            seq: DeliveryRow(1),
            id: DeliveryId::from_bytes([7; 16]),
            attempt: 1,
            attempts_before: 0,
            endpoint: WebhookEndpointRow(1),
            address: "https://example.com".to_owned(),
            secrets: Vec::new(),
            failing_since: None,
            kind: kind.to_owned(),
            folio: None,
            event,
            happened_at: Timestamp::from_micros(1_800_000_000_000_000),
            body: None,
        }
    }

    #[test]
    fn an_event_without_its_folio_has_no_payload() {
        let body = |leased| body(&leased, &TimeZone::UTC);
        let test = body(leased(TEST_KIND, None)).unwrap();
        assert!(test.contains(r#""timestamp":"2027-01-15T08:00:00Z""#), "{test}");
        for incomplete in [
            leased("folio.signed", Some(3)),
            leased("folio.signed", None),
            leased(TEST_KIND, Some(3)),
        ] {
            assert!(matches!(body(incomplete), Err(PayloadError::Incomplete)));
        }
        let beyond = LeasedWebhook {
            happened_at: Timestamp::from_micros(i64::MAX),
            ..leased(TEST_KIND, None)
        };
        assert!(matches!(body(beyond), Err(PayloadError::Time(_))));
    }
}
