//! Objects of an increment under the key of an encrypted document.

use sha2::{Digest, Sha256};

use super::edit::{dict_of, read};
use super::objects;
use crate::damage::Damage;
use crate::file::{Encryption, respell};
use crate::syntax::Ref;

/// Encrypts the objects of one increment.
pub(super) struct Encrypt<'e> {
    pub(super) encryption: &'e Encryption,
    /// Differs in every increment.
    pub(super) fingerprint: [u8; 16],
}

impl Encrypt<'_> {
    /// An object with its strings encrypted.
    pub(super) fn object(&self, id: Ref, body: &[u8]) -> Result<Vec<u8>, Damage> {
        let mut place = 0;
        respell(&read(body)?, |text| {
            place += 1;
            self.encryption.encrypt_string(id, text, &self.iv(id, place))
        })
    }

    /// A stream object with these entries, encrypted.
    pub(super) fn stream(&self, id: Ref, entries: &[u8], data: &[u8]) -> Result<Vec<u8>, Damage> {
        let dict = self.object(id, &[b"<<", entries, b">>"].concat())?;
        let data = self
            .encryption
            .encrypt_stream(id, &dict_of(&dict)?, data, &self.iv(id, 0))?;
        let entries = dict.strip_prefix(b"<<").and_then(|dict| dict.strip_suffix(b">>"));
        Ok(objects::stream(entries.ok_or(Damage::Syntax(0))?, &data))
    }

    /// An initialization vector for the string or stream at this place of the object. It need not be a secret: a reader that
    /// has the document has its key.
    fn iv(&self, id: Ref, place: u64) -> [u8; 16] {
        let hash = Sha256::new()
            .chain_update(self.fingerprint)
            .chain_update(id.number.to_be_bytes())
            .chain_update(place.to_be_bytes())
            .finalize();
        let mut iv = [0; 16];
        iv.copy_from_slice(hash.first_chunk::<16>().unwrap_or(&[0; 16]));
        iv
    }
}
