//! The rules, tried from outside: every state against every act, random acts against a model, the chain of
//! events, and what texts may hold.

#![allow(clippy::unwrap_used, reason = "a test may stop at anything unexpected")]

mod hash_chain;
mod model;
mod random_acts;
mod sample;
mod signers;
mod table;
mod texts;
