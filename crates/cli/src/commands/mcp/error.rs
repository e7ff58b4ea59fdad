//! Why a tool failed.

/// What the assistant reads about it, in Spanish.
#[derive(Debug)]
pub(super) struct ToolError(pub(super) String);
