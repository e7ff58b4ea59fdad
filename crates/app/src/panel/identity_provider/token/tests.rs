//! Tokens that must not count, each wrong in one place.

use super::*;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256, RsaKeyPair,
};
use serde_json::json;

const NOW: Timestamp = Timestamp::from_micros(1_772_461_800_000_000);
const SECONDS: i64 = 1_772_461_800;
const EXPECTED: Expected<'_> = Expected {
    issuer: "https://id.andes.example",
    client_id: "firmeza",
    nonce: "n-0S6",
};

fn encoded(value: &Value) -> String {
    BASE64URL_NOPAD.encode(value.to_string().as_bytes())
}

fn claims() -> Value {
    json!({
        "iss": "https://id.andes.example", "aud": "firmeza", "sub": "248289", "nonce": "n-0S6",
        "iat": SECONDS - 5, "exp": SECONDS + 300,
    })
}

/// A token with that header and these claims, signed by `sign`.
fn token(header: &Value, claims: &Value, sign: impl Fn(&[u8]) -> Vec<u8>) -> String {
    let message = format!("{}.{}", encoded(header), encoded(claims));
    let signature = BASE64URL_NOPAD.encode(&sign(message.as_bytes()));
    format!("{message}.{signature}")
}

struct Elliptic(EcdsaKeyPair);

impl Elliptic {
    fn new() -> Self {
        Self(EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap())
    }

    fn sign(&self, message: &[u8]) -> Vec<u8> {
        let signed = self.0.sign(&SystemRandom::new(), message);
        signed.unwrap().as_ref().to_vec()
    }

    fn jwk(&self, id: &str) -> Value {
        let point = self.0.public_key().as_ref();
        let part = |part: &[u8]| BASE64URL_NOPAD.encode(part);
        json!({ "kty": "EC", "crv": "P-256", "kid": id, "x": part(&point[1..33]), "y": part(&point[33..]) })
    }

    fn token(&self, claims: &Value) -> String {
        token(&json!({ "alg": "ES256", "kid": "1" }), claims, |message| {
            self.sign(message)
        })
    }
}

#[test]
fn a_token_of_each_algorithm_counts() {
    let rsa = RsaKeyPair::generate(KeySize::Rsa2048).unwrap();
    let edwards = Ed25519KeyPair::generate().unwrap();
    let elliptic = Elliptic::new();
    // The key as PKCS #1 has it: a sequence of the modulus, which begins with a zero, and of the exponent.
    let der = rsa.public_key().as_ref();
    assert_eq!(der[..9], [0x30, 0x82, 1, 0x0a, 2, 0x82, 1, 1, 0]);
    let (n, e) = (&der[8..265], &der[der.len() - 3..]);
    let number = |bytes: &[u8]| BASE64URL_NOPAD.encode(bytes);
    let keys = keys_of(&json!({ "keys": [
        { "kty": "RSA", "kid": "r", "n": number(n), "e": number(e) },
        { "kty": "OKP", "crv": "Ed25519", "kid": "e", "x": number(edwards.public_key().as_ref()) },
        elliptic.jwk("c"),
        { "kty": "oct", "kid": "h", "k": "c2VjcmV0" },
        { "kty": "RSA", "use": "enc", "kid": "x", "n": "AQAB", "e": "AQAB" },
    ] }));
    assert_eq!(keys.len(), 3, "keys for other uses are no keys for signatures");
    let with_rsa = |message: &[u8]| {
        let mut signature = vec![0; rsa.public_modulus_len()];
        rsa.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut signature)
            .unwrap();
        signature
    };
    let with_edwards = |message: &[u8]| edwards.sign(message).as_ref().to_vec();
    for token in [
        token(&json!({ "alg": "RS256", "kid": "r" }), &claims(), with_rsa),
        token(&json!({ "alg": "EdDSA", "kid": "e" }), &claims(), with_edwards),
        token(&json!({ "alg": "ES256", "kid": "c" }), &claims(), |message| {
            elliptic.sign(message)
        }),
        // Without a name every key that fits is tried.
        token(&json!({ "alg": "EdDSA" }), &claims(), with_edwards),
    ] {
        let verified = verify(&token, &keys, EXPECTED, NOW).unwrap();
        assert_eq!(verified["sub"], "248289");
    }
    // The name of one key and the signature of another.
    let crossed = token(&json!({ "alg": "EdDSA", "kid": "r" }), &claims(), with_edwards);
    assert_eq!(
        verify(&crossed, &keys, EXPECTED, NOW),
        Err(TokenError::UnknownKey)
    );
}

