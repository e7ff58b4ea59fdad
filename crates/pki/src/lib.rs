#![doc = include_str!("../README.md")]

pub mod authority;
pub mod cms;
pub mod escape;
pub mod time;
pub mod trusted_list;
