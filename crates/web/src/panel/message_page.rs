//! Message pages: why something cannot be shown or done, and where to continue.

use super::HOME;
use super::layout::PanelLayout;
use crate::page::PanelLang;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// The message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PanelMessage {
    NotFound,
    /// The role does not allow it.
    NotAllowed,
    /// The form did not come from here, or its session is over.
    ForeignForm,
    /// How long to wait.
    TooOften(String),
    Overloaded,
    /// It is not known whether the act was done.
    Unconfirmed,
    /// The object was changed by another act.
    Refused,
    /// A link to choose a password that was used or has expired.
    DeadLink,
    /// The stored history of the folio was altered.
    BrokenHistory,
    /// An invitation to an address that has got an account since then.
    AccountExists,
    /// With the request identifier to quote.
    Internal(String),
}

/// The page with the message.
#[derive(Debug, Template)]
#[template(path = "panel/message_page.html")]
pub(crate) struct PanelMessagePage {
    pub(crate) f: PanelLayout,
    pub(crate) message: PanelMessage,
}

impl PanelMessage {
    pub(crate) const fn title(&self, l: PanelLang) -> &'static str {
        match self {
            Self::NotFound => l.panel_not_found_title(),
            Self::NotAllowed => l.not_allowed_title(),
            Self::ForeignForm => l.foreign_form_title(),
            Self::TooOften(_) => l.lang().too_often_title(),
            Self::Overloaded => l.lang().overloaded_title(),
            Self::Unconfirmed => l.lang().unconfirmed_title(),
            Self::Refused => l.changed_title(),
            Self::DeadLink => l.dead_link_title(),
            Self::BrokenHistory => l.lang().broken_history_title(),
            Self::AccountExists => l.account_exists_title(),
            Self::Internal(_) => l.lang().internal_title(),
        }
    }

    pub(crate) fn lead(&self, l: PanelLang) -> String {
        match self {
            Self::NotFound => l.panel_not_found_lead().to_owned(),
            Self::NotAllowed => l.not_allowed_lead().to_owned(),
            Self::ForeignForm => l.foreign_form_lead().to_owned(),
            Self::TooOften(wait) => format!("{} {wait}", l.too_often_lead()),
            Self::Overloaded => l.overloaded_lead().to_owned(),
            Self::Unconfirmed => l.unconfirmed_lead().to_owned(),
            Self::Refused => l.changed_lead().to_owned(),
            Self::DeadLink => l.dead_link_lead().to_owned(),
            Self::BrokenHistory => l.panel_broken_history_lead().to_owned(),
            Self::AccountExists => l.account_exists_lead().to_owned(),
            Self::Internal(_) => l.panel_internal_lead().to_owned(),
        }
    }
}

pub(crate) fn message_response(f: PanelLayout, status: StatusCode, message: PanelMessage) -> Response {
    super::layout::render_page(status, &PanelMessagePage { f, message })
}
