//! Folios to store, and acts on them as the application performs them.

use crate::db::{read, write};
use domain::event::{AcceptedText, ChainedEvent};
use domain::{
    Actor, Change, Channel, CompanyId, Contact, Correction, Created, DocumentNumber, DocumentType, Email,
    FileName, Folio, FolioId, FolioMessage, FolioName, HistoryHead, InstanceId, KeyId, Language, Mobile,
    NewDocument, NewFolio, NewSigner, Observation, Origin, PersonName, Random, Refusal, ReturnUrl,
    SignatureDetails, SignatureType, Timestamp,
};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use store::{Error, Lease, Store, StoredFolio};

/// Never the same bytes twice in one run.
pub(crate) struct Distinct;

impl Random for Distinct {
    fn fill(&mut self, bytes: &mut [u8]) {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let hash = Sha256::digest(number.to_be_bytes());
        bytes.copy_from_slice(&hash[..bytes.len()]);
    }
}

/// That many seconds after the time at which tests begin.
pub(crate) const fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros((1_800_000_000 + seconds) * 1_000_000)
}

/// A lease that one and the same instance takes at that second of the database's clock, until another.
pub(crate) fn lease(second: i64, until: i64) -> Lease {
    lease_of(1, second, until)
}

/// A lease of the instance with that number.
pub(crate) fn lease_of(instance: u8, second: i64, until: i64) -> Lease {
    Lease {
        by: InstanceId::from_bytes([instance; 16]),
        now: at(second),
        until: at(until),
        dead_before: at(second),
    }
}

pub(crate) fn origin() -> Origin {
    Origin {
        actor: Actor::Integration {
            key: KeyId::from_bytes([5; 16]),
        },
        client: domain::Client::at([192, 0, 2, 1].into()),
    }
}

pub(crate) fn why() -> Observation {
    Observation::new("El cliente cambió de opinión").unwrap()
}

pub(crate) fn number(place: usize) -> DocumentNumber {
    DocumentNumber::new(format!("900.{place}-1")).unwrap()
}

pub(crate) fn return_url() -> ReturnUrl {
    ReturnUrl::new("https://example.com/volver?a=ñ", 500).unwrap()
}

pub(crate) fn contact(email: &str) -> Contact {
    Contact {
        email: Email::new(email).unwrap(),
        mobile: Mobile::new("+57 300 1234567").unwrap(),
    }
}

pub(crate) fn signer(place: usize) -> NewSigner {
    NewSigner {
        name: PersonName::new(format!("María Ñáñez {place}")).unwrap(),
        document_type: DocumentType::ForeignerCard,
        document_number: number(place),
        contact: contact(&format!("maría{place}@ejemplo.com.co")),
    }
}

/// A folio with that many signers and these documents.
pub(crate) fn created(company: CompanyId, signers: usize, documents: &[[u8; 32]]) -> Created {
    let document = |sha256: &[u8; 32]| NewDocument {
        name: FileName::new("Contrato «final».pdf"),
        sha256: *sha256,
        size: 26_214_400,
        pages: 1,
        repair: None,
    };
    let new = NewFolio {
        name: FolioName::new("Contrato de Ñandú").unwrap(),
        message: FolioMessage::new("Señora:\r\n\tfirme aquí, 'por favor'; -- gracias").unwrap(),
        signature_type: SignatureType::SmsCode,
        return_url: return_url(),
        send_email: true,
        signers: (0..signers).map(signer).collect(),
        documents: documents.iter().map(document).collect(),
        expires_at: Some(at(1_000_000)),
        language: Some(Language::English),
    };
    Folio::create(new, company, origin(), at(1), &mut Distinct)
}

/// Stores that many folios with two signers and a document each.
pub(crate) async fn folios(store: &Store, company: CompanyId, count: usize) -> Vec<FolioId> {
    let made: Vec<_> = (0..count).map(|_| created(company, 2, &[[7; 32]])).collect();
    let ids = made.iter().map(|created| created.folio.id).collect();
    let insert =
        move |tx: &mut store::Tx<'_>| made.iter().try_for_each(|created| tx.insert_folio(created, &[]));
    write(store, insert).await.unwrap();
    ids
}

/// Performs an act on locked folios; which of them it changed. A folio that refuses stays as it is.
pub(crate) async fn act(
    store: &Store,
    company: CompanyId,
    ids: Vec<FolioId>,
    act: impl Fn(&Folio) -> Result<Change, Refusal> + Send + 'static,
) -> Result<Vec<FolioId>, Error> {
    write(store, move |tx| {
        let locked = tx.lock_folios(company, &ids)?;
        let changes: Vec<_> = locked
            .iter()
            .filter_map(|stored| Some((stored, act(&stored.folio).ok()?)))
            .collect();
        tx.apply(company, at(10), &changes)?;
        Ok(changes.iter().map(|(stored, _)| stored.folio.id).collect())
    })
    .await
}

pub(crate) fn cancel(folio: &Folio) -> Result<Change, Refusal> {
    folio.cancel(&why(), &BTreeSet::new(), origin(), at(10))
}

pub(crate) fn resend(folio: &Folio) -> Result<Change, Refusal> {
    let correction = Correction {
        document_number: number(1),
        email: Some(contact("nueva@ejemplo.co").email),
        mobile: None,
    };
    folio.resend(&[correction], Some(&return_url()), &origin(), at(10))
}

pub(crate) async fn stored(store: &Store, company: CompanyId, id: FolioId) -> StoredFolio {
    read(store, move |tx| tx.folios(company, &[id])).await.remove(0)
}

/// What happened to the folio, in order; its chain must hold and end where the folio says.
pub(crate) async fn whole_history(store: &Store, company: CompanyId, id: FolioId) -> Vec<String> {
    let (events, end) = read(store, move |tx| {
        let end = tx.folios(company, &[id])?.remove(0).history;
        Ok((tx.history(company, id)?, end))
    })
    .await;
    assert_eq!(verified(&events), end);
    let what = |event: &ChainedEvent| {
        let body: serde_json::Value = serde_json::from_str(&event.body).unwrap();
        body["what"].as_str().unwrap().to_owned()
    };
    events.iter().map(what).collect()
}

fn verified(events: &[ChainedEvent]) -> HistoryHead {
    let mut end = HistoryHead::START;
    for event in events {
        let hash = Sha256::new()
            .chain_update(end.hash)
            .chain_update(&event.body)
            .finalize();
        assert_eq!(event.number, end.length + 1);
        assert_eq!(event.hash, <[u8; 32]>::from(hash), "event {}", event.number);
        end = HistoryHead {
            length: event.number,
            hash: event.hash,
        };
    }
    end
}

/// How a signature of these tests came about.
pub(crate) fn details() -> SignatureDetails {
    let accepted = AcceptedText {
        consent: "00".repeat(32),
        ..AcceptedText::default()
    };
    SignatureDetails::new(Channel::Email, "maria@example.com".to_owned(), accepted)
}
