//! A bulk signature: many folios with their states and documents, one consent, one act.

use super::done::{Back, Copy};
use super::frame::Frame;
use super::moment::{After, Moment};
use super::notice::News;
use super::pages::folded;
use super::present::{copies, evidence, signer};
use super::seat::Seat;
use super::view::{ActView, Desk, DocumentView, RejectView, SignerView, Step};
use super::visit::Visit;
use crate::page::Lang;
use app::open_link::SigningFolio;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use domain::{FolioState, Refusal, SignerState};

/// The page of a bulk signature.
#[derive(Debug, Template)]
#[template(path = "signer/bulk.html")]
pub(crate) struct BulkPage {
    pub(crate) f: Frame,
    pub(crate) desk: Desk,
    pub(crate) signer: SignerView,
    pub(crate) folios: Vec<BulkFolio>,
    pub(crate) until: String,
    /// The form, while a folio is pending.
    pub(crate) act: Option<ActView>,
    /// A notice at the top of the page.
    pub(crate) note: Option<String>,
    pub(crate) back: Back,
}

/// A folio of the list.
#[derive(Debug, Clone)]
pub(crate) struct BulkFolio {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) message: String,
    pub(crate) state: Standing,
    pub(crate) documents: Vec<DocumentView>,
    pub(crate) copies: Vec<Copy>,
    /// The evidence, a file a part.
    pub(crate) evidence: Vec<Copy>,
    pub(crate) reject: RejectView,
    /// Whether it is shown unfolded.
    pub(crate) open: bool,
}

/// The state of a folio for this signer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    Pending,
    Signed,
    Rejected,
    RejectedByOther,
    Cancelled,
    Expired,
    Gone,
}

impl Standing {
    pub(crate) const fn words(self, l: Lang) -> &'static str {
        match self {
            Self::Pending => l.state_pending(),
            Self::Signed => l.state_signed(),
            Self::Rejected => l.state_rejected(),
            Self::RejectedByOther => l.state_rejected_other(),
            Self::Cancelled => l.state_cancelled(),
            Self::Expired => l.state_expired(),
            Self::Gone => l.state_gone(),
        }
    }

    /// The shape and colour it is shown with.
    pub(crate) const fn class(self) -> &'static str {
        match self {
            Self::Pending => "wait",
            Self::Signed => "good",
            Self::Rejected | Self::RejectedByOther => "bad",
            Self::Cancelled | Self::Expired | Self::Gone => "over",
        }
    }
}

impl BulkPage {
    pub(crate) fn count(&self, state: Standing) -> usize {
        self.folios.iter().filter(|folio| folio.state == state).count()
    }

    pub(crate) fn pending(&self) -> usize {
        self.count(Standing::Pending)
    }

    pub(crate) fn signed(&self) -> usize {
        self.count(Standing::Signed)
    }
}

/// The page of a bulk signature.
pub(crate) fn present(visit: &Visit, seat: &Seat, moment: &Moment) -> Response {
    let signing = &seat.signing;
    let zone = visit.web.app.zone_of(&signing.company);
    let date = |at| visit.l.date(at, &zone);
    let pending = signing.folios.iter().any(|own| own.closed.is_none());
    // A resend unlocks the signer of a folio, and the lock outlasts this link: only another link helps.
    if pending && signing.locked_until.is_some() {
        let page = visit.known_news(
            News::BulkLocked,
            &signing.company,
            None,
            signing.return_url.as_str(),
        );
        return seat.answer(visit, StatusCode::OK, &page);
    }
    let desk = seat.desk();
    let folios: Vec<BulkFolio> = signing
        .folios
        .iter()
        .map(|own| bulk_folio(visit.l, own, &desk, moment))
        .collect();
    let signed = folios
        .iter()
        .filter(|folio| folio.state == Standing::Signed)
        .count();
    let page = BulkPage {
        f: visit.frame(Some(&signing.company)),
        signer: signer(&signing.person),
        folios,
        until: signing.expires_at.map(date).unwrap_or_default(),
        act: pending.then(|| moment.act(visit, signing)),
        note: match moment.after {
            After::Signing if signed > 0 => Some(visit.l.signed_alike(signed)),
            After::Rejecting => Some(visit.l.bulk_rejected().to_owned()),
            _ => None,
        },
        back: Back::to(signing.return_url.as_str()),
        desk,
    };
    let status = if moment.is_wrong() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    seat.answer(visit, status, &page)
}

fn bulk_folio(l: Lang, own: &SigningFolio, desk: &Desk, moment: &Moment) -> BulkFolio {
    let folio = &own.folio;
    let state = standing(own);
    let reject = moment.rejection(folio.id);
    let (copies, evidence) = if state == Standing::Signed {
        let address = format!("{}/evidence.pdf?folio={}", desk.path, folio.id);
        (
            copies(&desk.path, &folio.documents),
            evidence(l, &address, own.evidence_parts),
        )
    } else {
        (Vec::new(), Vec::new())
    };
    let documents = if matches!(state, Standing::Pending) {
        folio
            .documents
            .iter()
            .map(|document| folded(&desk.path, document))
            .collect()
    } else {
        Vec::new()
    };
    BulkFolio {
        id: folio.id.to_string(),
        name: folio.name.to_string(),
        message: folio.message.to_string(),
        state,
        documents,
        copies,
        evidence,
        open: reject.open,
        reject,
    }
}

fn standing(own: &SigningFolio) -> Standing {
    let acted = own.folio.signers.get(own.place).map(|signer| signer.state);
    match (own.folio.state, acted) {
        _ if own.folio.dropped => Standing::Gone,
        (_, Some(SignerState::Rejected)) => Standing::Rejected,
        (FolioState::Cancelled, _) => Standing::Cancelled,
        (FolioState::RejectedBySigner, _) => Standing::RejectedByOther,
        (_, Some(SignerState::Signed)) => Standing::Signed,
        _ if own.closed == Some(Refusal::Expired) => Standing::Expired,
        _ if own.closed.is_some() => Standing::Gone,
        _ => Standing::Pending,
    }
}
