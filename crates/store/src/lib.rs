//! One SQL text for two engines: `SQLite` inside the process, or a `PostgreSQL` server.
//!
//! A transaction is a plain closure over a [`Tx`], without `await`. Its writes are durable when
//! [`Store::write`] returns. Queries are methods of [`Tx`], one file per noun; every query of a company's
//! rows takes the company.
//!
//! # The order of locks
//!
//! `PostgreSQL` runs transactions side by side. So that no two wait for each other, each takes its locks in this order:
//!
//! 1. the idempotency key of the request;
//! 2. the marks of orphaned blobs, by hash;
//! 3. folios, by row number;
//! 4. bulk signatures, by row number;
//! 5. the recipients of codes (advisory locks), by hash;
//! 6. rows that belong to a locked folio or bulk signature: signers, documents, codes, sessions, messages.
//!
//! Users (by row number), API keys (by identifier), invitations, the authority and webhooks are locked by transactions that
//! lock none of the above. Workers that share a queue skip rows that are locked. A lock does not hold up rows that refer to
//! the locked one (`FOR NO KEY UPDATE`).

mod dialect;
mod engine;
mod error;
mod history_key;
mod migrate;
mod queries;
mod rows;
mod sql;
mod tx;
mod value;

pub use dialect::ColumnType;
#[cfg(feature = "simulation")]
pub use engine::simulated;
pub use engine::{Options, PoolSizes, QueueDepths, Settings, Store, Timeouts};
pub use error::Error;
pub use history_key::HistoryKey;
pub use migrate::{Change, LATEST_VERSION, MIGRATIONS, Migration, Step, applied_version, is_schema_known};
pub use queries::delivery::account_emails::{
    LeasedAccountEmail, NewAccountEmail, ReturnedMessage, SettledAccountEmail,
};
pub use queries::delivery::dead_letters::{Undelivered, UndeliveredAccountEmail};
pub use queries::delivery::mailbox::Mail;
pub use queries::delivery::outbox::{OutboxAge, OutboxRow};
pub use queries::delivery::outbox_leases::{LeasedMessage, SendOutcome, SettledMessage};
pub use queries::delivery::reminders::{DueReminders, Reminded, ReminderPlan};
pub use queries::delivery::resends::ResendCount;
pub use queries::delivery::returns::ReportedMessage;
pub use queries::delivery::signed_folios::{SignedDocument, SignedFolio};
pub use queries::delivery::webhook_endpoints::{
    AttemptRow, DeliveryDetails, DeliveryState, NewWebhook, Replay, Replayed, WebhookDelivery, WebhookRow,
};
pub use queries::delivery::webhook_leases::{LeasedWebhook, WebhookEvent};
pub use queries::delivery::webhook_outcomes::{SettledWebhook, WebhookOutcome};
pub use queries::due_times::{DueTimes, Queue};
pub use queries::folios::contacts::SignerContact;
pub use queries::folios::documents::{AppendedBlob, DocumentFile, DocumentLookup, SentFile};
pub use queries::folios::erasure::ErasedSigner;
pub use queries::folios::evidence::{DocumentVersion, LoggedMessage, StoredEvent};
pub use queries::folios::folio::StoredFolio;
pub use queries::folios::idempotency::{KeyClaim, StoredResponse};
pub use queries::folios::list::{FolioFilter, FolioSubset, ListedFolio, ListedSigner, SearchableFolio};
pub use queries::folios::public_document::PublicDocument;
pub use queries::leases::{
    FolioQueue, HEARTBEAT_LIFETIME, Lease, LeasedFolio, MAX_HEARTBEAT_LIFETIME, MAX_LEASE,
};
pub use queries::operator::api_keys::{KeyHash, KeyInfo, LiveKey, NewKey};
pub use queries::operator::authority::AuthorityRow;
pub use queries::operator::backup_tables::{BACKUP_TABLES, ColumnInfo};
pub use queries::operator::blob_holds::HOLD_DURATION;
pub use queries::operator::integrity::{DocumentFacts, EventFacts};
pub use queries::operator::operator_report::{
    LastBackup, NO_TIMESTAMP_AUTHORITY_PREFIX, OperatorReport, OverdueExtensions,
};
pub use queries::operator::revocations::RevocationRow;
pub use queries::operator::scrub::{ScrubReport, ScrubRound};
pub use queries::operator::sealed_columns::SealedColumn;
pub use queries::panel::api_requests::{ApiRequestFilter, LoggedApiRequest};
pub use queries::panel::audit::{ActFilter, AuditEntry, AuditPosition};
pub use queries::panel::company_settings::{
    CompanyContact, CompanySettings, ErasureDays, ErasurePolicy, Logo, ReminderDays, Retention,
};
pub use queries::panel::drafts::{DraftFile, PanelDraft, StoredDraft};
pub use queries::panel::folio_templates::StoredFolioTemplate;
pub use queries::panel::identity_providers::{ProviderSettings, RoleGroups, StoredProvider};
pub use queries::panel::imports::StoredImport;
pub use queries::panel::invitations::{NewInvitation, StoredInvitation};
pub use queries::panel::saved_searches::{PanelSearch, SavedSearch};
pub use queries::panel::sessions::{PanelCompany, SessionRow};
pub use queries::panel::sign_in_failures::FailureCount;
pub use queries::panel::users::{Identity, NewUser, StoredUser};
pub use queries::projections::change_log::FolioChange;
pub use queries::projections::daily_stats::{DailyStat, HourlyFolioRange, Stat};
pub use queries::projections::search_index::MAX_TERM_WORDS;
pub use queries::signing::access::{CompanyRow, SignerAccess};
pub use queries::signing::bulks::StoredBulk;
pub use queries::signing::codes::{CodeMessage, CodeRow, CodeSend};
pub use queries::signing::increment_moves::{MovableDocument, MovedIncrements, WaitingMoves};
pub use queries::signing::increments::{NewIncrement, NewSheet, SigningState};
pub use queries::signing::reading::{AcceptedDocument, Reading};
pub use queries::signing::sessions::SignerSessionRow;
pub use rows::{
    AccountEmailRow, ApiRequestRow, AuditRow, BulkRow, ChangeRow, DeliveryRow, DocumentPlace,
    DraftDocumentRow, FolioRow, InvitationRow, MailRow, MessageRow, SavedSearchRow, SealedRow, UserRow,
    WebhookEndpointRow,
};
pub use tx::Tx;
pub use value::Column;
