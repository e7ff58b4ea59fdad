//! CMS against openssl, both ways.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cms_tools;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _, RSA_PKCS1_SHA256, RSA_PSS_SHA256,
    RSA_PSS_SHA512, RsaEncoding, RsaKeyPair,
};
use cms_tools::{OpenSsl, P256, P384, RSA, SIGNING};
use pki::cms::{
    Binding, Certificate, CmsError, DigestAlgorithm, Profile, PublicKey, SignatureAlgorithm,
    SignedAttributes, SignedData, reserve,
};
use sha2::{Digest as _, Sha256};

const DOCUMENT: &[u8] = b"%PDF-1.7 a document to be signed";

fn sha256(message: &[u8]) -> [u8; 32] {
    Sha256::digest(message).into()
}

#[test]
fn openssl_accepts_a_p256_signature() {
    let tools = OpenSsl::new();
    let signer = tools.signer("ana", P256, SIGNING);
    let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &tools.read("ana.p8")).unwrap();
    openssl_accepts(&tools, &signer, |der| {
        key.sign(&SystemRandom::new(), der).unwrap().as_ref().to_vec()
    });
}

#[test]
fn openssl_accepts_an_rsa_signature() {
    let tools = OpenSsl::new();
    let signer = tools.signer("ana", RSA, SIGNING);
    let key = RsaKeyPair::from_pkcs8(&tools.read("ana.p8")).unwrap();
    openssl_accepts(&tools, &signer, |der| {
        let mut signature = vec![0; key.public_modulus_len()];
        key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), der, &mut signature)
            .unwrap();
        signature
    });
}

fn openssl_accepts(tools: &OpenSsl, signer: &Certificate, sign: impl Fn(&[u8]) -> Vec<u8>) {
    let chain = [tools.certificate("ca")];
    let to_be_signed = SignedAttributes::new(&sha256(DOCUMENT), signer).unwrap();
    assert_eq!(to_be_signed.digest(), sha256(to_be_signed.as_der()));
    let signature = sign(to_be_signed.as_der());
    to_be_signed.verify(&signature).unwrap();
    let cms = to_be_signed.finish(&signature, &chain, None);
    assert!(
        cms.len() <= reserve(signer, &chain, 0),
        "{} > {}",
        cms.len(),
        reserve(signer, &chain, 0)
    );

    tools.verify_cades(&cms, DOCUMENT, "ca.pem", &[]);

    let mut padded = cms;
    padded.resize(padded.len() + 1000, 0);
    let parsed = SignedData::parse(&padded).unwrap();
    let verified = parsed.verify_detached(&sha256(DOCUMENT), Profile::Cades).unwrap();
    assert_eq!(
        (&verified.signer, verified.binding),
        (signer, Binding::SigningCertificateV2)
    );
    assert_eq!(parsed.timestamps().unwrap(), Vec::<Vec<u8>>::new());
    let other = parsed.verify_detached(&sha256(b"another document"), Profile::Cades);
    assert_eq!(other, Err(CmsError::DigestMismatch));
}

/// What openssl signs, with the options that real programs use, is verified.
#[test]
fn signatures_of_openssl_verify() {
    let tools = OpenSsl::new();
    tools.signer("rsa", RSA, SIGNING);
    tools.signer("p256", P256, SIGNING);
    tools.signer("p384", P384, SIGNING);
    tools.write("document", DOCUMENT);
    let pss = ["-keyopt", "rsa_padding_mode:pss"];
    let pss_digest = [&pss[..], &["-keyopt", "rsa_pss_saltlen:-1"]].concat();
    let pss_max = [&pss[..], &["-keyopt", "rsa_pss_saltlen:-2"]].concat();
    let pss_20 = [&pss[..], &["-keyopt", "rsa_pss_saltlen:20"]].concat();
    let cases: &[(&str, &str, &[&str])] = &[
        ("rsa", "sha256", &["-cades"]),
        ("rsa", "sha384", &["-cades"]),
        ("rsa", "sha512", &["-cades"]),
        ("rsa", "sha256", &["-noattr"]),
        ("rsa", "sha256", &["-keyid"]),
        ("rsa", "sha256", &pss_digest),
        ("rsa", "sha384", &pss_digest),
        ("rsa", "sha512", &pss_max),
        ("rsa", "sha256", &pss_20),
        ("p256", "sha256", &["-cades"]),
        ("p256", "sha384", &["-cades"]),
        ("p256", "sha256", &["-noattr"]),
        ("p384", "sha384", &["-cades"]),
        ("p384", "sha512", &["-cades"]),
    ];
    for (signer, digest, options) in cases {
        let (pem, key) = (format!("{signer}.pem"), format!("{signer}.key"));
        let mut arguments = vec![
            "cms", "-sign", "-binary", "-in", "document", "-signer", &pem, "-inkey", &key,
        ];
        arguments.extend([
            "-md",
            digest,
            "-certfile",
            "ca.pem",
            "-outform",
            "DER",
            "-out",
            "signature",
        ]);
        arguments.extend(*options);
        tools.run(&arguments);
        let parsed =
            SignedData::parse(&tools.read("signature")).unwrap_or_else(|e| panic!("{arguments:?}: {e}"));
        let digest = parsed.digest_algorithm().hash(DOCUMENT);
        let verified = parsed.verify_detached(&digest, Profile::Pkcs7);
        let verified = verified.unwrap_or_else(|e| panic!("{arguments:?}: {e}"));
        let is_cades = options.contains(&"-cades");
        assert_eq!(
            verified.binding == Binding::SigningCertificateV2,
            is_cades,
            "{arguments:?}"
        );
        assert_eq!(
            parsed.verify_detached(&digest, Profile::Cades).is_ok(),
            is_cades,
            "{arguments:?}"
        );
        let wrong = parsed.digest_algorithm().hash(b"another document");
        assert!(
            parsed.verify_detached(&wrong, Profile::Pkcs7).is_err(),
            "{arguments:?}"
        );
    }
}

