//! Chooses the signer's page by the state of the folio.

use super::bulk;
use super::done::{Back, Copy, DonePage};
use super::folio::FolioPage;
use super::moment::{After, Moment};
use super::notice::News;
use super::pages::documents;
use super::prove::present_proof;
use super::seat::Seat;
use super::view::SignerView;
use super::visit::Visit;
use crate::page::Lang;
use app::open_link::SigningFolio;
use axum::http::StatusCode;
use axum::response::Response;
use domain::{Document, FolioState, NewSigner, Refusal, SignerState, mask};

/// The signer's page.
pub(crate) async fn present(visit: &Visit, seat: &Seat, moment: Moment) -> Response {
    let signing = &seat.signing;
    if signing.is_closed() || moment.proving {
        return present_proof(visit, seat, Vec::new());
    }
    let [own] = signing.folios.as_slice() else {
        return bulk::present(visit, seat, &moment);
    };
    if signing.holder.bulk().is_some() {
        return bulk::present(visit, seat, &moment);
    }
    if let Some(news) = news(visit, seat, own) {
        let (company, name) = (&signing.company, own.folio.name.as_str());
        let page = visit.known_news(news, company, Some(name), signing.return_url.as_str());
        return seat.answer(visit, StatusCode::OK, &page);
    }
    if own.folio.signers[own.place].state == SignerState::Signed {
        return seat.answer(
            visit,
            StatusCode::OK,
            &done(visit, seat, own, moment.after == After::Signing),
        );
    }
    let status = if moment.is_wrong() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    let documents = documents(
        &visit.web,
        seat.requester(),
        &seat.desk().path,
        &own.folio.documents,
        moment.accepted.is_none(),
    )
    .await;
    if visit.web.app.lacks_a_document(&own.folio.documents) {
        return visit.trouble(app::Error::DocumentUnavailable);
    }
    let page = FolioPage {
        f: visit.frame(Some(&signing.company)),
        desk: seat.desk(),
        name: own.folio.name.to_string(),
        message: own.folio.message.to_string(),
        signer: signer(&signing.person),
        documents,
        reject: moment.rejection(own.folio.id),
        act: moment.act(visit, signing),
    };
    seat.answer(visit, status, &page)
}

/// The message where there is nothing to sign.
fn news(visit: &Visit, seat: &Seat, own: &SigningFolio) -> Option<News> {
    let folio = &own.folio;
    let acted = folio.signers.get(own.place)?.state;
    if folio.dropped {
        return Some(News::Gone);
    }
    match (folio.state, acted) {
        (_, SignerState::Rejected) => {
            // The link alone does not prove that the reader wrote them.
            let reason = folio.observation.as_ref().filter(|_| seat.signing.proven);
            return Some(News::Rejected(reason.map(ToString::to_string)));
        }
        (FolioState::Cancelled, _) => return Some(News::Cancelled),
        (FolioState::RejectedBySigner, _) => return Some(News::RejectedByOther),
        (_, SignerState::Signed) => return None,
        (_, SignerState::Pending) => {}
    }
    if own.closed == Some(Refusal::Expired) {
        return Some(News::Expired);
    }
    let until = seat.signing.locked_until?;
    let until = visit.l.date(until, &visit.web.app.zone_of(&seat.signing.company));
    Some(News::Locked(visit.l.locked_until(&until)))
}

fn done(visit: &Visit, seat: &Seat, own: &SigningFolio, just_now: bool) -> DonePage {
    let folio = &own.folio;
    let signed_at = folio.signers[own.place].updated_at;
    let zone = visit.web.app.zone_of(&seat.signing.company);
    let pending = |signer: &&domain::Signer| signer.state == SignerState::Pending;
    DonePage {
        f: visit.frame(Some(&seat.signing.company)),
        desk: seat.desk(),
        name: folio.name.to_string(),
        just_now,
        signed_at: signed_at.map(|at| visit.l.date(at, &zone)),
        missing: folio.signers.iter().filter(pending).count(),
        copies: copies(&seat.desk().path, &folio.documents),
        evidence: evidence(
            visit.l,
            &format!("{}/evidence.pdf", seat.desk().path),
            own.evidence_parts,
        ),
        back: Back::to(seat.signing.return_url.as_str()),
    }
}

/// The documents to keep.
pub(crate) fn copies(path: &str, documents: &[Document]) -> Vec<Copy> {
    let copy = |document: &Document| Copy {
        name: document.name.as_str().to_owned(),
        address: format!("{path}/documents/{}", document.id),
    };
    documents.iter().map(copy).collect()
}

/// The evidence to keep: the file at that address, and the parts that follow it.
pub(crate) fn evidence(l: Lang, address: &str, parts: usize) -> Vec<Copy> {
    let mark = if address.contains('?') { '&' } else { '?' };
    let part = |part: usize| Copy {
        name: l.evidence_part(part, parts),
        address: if part > 1 {
            format!("{address}{mark}part={part}")
        } else {
            address.to_owned()
        },
    };
    (1..=parts).map(part).collect()
}

pub(crate) fn signer(person: &NewSigner) -> SignerView {
    let number = mask::number(person.document_number.as_str());
    SignerView {
        name: person.name.to_string(),
        document: format!("{} {number}", person.document_type.code()),
    }
}
