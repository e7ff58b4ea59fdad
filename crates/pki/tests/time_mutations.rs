//! Hostile requests, responses and tokens: nothing panics, and nothing that was altered verifies.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod authority_tools;
mod mutation_tools;
mod time_tools;

use std::sync::LazyLock;

use authority_tools::{authority, now, rng};
use mutation_tools::mutation;
use pki::authority::LocalKey;
use pki::cms::DigestAlgorithm;
use pki::time::{BASELINE_POLICY, Imprint, Inquiry, TimeStampAuthority, TimeStampRequest, TimeStampToken};
use proptest::collection::vec;
use proptest::prelude::*;
use time_tools::stamping;

struct TimestampSeeds {
    tsa: TimeStampAuthority<LocalKey>,
    inquiry: Inquiry,
    response: Vec<u8>,
    token: Vec<u8>,
}

static SEEDS: LazyLock<TimestampSeeds> = LazyLock::new(|| {
    let tsa = stamping(&authority(), LocalKey::generate().unwrap());
    let imprint = Imprint::of(DigestAlgorithm::Sha384, b"document");
    let inquiry = Inquiry::new(imprint, Some(BASELINE_POLICY), &rng()).unwrap();
    let response = tsa.answer(&inquiry.to_der(), now(), &rng());
    let token = inquiry.accept(&response, now()).unwrap().token;
    TimestampSeeds {
        tsa,
        inquiry,
        response,
        token,
    }
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30_000))]

    #[test]
    fn altered_responses_never_panic(
        mutation in mutation(1..5),
    ) {
        let bytes = mutation.apply(&SEEDS.response);
        let _ = SEEDS.inquiry.accept(&bytes, now());
    }

    #[test]
    fn altered_requests_never_panic(
        mutation in mutation(1..5),
    ) {
        let bytes = mutation.apply(&SEEDS.inquiry.to_der());
        let _ = TimeStampRequest::from_der(&bytes);
    }

    #[test]
    fn noise_never_panics(bytes in vec(any::<u8>(), 0..160)) {
        prop_assert!(TimeStampToken::from_der(&bytes).is_err());
        prop_assert!(SEEDS.inquiry.accept(&bytes, now()).is_err());
        prop_assert!(TimeStampRequest::from_der(&bytes).is_err());
        prop_assert!(!SEEDS.tsa.answer(&bytes, now(), &rng()).is_empty());
    }
}

/// Every octet of what the token says counts.
#[test]
fn no_bit_of_the_signed_information_can_change() {
    let imprint = Imprint::of(DigestAlgorithm::Sha384, b"document");
    let verifies = |token: &[u8]| {
        TimeStampToken::from_der(token).is_ok_and(|token| token.verify_imprint(&imprint).is_ok())
    };
    let token = &SEEDS.token;
    assert!(verifies(token));
    let at = token
        .windows(imprint.digest().len())
        .position(|window| window == imprint.digest())
        .unwrap();
    // From the imprint over serial number, time and accuracy to the nonce.
    for position in at..at + 48 + 18 + 17 + 5 + 18 {
        for bit in 0..8 {
            let mut bytes = token.clone();
            bytes[position] ^= 1 << bit;
            assert!(!verifies(&bytes), "octet {position}, bit {bit}");
        }
    }
}
