//! The kinds of changes that a company's systems and statistics hear of.

use crate::event::EventKind;

/// What kind of change it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChangeKind {
    /// The folio was created.
    Created,
    /// A signer was written to again.
    Resent,
    /// A signer signed, and others are missing.
    Signed,
    /// The last signer signed.
    Completed,
    /// A signer rejected it.
    Rejected,
    /// The company cancelled it.
    Cancelled,
    /// A supervisor approved it.
    Approved,
    /// A supervisor rejected it.
    Disapproved,
    /// An administrator dropped it.
    Dropped,
    /// It was erased.
    Erased,
    /// A signer's name or contact was corrected.
    Corrected,
    /// A signer gave a wrong code.
    CodeRefused,
    /// A message was given up.
    Undelivered,
    /// An email came back.
    EmailBounced,
    /// A signer complained of an email.
    EmailComplained,
}

impl ChangeKind {
    /// The kind of change that an event is, if it is one.
    pub const fn of(what: &EventKind) -> Option<Self> {
        Some(match what {
            EventKind::Created { .. } => Self::Created,
            EventKind::Resent { .. } => Self::Resent,
            EventKind::Signed { .. } => Self::Signed,
            EventKind::Completed => Self::Completed,
            EventKind::Rejected { .. } => Self::Rejected,
            EventKind::Cancelled { .. } => Self::Cancelled,
            EventKind::Approved { .. } => Self::Approved,
            EventKind::Disapproved { .. } => Self::Disapproved,
            EventKind::Dropped => Self::Dropped,
            EventKind::Erased { .. } => Self::Erased,
            EventKind::Corrected { .. } => Self::Corrected,
            EventKind::CodeRefused { .. } => Self::CodeRefused,
            EventKind::Undelivered { given_up: true, .. } => Self::Undelivered,
            EventKind::Bounced { .. } => Self::EmailBounced,
            EventKind::Complained { .. } => Self::EmailComplained,
            EventKind::Undelivered { .. }
            | EventKind::Downloaded { .. }
            | EventKind::EvidenceDownloaded { .. }
            | EventKind::CodeSent { .. }
            | EventKind::Identified { .. }
            | EventKind::Opened { .. }
            | EventKind::EndReached { .. }
            | EventKind::Accepted { .. }
            | EventKind::Freed { .. }
            | EventKind::Delivered { .. }
            | EventKind::Extended { .. }
            | EventKind::HoldPlaced { .. }
            | EventKind::HoldLifted { .. }
            | EventKind::BulkStarted { .. } => return None,
        })
    }
}
