//! The pages that say one thing.

use super::{back, form_target, frame, switch, until};
use crate::page::Lang;
use crate::page::layout::PageLayout;
use crate::page::message_page::{SignerMessage, SignerMessagePage};
use std::time::Duration;

pub(super) fn messages(l: Lang) -> Vec<(&'static str, SignerMessagePage)> {
    let known = |message| SignerMessagePage {
        f: frame(l),
        message,
        name: Some("Contrato de arrendamiento, apartamento 402".to_owned()),
        back: Some(back()),
        again: None,
    };
    let unknown = |message, again: bool| SignerMessagePage {
        f: PageLayout::new(l, None, switch()),
        message,
        name: None,
        back: None,
        again: again.then(|| form_target().path),
    };
    vec![
        (
            "rejected",
            known(SignerMessage::Rejected(Some(
                "El canon no es el que acordamos por teléfono.".to_owned(),
            ))),
        ),
        ("signed-before", known(SignerMessage::Signed)),
        (
            "bulk-signed-before",
            known(SignerMessage::BulkSigned(l.signed_of(3, 5))),
        ),
        ("rejected-other", known(SignerMessage::RejectedByOther)),
        ("cancelled", known(SignerMessage::Cancelled)),
        ("expired", known(SignerMessage::Expired)),
        ("locked", known(SignerMessage::Locked(l.locked_until(until(l))))),
        ("bulk-locked", known(SignerMessage::BulkLocked)),
        ("signed-out", unknown(SignerMessage::SignedOut, false)),
        ("gone", known(SignerMessage::Gone)),
        ("bulk-over", known(SignerMessage::BulkOver)),
        ("wrong-link", unknown(SignerMessage::WrongLink, false)),
        ("session-over", unknown(SignerMessage::SessionOver, true)),
        (
            "session-forgotten",
            SignerMessagePage {
                name: None,
                back: None,
                ..known(SignerMessage::SessionOver)
            },
        ),
        (
            "too-often",
            unknown(SignerMessage::TooOften(l.wait(Duration::from_secs(47))), true),
        ),
        ("overloaded", unknown(SignerMessage::Overloaded, true)),
        ("unconfirmed", unknown(SignerMessage::Unconfirmed, true)),
        (
            "document-unavailable",
            unknown(SignerMessage::DocumentUnavailable, true),
        ),
        (
            "documents-checked",
            unknown(SignerMessage::DocumentsBeingChecked, true),
        ),
        (
            "internal",
            unknown(SignerMessage::Internal("7f3a9c21d4".to_owned()), true),
        ),
        ("broken-history", unknown(SignerMessage::BrokenHistory, false)),
        ("not-found", unknown(SignerMessage::NotFound, false)),
    ]
}
