//! Keys and digests beyond the common ones, with signatures that openssl makes; and those that are too weak.

mod cms_tools;

use cms_tools::{OpenSsl, P256, P384, RSA, SIGNING};
use pki::authority::{Path, PathError};
use pki::cms::{CmsError, DigestAlgorithm, Profile, SignatureAlgorithm, SignedData};

const DOCUMENT: &[u8] = b"the document";
const P521: &[&str] = &["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-521"];
const BRAINPOOL_256: &[&str] = &[
    "-algorithm",
    "EC",
    "-pkeyopt",
    "ec_paramgen_curve:brainpoolP256r1",
];
const BRAINPOOL_384: &[&str] = &[
    "-algorithm",
    "EC",
    "-pkeyopt",
    "ec_paramgen_curve:brainpoolP384r1",
];
const BRAINPOOL_512: &[&str] = &[
    "-algorithm",
    "EC",
    "-pkeyopt",
    "ec_paramgen_curve:brainpoolP512r1",
];
const ED25519: &[&str] = &["-algorithm", "ED25519"];

fn document() -> OpenSsl {
    let tools = OpenSsl::new();
    tools.write("document", DOCUMENT);
    tools
}

#[test]
fn cms_of_rarer_keys_verify() {
    let tools = document();
    for (key, digest) in [
        (P521, "sha512"),
        (P521, "sha256"),
        (BRAINPOOL_256, "sha256"),
        (BRAINPOOL_384, "sha384"),
        (BRAINPOOL_256, "sha512"),
        (BRAINPOOL_512, "sha512"),
        (BRAINPOOL_512, "sha256"),
    ] {
        tools.signer("ana", key, SIGNING);
        let sign = format!(
            "cms -sign -binary -in document -signer ana.pem -inkey ana.key -md {digest} -cades -outform DER -out signature"
        );
        tools.run(&sign.split(' ').collect::<Vec<_>>());
        let parsed = SignedData::parse(&tools.read("signature")).unwrap();
        let right = parsed.digest_algorithm().hash(DOCUMENT);
        parsed
            .verify_detached(&right, Profile::Cades)
            .unwrap_or_else(|error| panic!("{key:?} {digest}: {error}"));
        let wrong = parsed.digest_algorithm().hash(b"another");
        assert!(parsed.verify_detached(&wrong, Profile::Cades).is_err(), "{key:?}");
        let mut changed = tools.read("signature");
        let last = changed.len() - 1;
        changed[last] ^= 1;
        let changed = SignedData::parse(&changed).and_then(|cms| cms.verify_detached(&right, Profile::Cades));
        assert!(changed.is_err(), "{key:?}: the last octet is the signature's");
    }
}

/// openssl 3.0 makes no CMS with such a key.
#[test]
fn ed25519_verifies() {
    let tools = document();
    let certificate = tools.signer("ana", ED25519, SIGNING);
    tools.run(&[
        "pkeyutl",
        "-sign",
        "-rawin",
        "-in",
        "document",
        "-inkey",
        "ana.key",
        "-out",
        "signature",
    ]);
    let key = certificate.public_key().unwrap();
    let verify =
        |document: &[u8]| key.verify_message(SignatureAlgorithm::Ed25519, document, &tools.read("signature"));
    assert_eq!(verify(DOCUMENT), Ok(()));
    assert_eq!(verify(b"another"), Err(CmsError::BadSignature));
    let root = "req -x509 -newkey ed25519 -nodes -keyout ca.key -subj /CN=Ed -days 3650 -out ca.pem";
    tools.run(&root.split(' ').collect::<Vec<_>>());
    let root = tools.certificate("ca");
    assert_eq!(root.verify_signed_by(&root.public_key().unwrap()), Ok(()));
    assert!(root.verify_signed_by(&key).is_err());
}

#[test]
fn signatures_with_sha3_verify() {
    use DigestAlgorithm::{Sha3_256, Sha3_384, Sha3_512};
    let tools = document();
    for (name, digest) in [
        ("sha3-256", Sha3_256),
        ("sha3-384", Sha3_384),
        ("sha3-512", Sha3_512),
    ] {
        for key in [P256, P384, P521, BRAINPOOL_256, BRAINPOOL_384, BRAINPOOL_512, RSA] {
            let certificate = tools.signer("ana", key, SIGNING);
            tools.run(&[
                "dgst",
                &format!("-{name}"),
                "-sign",
                "ana.key",
                "-out",
                "signature",
                "document",
            ]);
            let algorithm = if key == RSA {
                SignatureAlgorithm::RsaPkcs1(digest)
            } else {
                SignatureAlgorithm::Ecdsa(digest)
            };
            let verify = |document: &[u8]| {
                let key = certificate.public_key().unwrap();
                key.verify_message(algorithm, document, &tools.read("signature"))
            };
            assert_eq!(verify(DOCUMENT), Ok(()), "{key:?} {name}");
            assert_eq!(verify(b"another"), Err(CmsError::BadSignature), "{key:?} {name}");
        }
    }
}

