//! Escapes in the strings of JSON, byte by byte.

use domain::FieldError;

/// How far into an escape a string is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    None,
    Backslash,
    Unicode {
        digits: u8,
        value: u32,
        high: Option<u32>,
    },
    HighSurrogate(u32),
    HighBackslash(u32),
}

impl Escape {
    /// One byte further into an escape: where that leads, and the character it completes.
    pub(super) fn next(self, byte: u8) -> Result<(Self, Option<char>), FieldError> {
        let simple = |c: char| Ok((Self::None, Some(c)));
        match (self, byte) {
            (Self::Backslash, b'"' | b'\\' | b'/') => simple(char::from(byte)),
            (Self::Backslash, b'b') => simple('\u{8}'),
            (Self::Backslash, b'f') => simple('\u{c}'),
            (Self::Backslash, b'n') => simple('\n'),
            (Self::Backslash, b'r') => simple('\r'),
            (Self::Backslash, b't') => simple('\t'),
            (Self::Backslash, b'u') => Ok((
                Self::Unicode {
                    digits: 0,
                    value: 0,
                    high: None,
                },
                None,
            )),
            (Self::HighSurrogate(high), b'\\') => Ok((Self::HighBackslash(high), None)),
            (Self::HighBackslash(high), b'u') => Ok((
                Self::Unicode {
                    digits: 0,
                    value: 0,
                    high: Some(high),
                },
                None,
            )),
            (Self::Unicode { digits, value, high }, _) => {
                let digit = char::from(byte).to_digit(16).ok_or(FieldError::NotJson)?;
                let value = value << 4 | digit;
                if digits < 3 {
                    return Ok((
                        Self::Unicode {
                            digits: digits + 1,
                            value,
                            high,
                        },
                        None,
                    ));
                }
                match (high, value) {
                    (None, 0xd800..=0xdbff) => Ok((Self::HighSurrogate(value), None)),
                    (None, _) => simple(char::from_u32(value).ok_or(FieldError::NotJson)?),
                    (Some(high), 0xdc00..=0xdfff) => {
                        let value = 0x10000 + ((high - 0xd800) << 10) + (value - 0xdc00);
                        simple(char::from_u32(value).ok_or(FieldError::NotJson)?)
                    }
                    (Some(_), _) => Err(FieldError::NotJson),
                }
            }
            _ => Err(FieldError::NotJson),
        }
    }
}
