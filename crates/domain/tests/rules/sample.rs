//! A folio to try the rules on, and a store's way of applying a change to it.

use domain::event::AcceptedText;
use domain::{
    Actor, Change, Channel, CompanyId, Contact, Correction, Created, DocumentNumber, DocumentType, Email,
    FileName, Folio, FolioMessage, FolioName, Mobile, NewDocument, NewFolio, NewSigner, Observation, Origin,
    PersonName, Random, ReturnUrl, SignatureDetails, SignatureType, Timestamp,
};

/// Bytes that count up: every identifier differs, and every run is the same.
pub(crate) struct CountingBytes(pub(crate) u8);

impl Random for CountingBytes {
    fn fill(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            self.0 = self.0.wrapping_add(1);
            *byte = self.0;
        }
    }
}

pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros((1_800_000_000 + seconds) * 1_000_000)
}

pub(crate) fn service() -> Origin {
    Origin {
        actor: Actor::Service,
        client: domain::Client::default(),
    }
}

pub(crate) fn observation(text: &str) -> Observation {
    Observation::new(text).unwrap()
}

pub(crate) fn return_url(text: &str) -> ReturnUrl {
    ReturnUrl::new(text, 500).unwrap()
}

pub(crate) fn number(place: usize) -> DocumentNumber {
    DocumentNumber::new(format!("1000{place}")).unwrap()
}

pub(crate) fn contact(email: &str) -> Contact {
    Contact {
        email: Email::new(email).unwrap(),
        mobile: Mobile::new("3001234567").unwrap(),
    }
}

pub(crate) fn correction(place: usize, email: &str) -> Correction {
    Correction {
        document_number: number(place),
        email: Some(contact(email).email),
        mobile: None,
    }
}

pub(crate) fn first_email(place: usize) -> String {
    format!("signer{place}@example.com")
}

/// A new folio with that many signers, numbered from 0.
pub(crate) fn created(signers: usize, expires_at: Option<Timestamp>) -> Created {
    let signer = |place| NewSigner {
        name: PersonName::new(format!("Signer {place}")).unwrap(),
        document_type: DocumentType::CitizenCard,
        document_number: number(place),
        contact: contact(&first_email(place)),
    };
    let document = |content: u8| NewDocument {
        name: FileName::new("contract.pdf"),
        sha256: [content; 32],
        size: 1234,
        pages: 1,
        repair: None,
    };
    let new = NewFolio {
        name: FolioName::new("Contract").unwrap(),
        message: FolioMessage::new("Please sign").unwrap(),
        signature_type: SignatureType::EmailCode,
        return_url: return_url("https://example.com/back"),
        send_email: true,
        signers: (0..signers).map(signer).collect(),
        documents: vec![document(1), document(2)],
        expires_at,
        language: None,
    };
    Folio::create(new, CompanyId(1), service(), at(0), &mut CountingBytes(0))
}

/// What a store does with a change.
pub(crate) fn apply(folio: &mut Folio, change: &Change) {
    assert_eq!(folio.state, change.from, "the change was made from another state");
    folio.state = change.to;
    folio.updated_at = Some(change.at);
    folio.dropped |= change.drop;
    if let Some(observation) = &change.observation {
        folio.observation = Some(observation.clone());
    }
    for changed in &change.signers {
        let signer = &mut folio.signers[changed.signer.0];
        if let Some(url) = &changed.return_url {
            signer.return_url = Some(url.clone());
        }
        signer.state = changed.state;
        signer.contact = changed.contact.clone();
        signer.signed_from = changed.signed_from;
        signer.updated_at = changed.updated_at;
    }
}

/// The contact of a signer of the folio; some contact where there is no such signer.
pub(crate) fn own_contact(folio: &Folio, place: usize) -> Contact {
    let signer = folio.signers.get(place);
    signer.map_or_else(|| contact("nobody@example.com"), |signer| signer.contact.clone())
}

/// A signer as a bulk signature names one.
pub(crate) fn new_signer(place: usize, document_type: DocumentType, contact: Contact) -> NewSigner {
    NewSigner {
        name: PersonName::new(format!("Signer {place}")).unwrap(),
        document_type,
        document_number: number(place),
        contact,
    }
}

/// How a signature of these tests came about.
pub(crate) fn details() -> SignatureDetails {
    let accepted = AcceptedText {
        consent: "00".repeat(32),
        ..AcceptedText::default()
    };
    SignatureDetails::new(Channel::Email, "maria@example.com".to_owned(), accepted)
}
