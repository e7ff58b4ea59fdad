//! Decodes text strings of any encoding.

/// The letters of `PDFDocEncoding` that Latin-1 does not have, from the byte 0x18 on.
const FROM_0X18: [char; 8] = ['˘', 'ˇ', 'ˆ', '˙', '˝', '˛', '˚', '˜'];
/// And from the byte 0x80 on.
const FROM_0X80: [char; 33] = [
    '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™', 'ﬁ', 'ﬂ',
    'Ł', 'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', UNKNOWN, '€',
];

/// Replaces bytes without a meaning.
pub(super) const UNKNOWN: char = '\u{fffd}';

/// Reads a text string: UTF-16 of either byte order or UTF-8 if it begins with their mark, `PDFDocEncoding` otherwise.
pub(super) fn decode(bytes: &[u8]) -> String {
    match bytes {
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        // Not in the standard, but most readers accept it.
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        plain => plain.iter().map(|&byte| letter(byte)).collect(),
    }
}

fn letter(byte: u8) -> char {
    let of = |table: &[char], first: u8| table.get(usize::from(byte - first)).copied();
    match byte {
        0x18..=0x1f => of(&FROM_0X18, 0x18).unwrap_or(UNKNOWN),
        0x80..=0xa0 => of(&FROM_0X80, 0x80).unwrap_or(UNKNOWN),
        0x7f | 0xad => UNKNOWN,
        _ => char::from(byte),
    }
}

fn utf16(bytes: &[u8], read: fn([u8; 2]) -> u16) -> String {
    let (pairs, odd) = bytes.as_chunks::<2>();
    let mut letters = char::decode_utf16(pairs.iter().map(|pair| read(*pair)));
    let mut text = String::with_capacity(pairs.len());
    while let Some(letter) = letters.next() {
        match letter.unwrap_or(UNKNOWN) {
            // A language code, between two escape characters, is no part of the text.
            '\u{1b}' => while letters.next().is_some_and(|letter| letter != Ok('\u{1b}')) {},
            letter => text.push(letter),
        }
    }
    text.extend(odd.first().map(|_| UNKNOWN));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_text_is_one_text_in_every_encoding() {
        for bytes in [
            &b"A\xf1o\xa0"[..],
            b"\xfe\xff\0A\0\xf1\0o\x20\xac",
            b"\xff\xfeA\0\xf1\0o\0\xac\x20",
            b"\xef\xbb\xbfA\xc3\xb1o\xe2\x82\xac",
            b"\xfe\xff\0\x1b\0e\0s\0\x1b\0A\0\xf1\0o\x20\xac",
        ] {
            assert_eq!(decode(bytes), "Año€", "{bytes:?}");
        }
        assert_eq!(decode(b"\x18\x1f\x80\x93\x9e\x9f"), "˘˜•ﬁž\u{fffd}");
        assert_eq!(decode(b"\xfe\xff\0A\0"), "A\u{fffd}");
        assert_eq!(decode(b"\xfe\xff\xd8\0\0A"), "\u{fffd}A");
    }
}
