//! From a password to the key of a file (ISO 32000-2, 7.6.4.3 and 7.6.4.4).

use sha2::{Digest, Sha256, Sha384, Sha512};

use super::ciphers::{BLOCK_BYTES, aes_decrypt_blocks, aes_encrypt_blocks, md5, rc4};

/// Fills up passwords shorter than 32 bytes.
const PADDING: [u8; 32] = [
    0x28, 0xbf, 0x4e, 0x5e, 0x4e, 0x75, 0x8a, 0x41, 0x64, 0x00, 0x4e, 0x56, 0xff, 0xfa, 0x01, 0x08, 0x2e,
    0x2e, 0x00, 0xb6, 0xd0, 0x68, 0x3e, 0x80, 0x2f, 0x0c, 0xa9, 0xfe, 0x64, 0x53, 0x69, 0x7a,
];
/// Bytes of a password that count from revision 5 on.
const MAX_PASSWORD_BYTES: usize = 127;

/// What the encryption dictionary says about passwords.
pub(super) struct Secrets {
    pub(super) revision: i64,
    /// Bytes of the file's key.
    pub(super) key_length: usize,
    pub(super) owner: Vec<u8>,
    pub(super) user: Vec<u8>,
    /// The file's key under the two passwords, from revision 5 on.
    pub(super) owner_key: Vec<u8>,
    pub(super) user_key: Vec<u8>,
    pub(super) permissions: i32,
    pub(super) encrypt_metadata: bool,
    /// The first half of the file identifier.
    pub(super) id: Vec<u8>,
}

impl Secrets {
    /// The file's key, if this is the user's or the owner's password.
    pub(super) fn key(&self, password: &[u8]) -> Option<Vec<u8>> {
        if self.revision >= 5 {
            return self.key_of_256_bits(password);
        }
        let user = padded(password);
        self.user_password_key(&user)
            .or_else(|| self.user_password_key(&self.user_password(password)?))
    }

    fn user_password_key(&self, padded: &[u8]) -> Option<Vec<u8>> {
        let stated = self.owner.get(..32)?;
        let permissions = self.permissions.to_le_bytes();
        let mark: &[u8] = if self.revision >= 4 && !self.encrypt_metadata {
            &[0xff; 4]
        } else {
            &[]
        };
        let hash = md5(&[padded, stated, &permissions, &self.id, mark]);
        let key = self.stretch(hash)?;
        self.opens(&key).then_some(key)
    }

    /// The first bytes of a hash, hashed fifty times more from revision 3 on.
    fn stretch(&self, mut hash: [u8; 16]) -> Option<Vec<u8>> {
        if self.revision >= 3 {
            for _ in 0..50 {
                hash = md5(&[hash.get(..self.key_length)?]);
            }
        }
        hash.get(..self.key_length).map(<[u8]>::to_vec)
    }

    fn opens(&self, key: &[u8]) -> bool {
        if self.revision == 2 {
            return rc4(key, &PADDING).as_deref() == self.user.get(..32);
        }
        let hash = md5(&[&PADDING, &self.id]);
        let encrypted = (0..20).try_fold(hash.to_vec(), |data, round| rc4(&mixed(key, round), &data));
        encrypted.is_some() && encrypted.as_deref() == self.user.get(..16)
    }

    /// The user's password, padded, as the owner's password opens it.
    fn user_password(&self, owner: &[u8]) -> Option<Vec<u8>> {
        let key = self.stretch(md5(&[&padded(owner)]))?;
        let stated = self.owner.get(..32)?.to_vec();
        if self.revision == 2 {
            return rc4(&key, &stated);
        }
        (0..20)
            .rev()
            .try_fold(stated, |data, round| rc4(&mixed(&key, round), &data))
    }

    fn key_of_256_bits(&self, password: &[u8]) -> Option<Vec<u8>> {
        let password = password.get(..MAX_PASSWORD_BYTES).unwrap_or(password);
        let user = self.user.get(..48)?;
        for (stated, wrapped, extra) in [
            (self.user.as_slice(), &self.user_key, &[][..]),
            (&self.owner, &self.owner_key, user),
        ] {
            let (hash, salts) = stated.get(..48)?.split_at(32);
            let (check_salt, key_salt) = salts.split_at(8);
            if self.hash(password, check_salt, extra)? == *hash {
                let key = self.hash(password, key_salt, extra)?;
                return aes_decrypt_blocks(&key, &[0; BLOCK_BYTES], wrapped.get(..32)?);
            }
        }
        None
    }

    fn hash(&self, password: &[u8], salt: &[u8], extra: &[u8]) -> Option<[u8; 32]> {
        let first = Sha256::digest([password, salt, extra].concat()).into();
        if self.revision == 5 {
            return Some(first);
        }
        hardened(password, first, extra)
    }
}

/// The hash of revision 6 (algorithm 2.B).
fn hardened(password: &[u8], first: [u8; 32], extra: &[u8]) -> Option<[u8; 32]> {
    let mut hash = first.to_vec();
    // The last byte is at most 255, so that there are at most 288 rounds.
    for round in 0u32.. {
        let once = [password, &hash, extra].concat();
        let (key, rest) = hash.split_first_chunk::<16>()?;
        let iv = rest.first_chunk::<BLOCK_BYTES>()?;
        let encrypted = aes_encrypt_blocks(key, iv, &once.repeat(64))?;
        let (head, _) = encrypted.split_first_chunk::<16>()?;
        // 256 leaves 1 when divided by 3, so that the remainder of the number is that of the sum of its digits.
        hash = match head.iter().map(|byte| u32::from(*byte)).sum::<u32>() % 3 {
            0 => Sha256::digest(&encrypted).to_vec(),
            1 => Sha384::digest(&encrypted).to_vec(),
            _ => Sha512::digest(&encrypted).to_vec(),
        };
        if round >= 63 && u32::from(*encrypted.last()?) <= round - 31 {
            break;
        }
    }
    hash.first_chunk().copied()
}

fn padded(password: &[u8]) -> Vec<u8> {
    password.iter().chain(&PADDING).copied().take(32).collect()
}

fn mixed(key: &[u8], round: u8) -> Vec<u8> {
    key.iter().map(|byte| byte ^ round).collect()
}
