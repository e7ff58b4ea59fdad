#![doc = include_str!("../README.md")]

mod form;
pub mod rehearse;
pub mod sheet;
pub mod sign;
mod structure;
pub mod verify;
