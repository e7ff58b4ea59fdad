//! The line of each signer: when invited, opened, accepted, when the code that signed was made, and when signed.

use super::super::bundle::SignerFacts;
use super::Report;
use super::sentences::{filled, short_time};
use serde_json::Value;

/// Stands for what did not happen, or not in this part of the history.
const EMPTY_CELL: &str = "—";

impl Report<'_> {
    pub(super) fn line_of(&self, signer: &SignerFacts) -> [String; 6] {
        let place = u64::try_from(signer.signer.0).ok();
        let events = self.evidence.history.events.iter();
        let bodies = events.filter_map(|event| serde_json::from_str::<Value>(&event.body).ok());
        let own: Vec<Value> = bodies.filter(|body| body["signer"].as_u64() == place).collect();
        let act = own
            .iter()
            .find(|body| body["what"] == "signed" || body["what"] == "rejected");
        let time = |body: &Value| short_time(body, self.zone);
        let first = |what: &str| own.iter().find(|body| body["what"] == what).map(time);
        let invited = own
            .iter()
            .find(|body| body["what"] == "delivered" && body["template"] == "invitation");
        let accepted = own.iter().rfind(|body| body["what"] == "accepted");
        let used = act.and_then(|act| act["code"].as_str());
        let code = own
            .iter()
            .filter(|body| body["what"] == "code_sent")
            .rfind(|body| used.is_none() || body["code"].as_str() == used);
        let acted = act.map(|act| {
            let at = time(act);
            if act["what"] == "rejected" {
                filled(self.w.rejected_at, &[("time", &at)])
            } else {
                at
            }
        });
        let or_nothing = |cell: Option<String>| cell.unwrap_or_else(|| EMPTY_CELL.to_owned());
        [
            signer.name.clone(),
            or_nothing(invited.map(time)),
            or_nothing(first("opened")),
            or_nothing(accepted.map(time)),
            or_nothing(code.map(time)),
            or_nothing(acted),
        ]
    }
}
