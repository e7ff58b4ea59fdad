//! Message pages of the signers' and verification pages: why there is nothing to sign, and what can be done.

use crate::page::Lang;
use crate::page::layout::PageLayout;
use askama::Template;

/// A page that says one thing.
#[derive(Debug, Template)]
#[template(path = "signer/message_page.html")]
pub(crate) struct SignerMessagePage {
    pub(crate) f: PageLayout,
    pub(crate) message: SignerMessage,
    /// The name of the folio, for its signers.
    pub(crate) name: Option<String>,
    pub(crate) back: Option<ReturnLink>,
    /// An address at which it is worth trying again.
    pub(crate) again: Option<String>,
}

/// The message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SignerMessage {
    /// The signer signed; the session that did is over.
    Signed,
    /// The same of a bulk signature: so many of so many.
    BulkSigned(String),
    /// The signer rejected, for this reason.
    Rejected(Option<String>),
    RejectedByOther,
    Cancelled,
    Expired,
    /// Until then.
    Locked(String),
    /// A bulk signature, for longer than its address works.
    BulkLocked,
    WrongLink,
    SessionOver,
    SignedOut,
    /// How long to wait.
    TooOften(String),
    Overloaded,
    /// It is not known whether the act was done.
    Unconfirmed,
    /// A document is not whole in storage.
    DocumentUnavailable,
    /// Documents are being looked for before they are signed.
    DocumentsBeingChecked,
    /// With the request identifier to quote.
    Internal(String),
    /// The stored history of the folio was altered.
    BrokenHistory,
    Gone,
    NotFound,
    BulkOver,
}

/// Where the signer returns to.
#[derive(Debug, Clone)]
pub(crate) struct ReturnLink {
    pub(crate) address: String,
    pub(crate) host: String,
}

impl ReturnLink {
    /// To the address that was stored, shown by its host; an app's, by its scheme.
    pub(crate) fn to(address: &str) -> Self {
        let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let on_the_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
        let host = match authority.rsplit_once('@') {
            _ if !on_the_web => scheme,
            Some((_, host)) => host,
            None => authority,
        };
        Self {
            address: address.to_owned(),
            host: host.to_owned(),
        }
    }
}

impl SignerMessage {
    pub(crate) const fn title(&self, l: Lang) -> &'static str {
        match self {
            Self::Signed => l.done_again(),
            Self::BulkSigned(_) => l.bulk_signed_title(),
            Self::Rejected(_) => l.rejected_title(),
            Self::RejectedByOther => l.rejected_other_title(),
            Self::Cancelled => l.cancelled_title(),
            Self::Expired => l.expired_title(),
            Self::Locked(_) | Self::BulkLocked => l.locked_title(),
            Self::WrongLink => l.wrong_link_title(),
            Self::SessionOver => l.session_over_title(),
            Self::SignedOut => l.signed_out_title(),
            Self::TooOften(_) => l.too_often_title(),
            Self::Overloaded => l.overloaded_title(),
            Self::Unconfirmed => l.unconfirmed_title(),
            Self::DocumentUnavailable => l.document_unavailable_title(),
            Self::DocumentsBeingChecked => l.documents_checked_title(),
            Self::Internal(_) => l.internal_title(),
            Self::BrokenHistory => l.broken_history_title(),
            Self::Gone => l.gone_title(),
            Self::NotFound => l.not_found_title(),
            Self::BulkOver => l.bulk_over_title(),
        }
    }

    pub(crate) const fn lead(&self, l: Lang) -> &'static str {
        match self {
            Self::Signed => l.signed_lead(),
            Self::BulkSigned(_) => l.bulk_signed_lead(),
            Self::Rejected(_) => l.rejected_lead(),
            Self::RejectedByOther => l.rejected_other_lead(),
            Self::Cancelled => l.cancelled_lead(),
            Self::Expired => l.expired_lead(),
            Self::Locked(_) | Self::BulkLocked => l.locked_lead(),
            Self::WrongLink | Self::NotFound => l.wrong_link_lead(),
            Self::SessionOver => l.session_over_lead(),
            Self::SignedOut => l.signed_out_lead(),
            Self::TooOften(_) => l.too_often_lead(),
            Self::Overloaded => l.overloaded_lead(),
            Self::Unconfirmed => l.unconfirmed_lead(),
            Self::DocumentUnavailable => l.document_unavailable_lead(),
            Self::DocumentsBeingChecked => l.documents_checked_lead(),
            Self::Internal(_) => l.internal_lead(),
            Self::BrokenHistory => l.broken_history_lead(),
            Self::Gone => l.gone_lead(),
            Self::BulkOver => l.bulk_over_lead(),
        }
    }

    /// What a page that embeds this one is told.
    pub(crate) const fn event(&self) -> &'static str {
        match self {
            Self::Signed | Self::BulkSigned(_) => "signed",
            Self::Rejected(_) => "rejected",
            _ => "ready",
        }
    }

    /// Further sentences.
    pub(crate) fn rest(&self, l: Lang) -> Vec<&str> {
        match self {
            Self::Locked(until) => vec![until, l.locked_way()],
            Self::BulkLocked => vec![l.bulk_locked_way()],
            Self::SignedOut => vec![l.session_over_way()],
            Self::TooOften(wait) => vec![wait],
            Self::BulkSigned(tally) => vec![tally],
            _ => Vec::new(),
        }
    }

    /// Whether the company may have to help.
    pub(crate) const fn is_dead_end(&self) -> bool {
        matches!(
            self,
            Self::Rejected(_)
                | Self::RejectedByOther
                | Self::Cancelled
                | Self::Expired
                | Self::Locked(_)
                | Self::BulkLocked
                | Self::WrongLink
                | Self::SessionOver
                | Self::TooOften(_)
                | Self::DocumentUnavailable
                | Self::Internal(_)
                | Self::BrokenHistory
                | Self::Gone
                | Self::NotFound
                | Self::BulkOver
        )
    }

    /// What the button says that leads on.
    pub(crate) const fn again_label(&self, l: Lang) -> &'static str {
        match self {
            Self::SessionOver => l.continue_(),
            Self::Signed | Self::BulkSigned(_) => l.see_copy(),
            Self::Rejected(_) => l.see_documents(),
            _ => l.try_again(),
        }
    }

    /// The icon: a different shape each, so that colour is not needed.
    pub(crate) const fn shape(&self) -> &'static str {
        match self {
            Self::Signed | Self::BulkSigned(_) | Self::SignedOut => "check",
            Self::Rejected(_) | Self::RejectedByOther | Self::Cancelled => "cross",
            Self::Expired
            | Self::TooOften(_)
            | Self::Overloaded
            | Self::Unconfirmed
            | Self::DocumentsBeingChecked
            | Self::SessionOver
            | Self::BulkOver => "clock",
            Self::Locked(_) | Self::BulkLocked => "lock",
            Self::WrongLink
            | Self::DocumentUnavailable
            | Self::Internal(_)
            | Self::BrokenHistory
            | Self::Gone
            | Self::NotFound => "mark",
        }
    }
}
