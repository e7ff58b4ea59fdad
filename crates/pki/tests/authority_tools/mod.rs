//! An authority to test with, its dates fixed.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "every test program uses its own part")]

use std::sync::Arc;

use aws_lc_rs::rand::SystemRandom;
use jiff::Timestamp;
use pki::authority::{
    Authority, Country, DocumentKind, IdentityDocument, LocalKey, Root, Signer, Subject, Validity,
};

/// The moment at which everything is made: 2026-11-15 12:00:00 UTC.
pub(crate) fn now() -> Timestamp {
    "2026-11-15T12:00:00Z".parse().unwrap()
}

pub(crate) fn years(years: u32) -> Validity {
    Validity::of_years(now(), years).unwrap()
}

pub(crate) fn rng() -> SystemRandom {
    SystemRandom::new()
}

pub(crate) fn installation(name: &str) -> Subject {
    let country = Country::new("CO").unwrap();
    Subject::of_installation(name, Some("Notaría Única, S.A.S."), Some(country)).unwrap()
}

pub(crate) fn person(name: &str, number: &str) -> Subject {
    let country = Country::new("CO").unwrap();
    let document = IdentityDocument {
        kind: DocumentKind::IdentityCard,
        country,
        number,
    };
    Subject::of_person(name, &document).unwrap()
}

pub(crate) fn authority_with(root: Arc<dyn Signer>, issuer: Arc<dyn Signer>) -> Authority {
    let root = Root::create(root, &installation("Raíz"), years(30), &rng()).unwrap();
    let issuer = root
        .issuer(issuer, &installation("Emisor 1"), years(20), &rng())
        .unwrap();
    Authority::new(root, issuer, Vec::new()).unwrap()
}

pub(crate) fn authority() -> Authority {
    authority_with(key(), key())
}

pub(crate) fn key() -> Arc<dyn Signer> {
    Arc::new(LocalKey::generate().unwrap())
}
