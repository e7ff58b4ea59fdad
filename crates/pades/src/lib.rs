#![doc = include_str!("../README.md")]

mod form;
pub mod rehearse;
pub mod sheet;
pub mod sign;
pub mod verify;
