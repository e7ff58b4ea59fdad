//! The graphics states that contents save and restore.

use hayro::hayro_syntax::content::ops::TypedInstruction;

use crate::operations::{clips, paints, sets_state, shows_text};

/// Saved states beyond this are a doubt. The renderer keeps 65,536.
const MAX_SAVED_STATES: usize = 60_000;

/// The states that some contents save, each with a value. Other programs ignore a restore without a save. The renderer
/// returns to the state in which the contents began, and with the next one to a state of the contents that draw them.
#[allow(clippy::struct_excessive_bools, reason = "each is a state of its own")]
pub(super) struct SavedStates<T> {
    first: T,
    saved: Vec<T>,
    /// Whether others draw these contents, in states of their own.
    is_inner: bool,
    /// Whether contents changed the state in which they began, before they restored it.
    is_changed: bool,
    /// Restores without a save.
    unmatched: usize,
    /// Whether the place of the next letters was restored: other programs do not restore it.
    is_text_moved: bool,
    in_text: bool,
    /// Whether all is painted in the states in which other programs paint it.
    pub(super) are_usual: bool,
    /// Whether contents leave another state behind than that in which they began.
    pub(super) leak: bool,
}

impl<T: Copy> SavedStates<T> {
    pub(super) fn new(first: T, is_inner: bool) -> Self {
        Self {
            first,
            saved: Vec::new(),
            is_inner,
            is_changed: false,
            unmatched: 0,
            is_text_moved: false,
            in_text: false,
            are_usual: true,
            leak: false,
        }
    }

    pub(super) fn save(&mut self, value: T) {
        if self.saved.len() < MAX_SAVED_STATES {
            self.saved.push(value);
        } else {
            self.are_usual = false;
        }
    }

    /// The value of the state that is restored.
    pub(super) fn restore(&mut self, value: T) -> T {
        self.is_text_moved |= self.in_text;
        if let Some(saved) = self.saved.pop() {
            return saved;
        }
        self.unmatched += 1;
        if self.unmatched == 1 {
            return self.first;
        }
        // At the start of a page nothing is left to restore.
        self.are_usual &= !self.is_inner;
        value
    }

    /// Looks at any operation but these two.
    pub(super) fn follow(&mut self, operation: &TypedInstruction<'_, '_>) {
        match operation {
            TypedInstruction::BeginText(_) => (self.in_text, self.is_text_moved) = (true, false),
            TypedInstruction::SetTextMatrix(_) => self.is_text_moved = false,
            TypedInstruction::EndText(_) => self.in_text = false,
            _ => {}
        }
        if shows_text(operation) && self.is_text_moved
            || paints(operation) && self.is_changed && self.unmatched > 0
        {
            self.are_usual = false;
        }
        if self.saved.is_empty() {
            let sets = sets_state(operation);
            self.is_changed |= sets && self.unmatched == 0;
            self.leak |= self.unmatched > 0 && (sets || clips(operation));
        }
    }
}
