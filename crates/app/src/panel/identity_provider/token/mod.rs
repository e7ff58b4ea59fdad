//! Verifies ID tokens (JWT). Only signatures by the provider's public keys count: a token without one, or with a keyed hash,
//! is none of ours.

use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256,
    RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256,
    RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512, RsaPublicKeyComponents, UnparsedPublicKey,
};
use data_encoding::BASE64URL_NOPAD;
use domain::Timestamp;
use serde_json::{Map, Value};

/// How far the provider's clock and ours may be apart.
const LEEWAY_SECONDS: i64 = 60;
/// How long ago a token may have been made, whatever it says of its end.
const MAX_AGE_SECONDS: i64 = 3600;
/// Keys of one provider that are looked at.
const MAX_KEYS: usize = 100;
/// Bytes of a token: groups can be many.
const MAX_TOKEN_BYTES: usize = 128 << 10;
/// Characters of a subject, by the specification.
const MAX_SUBJECT_CHARS: usize = 255;

/// A public key of a provider.
#[derive(Debug, Clone)]
pub(super) struct Jwk {
    id: Option<String>,
    /// The only algorithm that it is for, where it says so.
    algorithm: Option<String>,
    public: PublicKey,
}

#[derive(Debug, Clone)]
enum PublicKey {
    Rsa { n: Vec<u8>, e: Vec<u8> },
    P256(Vec<u8>),
    P384(Vec<u8>),
    Ed25519(Vec<u8>),
}

/// What a token must say.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expected<'e> {
    pub(super) issuer: &'e str,
    pub(super) client_id: &'e str,
    pub(super) nonce: &'e str,
}

/// Why a token does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum TokenError {
    #[error("the ID token is malformed")]
    Malformed,
    #[error("the ID token's algorithm is none of RS, PS and ES 256 and 384, RS and PS 512, EdDSA")]
    Algorithm,
    #[error("the ID token names a key that the provider does not publish")]
    UnknownKey,
    #[error("the ID token's signature is not the provider's")]
    Signature,
    #[error("the ID token is of another issuer")]
    Issuer,
    #[error("the ID token is for another client")]
    Audience,
    #[error("the ID token was issued to another client (azp)")]
    AuthorizedParty,
    #[error("the ID token has expired, or is from another time: do the clocks agree?")]
    Time,
    #[error("the ID token answers another request (nonce)")]
    Nonce,
    #[error("the ID token names no subject")]
    Subject,
}

/// The keys of a JWKS that we can use. Others do no harm.
pub(super) fn keys_of(jwks: &Value) -> Vec<Jwk> {
    let keys = jwks["keys"].as_array().map(Vec::as_slice).unwrap_or_default();
    keys.iter().take(MAX_KEYS).filter_map(key_of).collect()
}

fn key_of(jwk: &Value) -> Option<Jwk> {
    if jwk["use"].as_str().is_some_and(|usage| usage != "sig") {
        return None;
    }
    let bytes = |name: &str| BASE64URL_NOPAD.decode(jwk[name].as_str()?.as_bytes()).ok();
    let point = |size: usize| {
        let (x, y) = (bytes("x")?, bytes("y")?);
        (x.len() == size && y.len() == size).then(|| [&[4][..], &x, &y].concat())
    };
    let public = match (jwk["kty"].as_str()?, jwk["crv"].as_str()) {
        ("RSA", _) => PublicKey::Rsa {
            n: without_zeros(bytes("n")?),
            e: without_zeros(bytes("e")?),
        },
        ("EC", Some("P-256")) => PublicKey::P256(point(32)?),
        ("EC", Some("P-384")) => PublicKey::P384(point(48)?),
        ("OKP", Some("Ed25519")) => PublicKey::Ed25519(bytes("x")?),
        _ => return None,
    };
    Some(Jwk {
        id: jwk["kid"].as_str().map(str::to_owned),
        algorithm: jwk["alg"].as_str().map(str::to_owned),
        public,
    })
}

/// Numbers without the zeros that some providers write before them.
fn without_zeros(number: Vec<u8>) -> Vec<u8> {
    number.into_iter().skip_while(|byte| *byte == 0).collect()
}

