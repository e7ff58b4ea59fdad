//! The name of a blob: the SHA-256 of its bytes.

use std::fmt;
use std::str::FromStr;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// The SHA-256 of a document's bytes; written as 64 lowercase hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobId([u8; 32]);

/// The text is not 64 lowercase hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a blob is named by 64 lowercase hexadecimal digits")]
pub struct NotABlobId;

impl BlobId {
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The name of the bytes that were hashed so far.
    pub(crate) fn of(hash: &Sha256) -> Self {
        Self(hash.clone().finalize().into())
    }

    /// The path of the blob below a root: `ab/abcd…`.
    pub(crate) fn push_path(self, path: &mut String) {
        let digits = self.digits();
        let text = str::from_utf8(&digits).unwrap_or_default();
        path.push_str(&text[..2]);
        path.push('/');
        path.push_str(text);
    }

    fn digits(self) -> [u8; 64] {
        let mut digits = [0; 64];
        HEXLOWER.encode_mut(&self.0, &mut digits);
        digits
    }
}

impl fmt::Display for BlobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(str::from_utf8(&self.digits()).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for BlobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BlobId({self})")
    }
}

impl FromStr for BlobId {
    type Err = NotABlobId;

    fn from_str(text: &str) -> Result<Self, NotABlobId> {
        let digits: &[u8; 64] = text.as_bytes().try_into().map_err(|_| NotABlobId)?;
        let mut bytes = [0; 32];
        HEXLOWER.decode_mut(digits, &mut bytes).map_err(|_| NotABlobId)?;
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    #[test]
    fn names_survive_writing_and_reading() {
        let id = BlobId::of(&Sha256::new());
        assert_eq!(id.to_string(), EMPTY);
        assert_eq!(EMPTY.parse(), Ok(id));
        let mut path = String::from("root/");
        id.push_path(&mut path);
        assert_eq!(path, format!("root/e3/{EMPTY}"));
    }

    #[test]
    fn only_lowercase_digits_of_the_right_length_are_names() {
        let wrong = [&EMPTY[1..], &EMPTY.to_uppercase(), &EMPTY.replace('e', "g"), ""];
        for text in wrong {
            assert_eq!(text.parse::<BlobId>(), Err(NotABlobId), "{text}");
        }
    }
}
