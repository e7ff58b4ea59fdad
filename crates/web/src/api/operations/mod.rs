//! One file per operation of the integration API.

pub(crate) mod cancel_folios;
pub(crate) mod create_folio;
pub(crate) mod download_document;
pub(crate) mod read_bulk;
pub(crate) mod read_evidence;
pub(crate) mod read_folio;
pub(crate) mod read_folios;
pub(crate) mod resend_emails;
pub(crate) mod start_bulk;
