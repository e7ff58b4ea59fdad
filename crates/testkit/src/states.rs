//! Folios in any state, brought there by the domain's own acts.

use crate::company::Company;
use crate::fixtures::FolioFields;
use domain::event::AcceptedText;
use domain::{
    Actor, Change, Channel, Folio, FolioId, FolioState, Observation, Origin, Refusal, SignatureDetails,
    SignerIndex, Timestamp,
};
use std::collections::BTreeSet;
use store::CompanySettings;

/// From where signers sign in tests.
pub const SIGNED_FROM: [u8; 4] = [203, 0, 113, 7];

/// An act that is not the API's to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FolioAct {
    /// The signer with that index signs.
    Sign(SignerIndex),
    /// The signer with that index rejects.
    Reject(SignerIndex),
    /// A supervisor approves.
    Approve,
    /// An administrator rejects.
    Disapprove,
    /// The company cancels.
    Cancel,
    /// An administrator drops it.
    Drop,
}

impl FolioAct {
    fn change(self, folio: &Folio, at: Timestamp) -> Result<Change, Refusal> {
        let signer = |signer| Origin {
            actor: Actor::Signer { signer },
            client: domain::Client::at(SIGNED_FROM.into()),
        };
        let user = || Origin {
            actor: Actor::User {
                email: "supervisora@example.com".to_owned(),
            },
            client: domain::Client::at([198, 51, 100, 4].into()),
        };
        let why = |text| Observation::new(text).unwrap();
        match self {
            Self::Sign(signer_index) => {
                let contact = &folio[signer_index].contact;
                folio.sign(signer_index, contact, details(), signer(signer_index), at)
            }
            Self::Reject(signer_index) => {
                let contact = &folio[signer_index].contact;
                let reason = why("El valor no es el acordado.");
                folio.reject(signer_index, contact, &reason, None, signer(signer_index), at)
            }
            Self::Approve => folio.approve(folio.document_refs(), user(), at),
            Self::Disapprove => {
                let documents = folio.document_refs();
                folio.disapprove(&why("Falta la firma del notario."), documents, user(), at)
            }
            Self::Cancel => folio.cancel(&why("Se cancela por error."), &BTreeSet::new(), user(), at),
            Self::Drop => folio.drop_finished(user(), at),
        }
    }
}

impl Company<'_> {
    /// Does something to a folio of the company.
    pub async fn act(&self, folio: &str, act: FolioAct) {
        let (company, id): (_, FolioId) = (self.id, folio.parse().unwrap());
        let now = self.app.app().clock.now();
        let acted = self.app.app().store.write(move |tx| {
            let stored = tx
                .lock_folios(company, &[id])?
                .pop()
                .expect("a folio of the company");
            let change = act.change(&stored.folio, now).expect("an act that is allowed");
            tx.apply(company, now, &[(&stored, change)])
        });
        acted.await.unwrap();
    }

    /// Has signed folios await a supervisor's approval from now on.
    pub async fn use_approval(&self) {
        let company = self.id;
        let set = self
            .app
            .app()
            .store
            .write(move |tx| tx.set_approval(company, true));
        set.await.unwrap_or_else(|error: store::Error| panic!("{error}"));
    }

    /// Changes what the company's administrators choose.
    pub async fn choose(&self, change: impl FnOnce(&mut CompanySettings) + Send + 'static) {
        let company = self.id;
        let changed = self.app.app().store.write(move |tx| {
            let mut settings = tx.company_settings(company)?.unwrap_or_default();
            change(&mut settings);
            tx.set_company_settings(company, &settings)
        });
        changed
            .await
            .unwrap_or_else(|error: store::Error| panic!("{error}"));
    }

    /// A new folio in that state.
    pub async fn created_in(&self, state: FolioState, folio: FolioFields) -> String {
        use FolioAct::{Approve, Cancel, Disapprove, Reject, Sign};
        let id = self.created(folio).await;
        let signers = self.read(&id).await.json()["data"]["signers"]
            .as_array()
            .map_or(0, Vec::len);
        let all_sign = (0..signers).map(SignerIndex).map(Sign);
        let acts: Vec<FolioAct> = match state {
            FolioState::Pending => Vec::new(),
            FolioState::Signed => all_sign.collect(),
            FolioState::RejectedBySigner => vec![Reject(SignerIndex(0))],
            FolioState::Approved => all_sign.chain([Approve]).collect(),
            FolioState::Disapproved => all_sign.chain([Disapprove]).collect(),
            FolioState::Cancelled => vec![Cancel],
        };
        for act in acts {
            self.act(&id, act).await;
        }
        id
    }
}

/// How a signature of these tests came about.
fn details() -> SignatureDetails {
    let accepted = AcceptedText {
        consent: "00".repeat(32),
        ..AcceptedText::default()
    };
    SignatureDetails::new(Channel::Email, "maria@example.com".to_owned(), accepted)
}
