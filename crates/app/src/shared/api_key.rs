//! API keys: `firmeza_`, 43 random characters, six of checksum. Shown once, kept as a hash and a hint.
//!
//! The checksum tells a mistyped key from a wrong one without a look into the database, and lets scanners of
//! leaked secrets recognise a key.

use domain::Random;
use sha2::{Digest, Sha256};
use store::KeyHash;

const PREFIX: &str = "firmeza_";
const RANDOM_CHARS: usize = 43;
const CHECKSUM_CHARS: usize = 6;
/// Characters of a hint after the prefix, and as many at the end.
const HINT_CHARS: usize = 4;
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A key with its secret. It is printed once and then only its hash is known.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl std::fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

impl ApiKey {
    /// A new key.
    pub fn random(random: &mut dyn Random) -> Self {
        let mut text = String::with_capacity(PREFIX.len() + RANDOM_CHARS + CHECKSUM_CHARS);
        text.push_str(PREFIX);
        while text.len() < PREFIX.len() + RANDOM_CHARS {
            let mut byte = [0];
            random.fill(&mut byte);
            // 248 is the largest multiple of 62 in a byte: above it some characters would be likelier.
            if byte[0] < 248 {
                text.push(char::from(ALPHABET[usize::from(byte[0] % 62)]));
            }
        }
        text.push_str(&checksum(&text));
        Self(text)
    }

    /// The key in this text, if it has a key's form.
    pub fn parse(text: &str) -> Option<Self> {
        let well_formed = text.len() == PREFIX.len() + RANDOM_CHARS + CHECKSUM_CHARS
            && text.starts_with(PREFIX)
            && text
                .bytes()
                .skip(PREFIX.len())
                .all(|byte| byte.is_ascii_alphanumeric());
        let (body, sum) = well_formed.then(|| text.split_at(PREFIX.len() + RANDOM_CHARS))?;
        (sum == checksum(body)).then(|| Self(text.to_owned()))
    }

    /// The text to hand over, once.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The beginning and the end, by which people recognise it. The rest, more than 200 bits, stays unknown.
    pub fn hint(&self) -> String {
        let (start, _) = self.0.split_at(PREFIX.len() + HINT_CHARS);
        let (_, end) = self.0.split_at(self.0.len() - HINT_CHARS);
        format!("{start}…{end}")
    }

    /// What the store knows it by.
    pub fn lookup(&self) -> KeyHash {
        KeyHash {
            hash: Sha256::digest(self.0.as_bytes()).into(),
        }
    }
}

fn checksum(body: &str) -> String {
    let [a, b, c, d, ..] = <[u8; 32]>::from(Sha256::digest(body.as_bytes()));
    let mut rest = u32::from_be_bytes([a, b, c, d]);
    let mut text = String::with_capacity(CHECKSUM_CHARS);
    for _ in 0..CHECKSUM_CHARS {
        text.push(char::from(ALPHABET[(rest % 62) as usize]));
        rest /= 62;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::secrets::SystemRandom;

    #[test]
    fn a_hint_is_the_beginning_and_the_end_and_leaves_enough_unknown() {
        let key = ApiKey::random(&mut SystemRandom);
        let hint = key.hint();
        let (start, end) = hint.split_once('…').unwrap();
        assert!(key.reveal().starts_with(start) && key.reveal().ends_with(end));
        assert_eq!((start.len(), end.len()), (12, 4));
        // Each shown character, random or of the checksum, tells at most as much as a random one has.
        let told = u32::try_from(start.len() - PREFIX.len() + end.len()).unwrap();
        let unknown = f64::from(u32::try_from(RANDOM_CHARS).unwrap() - told) * 62_f64.log2();
        assert!(unknown >= 128.0, "{unknown}");
    }

    #[test]
    fn a_key_is_recognised_and_a_mistyped_one_is_not() {
        let key = ApiKey::random(&mut SystemRandom);
        assert_eq!(ApiKey::parse(key.reveal()), Some(key.clone()));
        let mistyped = key.reveal().replace(
            &key.reveal()[12..13],
            if &key.reveal()[12..13] == "a" { "b" } else { "a" },
        );
        assert_eq!(ApiKey::parse(&mistyped), None);
        for text in ["", "firmeza_", "firmeza_é", &format!("{} ", key.reveal())] {
            assert_eq!(ApiKey::parse(text), None, "{text:?}");
        }
    }
}
