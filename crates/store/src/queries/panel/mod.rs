//! The panel: its users, their sessions and credentials, the audit and the company's settings.

pub(crate) mod api_requests;
pub(crate) mod audit;
pub(crate) mod company_settings;
pub(crate) mod drafts;
pub(crate) mod folio_templates;
pub(crate) mod identity_providers;
pub(crate) mod imports;
pub(crate) mod invitations;
pub(crate) mod password_links;
pub(crate) mod saved_searches;
pub(crate) mod second_factors;
pub(crate) mod sessions;
pub(crate) mod sign_in_failures;
pub(crate) mod users;
