//! The installation's master key, the keys derived from it, what is sealed under them, and the system's randomness.

use aws_lc_rs::aead::{AES_256_GCM, Aad, Nonce, RandomizedNonceKey};
use aws_lc_rs::hkdf::{HKDF_SHA256, KeyType, Salt};
use domain::Random;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the key is derived for that seals the secrets of waiting messages.
pub const OUTBOX_SECRETS_USAGE: &str = "outbox secrets";
/// What the link of an account email is sealed for.
pub const ACCOUNT_EMAIL_PURPOSE: &str = "account email";

/// 32 bytes from which the installation's other keys are derived, except those kept from an earlier master
/// key.
#[derive(Clone)]
pub struct MasterKey {
    bytes: [u8; 32],
    /// Keys from an earlier master key, by purpose.
    retained_keys: BTreeMap<String, [u8; 32]>,
}

impl std::fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MasterKey(…)")
    }
}

/// A text that is not a master key.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the master key must be 64 hexadecimal characters")]
pub struct MalformedMasterKey;

impl MasterKey {
    /// A new key.
    pub fn random(random: &mut dyn Random) -> Self {
        let mut bytes = [0; 32];
        random.fill(&mut bytes);
        Self::of(bytes)
    }

    const fn of(bytes: [u8; 32]) -> Self {
        Self {
            bytes,
            retained_keys: BTreeMap::new(),
        }
    }

    /// The same, with keys from an earlier master key: they are used for their purposes instead of derived ones.
    #[must_use]
    pub fn with_retained_keys(self, retained_keys: BTreeMap<String, [u8; 32]>) -> Self {
        Self {
            retained_keys,
            ..self
        }
    }

    /// The key written as 64 hexadecimal characters.
    pub fn from_hex(text: &str) -> Result<Self, MalformedMasterKey> {
        let bytes = data_encoding::HEXLOWER_PERMISSIVE.decode(text.trim().as_bytes());
        let bytes = bytes.map_err(|_| MalformedMasterKey)?;
        bytes.try_into().map(Self::of).map_err(|_| MalformedMasterKey)
    }

    /// The key as 64 hexadecimal characters, to be written down once.
    pub fn to_hex(&self) -> String {
        data_encoding::HEXLOWER.encode(&self.bytes)
    }

    /// A key for one purpose; it reveals nothing about the keys for other purposes.
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        if let Some(key) = self.retained_keys.get(purpose) {
            return *key;
        }
        let mut key = [0; 32];
        let info = [purpose.as_bytes()];
        let prk = Salt::new(HKDF_SHA256, b"firmeza").extract(&self.bytes);
        let filled = prk.expand(&info, Length).and_then(|okm| okm.fill(&mut key));
        // HKDF fails for lengths over 255 hashes only, and this one is a single hash.
        assert!(filled.is_ok(), "32 bytes are within HKDF's limit");
        key
    }
}

struct Length;

impl KeyType for Length {
    fn len(&self) -> usize {
        32
    }
}

/// Seals secrets that must lie in the database for a while: AES-256-GCM under a derived key, every nonce random.
#[derive(Clone)]
pub struct Sealer(Arc<RandomizedNonceKey>);

impl std::fmt::Debug for Sealer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sealer(…)")
    }
}

impl Sealer {
    /// A sealer whose key is derived for that use.
    pub fn new(master: &MasterKey, usage: &str) -> Self {
        let key = RandomizedNonceKey::new(&AES_256_GCM, &master.derive(usage));
        // The key has the length the cipher asks for, by its type.
        let Ok(key) = key else {
            unreachable!("32 bytes are an AES-256 key")
        };
        Self(Arc::new(key))
    }

    /// The bytes, sealed; they open for the same purpose only.
    pub fn seal(&self, purpose: &str, plain: &[u8]) -> Vec<u8> {
        let mut text = plain.to_vec();
        let nonce = self
            .0
            .seal_in_place_append_tag(Aad::from(purpose.as_bytes()), &mut text);
        // Sealing fails for texts of many gigabytes only.
        let Ok(nonce) = nonce else {
            unreachable!("a short text is sealed")
        };
        [nonce.as_ref().as_slice(), &text].concat()
    }

    /// The bytes that were sealed for that purpose; nothing when they were not, or not by this key.
    pub fn open(&self, purpose: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, text) = sealed.split_first_chunk::<12>()?;
        let mut text = text.to_vec();
        let plain = self
            .0
            .open_in_place(Nonce::from(nonce), Aad::from(purpose.as_bytes()), &mut text)
            .ok()?;
        Some(plain.to_vec())
    }
}

/// The system's source of randomness.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&mut self, bytes: &mut [u8]) {
        #[cfg(feature = "simulation")]
        if super::simulated::fill(bytes) {
            return;
        }
        let filled = aws_lc_rs::rand::fill(bytes);
        // Without randomness no key, token or salt is safe.
        assert!(filled.is_ok(), "the system gives no randomness");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_opens_for_its_purpose_alone() {
        let master = MasterKey::from_hex(&"5a".repeat(32)).unwrap();
        let sealer = Sealer::new(&master, "tests");
        let ciphertext = sealer.seal("code", b"123456");
        assert_eq!(sealer.open("code", &ciphertext), Some(b"123456".to_vec()));
        assert_ne!(ciphertext, sealer.seal("code", b"123456"), "every nonce is new");
        assert_eq!(sealer.open("other", &ciphertext), None);
        assert_eq!(Sealer::new(&master, "others").open("code", &ciphertext), None);
        assert_eq!(sealer.open("code", &ciphertext[..11]), None);
        let mut changed = ciphertext.clone();
        changed[20] ^= 1;
        assert_eq!(sealer.open("code", &changed), None);
    }
}
