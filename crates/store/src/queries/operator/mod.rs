//! The operator's own: companies, API keys, the authority, backups, integrity and blob removal.

pub(crate) mod api_keys;
pub(crate) mod authority;
pub(crate) mod backup_tables;
pub(crate) mod blob_holds;
pub(crate) mod blob_removal;
pub(crate) mod companies;
pub(crate) mod installation;
pub(crate) mod integrity;
pub(crate) mod operator_report;
pub(crate) mod revocations;
pub(crate) mod sandbox;
pub(crate) mod scrub;
pub(crate) mod sealed_columns;
pub(crate) mod sweep;
