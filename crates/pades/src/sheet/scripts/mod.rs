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
