//! One SQL text for two engines: `SQLite` inside the process, or a `PostgreSQL` server.
//!
//! A transaction is a plain closure over a [`Tx`], without `await`. Its writes are durable when
//! [`Store::write`] returns. Queries are methods of [`Tx`], one file per noun; every query of a company's
//! rows takes the company.

mod dialect;
mod engine;
mod error;
mod history_key;
mod migrate;
mod queries;
mod sql;
mod tx;
mod value;

pub use dialect::Kind;
pub use engine::{Depths, Settings, Store};
pub use error::Error;
pub use history_key::HistoryKey;
pub use migrate::{Migration, NEWEST, applied};
pub use queries::audit::{ActFilter, AuditPosition, AuditRow};
pub use queries::authority::AuthorityRow;
pub use queries::bulks::BulkRow;
pub use queries::change_log::{ChangeKind, Changed};
pub use queries::codes::{CodeMessage, CodeRow, CodeSend};
pub use queries::company_settings::{CompanySettings, Logo, Retention};
pub use queries::copying::{COPIED, ColumnInfo};
pub use queries::dead_letters::{Undelivered, UndeliveredLetter};
pub use queries::downloads::{DocumentFile, Download};
pub use queries::evidence::{DocumentVersion, MessageRow, StoredEvent};
pub use queries::extensions::Extension;
pub use queries::figures::{DayFigure, Figure, HourSpan};
pub use queries::folio_words::ALTERNATIVES;
pub use queries::folios::Stored;
pub use queries::idempotency::{Kept, KeptAnswer};
pub use queries::increments::{NewIncrement, NewSheet, Tip};
pub use queries::invitations::{InvitationRow, NewInvitation};
pub use queries::keys::{KeyInfo, KeyLookup, LiveKey};
pub use queries::known::KnownDocument;
pub use queries::letters::{LetterRow, NewLetter, SettledLetter};
pub use queries::list_folios::{Face, ListedFolio, ListedSigner, Wanted};
pub use queries::mailbox::Mail;
pub use queries::outbox::{OutboxAge, OutboxRow};
pub use queries::panel_sessions::{PanelCompany, SessionRow};
pub use queries::resends::ResendCount;
pub use queries::revocations::RevocationRow;
pub use queries::sealed::Sealed;
pub use queries::sending::{Ending, Parcel, Settled};
pub use queries::sign_in_failures::FailureCount;
pub use queries::signer_sessions::SignerSessionRow;
pub use queries::signing::{CompanyRow, SignerAccess};
pub use queries::sweeping::REMOVAL;
pub use queries::users::{NewUser, UserRow};
pub use queries::webhook_sending::{Told, WebhookParcel};
pub use queries::webhook_settling::{Aftermath, Attempted};
pub use queries::webhooks::{AttemptRow, DeliveryRow, DeliveryState, WebhookRow};
pub use queries::wholeness::{DocumentFacts, EventFacts};
pub use tx::Tx;
pub use value::Column;
