//! What a webhook is told: what happened, when, and the folio as the API shows it.

use super::Tell;
use domain::Timestamp;
use serde_json::{Map, Value, json};
use store::WebhookParcel;

/// The text of a message: the one it had before, or a new one.
pub(crate) fn body(parcel: &WebhookParcel, tell: &Tell) -> String {
    if let Some(body) = &parcel.body {
        return body.clone();
    }
    let mut data = Map::new();
    match &parcel.folio {
        Some(folio) => {
            data.insert("event".to_owned(), json!(parcel.event));
            if let Value::Object(detail) = tell(folio) {
                data.extend(detail);
            }
        }
        None => {
            data.insert("message".to_owned(), json!("Prueba: este webhook funciona."));
        }
    }
    json!({
        "type": parcel.kind,
        "timestamp": moment(parcel.happened_at),
        "data": data,
    })
    .to_string()
}

fn moment(at: Timestamp) -> String {
    jiff::Timestamp::from_microsecond(at.as_micros())
        .unwrap_or_default()
        .to_string()
}
