//! The personal values beside the events, held against the digests in their texts.

use super::super::bundle::Evidence;
use super::ParsedEvent;
use super::fault::Fault;
use domain::personal::{self, ValueFault};

/// A value that is not in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withheld {
    /// The event it belongs to, by number.
    pub event: i64,
    /// The place of its digest in the event's text, a JSON pointer.
    pub at: String,
    /// Whether it was erased, and not only left out of this copy.
    pub erased: bool,
}

pub(super) fn check(evidence: &Evidence, events: &[ParsedEvent]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (facts, event) in evidence.history.events.iter().zip(events) {
        let number = facts.number;
        let found = personal::check(&event.body, &facts.values).into_iter();
        faults.extend(found.map(|fault| match fault {
            ValueFault::Changed(at) => Fault::ValueChanged(number, at),
            ValueFault::Stray(at) => Fault::ValueStray(number, at),
            ValueFault::Missing(at) => Fault::ValueMissing(number, at),
        }));
    }
    faults
}

pub(super) fn withheld(evidence: &Evidence) -> Vec<Withheld> {
    let mut withheld = Vec::new();
    for facts in &evidence.history.events {
        let absent = facts.values.iter().filter(|value| value.value.is_none());
        withheld.extend(absent.map(|value| Withheld {
            event: facts.number,
            at: value.at.clone(),
            erased: value.erased,
        }));
    }
    withheld
}