impl Jwk {
    /// Whether the signature is this key's; nothing when the key is not for that algorithm.
    fn verifies(&self, algorithm: &str, message: &[u8], signature: &[u8]) -> Option<bool> {
        if self.algorithm.as_deref().is_some_and(|own| own != algorithm) {
            return None;
        }
        let verified = match (&self.public, algorithm) {
            (PublicKey::Rsa { n, e }, _) => {
                let parameters = match algorithm {
                    "RS256" => &RSA_PKCS1_2048_8192_SHA256,
                    "RS384" => &RSA_PKCS1_2048_8192_SHA384,
                    "RS512" => &RSA_PKCS1_2048_8192_SHA512,
                    "PS256" => &RSA_PSS_2048_8192_SHA256,
                    "PS384" => &RSA_PSS_2048_8192_SHA384,
                    "PS512" => &RSA_PSS_2048_8192_SHA512,
                    _ => return None,
                };
                RsaPublicKeyComponents { n, e }.verify(parameters, message, signature)
            }
            (PublicKey::P256(point), "ES256") => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(message, signature)
            }
            (PublicKey::P384(point), "ES384") => {
                UnparsedPublicKey::new(&ECDSA_P384_SHA384_FIXED, point).verify(message, signature)
            }
            (PublicKey::Ed25519(key), "EdDSA" | "Ed25519") => {
                UnparsedPublicKey::new(&ED25519, key).verify(message, signature)
            }
            _ => return None,
        };
        Some(verified.is_ok())
    }
}

fn is_known_algorithm(algorithm: &str) -> bool {
    matches!(
        algorithm,
        "RS256" | "RS384" | "RS512" | "PS256" | "PS384" | "PS512" | "ES256" | "ES384" | "EdDSA" | "Ed25519"
    )
}

/// The claims of a token, if everything about it is right.
pub(super) fn verify(
    token: &str,
    keys: &[Jwk],
    expected: Expected<'_>,
    now: Timestamp,
) -> Result<Map<String, Value>, TokenError> {
    if token.len() > MAX_TOKEN_BYTES {
        return Err(TokenError::Malformed);
    }
    let (message, signature) = token.rsplit_once('.').ok_or(TokenError::Malformed)?;
    let (header, claims) = message.split_once('.').ok_or(TokenError::Malformed)?;
    let header = object(header)?;
    // A header with extensions that must be understood has some that are not.
    if header.contains_key("crit") {
        return Err(TokenError::Malformed);
    }
    let algorithm = header.get("alg").and_then(Value::as_str).unwrap_or_default();
    if !is_known_algorithm(algorithm) {
        return Err(TokenError::Algorithm);
    }
    let signature = BASE64URL_NOPAD
        .decode(signature.as_bytes())
        .map_err(|_| TokenError::Malformed)?;
    let named = header.get("kid").and_then(Value::as_str);
    let named = |key: &&Jwk| named.is_none_or(|named| key.id.as_deref().is_none_or(|id| id == named));
    let tried = keys.iter().filter(named);
    let tried = tried.filter_map(|key| key.verifies(algorithm, message.as_bytes(), &signature));
    match tried.max() {
        None => return Err(TokenError::UnknownKey),
        Some(false) => return Err(TokenError::Signature),
        Some(true) => {}
    }
    let claims = object(claims)?;
    check(&claims, expected, now)?;
    Ok(claims)
}

fn object(part: &str) -> Result<Map<String, Value>, TokenError> {
    let json = BASE64URL_NOPAD.decode(part.as_bytes());
    let json = json.map_err(|_| TokenError::Malformed)?;
    serde_json::from_slice(&json).map_err(|_| TokenError::Malformed)
}

fn check(claims: &Map<String, Value>, expected: Expected<'_>, now: Timestamp) -> Result<(), TokenError> {
    let text = |name: &str| claims.get(name).and_then(Value::as_str);
    if text("iss") != Some(expected.issuer) {
        return Err(TokenError::Issuer);
    }
    let audiences: Vec<&str> = match claims.get("aud") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !audiences.contains(&expected.client_id) {
        return Err(TokenError::Audience);
    }
    let party = claims.get("azp");
    let is_ours = party.is_some_and(|party| party.as_str() == Some(expected.client_id));
    if (party.is_some() || audiences.len() > 1) && !is_ours {
        return Err(TokenError::AuthorizedParty);
    }
    // Seconds may have fractions.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a cast of a number that is too large saturates"
    )]
    let seconds = |name: &str| claims.get(name).and_then(Value::as_f64).map(|at| at as i64);
    let now = now.as_micros().div_euclid(1_000_000);
    let (until, made) = (seconds("exp"), seconds("iat"));
    let (Some(until), Some(made)) = (until, made) else {
        return Err(TokenError::Time);
    };
    let begins = seconds("nbf").unwrap_or(made).max(made);
    if until.saturating_add(LEEWAY_SECONDS) <= now
        || begins.saturating_sub(LEEWAY_SECONDS) > now
        || made.saturating_add(MAX_AGE_SECONDS) <= now
    {
        return Err(TokenError::Time);
    }
    if text("nonce") != Some(expected.nonce) {
        return Err(TokenError::Nonce);
    }
    let subject = text("sub").unwrap_or_default();
    if subject.is_empty() || subject.chars().count() > MAX_SUBJECT_CHARS || subject.contains('\0') {
        return Err(TokenError::Subject);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
