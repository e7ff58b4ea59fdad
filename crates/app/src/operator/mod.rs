//! What the operator does: companies, keys, users, the master key, certificates, integrity, backup.

pub mod backup;
mod companies;
mod concurrent;
pub(crate) mod document_check;
pub mod integrity;
pub mod keys;
pub mod master_key;
pub mod revoke_certificate;
pub mod storage_owner;
pub mod users;

use crate::{App, Clock};
use store::Store;

/// The operator's commands. They need the store and the clock only.
#[derive(Debug, Clone)]
pub struct Operator {
    pub(crate) store: Store,
    pub(crate) clock: Clock,
}

impl App {
    /// The operator's part of it.
    pub fn operator(&self) -> Operator {
        Operator::new(self.store.clone(), self.clock.clone())
    }
}

impl Operator {
    /// Works on that store.
    pub const fn new(store: Store, clock: Clock) -> Self {
        Self { store, clock }
    }
}
