//! Hostile certificates and CRLs: nothing panics, and no altered one is believed.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod authority_tools;
mod mutation_tools;

use std::sync::LazyLock;

use authority_tools::{authority, now, person, rng, years};
use mutation_tools::mutation;
use pki::authority::{Authority, Constraints, Crl, Path, Reason, Revoked};
use pki::cms::Certificate;
use proptest::collection::vec;
use proptest::prelude::*;

struct CertificateSeeds {
    authority: Authority,
    signer: Certificate,
    crl: Vec<u8>,
}

static SEEDS: LazyLock<CertificateSeeds> = LazyLock::new(|| {
    let authority = authority();
    let issuer = authority
        .issuer()
        .clone()
        .with_crl_url("http://a.example/crl")
        .unwrap();
    let signer = issuer
        .one_shot(&person("Ana", "1"), years(5), &rng())
        .unwrap()
        .certificate()
        .clone();
    let revoked = |serial: Vec<u8>| Revoked {
        serial,
        at: now(),
        reason: Reason::Superseded,
    };
    let revoked = [revoked(vec![5]), revoked(signer.serial().to_vec())];
    let crl = issuer
        .crl(1, now(), "2027-01-01T00:00:00Z".parse().unwrap(), &revoked)
        .unwrap();
    CertificateSeeds {
        authority,
        signer,
        crl,
    }
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30_000))]

    #[test]
    fn altered_lists_never_panic(
        mutation in mutation(1..5),
    ) {
        let bytes = mutation.apply(&SEEDS.crl);
        if let Ok(list) = Crl::from_der(&bytes) {
            let _ = (list.covers(&SEEDS.signer), list.find(&SEEDS.signer));
            let verdict = list.verify_signed_by(SEEDS.authority.issuer().certificate());
            prop_assert!(verdict.is_err() || bytes == SEEDS.crl);
        }
    }

    #[test]
    fn altered_certificates_never_panic(
        mutation in mutation(1..5),
    ) {
        let bytes = mutation.apply(SEEDS.signer.as_der());
        if let Ok(certificate) = Certificate::from_der(&bytes) {
            let _ = (Constraints::of(&certificate), certificate.subject(), certificate.key_identifier());
            let roots = [SEEDS.authority.root().certificate().clone()];
            let others = [SEEDS.authority.issuer().certificate().clone()];
            let verdict = Path::find(&certificate, &others, &roots, now());
            prop_assert!(verdict.is_err() || bytes == SEEDS.signer.as_der());
        }
    }

    #[test]
    fn noise_never_panics(bytes in vec(any::<u8>(), 0..120)) {
        prop_assert!(Crl::from_der(&bytes).is_err());
    }
}
