//! Which changes of a folio become webhook events.

use domain::{ChangeKind, WebhookKind};
use store::{FolioChange, WebhookEvent};

/// The webhook events of these changes. The last signature gives two: the signer signed, and the folio is
/// signed.
pub(crate) fn webhook_events(changed: &[FolioChange]) -> Vec<WebhookEvent> {
    let mut all = Vec::new();
    for one in changed {
        let kinds: &[WebhookKind] = match one.kind {
            ChangeKind::Created => &[WebhookKind::Created],
            ChangeKind::Resent => &[WebhookKind::Resent],
            ChangeKind::Signed => &[WebhookKind::SignerSigned],
            ChangeKind::Completed => &[WebhookKind::SignerSigned, WebhookKind::Signed],
            ChangeKind::Rejected => &[WebhookKind::Rejected],
            ChangeKind::Cancelled => &[WebhookKind::Cancelled],
            ChangeKind::Approved => &[WebhookKind::Approved],
            ChangeKind::Disapproved => &[WebhookKind::Disapproved],
            ChangeKind::Dropped | ChangeKind::Erased => &[WebhookKind::Dropped],
            ChangeKind::EmailBounced => &[WebhookKind::EmailBounced],
            ChangeKind::EmailComplained => &[WebhookKind::EmailComplained],
            ChangeKind::Corrected | ChangeKind::CodeRefused | ChangeKind::Undelivered => &[],
        };
        for (before_last, kind) in kinds.iter().rev().enumerate().rev() {
            all.push(WebhookEvent {
                company: one.company,
                folio: one.folio,
                kind: *kind,
                event: one.history_to - i64::try_from(before_last).unwrap_or_default(),
                at: one.at,
            });
        }
    }
    all
}
