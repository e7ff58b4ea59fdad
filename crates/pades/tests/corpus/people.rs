//! A small authority and those who sign under it.

use std::sync::Arc;

use aws_lc_rs::rand::SystemRandom;
use jiff::Timestamp;
use pki::authority::{
    Country, DocumentKind, IdentityDocument, Issuer, LocalKey, OneShot, Revoked, Role, Root, Subject,
    Validity,
};
use pki::cms::Certificate;
use pki::time::{BASELINE_POLICY, Imprint, TimeStampAuthority, TimeStampRequest};

/// A person who can sign, with a new key and certificate every time.
pub(crate) struct Person {
    pub(crate) name: String,
    /// For how long the certificates of this person are valid.
    pub(crate) years: u32,
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
        let root = root
            .with_crl_url("http://firma.example/authority/root.crl")
            .unwrap();
        let issuer = root
            .issuer(key(), &subject("Test issuer"), validity(25), &rng)
            .unwrap();
        let issuer = issuer
            .with_crl_url("http://firma.example/authority/issuer.crl")
            .unwrap();
        Self {
            name: name.into(),
            years: 20,
            root,
            issuer,
        }
    }

    /// A fresh key and certificate.
    pub(crate) fn key(&self) -> OneShot {
        let country = Country::new("CO").unwrap();
        let document = IdentityDocument {
            kind: DocumentKind::IdentityCard,
            country,
            number: "52123456",
        };
        let subject = Subject::of_person(&self.name, &document).unwrap();
        self.issuer
            .one_shot(&subject, validity(self.years), &SystemRandom::new())
            .unwrap()
    }

    /// The installation's timestamping authority.
    pub(crate) fn clock(&self) -> TimeStampAuthority<LocalKey> {
        let subject = Subject::of_installation("Test clock", None, None).unwrap();
        let key = LocalKey::generate().unwrap();
        let credential = self
            .issuer
            .credential(
                Role::TimeStamping,
                key,
                &subject,
                validity(20),
                &SystemRandom::new(),
            )
            .unwrap();
        TimeStampAuthority::new(credential, BASELINE_POLICY).unwrap()
    }

    /// A token over a digest.
    pub(crate) fn stamp(clock: &TimeStampAuthority<LocalKey>, digest: &[u8; 32], now: Timestamp) -> Vec<u8> {
        let request = TimeStampRequest::without_nonce(Imprint::sha256(digest));
        clock.stamp(&request, now, &SystemRandom::new()).unwrap()
    }

    /// The revocation lists of root and issuer, with these certificates on the issuer's.
    pub(crate) fn lists(&self, revoked: &[Revoked]) -> [Vec<u8>; 2] {
        self.lists_between("2026-11-15T00:00:00Z", "2030-01-01T00:00:00Z", revoked)
    }

    /// The same, in force from and until these times.
    pub(crate) fn lists_between(&self, from: &str, until: &str, revoked: &[Revoked]) -> [Vec<u8>; 2] {
        let (from, until) = (from.parse().unwrap(), until.parse().unwrap());
        [
            self.root.crl(1, from, until, &[]).unwrap(),
            self.issuer.crl(1, from, until, revoked).unwrap(),
        ]
    }

    pub(crate) fn roots(&self) -> [Certificate; 1] {
        [self.root.certificate().clone()]
    }

    /// The root's certificate in DER.
    pub(crate) fn root(&self) -> Vec<u8> {
        self.root.certificate().as_der().to_vec()
    }
}
