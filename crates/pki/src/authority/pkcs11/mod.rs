//! Keys in a PKCS #11 token: they are made there and never leave it.

mod key;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use cryptoki::context::{CInitializeArgs, CInitializeFlags, Pkcs11};
use cryptoki::error::{Error as TokenError, RvError};
use cryptoki::mechanism::Mechanism;
use cryptoki::object::{Attribute, AttributeType, ObjectClass};
use cryptoki::session::{Session, UserType};
use cryptoki::slot::Slot;
use cryptoki::types::AuthPin;

use super::error::KeyError;
use crate::cms::write_der::{self, OBJECT_IDENTIFIER};
use crate::cms::{Certificate, oid};
pub use key::Pkcs11Key;

/// Certificates of a token that are looked at.
const MAX_CERTIFICATES: usize = 100;

/// A token, opened with its PIN.
#[derive(Clone, Debug)]
pub struct Pkcs11Token(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    module: Pkcs11,
    slot: Slot,
    pin: AuthPin,
    /// A login ends with the last session: this session stays open.
    anchor: Mutex<Session>,
}

impl Pkcs11Token {
    /// Loads the module and logs in to the token with this label.
    pub fn open(module: &Path, label: &str, pin: &str) -> Result<Self, KeyError> {
        let module = Pkcs11::new(module)?;
        match module.initialize(CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK)) {
            Ok(()) | Err(TokenError::Pkcs11(RvError::CryptokiAlreadyInitialized, _)) => {}
            Err(error) => return Err(error.into()),
        }
        let mut found = None;
        for slot in module.get_slots_with_initialized_token()? {
            if module.get_token_info(slot)?.label().trim_end() == label {
                found = Some(slot);
            }
        }
        let slot = found.ok_or_else(|| KeyError::NotFound(format!("token {label}")))?;
        let pin = AuthPin::new(pin.into());
        let anchor = Mutex::new(session(&module, slot, &pin)?);
        Ok(Self(Arc::new(Inner {
            module,
            slot,
            pin,
            anchor,
        })))
    }

    /// Makes a P-256 key in the token; it cannot be exported.
    pub fn generate(&self, label: &str) -> Result<Pkcs11Key, KeyError> {
        let mut curve = Vec::new();
        write_der::value(&mut curve, OBJECT_IDENTIFIER, oid::P_256.as_bytes());
        let name = Attribute::Label(label.as_bytes().to_vec());
        let id = Attribute::Id(label.as_bytes().to_vec());
        let public = [
            Attribute::Token(true),
            Attribute::Verify(true),
            Attribute::EcParams(curve),
            name.clone(),
            id.clone(),
        ];
        let private = [
            Attribute::Token(true),
            Attribute::Private(true),
            Attribute::Sensitive(true),
            Attribute::Extractable(false),
            Attribute::Sign(true),
            name,
            id,
        ];
        if self.key(label).is_ok() {
            return Err(KeyError::LabelTaken);
        }
        let session = self.0.session()?;
        session.generate_key_pair(&Mechanism::EccKeyPairGen, &public, &private)?;
        self.key(label)
    }

    /// The certificates in the token; it holds the chain of a key beside it.
    pub fn certificates(&self) -> Result<Vec<Certificate>, KeyError> {
        let session = self.0.session()?;
        let class = Attribute::Class(ObjectClass::CERTIFICATE);
        let mut certificates = Vec::new();
        for handle in session.find_objects(&[class])?.into_iter().take(MAX_CERTIFICATES) {
            for attribute in session.get_attributes(handle, &[AttributeType::Value])? {
                // Tokens may hold certificates of other kinds; only those that can be read can be in a chain.
                if let Attribute::Value(der) = attribute
                    && let Ok(certificate) = Certificate::from_der(&der)
                {
                    certificates.push(certificate);
                }
            }
        }
        Ok(certificates)
    }

    /// The key with this label: P-256 or RSA, with its private and its public half.
    pub fn key(&self, label: &str) -> Result<Pkcs11Key, KeyError> {
        let session = self.0.session()?;
        let handle = key::find(&session, ObjectClass::PRIVATE_KEY, label)?;
        let public = key::public_key(&session, label)?;
        let idle = Mutex::new(vec![(session, handle)]);
        Ok(Pkcs11Key {
            token: self.clone(),
            label: label.to_owned(),
            public,
            idle,
        })
    }
}

impl Inner {
    fn session(&self) -> Result<Session, KeyError> {
        // All sessions of the process share the login; a token that was pulled out loses it.
        let mut anchor = self.anchor.lock().unwrap_or_else(PoisonError::into_inner);
        if anchor.get_session_info().is_err() {
            *anchor = session(&self.module, self.slot, &self.pin)?;
        }
        session(&self.module, self.slot, &self.pin)
    }
}

fn session(module: &Pkcs11, slot: Slot, pin: &AuthPin) -> Result<Session, KeyError> {
    let session = module.open_rw_session(slot)?;
    match session.login(UserType::User, Some(pin)) {
        Ok(()) | Err(TokenError::Pkcs11(RvError::UserAlreadyLoggedIn, _)) => Ok(session),
        Err(error) => Err(error.into()),
    }
}
