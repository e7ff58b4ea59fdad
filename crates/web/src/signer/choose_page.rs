//! Chooses the signer's page by the state of the folio.

use super::bulk;
use super::done::{DonePage, RETURN_SECONDS, copies, ended_after_signature, evidence, receipt_sent};
use super::folio::SigningPage;
use super::form_state::{FormState, LastAct};
use super::proof_page::proof_page;
use super::session::SignerSession;
use super::view::SignerView;
use crate::page::document_view::{DocumentView, documents};
use crate::page::message_page::ReturnLink;
use crate::page::message_page::SignerMessage;
use crate::page::request::PageRequest;
use app::signing::open::SigningFolio;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::{FolioState, Refusal, SignerState};

/// The signer's page.
pub(crate) async fn choose_page(
    request: &PageRequest,
    signer_session: &SignerSession,
    form_state: FormState,
) -> Response {
    let signing = &signer_session.signing;
    if signing.is_closed() || form_state.proving {
        return proof_page(request, signer_session, Vec::new());
    }
    let form_state = match form_state.with_shown(request, signer_session).await {
        Ok(form_state) => form_state,
        Err(error) => return error.into_response(),
    };
    let [own] = signing.folios.as_slice() else {
        return bulk::bulk_page(request, signer_session, &form_state);
    };
    if signing.party.bulk().is_some() {
        return bulk::bulk_page(request, signer_session, &form_state);
    }
    if let Some(message) = closing_message(request, signer_session, own) {
        let (company, name) = (&signing.company, own.folio.name.as_str());
        let page = request.signer_message_page(message, company, Some(name), signing.return_url.as_str());
        return signer_session.render_page(request, StatusCode::OK, &page);
    }
    if own.folio[own.signer_index].state == SignerState::Signed {
        return signer_session.render_page(
            request,
            StatusCode::OK,
            &done(request, signer_session, own, form_state.after == LastAct::Signing),
        );
    }
    let status = if form_state.is_wrong() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    let documents = documents(
        &request.web,
        signer_session.requester(),
        &signer_session.form_target().path,
        &own.folio.documents,
        0,
        form_state.accepted.is_none(),
    )
    .await;
    if request.web.app.lacks_a_document(&own.folio.documents) {
        return request.error_page(app::Error::DocumentUnavailable);
    }
    let page = SigningPage {
        f: request.frame(Some(&signing.company)),
        form_target: signer_session.form_target(),
        name: own.folio.name.to_string(),
        message: own.folio.message.to_string(),
        until: own.folio.expires_at.map(|at| {
            let zone = request.web.app.zone_of(&signing.company);
            request.l().sign_until(&request.l().date_in_sentence(at, &zone))
        }),
        signer: SignerView::of(&signing.person),
        documents: documents
            .into_iter()
            .map(DocumentView::with_end_in_view_only)
            .collect(),
        reject: form_state.rejection(own.folio.id),
        act: form_state.act(request, signing),
    };
    signer_session.render_page(request, status, &page)
}

/// The message where there is nothing to sign.
fn closing_message(
    request: &PageRequest,
    signer_session: &SignerSession,
    own: &SigningFolio,
) -> Option<SignerMessage> {
    let folio = &own.folio;
    let acted = folio.signer(own.signer_index)?.state;
    if folio.dropped {
        return Some(SignerMessage::Gone);
    }
    match (folio.state, acted) {
        (_, SignerState::Rejected) => {
            // The link alone does not prove that the reader wrote them.
            let reason = folio
                .observation
                .as_ref()
                .filter(|_| signer_session.signing.proven);
            return Some(SignerMessage::Rejected(reason.map(ToString::to_string)));
        }
        // Copy and evidence stay with a signer who has signed, whatever others do.
        (_, SignerState::Signed) => return None,
        (FolioState::Cancelled, _) => return Some(SignerMessage::Cancelled),
        (FolioState::RejectedBySigner, _) => return Some(SignerMessage::RejectedByOther),
        (_, SignerState::Pending) => {}
    }
    if own.closed == Some(Refusal::Expired) {
        return Some(SignerMessage::Expired);
    }
    let until = signer_session.signing.locked_until?;
    let zone = request.web.app.zone_of(&signer_session.signing.company);
    let until = request.l().date_in_sentence(until, &zone);
    Some(SignerMessage::Locked(request.l().locked_until(&until)))
}

fn done(
    request: &PageRequest,
    signer_session: &SignerSession,
    own: &SigningFolio,
    just_now: bool,
) -> DonePage {
    let folio = &own.folio;
    let signed_at = folio[own.signer_index].updated_at;
    let zone = request.web.app.zone_of(&signer_session.signing.company);
    let pending = |signer: &&domain::Signer| signer.state == SignerState::Pending;
    DonePage {
        f: request.frame(Some(&signer_session.signing.company)),
        form_target: signer_session.form_target(),
        name: folio.name.to_string(),
        just_now,
        signed_at: signed_at.map(|at| request.l().date_in_sentence(at, &zone)),
        missing: folio.signers.iter().filter(pending).count(),
        writes: folio.send_email,
        receipt: (just_now && folio.send_email).then(|| receipt_sent(request, signer_session)),
        ended: ended_after_signature(request.l(), folio.state),
        copies: copies(&signer_session.form_target().path, &folio.documents),
        evidence: evidence(
            request.l(),
            &signer_session.form_target().path,
            None,
            own.evidence_parts,
        ),
        back: ReturnLink::to(signer_session.signing.return_url.as_str()),
        returns_after: (just_now && signer_session.signing.company.auto_return).then_some(RETURN_SECONDS),
    }
}
