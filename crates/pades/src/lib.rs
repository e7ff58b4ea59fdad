#![doc = include_str!("../README.md")]

pub mod accept;
mod form;
pub mod rehearse;
pub mod sheet;
pub mod sign;
mod structure;
pub mod verify;
