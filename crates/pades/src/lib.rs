//! PDF in, signatures out. Knows no folio.

pub mod cms;
mod file;
pub mod inspect;
pub mod prepare;
mod syntax;

pub use file::Damage;
