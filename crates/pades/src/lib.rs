//! PDF in, signatures out. Knows no folio.

pub mod authority;
pub mod cms;
pub mod escape;
mod file;
mod increment;
pub mod inspect;
pub mod paper;
pub mod prepare;
pub mod render;
pub mod sheet;
pub mod sign;
mod syntax;
pub mod time;
pub mod verify;

pub use file::Damage;
