//! What the operator does: companies, keys, users, the master key, certificates, integrity, backup.

pub mod backup;
pub mod integrity;
pub mod keys;
pub mod master_key;
pub mod revoke_certificate;
pub mod users;
