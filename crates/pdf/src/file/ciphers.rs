//! The ciphers of the standard security handler.

use aes::cipher::{
    BlockModeDecrypt, BlockModeEncrypt, KeyInit, KeyIvInit, StreamCipher, block_padding::NoPadding,
    block_padding::Pkcs7,
};
use aes::{Aes128, Aes256};
use md5::{Digest, Md5};
use rc4::Rc4;

/// Bytes of an AES block, and of the initialization vector before AES data.
pub(super) const BLOCK_BYTES: usize = 16;

/// RC4 is its own inverse.
pub(super) fn rc4(key: &[u8], data: &[u8]) -> Option<Vec<u8>> {
    let mut out = data.to_vec();
    Rc4::new_from_slice(key).ok()?.apply_keystream(&mut out);
    Some(out)
}

pub(super) fn md5(parts: &[&[u8]]) -> [u8; 16] {
    let mut hasher = Md5::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// Decrypts AES-CBC data of whole blocks without padding.
pub(super) fn aes_decrypt_blocks(key: &[u8], iv: &[u8; BLOCK_BYTES], data: &[u8]) -> Option<Vec<u8>> {
    let decrypted = match key.len() {
        16 => cbc::Decryptor::<Aes128>::new_from_slices(key, iv)
            .ok()?
            .decrypt_padded_vec::<NoPadding>(data),
        _ => cbc::Decryptor::<Aes256>::new_from_slices(key, iv)
            .ok()?
            .decrypt_padded_vec::<NoPadding>(data),
    };
    decrypted.ok()
}

/// Encrypts AES-CBC data of whole blocks without padding.
pub(super) fn aes_encrypt_blocks(key: &[u8], iv: &[u8; BLOCK_BYTES], data: &[u8]) -> Option<Vec<u8>> {
    data.len().is_multiple_of(BLOCK_BYTES).then_some(())?;
    Some(match key.len() {
        16 => cbc::Encryptor::<Aes128>::new_from_slices(key, iv)
            .ok()?
            .encrypt_padded_vec::<NoPadding>(data),
        _ => cbc::Encryptor::<Aes256>::new_from_slices(key, iv)
            .ok()?
            .encrypt_padded_vec::<NoPadding>(data),
    })
}

/// Decrypts data that begins with its initialization vector and ends with padding. Some writers store an empty text
/// as no bytes at all.
pub(super) fn aes_decrypt(key: &[u8], data: &[u8]) -> Option<Vec<u8>> {
    if data.is_empty() {
        return Some(Vec::new());
    }
    let (iv, data) = data.split_first_chunk::<BLOCK_BYTES>()?;
    let mut out = aes_decrypt_blocks(key, iv, data)?;
    let Some(padding) = out.last().copied().map(usize::from) else {
        return Some(out);
    };
    let kept = out
        .len()
        .checked_sub(padding)
        .filter(|_| (1..=BLOCK_BYTES).contains(&padding))?;
    out.truncate(kept);
    Some(out)
}

/// Encrypts data with padding; the result begins with the initialization vector.
pub(super) fn aes_encrypt(key: &[u8], iv: &[u8; BLOCK_BYTES], data: &[u8]) -> Option<Vec<u8>> {
    let encrypted = match key.len() {
        16 => cbc::Encryptor::<Aes128>::new_from_slices(key, iv)
            .ok()?
            .encrypt_padded_vec::<Pkcs7>(data),
        _ => cbc::Encryptor::<Aes256>::new_from_slices(key, iv)
            .ok()?
            .encrypt_padded_vec::<Pkcs7>(data),
    };
    Some([iv.as_slice(), &encrypted].concat())
}
