//! One-time codes: every event that names one names a code that was made for that signer before, and a code that was used is the
//! one whose hash the history had then.

use super::ParsedEvent;
use super::fault::Fault;
use data_encoding::HEXLOWER_PERMISSIVE;
use domain::code::commitment;
use serde_json::Value;
use std::collections::HashMap;

/// A history without its beginning may lack the event that made a code.
pub(super) fn check(events: &[ParsedEvent]) -> Vec<Fault> {
    let mut made: HashMap<&str, &Value> = HashMap::new();
    let from_the_beginning = events.first().is_some_and(|first| first.body["number"] == 1);
    let mut faults = Vec::new();
    for ParsedEvent { body, .. } in events {
        let Some(id) = body["code"].as_str() else {
            continue;
        };
        if body["what"] == "code_sent" {
            made.insert(id, body);
            continue;
        }
        let number = body["number"].as_i64().unwrap_or_default();
        let Some(sent) = made.get(id) else {
            faults.extend(from_the_beginning.then_some(Fault::CodeUnknown(number)));
            continue;
        };
        if !is_same(sent, body) {
            faults.push(Fault::CodeUnknown(number));
        } else if !fits(sent, body) {
            faults.push(Fault::CodeDiffers(number));
        }
    }
    faults
}

/// Whether the event speaks of the signer and the channel that the code was made for, where it names them.
fn is_same(sent: &Value, event: &Value) -> bool {
    let same = |member: &str| event[member].is_null() || event[member] == sent[member];
    same("signer") && same("channel")
}

/// Whether the revealed code has the hash that the history had when it was made.
fn fits(sent: &Value, event: &Value) -> bool {
    match (event["code_salt"].as_str(), event["code_digits"].as_str()) {
        (None, None) => !matches!(event["what"].as_str(), Some("signed" | "rejected")),
        (Some(salt), Some(digits)) => HEXLOWER_PERMISSIVE
            .decode(salt.as_bytes())
            .is_ok_and(|salt| salt.len() == 16 && sent["code_hash"] == commitment(&salt, digits)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::code::{CodeCommitment, UsedCode};
    use domain::{Code, CodeId};
    use serde_json::json;

    fn event(number: i64, what: &str, more: &Value) -> ParsedEvent {
        let mut body = json!({"number": number, "what": what, "signer": 0, "channel": "email"});
        let members = body.as_object_mut().unwrap();
        members.extend(more.as_object().unwrap().clone());
        ParsedEvent {
            restored: body.clone(),
            body,
        }
    }

    /// A code that was made by the second event and used by the third.
    fn history() -> Vec<ParsedEvent> {
        let (id, salt) = (CodeId::from_bytes([6; 16]), [7; 16]);
        let digits = Code::typed("123456").unwrap();
        let made = serde_json::to_value(CodeCommitment::new(id, &salt, &digits)).unwrap();
        let used = serde_json::to_value(UsedCode::new(id, &salt, &digits)).unwrap();
        vec![
            event(1, "created", &json!({})),
            event(2, "code_sent", &made),
            event(3, "signed", &used),
        ]
    }

    #[test]
    fn a_used_code_is_the_one_that_was_made() {
        type Change = fn(&mut [ParsedEvent]);
        assert_eq!(check(&history()), []);
        let changes: [(Change, Fault); 5] = [
            (
                |events| events[2].body["code_digits"] = json!("123457"),
                Fault::CodeDiffers(3),
            ),
            (
                |events| events[2].body["code_salt"] = json!("07"),
                Fault::CodeDiffers(3),
            ),
            (
                |events| events[2].body["code_salt"] = Value::Null,
                Fault::CodeDiffers(3),
            ),
            (
                |events| events[2].body["signer"] = json!(1),
                Fault::CodeUnknown(3),
            ),
            (
                |events| events[2].body["code"] = json!("00"),
                Fault::CodeUnknown(3),
            ),
        ];
        for (change, fault) in changes {
            let mut events = history();
            change(&mut events);
            assert_eq!(check(&events), [fault]);
        }
    }

    #[test]
    fn a_part_of_a_history_may_lack_the_event_that_made_the_code() {
        let mut events = history();
        events.drain(..2);
        assert_eq!(check(&events), []);
    }
}
