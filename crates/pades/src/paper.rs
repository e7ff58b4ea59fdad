//! New documents made of words, for what is to be read and kept on paper.

pub use crate::sheet::prose::Prose;
