//! A small authority and those who sign under it.

use std::sync::Arc;

use aws_lc_rs::rand::SystemRandom;
use jiff::Timestamp;
use pades::authority::{Country, Document, DocumentKind, Issuer, LocalKey, OneShot, Root, Subject, Validity};
use pades::cms::Certificate;

/// Somebody who can sign, with a new key and certificate every time.
pub(crate) struct Person {
    name: String,
    pub(crate) root: Root,
    pub(crate) issuer: Issuer,
}

pub(crate) fn validity(years: u32) -> Validity {
    let from: Timestamp = "2024-01-01T00:00:00Z".parse().unwrap();
    Validity::of_years(from, years).unwrap()
}

impl Person {
    pub(crate) fn new(name: &str) -> Self {
        let rng = SystemRandom::new();
        let key = || Arc::new(LocalKey::generate().unwrap());
        let subject = |name| Subject::of_installation(name, Some("Firmeza"), None).unwrap();
        let root = Root::create(key(), &subject("Test root"), validity(30), &rng).unwrap();
        let issuer = root
            .issuer(key(), &subject("Test issuer"), validity(25), &rng)
            .unwrap();
        Self {
            name: name.into(),
            root,
            issuer,
        }
    }

    /// A fresh key and certificate.
    pub(crate) fn key(&self) -> OneShot {
        let country = Country::new("CO").unwrap();
        let document = Document {
            kind: DocumentKind::IdentityCard,
            country,
            number: "52123456",
        };
        let subject = Subject::of_person(&self.name, &document).unwrap();
        self.issuer
            .one_shot(&subject, validity(20), &SystemRandom::new())
            .unwrap()
    }

    pub(crate) fn roots(&self) -> [Certificate; 1] {
        [self.root.certificate().clone()]
    }

    /// The root's certificate in DER.
    pub(crate) fn root(&self) -> Vec<u8> {
        self.root.certificate().as_der().to_vec()
    }
}
