//! The public JSON of a folio: codes as strings, names in Spanish, dates in the installation's zone. The API answers with
//! it, and webhooks carry it.

mod codes;
mod date;
mod folio;

pub use codes::{folio_state, signature_type, signer_state};
pub use date::Date;
pub use folio::FolioJson;