#[test]
fn broken_digests_attached_content_and_two_signers_are_refused() {
    let tools = OpenSsl::new();
    tools.signer("rsa", RSA, SIGNING);
    tools.signer("p256", P256, SIGNING);
    tools.write("document", DOCUMENT);
    let sign = |options: &[&str]| {
        let base = [
            "cms", "-sign", "-binary", "-in", "document", "-signer", "rsa.pem", "-inkey", "rsa.key",
        ];
        tools.run(&[&base[..], &["-outform", "DER", "-out", "signature"], options].concat());
        SignedData::parse(&tools.read("signature"))
    };
    assert_eq!(
        sign(&["-md", "sha1"]).unwrap_err(),
        CmsError::WeakAlgorithm("SHA-1")
    );
    assert_eq!(sign(&["-md", "md5"]).unwrap_err(), CmsError::WeakAlgorithm("MD5"));
    assert_eq!(
        sign(&["-signer", "p256.pem", "-inkey", "p256.key"]).unwrap_err(),
        CmsError::SignerCount(2)
    );
    let attached = sign(&["-nodetach"]).unwrap();
    let verdict = attached.verify_detached(&sha256(DOCUMENT), Profile::Pkcs7);
    assert_eq!(verdict, Err(CmsError::ContentPlacement));
    let alone = sign(&["-nocerts"]).unwrap();
    let verdict = alone.verify_detached(&sha256(DOCUMENT), Profile::Pkcs7);
    assert_eq!(verdict, Err(CmsError::SignerCertificateMissing));
}

#[test]
fn bytes_after_the_signature_are_refused() {
    let tools = OpenSsl::new();
    tools.signer("p256", P256, SIGNING);
    tools.write("document", DOCUMENT);
    let base = [
        "cms", "-sign", "-binary", "-in", "document", "-signer", "p256.pem", "-inkey", "p256.key",
    ];
    tools.run(&[&base[..], &["-outform", "DER", "-out", "signature"]].concat());
    let mut bytes = tools.read("signature");
    bytes.extend([0, 0, 1]);
    assert_eq!(SignedData::parse(&bytes).unwrap_err(), CmsError::TrailingBytes);
}

/// A certificate of the same key and name, but not the one that was named, is not accepted.
#[test]
fn a_substituted_certificate_is_refused() {
    let tools = OpenSsl::new();
    let signer = tools.signer("ana", P256, SIGNING);
    let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &tools.read("ana.p8")).unwrap();
    let to_be_signed = SignedAttributes::new(&sha256(DOCUMENT), &signer).unwrap();
    let signature = key.sign(&SystemRandom::new(), to_be_signed.as_der()).unwrap();
    let cms = to_be_signed.finish(signature.as_ref(), &[], None);
    // The last bytes of a certificate are its issuer's signature: another one makes another certificate.
    let at = cms
        .windows(signer.as_der().len())
        .position(|window| window == signer.as_der())
        .unwrap();
    let mut forged = cms;
    forged[at + signer.as_der().len() - 1] ^= 1;
    let verdict = SignedData::parse(&forged)
        .unwrap()
        .verify_detached(&sha256(DOCUMENT), Profile::Cades);
    assert_eq!(verdict, Err(CmsError::SigningCertificateMismatch));
}