#[test]
fn a_token_without_the_providers_signature_does_not_count() {
    let (own, other) = (Elliptic::new(), Elliptic::new());
    let keys = keys_of(&json!({ "keys": [own.jwk("1")] }));
    let judged = |token: &str| verify(token, &keys, EXPECTED, NOW).map(|_| ());
    assert_eq!(judged(&own.token(&claims())), Ok(()));
    assert_eq!(judged(&other.token(&claims())), Err(TokenError::Signature));
    let unsigned = |_: &[u8]| Vec::new();
    for algorithm in ["none", "None", "", "HS256"] {
        // With a keyed hash, the key would be the public key, which everybody knows.
        let hashed = token(&json!({ "alg": algorithm, "kid": "1" }), &claims(), unsigned);
        assert_eq!(judged(&hashed), Err(TokenError::Algorithm), "{algorithm}");
    }
    let unknown = token(&json!({ "alg": "ES256", "kid": "2" }), &claims(), |message| {
        own.sign(message)
    });
    assert_eq!(judged(&unknown), Err(TokenError::UnknownKey));
    let critical = json!({ "alg": "ES256", "kid": "1", "crit": ["b64"], "b64": false });
    let critical = token(&critical, &claims(), |message| own.sign(message));
    assert_eq!(judged(&critical), Err(TokenError::Malformed));
    // Claims in place of those that were signed.
    let whole = own.token(&claims());
    let parts: Vec<&str> = whole.split('.').collect();
    let mut forged = claims();
    forged["sub"] = json!("1");
    let forged = format!("{}.{}.{}", parts[0], encoded(&forged), parts[2]);
    assert_eq!(judged(&forged), Err(TokenError::Signature));
    for broken in ["", "a.b", "..", "a.b.c", "!.!.!"] {
        assert_eq!(judged(broken), Err(TokenError::Malformed), "{broken}");
    }
}

#[test]
fn a_key_for_one_algorithm_verifies_no_other() {
    let own = Elliptic::new();
    let mut jwk = own.jwk("1");
    jwk["alg"] = json!("ES384");
    let keys = keys_of(&json!({ "keys": [jwk] }));
    let judged = verify(&own.token(&claims()), &keys, EXPECTED, NOW);
    assert_eq!(judged, Err(TokenError::UnknownKey));
}

#[test]
fn a_token_that_is_wrong_in_one_claim_does_not_count() {
    let own = Elliptic::new();
    let keys = keys_of(&json!({ "keys": [own.jwk("1")] }));
    let with = |changes: &[(&str, Value)]| {
        let mut claims = claims();
        for (name, value) in changes {
            claims[*name] = value.clone();
        }
        verify(&own.token(&claims), &keys, EXPECTED, NOW).map(|_| ())
    };
    let one = |name: &str, value: Value| with(&[(name, value)]);
    assert_eq!(
        one("iss", json!("https://id.andes.example/")),
        Err(TokenError::Issuer)
    );
    assert_eq!(one("iss", json!(null)), Err(TokenError::Issuer));
    assert_eq!(one("aud", json!("other")), Err(TokenError::Audience));
    assert_eq!(one("aud", json!([])), Err(TokenError::Audience));
    assert_eq!(one("aud", json!(["firmeza"])), Ok(()));
    let several = json!(["firmeza", "other"]);
    assert_eq!(one("aud", several.clone()), Err(TokenError::AuthorizedParty));
    assert_eq!(with(&[("aud", several), ("azp", json!("firmeza"))]), Ok(()));
    assert_eq!(one("azp", json!("other")), Err(TokenError::AuthorizedParty));
    assert_eq!(one("nonce", json!("n-0S7")), Err(TokenError::Nonce));
    assert_eq!(one("nonce", json!(null)), Err(TokenError::Nonce));
    assert_eq!(one("sub", json!("")), Err(TokenError::Subject));
    assert_eq!(one("sub", json!("x".repeat(256))), Err(TokenError::Subject));
    // The clocks may be a minute apart.
    assert_eq!(one("exp", json!(SECONDS - 59)), Ok(()));
    assert_eq!(one("exp", json!(SECONDS - 60)), Err(TokenError::Time));
    assert_eq!(one("exp", json!(null)), Err(TokenError::Time));
    assert_eq!(one("iat", json!(SECONDS + 60)), Ok(()));
    assert_eq!(one("iat", json!(SECONDS + 61)), Err(TokenError::Time));
    assert_eq!(one("nbf", json!(SECONDS + 61)), Err(TokenError::Time));
    assert_eq!(one("iat", json!(SECONDS - 3600)), Err(TokenError::Time));
    assert_eq!(one("exp", json!(1e300)), Ok(()));
}
