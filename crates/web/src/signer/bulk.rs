//! A bulk signature: many folios with their states and documents, one consent, one act.

use super::done::{FileLink, RETURN_SECONDS, copies, ended_after_signature, evidence, receipt_sent};
use super::form_state::{FormState, LastAct};
use super::session::SignerSession;
use super::view::{ActView, FormTarget, RejectView, SignerView, Step};
use crate::page::Lang;
use crate::page::document_view::{DocumentView, folded};
use crate::page::layout::PageLayout;
use crate::page::message_page::ReturnLink;
use crate::page::message_page::SignerMessage;
use crate::page::request::PageRequest;
use app::signing::open::{Signing, SigningFolio};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use domain::{FolioState, Refusal, SignerState, Timestamp};

/// The page of a bulk signature.
#[derive(Debug, Template)]
#[template(path = "signer/bulk.html")]
pub(crate) struct BulkPage {
    pub(crate) f: PageLayout,
    pub(crate) form_target: FormTarget,
    pub(crate) signer: SignerView,
    pub(crate) folios: Vec<BulkFolio>,
    pub(crate) until: String,
    /// The form, while a folio is pending.
    pub(crate) act: Option<ActView>,
    /// A notice at the top of the page.
    pub(crate) note: Option<String>,
    /// Where the receipt went, if one was sent just now.
    pub(crate) receipt: Option<String>,
    pub(crate) back: ReturnLink,
    /// Seconds after which the browser returns by itself, if it does.
    pub(crate) returns_after: Option<u32>,
}

/// A folio of the list.
#[derive(Debug, Clone)]
pub(crate) struct BulkFolio {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) message: String,
    /// Until when it can be signed, where it expires.
    pub(crate) until: Option<String>,
    pub(crate) state: BulkFolioState,
    /// Why it ended after the signer had signed it, if it did.
    pub(crate) ended: Option<&'static str>,
    /// How many documents it has.
    pub(crate) document_count: usize,
    pub(crate) documents: Vec<DocumentView>,
    pub(crate) copies: Vec<FileLink>,
    /// The evidence: of each part a file for people and one for programs.
    pub(crate) evidence: Vec<FileLink>,
    pub(crate) reject: RejectView,
    /// Whether it is shown unfolded.
    pub(crate) open: bool,
}

/// The state of a folio for this signer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BulkFolioState {
    Pending,
    Signed,
    Rejected,
    RejectedByOther,
    Cancelled,
    Expired,
    Gone,
}

impl BulkFolioState {
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
    /// The documents of the folios in that state.
    fn documents(&self, state: BulkFolioState) -> usize {
        let folios = self.folios.iter().filter(|folio| folio.state == state);
        folios.map(|folio| folio.document_count).sum()
    }

    /// Whether a folio ended otherwise than with the signatures that were asked for.
    pub(crate) fn has_closed(&self) -> bool {
        let open = |folio: &BulkFolio| match folio.state {
            BulkFolioState::Pending => true,
            BulkFolioState::Signed => folio.ended.is_none(),
            _ => false,
        };
        !self.folios.iter().all(open)
    }

    pub(crate) fn pending_documents(&self) -> usize {
        self.documents(BulkFolioState::Pending)
    }

    pub(crate) fn signed_documents(&self) -> usize {
        self.documents(BulkFolioState::Signed)
    }

    pub(crate) fn all_documents(&self) -> usize {
        self.folios.iter().map(|folio| folio.document_count).sum()
    }
}