/// A renewed certificate has the key identifier of the one before it. The signature says which of them signed.
#[test]
fn the_bound_certificate_is_found_among_those_of_one_key() {
    let tools = OpenSsl::new();
    tools.signer("ana", P256, SIGNING);
    tools.write("document", DOCUMENT);
    let renew = [
        "x509",
        "-req",
        "-in",
        "ana.csr",
        "-CA",
        "ca.pem",
        "-CAkey",
        "ca.key",
        "-set_serial",
        "77",
        "-days",
        "30",
    ];
    tools.run(&[&renew[..], &["-extfile", "ana.ext", "-out", "renewed.pem"]].concat());
    for (signer, other) in [("ana", "renewed"), ("renewed", "ana")] {
        let [signer_file, other_file] = [signer, other].map(|name| format!("{name}.pem"));
        let base = [
            "cms", "-sign", "-binary", "-cades", "-keyid", "-in", "document", "-inkey", "ana.key", "-outform",
        ];
        let files = [
            "DER",
            "-signer",
            &signer_file,
            "-certfile",
            &other_file,
            "-out",
            "signature",
        ];
        tools.run(&[&base[..], &files].concat());
        let parsed = SignedData::parse(&tools.read("signature")).unwrap();
        assert_eq!(parsed.certificates().len(), 2);
        let verified = parsed.verify_detached(&sha256(DOCUMENT), Profile::Cades).unwrap();
        assert_eq!(verified.signer, tools.certificate(signer));
    }
}

/// The outer layers in indefinite lengths, as `PDFBox` writes them.
#[test]
fn indefinite_lengths_around_a_signature_are_read() {
    let tools = OpenSsl::new();
    tools.signer("p256", P256, SIGNING);
    tools.write("document", DOCUMENT);
    let base = [
        "cms", "-sign", "-binary", "-cades", "-in", "document", "-signer", "p256.pem", "-inkey",
    ];
    tools.run(&[&base[..], &["p256.key", "-outform", "DER", "-out", "signature"]].concat());
    let der = tools.read("signature");
    // SEQUENCE { OID, [0] { SEQUENCE { … } } }, each with a length of two octets.
    let (oid, data) = (&der[4..15], &der[23..]);
    let ends = [0; 6];
    let ber = [
        &[0x30, 0x80],
        oid,
        &[0xa0, 0x80, 0x30, 0x80],
        data,
        &ends,
        &[0; 100],
    ]
    .concat();
    let parsed = SignedData::parse(&ber).unwrap();
    parsed.verify_detached(&sha256(DOCUMENT), Profile::Cades).unwrap();
    let unended = &ber[..ber.len() - 102];
    assert!(SignedData::parse(unended).is_err());
}

/// A key that says which scheme it is for signs with no other (RFC 4055, section 3.3).
#[test]
fn a_key_of_one_scheme_signs_with_no_other() {
    const ONLY_SHA_512: [u8; 54] = [
        0x30, 0x34, 0xa0, 0x0f, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03,
        0x05, 0x00, 0xa1, 0x1c, 0x30, 0x1a, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x08,
        0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03, 0x05, 0x00, 0xa2, 0x03,
        0x02, 0x01, 0x40,
    ];
    let tools = OpenSsl::new();
    tools.signer("ana", RSA, SIGNING);
    let key = RsaKeyPair::from_pkcs8(&tools.read("ana.p8")).unwrap();
    let bits = key.public_key().as_ref();
    let spki = |parameters: &[u8]| {
        let oid = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0a];
        let algorithm = wrapped(0x30, &[&oid, parameters].concat());
        let bits = wrapped(0x03, &[&[0], bits].concat());
        PublicKey::from_spki(&wrapped(0x30, &[algorithm, bits].concat())).unwrap()
    };
    let signed = |padding: &'static dyn RsaEncoding| {
        let mut signature = vec![0; key.public_modulus_len()];
        key.sign(padding, &SystemRandom::new(), DOCUMENT, &mut signature)
            .unwrap();
        signature
    };
    let (sha256, sha512) = (DigestAlgorithm::Sha256, DigestAlgorithm::Sha512);
    let pss = |digest: DigestAlgorithm, salt| SignatureAlgorithm::RsaPss {
        digest,
        mask: digest,
        salt,
    };
    let schemes = [
        (signed(&RSA_PKCS1_SHA256), SignatureAlgorithm::RsaPkcs1(sha256)),
        (signed(&RSA_PSS_SHA256), pss(sha256, 32)),
        (signed(&RSA_PSS_SHA512), pss(sha512, 64)),
    ];
    let (plain, any_pss, one) = (PublicKey::rsa(bits), spki(&[]), spki(&ONLY_SHA_512));
    for (key, allowed) in [
        (plain, [true, true, true]),
        (any_pss, [false, true, true]),
        (one, [false, false, true]),
    ] {
        let verified = schemes.each_ref().map(|(signature, algorithm)| {
            let digest = algorithm.digest().hash(DOCUMENT);
            key.verify(*algorithm, &digest, signature).is_ok()
        });
        assert_eq!(verified, allowed);
    }
}

fn wrapped(tag: u8, contents: &[u8]) -> Vec<u8> {
    let length = contents.len();
    let mut out = match u8::try_from(length) {
        Ok(short) if short < 0x80 => vec![tag, short],
        _ => vec![
            tag,
            0x82,
            u8::try_from(length >> 8).unwrap(),
            u8::try_from(length & 0xff).unwrap(),
        ],
    };
    out.extend_from_slice(contents);
    out
}
