//! The company that owns folios. Every read and every act is scoped by one.

/// A company, by its number in this installation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CompanyId(pub i64);
