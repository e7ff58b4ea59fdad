//! Which changes of a folio become webhook events.

use store::{ChangeKind, FolioChange, WebhookEvent};

/// The webhook events of these changes. The last signature gives two: the signer signed, and the folio is
/// signed.
pub(crate) fn webhook_events(changed: &[FolioChange]) -> Vec<WebhookEvent> {
    let mut all = Vec::new();
    for one in changed {
        let kinds: &[&'static str] = match one.kind {
            ChangeKind::Created => &["folio.created"],
            ChangeKind::Resent => &["folio.resent"],
            ChangeKind::Signed => &["folio.signer_signed"],
            ChangeKind::Completed => &["folio.signer_signed", "folio.signed"],
            ChangeKind::Rejected => &["folio.rejected"],
            ChangeKind::Cancelled => &["folio.cancelled"],
            ChangeKind::Approved => &["folio.approved"],
            ChangeKind::Disapproved => &["folio.disapproved"],
            ChangeKind::Dropped => &["folio.dropped"],
            ChangeKind::CodeRefused | ChangeKind::Undelivered => &[],
        };
        for (before_last, kind) in kinds.iter().rev().enumerate().rev() {
            all.push(WebhookEvent {
                company: one.company,
                folio: one.folio,
                kind,
                event: one.history_to - i64::try_from(before_last).unwrap_or_default(),
                at: one.at,
            });
        }
    }
    all
}
