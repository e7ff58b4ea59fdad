//! The flags of an annotation: what its entry `/F` may say.

/// Not shown where its kind is unknown.
pub const INVISIBLE: i64 = 1;
/// Neither shown nor printed.
pub const HIDDEN: i64 = 1 << 1;
/// Printed.
pub const PRINT: i64 = 1 << 2;
/// Not shown on screen.
pub const NO_VIEW: i64 = 1 << 5;
/// Answers to nothing a reader does.
pub const READ_ONLY: i64 = 1 << 6;
/// Neither moved nor removed.
pub const LOCKED: i64 = 1 << 7;
/// Keeps its value.
pub const LOCKED_CONTENTS: i64 = 1 << 9;
