//! The chain of events, recomputed one by one.

use super::super::bundle::Evidence;
use super::ParsedEvent;
use super::fault::Fault;
use domain::event::{hash_after, hex};

pub(super) fn check(evidence: &Evidence, events: &[ParsedEvent]) -> Vec<Fault> {
    let history = &evidence.history;
    let mut faults = Vec::new();
    let first = history.events.first().map_or(1, |event| event.number);
    let mut expected = first;
    let mut before = unhex(&history.before).unwrap_or([0xff; 32]);
    if first == 1 && before != [0; 32] {
        faults.push(Fault::Beginning);
    }
    for (event, ParsedEvent { body, .. }) in history.events.iter().zip(events) {
        let hash = hash_after(&before, &event.body);
        if hex(&hash) != event.hash {
            faults.push(Fault::Event(event.number));
        }
        let in_place = event.number == expected
            && body["number"] == event.number
            && body["folio"] == evidence.folio.id.as_str();
        if !in_place {
            faults.push(Fault::Misplaced(event.number));
        }
        if event.number == 1 && body["what"] != "created" {
            faults.push(Fault::Beginning);
        }
        // The next event is checked against the hash that this one claims, so that one fault is reported
        // once.
        before = unhex(&event.hash).unwrap_or(hash);
        expected = event.number.saturating_add(1);
    }
    let last = expected.saturating_sub(1);
    if history.events.is_empty()
        || last > history.length
        || last == history.length && hex(&before) != history.head
    {
        faults.push(Fault::End);
    }
    faults
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let bytes = data_encoding::HEXLOWER.decode(text.as_bytes()).ok()?;
    bytes.try_into().ok()
}