#[test]
fn rsassa_pss_verifies_with_all_its_parameters() {
    use DigestAlgorithm::{Sha3_256, Sha256, Sha384, Sha512};
    let tools = document();
    let name = |digest| match digest {
        Sha256 => "sha256",
        Sha384 => "sha384",
        Sha3_256 => "sha3-256",
        _ => "sha512",
    };
    // The bits of the second modulus are no multiple of eight, and the first octet of its encoding is empty.
    for bits in ["2048", "2049", "3072"] {
        let certificate = tools.signer(
            "ana",
            &[
                "-algorithm",
                "RSA",
                "-pkeyopt",
                &format!("rsa_keygen_bits:{bits}"),
            ],
            SIGNING,
        );
        let key = certificate.public_key().unwrap();
        for (digest, mask, salt) in [
            (Sha256, Sha256, 32),
            (Sha256, Sha256, 0),
            (Sha256, Sha256, 17),
            (Sha256, Sha512, 32),
            (Sha512, Sha256, 20),
            (Sha384, Sha384, 150),
            (Sha3_256, Sha3_256, 32),
        ] {
            let sign = format!(
                "dgst -{} -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:{salt} -sigopt rsa_mgf1_md:{} -sign ana.key \
                 -out signature document",
                name(digest),
                name(mask)
            );
            tools.run(&sign.split_whitespace().collect::<Vec<_>>());
            let signature = tools.read("signature");
            let verify = |mask, salt, document: &[u8]| {
                let algorithm = SignatureAlgorithm::RsaPss { digest, mask, salt };
                key.verify_message(algorithm, document, &signature).is_ok()
            };
            let what = format!("{bits} {digest:?} {mask:?} {salt}");
            assert!(verify(mask, salt, DOCUMENT), "{what}");
            assert!(!verify(mask, salt, b"another"), "{what}");
            assert!(!verify(mask, salt + 1, DOCUMENT), "{what}");
            assert!(!verify(DigestAlgorithm::Sha3_512, salt, DOCUMENT), "{what}");
        }
    }
}

#[test]
fn weak_keys_are_called_weak() {
    let tools = document();
    let short = &["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"];
    let certificate = tools.signer("ana", short, SIGNING);
    assert_eq!(certificate.public_key().unwrap_err(), CmsError::WeakKey(1024));
    let curve = &["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:secp224r1"];
    let certificate = tools.signer("eva", curve, SIGNING);
    assert_eq!(certificate.public_key().unwrap_err(), CmsError::WeakKey(224));
    let sign = "cms -sign -binary -in document -signer ana.pem -inkey ana.key -md sha256 -cades -outform DER -out signature";
    tools.run(&sign.split(' ').collect::<Vec<_>>());
    let parsed = SignedData::parse(&tools.read("signature")).unwrap();
    let digest = parsed.digest_algorithm().hash(DOCUMENT);
    let refused = parsed.verify_detached(&digest, Profile::Cades).unwrap_err();
    assert_eq!(refused, CmsError::WeakKey(1024));

    // An authority with such a key, and one that signs with SHA-1.
    let weak = "req -x509 -newkey rsa:1024 -nodes -keyout ca.key -subj /CN=Weak -days 3650 -out ca.pem";
    tools.run(&weak.split(' ').collect::<Vec<_>>());
    let leaf = tools.signer("luz", P256, SIGNING);
    let root = tools.certificate("ca");
    let at = leaf.not_before().max(root.not_before());
    assert_eq!(
        Path::find(&leaf, &[], &[root], at).unwrap_err(),
        PathError::WeakKey
    );
    let tools = document();
    tools.signer("sol", P256, SIGNING);
    let resign =
        "x509 -req -in sol.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 3650 -sha1 -out sol.pem";
    tools.run(&resign.split(' ').collect::<Vec<_>>());
    let (leaf, root) = (tools.certificate("sol"), tools.certificate("ca"));
    let at = leaf.not_before().max(root.not_before());
    assert_eq!(
        Path::find(&leaf, &[], &[root], at).unwrap_err(),
        PathError::WeakAlgorithm
    );
}