/// The page of a bulk signature.
pub(crate) fn bulk_page(
    request: &PageRequest,
    signer_session: &SignerSession,
    form_state: &FormState,
) -> Response {
    let signing = &signer_session.signing;
    let zone = request.web.app.zone_of(&signing.company);
    let date = |at| request.l().date_in_sentence(at, &zone);
    let pending = signing.folios.iter().any(|own| own.closed.is_none());
    // A resend unlocks the signer of a folio, and the lock outlasts this link: only another link helps.
    if pending && signing.locked_until.is_some() {
        let page = request.signer_message_page(
            SignerMessage::BulkLocked,
            &signing.company,
            None,
            signing.return_url.as_str(),
        );
        return signer_session.render_page(request, StatusCode::OK, &page);
    }
    let form_target = signer_session.form_target();
    let folios: Vec<BulkFolio> = signing
        .folios
        .iter()
        .map(|own| bulk_folio(request.l(), own, &form_target, form_state, &date))
        .collect();
    let signed: usize = folios
        .iter()
        .filter(|folio| folio.state == BulkFolioState::Signed)
        .map(|folio| folio.document_count)
        .sum();
    let page = BulkPage {
        f: request.frame(Some(&signing.company)),
        signer: SignerView::of(&signing.person),
        folios,
        until: signing.expires_at.map(date).unwrap_or_default(),
        act: pending.then(|| form_state.act(request, signing)),
        note: match form_state.after {
            LastAct::Signing if signed > 0 && pending => Some(request.l().signed_alike(signed)),
            LastAct::Rejecting => Some(request.l().bulk_rejected().to_owned()),
            _ => None,
        },
        receipt: (form_state.after == LastAct::Signing && tells_of_signature(signing))
            .then(|| receipt_sent(request, signer_session)),
        back: ReturnLink::to(signing.return_url.as_str()),
        returns_after: (form_state.after == LastAct::Signing && signing.company.auto_return)
            .then_some(RETURN_SECONDS),
        form_target,
    };
    let status = if form_state.is_wrong() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    signer_session.render_page(request, status, &page)
}

/// Whether the signer got a receipt for any of the folios.
fn tells_of_signature(signing: &Signing) -> bool {
    let signed = |own: &SigningFolio| own.folio[own.signer_index].state == SignerState::Signed;
    signing
        .folios
        .iter()
        .any(|own| own.folio.send_email && signed(own))
}

fn bulk_folio(
    l: Lang,
    own: &SigningFolio,
    form_target: &FormTarget,
    form_state: &FormState,
    date: &dyn Fn(Timestamp) -> String,
) -> BulkFolio {
    let folio = &own.folio;
    let state = bulk_folio_state(own);
    let reject = form_state.rejection(folio.id);
    // Copy and evidence stay with a signer who has signed, whatever others do.
    let has_signed = state == BulkFolioState::Signed;
    let ended = if has_signed {
        ended_after_signature(l, folio.state)
    } else {
        None
    };
    let (copies, evidence) = if has_signed {
        let (path, id) = (&form_target.path, folio.id.to_string());
        (
            copies(path, &folio.documents),
            evidence(l, path, Some(&id), own.evidence_parts),
        )
    } else {
        (Vec::new(), Vec::new())
    };
    let documents = if matches!(state, BulkFolioState::Pending) {
        folio
            .documents
            .iter()
            .map(|document| folded(&form_target.path, document))
            .collect()
    } else {
        Vec::new()
    };
    BulkFolio {
        id: folio.id.to_string(),
        name: folio.name.to_string(),
        message: folio.message.to_string(),
        until: folio
            .expires_at
            .filter(|_| state == BulkFolioState::Pending)
            .map(|at| l.sign_until(&date(at))),
        state,
        ended,
        document_count: folio.documents.len(),
        documents,
        copies,
        evidence,
        // The consent speaks of what is here to be read: it is not folded away. Nor is what became of a signed folio.
        open: reject.open || state == BulkFolioState::Pending || ended.is_some(),
        reject,
    }
}

fn bulk_folio_state(own: &SigningFolio) -> BulkFolioState {
    let acted = own.folio.signer(own.signer_index).map(|signer| signer.state);
    match (own.folio.state, acted) {
        _ if own.folio.dropped => BulkFolioState::Gone,
        (_, Some(SignerState::Rejected)) => BulkFolioState::Rejected,
        // A signature stays one, whatever others do afterwards.
        (_, Some(SignerState::Signed)) => BulkFolioState::Signed,
        (FolioState::Cancelled, _) => BulkFolioState::Cancelled,
        (FolioState::RejectedBySigner, _) => BulkFolioState::RejectedByOther,
        _ if own.closed == Some(Refusal::Expired) => BulkFolioState::Expired,
        _ if own.closed.is_some() => BulkFolioState::Gone,
        _ => BulkFolioState::Pending,
    }
}
