//! Row numbers: the database's own, with a type for each table, so that the number of a row of one table is not taken
//! for that of another.

use crate::error::Error;
use crate::value::{Column, FromColumn, Param};
use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

macro_rules! row_numbers {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $name(pub i64);

            impl $name {
                /// Below every number: the databases count from 1. Also the number of what is not stored yet.
                pub const ZERO: Self = Self(0);
                /// Above every number.
                pub const MAX: Self = Self(i64::MAX);
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    self.0.fmt(f)
                }
            }

            impl FromStr for $name {
                type Err = ParseIntError;

                fn from_str(text: &str) -> Result<Self, ParseIntError> {
                    text.parse().map(Self)
                }
            }

            impl FromColumn for $name {
                fn from_column(column: Column<'_>) -> Result<Self, Error> {
                    i64::from_column(column).map(Self)
                }
            }

            impl From<$name> for Param<'_> {
                fn from(row: $name) -> Self {
                    Self::Int(row.0)
                }
            }
        )*
    };
}

/// Where a document is. Places order as rounds through all documents go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocumentPlace {
    /// The document's folio; 0 for a template's document.
    pub folio: FolioRow,
    /// The document's index in the folio; the row number of a template's document.
    pub position: i64,
}

impl DocumentPlace {
    /// Before all documents.
    pub const START: Self = Self {
        folio: FolioRow::ZERO,
        position: -1,
    };
}

row_numbers! {
    /// A folio. Newer ones have higher numbers.
    FolioRow;
    /// A change of a folio in the change log.
    ChangeRow;
    /// A bulk signature.
    BulkRow;
    /// A message in the outbox. Messages to one recipient go in the order of their numbers.
    MessageRow;
    /// An email to a panel user.
    AccountEmailRow;
    /// A message in the mailbox of a sandbox.
    MailRow;
    /// A webhook endpoint.
    WebhookEndpointRow;
    /// A delivery to a webhook endpoint.
    DeliveryRow;
    /// A panel user.
    UserRow;
    /// A document of a draft.
    DraftDocumentRow;
    /// An invitation to the panel.
    InvitationRow;
    /// An act in a company's audit log.
    AuditRow;
    /// A request to the API in the log.
    ApiRequestRow;
    /// A search that a user keeps.
    SavedSearchRow;
    /// A row of whichever table has the sealed column.
    SealedRow;
}
