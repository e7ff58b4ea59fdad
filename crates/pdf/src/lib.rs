#![doc = include_str!("../README.md")]

pub mod annotation_flags;
pub mod attachments;
mod damage;
pub mod file;
pub mod increment;
pub mod inspect;
mod limits;
mod meter;
pub mod prepare;
pub mod repair;
pub mod syntax;

pub use damage::Damage;
pub use limits::Limits;
pub use meter::Meter;
