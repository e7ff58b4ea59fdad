//! Base64 that is decoded while it arrives.

use super::{Decoded, is_blank};
use domain::FieldError;
use std::borrow::Cow;

/// Bytes between `data:` and its comma.
const MAX_PREFIX_BYTES: usize = 256;

/// Incremental base64 decoding, in either alphabet, with or without padding. Blanks are skipped, and so is the beginning
/// of a `data:` address.
#[derive(Debug, Default)]
pub(super) struct Base64 {
    prefix: Prefix,
    left: Vec<u8>,
    padded: bool,
}

/// The beginning of a `data:` address, up to its comma.
#[derive(Debug)]
enum Prefix {
    /// As many of the first characters as came; they may be `data:`.
    Undecided(Vec<u8>),
    /// How many bytes of it came.
    Skipping(usize),
    Over,
}

impl Default for Prefix {
    fn default() -> Self {
        Self::Undecided(Vec::new())
    }
}

/// The text without blanks, in the standard alphabet.
fn normalized(text: &[u8]) -> Cow<'_, [u8]> {
    let blanks = memchr::memchr3(b' ', b'\r', b'\n', text);
    if blanks
        .or_else(|| memchr::memchr3(b'\t', b'-', b'_', text))
        .is_none()
    {
        return Cow::Borrowed(text);
    }
    let standard = text
        .iter()
        .filter(|byte| !is_blank(**byte))
        .map(|byte| match byte {
            b'-' => b'+',
            b'_' => b'/',
            other => *other,
        });
    Cow::Owned(standard.collect())
}

impl Base64 {
    /// Reads on.
    pub(super) fn feed(&mut self, text: &[u8], decoded: &mut Vec<Decoded>) -> Result<(), FieldError> {
        const DATA: &[u8] = b"data:";
        let text = match &mut self.prefix {
            Prefix::Over => text,
            Prefix::Undecided(first) => {
                first.extend(text.iter().filter(|byte| !is_blank(**byte)));
                if first.len() < DATA.len() && DATA.starts_with(first) {
                    return Ok(());
                }
                let first = std::mem::take(first);
                let Some(rest) = first.strip_prefix(DATA) else {
                    self.prefix = Prefix::Over;
                    return self.feed(&first, decoded);
                };
                self.prefix = Prefix::Skipping(0);
                return self.feed(rest, decoded);
            }
            Prefix::Skipping(skipped) => {
                let comma = memchr::memchr(b',', text);
                *skipped += comma.unwrap_or(text.len());
                if *skipped > MAX_PREFIX_BYTES {
                    return Err(FieldError::NotBase64);
                }
                let Some(comma) = comma else {
                    return Ok(());
                };
                self.prefix = Prefix::Over;
                &text[comma + 1..]
            }
        };
        let normalized = normalized(text);
        let mut text = &*normalized;
        if text.is_empty() {
            return Ok(());
        }
        let mut bytes = Vec::with_capacity((self.left.len() + text.len()) / 4 * 3);
        if !self.left.is_empty() {
            // The first characters complete the group that was left over; the others are decoded in place.
            let (first, others) = text.split_at(text.len().min(4 - self.left.len()));
            self.left.extend_from_slice(first);
            text = others;
            if self.left.len() == 4 {
                let group = std::mem::take(&mut self.left);
                self.decode(&group, &mut bytes)?;
            }
        }
        let (whole, left) = text.split_at(text.len() / 4 * 4);
        self.decode(whole, &mut bytes)?;
        self.left.extend_from_slice(left);
        if self.padded && !self.left.is_empty() {
            return Err(FieldError::NotBase64);
        }
        if !bytes.is_empty() {
            decoded.push(Decoded::Content(bytes));
        }
        Ok(())
    }

    /// Decodes groups of four characters; after one that is padded, no other may come.
    fn decode(&mut self, groups: &[u8], decoded: &mut Vec<u8>) -> Result<(), FieldError> {
        if groups.is_empty() {
            return Ok(());
        }
        if self.padded {
            return Err(FieldError::NotBase64);
        }
        self.padded = groups.ends_with(b"=");
        // Elsewhere base64 is `data-encoding`'s. It takes 10 ms for a document of 10 MB, on the way of a create; this
        // 3 ms.
        let appended = base64_simd::STANDARD.decode_append(groups, decoded);
        appended.map_err(|_| FieldError::NotBase64)
    }

    /// Ends the text; the last group may lack its padding.
    pub(super) fn finish(&mut self, decoded: &mut Vec<Decoded>) -> Result<(), FieldError> {
        let mut ended = std::mem::take(self);
        if let Prefix::Undecided(first) = &mut ended.prefix {
            let first = std::mem::take(first);
            ended.prefix = Prefix::Over;
            ended.feed(&first, decoded)?;
        }
        let padding: &[u8] = match *ended.left {
            [] if matches!(ended.prefix, Prefix::Over) => return Ok(()),
            [_, _] => b"==",
            [_, _, _] => b"=",
            _ => return Err(FieldError::NotBase64),
        };
        if ended.left.contains(&b'=') {
            return Err(FieldError::NotBase64);
        }
        ended.feed(padding, decoded)
    }
}
