//! The kinds of webhook events, and which of them an endpoint gets.

use std::fmt;
use std::str::FromStr;

/// What happened to a folio, as webhooks name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WebhookKind {
    /// A folio was created.
    Created,
    /// The emails were sent again.
    Resent,
    /// A signer signed, also the last one.
    SignerSigned,
    /// The last signer signed.
    Signed,
    /// A signer rejected.
    Rejected,
    /// The company cancelled.
    Cancelled,
    /// A supervisor approved the signed folio.
    Approved,
    /// A supervisor rejected the signed folio.
    Disapproved,
    /// An administrator dropped the folio.
    Dropped,
    /// An email to a signer came back.
    EmailBounced,
    /// A signer complained of an email.
    EmailComplained,
}

/// A text that names no kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no such kind of webhook event")]
pub struct UnknownWebhookKind;

impl WebhookKind {
    /// All of them, in the order of a folio's life.
    pub const ALL: [Self; 11] = [
        Self::Created,
        Self::Resent,
        Self::SignerSigned,
        Self::Signed,
        Self::Rejected,
        Self::Cancelled,
        Self::Approved,
        Self::Disapproved,
        Self::Dropped,
        Self::EmailBounced,
        Self::EmailComplained,
    ];

    /// Its public name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Created => "folio.created",
            Self::Resent => "folio.resent",
            Self::SignerSigned => "folio.signer_signed",
            Self::Signed => "folio.signed",
            Self::Rejected => "folio.rejected",
            Self::Cancelled => "folio.cancelled",
            Self::Approved => "folio.approved",
            Self::Disapproved => "folio.disapproved",
            Self::Dropped => "folio.dropped",
            Self::EmailBounced => "folio.email_bounced",
            Self::EmailComplained => "folio.email_complained",
        }
    }
}

impl fmt::Display for WebhookKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for WebhookKind {
    type Err = UnknownWebhookKind;

    fn from_str(text: &str) -> Result<Self, UnknownWebhookKind> {
        let known = Self::ALL.into_iter().find(|kind| kind.word() == text);
        known.ok_or(UnknownWebhookKind)
    }
}

/// The kinds of events that an endpoint gets. A test event is sent in any case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum WantedKinds {
    /// All of them, also those that a later version adds.
    #[default]
    All,
    /// These: at least one, but not all.
    Only(Vec<WebhookKind>),
}

impl WantedKinds {
    /// The chosen ones, in the order of [`WebhookKind::ALL`]; `None` if no kind is chosen.
    pub fn choose(chosen: &[WebhookKind]) -> Option<Self> {
        let wanted = WebhookKind::ALL.into_iter();
        let wanted: Vec<WebhookKind> = wanted.filter(|kind| chosen.contains(kind)).collect();
        match wanted.len() {
            0 => None,
            count if count == WebhookKind::ALL.len() => Some(Self::All),
            _ => Some(Self::Only(wanted)),
        }
    }

    /// Whether an endpoint gets events of that kind.
    pub fn wants(&self, kind: WebhookKind) -> bool {
        match self {
            Self::All => true,
            Self::Only(kinds) => kinds.contains(&kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_known_by_its_public_name() {
        for kind in WebhookKind::ALL {
            assert_eq!(kind.word().parse(), Ok(kind));
        }
        assert_eq!("webhook.test".parse::<WebhookKind>(), Err(UnknownWebhookKind));
    }

    #[test]
    fn all_chosen_is_all_and_none_is_no_choice() {
        assert_eq!(WantedKinds::choose(&[]), None);
        assert_eq!(WantedKinds::choose(&WebhookKind::ALL), Some(WantedKinds::All));
        let some = [WebhookKind::Signed, WebhookKind::Created, WebhookKind::Signed];
        let some = WantedKinds::choose(&some).unwrap();
        assert_eq!(
            some,
            WantedKinds::Only(vec![WebhookKind::Created, WebhookKind::Signed])
        );
        assert!(some.wants(WebhookKind::Signed) && !some.wants(WebhookKind::SignerSigned));
        assert!(WebhookKind::ALL.iter().all(|kind| WantedKinds::All.wants(*kind)));
    }
}
