//! Approval, drop, erasure and legal hold.

use crate::event::{DocumentRef, Event, EventKind, Origin};
use crate::folio::Folio;
use crate::folio::change::Change;
use crate::folio::refusal::Refusal;
use crate::folio::state::FolioState;
use crate::text::Observation;
use crate::time::Timestamp;
use std::collections::BTreeSet;

impl Folio {
    /// A supervisor approves the signed folio, whose documents now have these hashes.
    pub fn approve(
        &self,
        documents: Vec<DocumentRef>,
        origin: Origin,
        at: Timestamp,
    ) -> Result<Change, Refusal> {
        self.must_await_approval()?;
        let mut change = Change::new(self.state, FolioState::Approved, at);
        change.events.push(Event {
            at,
            origin,
            what: EventKind::Approved { documents },
        });
        Ok(change)
    }

    /// A supervisor or administrator rejects the signed folio, whose documents now have these hashes.
    pub fn disapprove(
        &self,
        observation: &Observation,
        documents: Vec<DocumentRef>,
        origin: Origin,
        at: Timestamp,
    ) -> Result<Change, Refusal> {
        self.must_await_approval()?;
        let mut change = Change::new(self.state, FolioState::Disapproved, at);
        change.observation = Some(observation.clone());
        let what = EventKind::Disapproved {
            observation: observation.clone(),
            documents,
        };
        change.events.push(Event { at, origin, what });
        Ok(change)
    }

    /// An administrator drops the finished folio: it is still read, its documents no longer.
    pub fn drop_finished(&self, origin: Origin, at: Timestamp) -> Result<Change, Refusal> {
        self.must_not_be_dropped()?;
        if !self.state.is_final() {
            return Err(Refusal::NotFinal);
        }
        let mut change = Change::new(self.state, self.state, at);
        change.drop = true;
        change.events.push(Event {
            at,
            origin,
            what: EventKind::Dropped,
        });
        Ok(change)
    }

    /// The documents and personal values of the finished folio are erased. The folio counts as dropped.
    pub fn erase(
        &self,
        reason: Option<&Observation>,
        origin: Origin,
        at: Timestamp,
    ) -> Result<Change, Refusal> {
        self.must_be_erasable()?;
        if !self.state.is_final() {
            return Err(Refusal::NotFinal);
        }
        Ok(erased(Change::new(self.state, self.state, at), reason, origin))
    }

    /// The company's retention of pending folios has ended: the folio is cancelled without a word to its signers, and
    /// erased.
    pub fn erase_pending(
        &self,
        observation: &Observation,
        origin: Origin,
        at: Timestamp,
    ) -> Result<Change, Refusal> {
        self.must_be_erasable()?;
        let mut change = self.cancel(observation, &BTreeSet::new(), origin.clone(), at)?;
        change.messages.clear();
        Ok(erased(change, None, origin))
    }

    /// An administrator places the folio under legal hold, whatever its state.
    pub fn place_hold(&self, reason: &Observation, origin: Origin, at: Timestamp) -> Result<Event, Refusal> {
        self.must_be_erasable()?;
        let what = EventKind::HoldPlaced {
            reason: reason.clone(),
        };
        Ok(Event { at, origin, what })
    }

    /// An administrator lifts the legal hold.
    pub fn lift_hold(&self, reason: &Observation, origin: Origin, at: Timestamp) -> Result<Event, Refusal> {
        if !self.held {
            return Err(Refusal::NotHeld);
        }
        let what = EventKind::HoldLifted {
            reason: reason.clone(),
        };
        Ok(Event { at, origin, what })
    }
}

/// The change with the erasure at its end.
fn erased(mut change: Change, reason: Option<&Observation>, origin: Origin) -> Change {
    change.drop = true;
    change.events.push(Event {
        at: change.at,
        origin,
        what: EventKind::Erased {
            reason: reason.cloned(),
        },
    });
    change
}
