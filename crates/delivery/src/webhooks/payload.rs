//! The payload of a webhook event: what happened, when, and the folio as the API shows it.

use domain::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use store::LeasedWebhook;
use wire::FolioJson;

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
        event: Option<i64>,
        #[serde(flatten)]
        folio: Box<FolioJson<'a>>,
    },
    Test {
        message: &'static str,
    },
}

/// The text of a message: the one it had before, or a new one.
pub(crate) fn body(leased: &LeasedWebhook, zone: &TimeZone) -> Result<String, serde_json::Error> {
    if let Some(body) = &leased.body {
        return Ok(body.clone());
    }
    let data = match &leased.folio {
        Some(folio) => Data::Folio {
            event: leased.event,
            folio: Box::new(FolioJson::new(folio, zone)),
        },
        None => Data::Test {
            message: "Prueba: este webhook funciona.",
        },
    };
    serde_json::to_string(&Body {
        r#type: &leased.kind,
        timestamp: utc(leased.happened_at),
        data,
    })
}

fn utc(at: Timestamp) -> String {
    jiff::Timestamp::from_microsecond(at.as_micros())
        .unwrap_or_default()
        .to_string()
}
