//! One file per command.

pub(crate) mod backup;
pub(crate) mod bounce;
pub(crate) mod company;
pub(crate) mod config;
pub(crate) mod doctor;
pub(crate) mod documents;
pub(crate) mod inspect;
pub(crate) mod key;
pub(crate) mod mcp;
pub(crate) mod migrate;
pub(crate) mod outbox;
pub(crate) mod reseal;
pub(crate) mod restore;
pub(crate) mod revoke;
pub(crate) mod rotate;
pub(crate) mod serve;
pub(crate) mod storage;
pub(crate) mod user;
pub(crate) mod verify;
