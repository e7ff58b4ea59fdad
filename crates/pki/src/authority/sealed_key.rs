//! A private key sealed for a file: AES-256-GCM under a key derived from the installation's master key.
//!
//! Every sealing derives a key of its own (HKDF-SHA-256, fresh salt). The label is authenticated, so that one
//! sealed key cannot replace another of the same installation.

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::hkdf::{HKDF_SHA256, Salt};
use aws_lc_rs::rand::SecureRandom;
use zeroize::Zeroizing;

use super::error::KeyError;
use super::local_key::LocalKey;

const MAGIC: &[u8; 11] = b"pades-key-1";
const SALT_LEN: usize = 32;
const MASTER_KEY_LEN: usize = 32;
/// Larger than an RSA key of 8192 bits.
const MAX_SEALED_BYTES: usize = 16 * 1024;

impl LocalKey {
    /// Seals the key under the master key, for [`LocalKey::open`] with the same label.
    pub fn seal(&self, master_key: &[u8], label: &str, rng: &dyn SecureRandom) -> Result<Vec<u8>, KeyError> {
        let mut salt = [0; SALT_LEN];
        let mut nonce = [0; NONCE_LEN];
        rng.fill(&mut salt)
            .and_then(|()| rng.fill(&mut nonce))
            .map_err(|_| KeyError::Refused)?;
        let key = sealing_key(master_key, &salt, label)?;
        let mut secret = self.to_pkcs8()?;
        let tag = key
            .seal_in_place_separate_tag(Nonce::assume_unique_for_key(nonce), Aad::from(MAGIC), &mut secret)
            .map_err(|_| KeyError::Refused)?;
        Ok([MAGIC.as_slice(), &salt, &nonce, &secret, tag.as_ref()].concat())
    }

    /// Opens the result of [`LocalKey::seal`].
    pub fn open(sealed: &[u8], master_key: &[u8], label: &str) -> Result<Self, KeyError> {
        if sealed.len() > MAX_SEALED_BYTES {
            return Err(KeyError::DoesNotOpen);
        }
        let rest = sealed.strip_prefix(MAGIC).ok_or(KeyError::DoesNotOpen)?;
        let (salt, rest) = rest.split_at_checked(SALT_LEN).ok_or(KeyError::DoesNotOpen)?;
        let (nonce, ciphertext) = rest
            .split_first_chunk::<NONCE_LEN>()
            .ok_or(KeyError::DoesNotOpen)?;
        let key = sealing_key(master_key, salt, label)?;
        let mut secret = Zeroizing::new(ciphertext.to_vec());
        let opened = key
            .open_in_place(
                Nonce::assume_unique_for_key(*nonce),
                Aad::from(MAGIC),
                &mut secret,
            )
            .map_err(|_| KeyError::DoesNotOpen)?;
        Self::from_pkcs8(opened)
    }
}

fn sealing_key(master_key: &[u8], salt: &[u8], label: &str) -> Result<LessSafeKey, KeyError> {
    if master_key.len() < MASTER_KEY_LEN {
        return Err(KeyError::WeakMasterKey);
    }
    let secret = Salt::new(HKDF_SHA256, salt).extract(master_key);
    let info = [MAGIC.as_slice(), label.as_bytes()];
    let key = secret
        .expand(&info, &AES_256_GCM)
        .map_err(|_| KeyError::Refused)?;
    Ok(LessSafeKey::new(UnboundKey::from(key)))
}
