//! Letters beyond those that every sheet embeds: their fonts, their order on a line, their shapes, and the part of
//! each font that a drawing needs.

mod face;
mod runs;
mod shape;
mod subset;

pub(super) use face::Face;
pub(super) use runs::{Piece, pieces, starts_rtl};
pub(super) use shape::{Cluster, shape};
pub use subset::Subsets;
pub(super) use subset::key;

/// Letters that join or part their neighbours and have no shape of their own.
pub(super) fn is_joiner(letter: char) -> bool {
    matches!(letter, '\u{200c}' | '\u{200d}')
}

/// Marks that set the direction of a line and have no shape.
pub(super) fn is_direction_mark(letter: char) -> bool {
    matches!(letter, '\u{200e}' | '\u{200f}')
}
