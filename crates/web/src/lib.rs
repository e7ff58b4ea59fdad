//! To be filled by its first act.
