//! Hostile CMS: nothing panics, and nothing that was altered verifies.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cms_tools;
mod mutation_tools;

use std::sync::LazyLock;

use cms_tools::{OpenSsl, P256, RSA, SIGNING};
use mutation_tools::mutation;
use pki::cms::{Certificate, Profile, SignedData};
use proptest::collection::vec;
use proptest::prelude::*;

const DOCUMENT: &[u8] = b"a document";

/// Real signatures to start from: with and without attributes, RSA-PSS and ECDSA.
static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let tools = OpenSsl::new();
    tools.signer("rsa", RSA, SIGNING);
    tools.signer("p256", P256, SIGNING);
    tools.write("document", DOCUMENT);
    let cases: [(&str, &str, &[&str]); 4] = [
        ("p256.pem", "p256.key", &["-cades"]),
        ("rsa.pem", "rsa.key", &["-noattr"]),
        ("rsa.pem", "rsa.key", &["-keyopt", "rsa_padding_mode:pss"]),
        ("p256.pem", "p256.key", &["-keyid", "-stream"]),
    ];
    let sign = |(signer, key, options): (&str, &str, &[&str])| {
        let base = [
            "cms", "-sign", "-binary", "-in", "document", "-signer", signer, "-inkey", key,
        ];
        tools.run(&[&base[..], options, &["-outform", "DER", "-out", "signature"]].concat());
        tools.read("signature")
    };
    cases.into_iter().map(sign).collect()
});

fn verify(bytes: &[u8]) -> bool {
    let Ok(parsed) = SignedData::parse(bytes) else {
        return false;
    };
    let _ = (parsed.timestamps(), parsed.crls(), parsed.claimed_time());
    let digest = parsed.digest_algorithm().hash(DOCUMENT);
    parsed.verify_detached(&digest, Profile::Pkcs7).is_ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30_000))]

    #[test]
    fn altered_signatures_never_panic(
        seed in 0usize..4,
        mutation in mutation(1..6),
    ) {
        verify(&mutation.apply(&SEEDS[seed]));
    }

    #[test]
    fn spliced_signatures_never_panic(
        seed in 0usize..4,
        from in any::<prop::sample::Index>(),
        to in any::<prop::sample::Index>(),
        length in 0usize..64,
    ) {
        let mut bytes = SEEDS[seed].clone();
        let from = from.index(bytes.len());
        let piece = bytes[from..bytes.len().min(from + length)].to_vec();
        let to = to.index(bytes.len());
        bytes.splice(to..to, piece);
        verify(&bytes);
    }

    #[test]
    fn noise_never_panics(bytes in vec(any::<u8>(), 0..200)) {
        prop_assert!(!verify(&bytes));
        prop_assert!(Certificate::from_der(&bytes).is_err());
    }
}

/// Every bit of what was signed counts: attributes and signature value of a `CAdES` signature.
#[test]
fn no_bit_of_the_signed_attributes_can_change() {
    let original = &SEEDS[0];
    assert!(verify(original));
    let parsed = SignedData::parse(original).unwrap();
    let signature = parsed.signature();
    let find = |bytes: &[u8]| {
        original
            .windows(bytes.len())
            .rposition(|window| window == bytes)
            .unwrap()
    };
    // The first attribute is the content type; its SEQUENCE and OBJECT IDENTIFIER have short headers.
    let start = find(&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x03]) - 4;
    let end = find(signature) + signature.len();
    for position in start..end {
        for bit in 0..8 {
            let mut altered = original.clone();
            altered[position] ^= 1 << bit;
            assert!(!verify(&altered), "octet {position}, bit {bit}");
        }
    }
}

/// Lengths that promise gigabytes and nesting without end cost nothing.
#[test]
fn bombs_are_refused() {
    let huge = [0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 0x06];
    let deep: Vec<u8> = [0x30, 0x80].repeat(1_000_000);
    let endless = [[0x30, 0x80].as_slice(), &[0x30, 0].repeat(500_000)].concat();
    for bomb in [&huge[..], &deep, &endless] {
        assert!(SignedData::parse(bomb).is_err());
    }
}
