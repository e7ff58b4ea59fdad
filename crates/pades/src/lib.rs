#![doc = include_str!("../README.md")]

pub mod accept;
mod form;
mod language;
pub mod rehearse;
pub mod sheet;
pub mod sign;
mod structure;
pub mod verify;

pub use language::Language;
