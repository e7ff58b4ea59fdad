//! The installation's master key, the keys derived from it, and the system's randomness.

use aws_lc_rs::hkdf::{HKDF_SHA256, KeyType, Salt};
use domain::Random;

/// 32 bytes from which every other key of the installation is derived.
#[derive(Clone)]
pub struct MasterKey([u8; 32]);

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
        Self(bytes)
    }

    /// The key written as 64 hexadecimal characters.
    pub fn from_hex(text: &str) -> Result<Self, MalformedMasterKey> {
        let bytes = data_encoding::HEXLOWER_PERMISSIVE.decode(text.trim().as_bytes());
        let bytes = bytes.map_err(|_| MalformedMasterKey)?;
        bytes.try_into().map(Self).map_err(|_| MalformedMasterKey)
    }

    /// The key as 64 hexadecimal characters, to be written down once.
    pub fn to_hex(&self) -> String {
        data_encoding::HEXLOWER.encode(&self.0)
    }

    /// A key for one purpose, which tells nothing of the others.
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        let mut key = [0; 32];
        let info = [purpose.as_bytes()];
        let prk = Salt::new(HKDF_SHA256, b"firmeza").extract(&self.0);
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

/// The system's source of randomness.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&mut self, bytes: &mut [u8]) {
        let filled = aws_lc_rs::rand::fill(bytes);
        // Without randomness nothing here is safe to go on with.
        assert!(filled.is_ok(), "the system gives no randomness");
    }
}
