//! A key in a token: finding it, reading its public half, signing with it.

use std::sync::{Mutex, PoisonError};

use cryptoki::mechanism::Mechanism;
use cryptoki::object::{Attribute, AttributeType, KeyType, ObjectClass, ObjectHandle};
use cryptoki::session::Session;

use super::Pkcs11Token;
use crate::authority::error::KeyError;
use crate::authority::signer::Signer;
use crate::cms::write_der::{self, SEQUENCE};
use crate::cms::{KeyKind, PublicKey, oid};

/// The head of a SHA-256 `DigestInfo`, which the token pads and signs with RSA.
const DIGEST_INFO: [u8; 19] = [
    0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00,
    0x04, 0x20,
];

/// A key in a token. Many threads may sign at the same time, each with a session of its own.
#[derive(Debug)]
pub struct Pkcs11Key {
    pub(super) token: Pkcs11Token,
    pub(super) label: String,
    pub(super) public: PublicKey,
    pub(super) idle: Mutex<Vec<(Session, ObjectHandle)>>,
}

impl Pkcs11Key {
    fn borrow(&self) -> Result<(Session, ObjectHandle), KeyError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(idle) = idle {
            return Ok(idle);
        }
        let session = self.token.0.session()?;
        let handle = find(&session, ObjectClass::PRIVATE_KEY, &self.label)?;
        Ok((session, handle))
    }

    fn sign_in(&self, session: &Session, key: ObjectHandle, digest: &[u8; 32]) -> Result<Vec<u8>, KeyError> {
        match self.public.kind() {
            KeyKind::P256 | KeyKind::P384 | KeyKind::P521 => {
                let raw = session.sign(&Mechanism::Ecdsa, key, digest)?;
                Ok(ecdsa_der(&raw))
            }
            KeyKind::Rsa => {
                let info = [DIGEST_INFO.as_slice(), digest].concat();
                Ok(session.sign(&Mechanism::RsaPkcs, key, &info)?)
            }
            KeyKind::BrainpoolP256 | KeyKind::BrainpoolP384 | KeyKind::BrainpoolP512 | KeyKind::Ed25519 => {
                Err(KeyError::UnsupportedKey)
            }
        }
    }
}

impl Signer for Pkcs11Key {
    fn public_key(&self) -> &PublicKey {
        &self.public
    }

    fn sign(&self, digest: &[u8; 32]) -> Result<Vec<u8>, KeyError> {
        let (session, handle) = self.borrow()?;
        let Ok(signature) = self.sign_in(&session, handle, digest) else {
            // An idle session may have ended with its token: tries once more with a new one.
            drop(session);
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
            let (session, handle) = self.borrow()?;
            return self.sign_in(&session, handle, digest);
        };
        self.idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((session, handle));
        Ok(signature)
    }
}

/// PKCS #11 returns r and s side by side; X.509 needs a SEQUENCE of them.
fn ecdsa_der(raw: &[u8]) -> Vec<u8> {
    let (r, s) = raw.split_at(raw.len() / 2);
    let mut out = Vec::with_capacity(raw.len() + 8);
    write_der::nested(&mut out, SEQUENCE, |out| {
        write_der::unsigned(out, r);
        write_der::unsigned(out, s);
    });
    out
}

pub(super) fn find(session: &Session, class: ObjectClass, label: &str) -> Result<ObjectHandle, KeyError> {
    let template = [
        Attribute::Class(class),
        Attribute::Label(label.as_bytes().to_vec()),
    ];
    match session.find_objects(&template)?[..] {
        [handle] => Ok(handle),
        [] => Err(KeyError::NotFound(format!("key {label}"))),
        _ => Err(KeyError::NotFound(format!("single key {label}"))),
    }
}

pub(super) fn public_key(session: &Session, label: &str) -> Result<PublicKey, KeyError> {
    let handle = find(session, ObjectClass::PUBLIC_KEY, label)?;
    let wanted = [
        AttributeType::KeyType,
        AttributeType::EcParams,
        AttributeType::EcPoint,
        AttributeType::Modulus,
        AttributeType::PublicExponent,
    ];
    let (mut kind, mut curve, mut point, mut modulus, mut exponent) = (None, None, None, None, None);
    for attribute in session.get_attributes(handle, &wanted)? {
        match attribute {
            Attribute::KeyType(value) => kind = Some(value),
            Attribute::EcParams(value) => curve = Some(value),
            Attribute::EcPoint(value) => point = Some(value),
            Attribute::Modulus(value) => modulus = Some(value),
            Attribute::PublicExponent(value) => exponent = Some(value),
            _ => {}
        }
    }
    match (kind, curve, point, modulus, exponent) {
        (Some(KeyType::EC), Some(curve), Some(point), _, _) if curve.ends_with(oid::P_256.as_bytes()) => {
            // An OCTET STRING by the standard; some tokens return it unwrapped.
            let start = point.len().checked_sub(65).ok_or(KeyError::UnsupportedKey)?;
            let point = point[start..].try_into().map_err(|_| KeyError::UnsupportedKey)?;
            Ok(PublicKey::p256(point))
        }
        (Some(KeyType::RSA), _, _, Some(modulus), Some(exponent)) => {
            let mut key = Vec::with_capacity(modulus.len() + 16);
            write_der::nested(&mut key, SEQUENCE, |out| {
                write_der::unsigned(out, &modulus);
                write_der::unsigned(out, &exponent);
            });
            Ok(PublicKey::rsa(&key))
        }
        _ => Err(KeyError::UnsupportedKey),
    }
}
