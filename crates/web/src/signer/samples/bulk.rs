//! The page of a bulk signature.

use super::{act, back, consent, document, form_target, frame, shown, signer, until};
use crate::page::Lang;
use crate::page::document_view::DocumentView;
use crate::signer::bulk::{BulkFolio, BulkFolioState, BulkPage};
use crate::signer::done::{FileLink, evidence};
use crate::signer::view::{ActView, RejectView, Step};
use domain::Channel;

/// With so many folios; all are signed where there is no step left.
pub(super) fn bulk(l: Lang, step: Option<Step>, folios: usize) -> BulkPage {
    let states = [
        BulkFolioState::Signed,
        BulkFolioState::Pending,
        BulkFolioState::Pending,
        BulkFolioState::Rejected,
        BulkFolioState::Cancelled,
        BulkFolioState::Expired,
        BulkFolioState::RejectedByOther,
    ];
    let folio = |place: usize| {
        let state = states[place % states.len()];
        let state = if step.is_none() && state == BulkFolioState::Pending {
            BulkFolioState::Signed
        } else {
            state
        };
        let id = format!("{place:032x}");
        let document = DocumentView {
            address: format!("{}/documents/{id}", form_target().path),
            id: id.clone(),
            pages: Vec::new(),
            ..document("Otrosí.pdf", 1, 3, None)
        };
        BulkFolio {
            name: format!("Otrosí al contrato laboral {}-2026", 101 + place),
            message: "Actualización del auxilio de transporte.".to_owned(),
            until: (state == BulkFolioState::Pending).then(|| l.sign_until(until(l))),
            state,
            ended: (step.is_none() && place == 0).then(|| l.signed_cancelled()),
            document_count: 1,
            copies: if state == BulkFolioState::Signed {
                vec![FileLink {
                    name: document.name.clone(),
                    address: document.address.clone(),
                    verify: Some(format!("/verify/{id}")),
                }]
            } else {
                Vec::new()
            },
            evidence: if state == BulkFolioState::Signed {
                evidence(l, &form_target().path, Some(&id), 1)
            } else {
                Vec::new()
            },
            documents: vec![document],
            reject: RejectView {
                open: place == 2,
                ..RejectView::default()
            },
            open: place == 1 || place == 2,
            id,
        }
    };
    BulkPage {
        f: frame(l),
        form_target: form_target(),
        signer: signer(),
        folios: (0..folios).map(folio).collect(),
        until: match l {
            Lang::Es => "3 de marzo de 2026 a las 9:30\u{a0}a.\u{a0}m.".to_owned(),
            Lang::En => "3 March 2026 at 9:30\u{a0}a.m.".to_owned(),
            Lang::Pt => "3 de março de 2026 às 09:30".to_owned(),
        },
        act: step.map(|step| {
            let names = (0..folios).map(|place| format!("Otrosí al contrato laboral {}-2026", 101 + place));
            ActView {
                text: consent(l).filled(
                    (0..folios).map(|place| ("Otrosí.pdf", shown(3, if place % 2 == 0 { 3 } else { 0 }))),
                ),
                folios: names.map(|name| (name, 1)).collect(),
                ..act(l, step, &[Channel::Email, Channel::Sms])
            }
        }),
        note: (step == Some(Step::Read)).then(|| l.signed_alike(1)),
        receipt: step.is_none().then(|| l.receipt_sent("m•••a@e•••.com")),
        back: back(),
        returns_after: None,
    }
}
