//! Character classes, white space and numbers.

/// White space as PDF defines it.
pub const fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | 9 | 10 | 12 | 13 | 32)
}

/// The characters that end a token without being white space.
pub const fn is_delimiter(byte: u8) -> bool {
    matches!(
        byte,
        b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%'
    )
}

/// The position of the first byte at or after `pos` that is neither white space nor a comment.
pub fn skip_space(src: &[u8], mut pos: usize) -> usize {
    while let Some(&byte) = src.get(pos) {
        if is_space(byte) {
            pos += 1;
        } else if byte == b'%' {
            let rest = src.get(pos..).unwrap_or_default();
            pos += rest
                .iter()
                .position(|b| matches!(b, b'\r' | b'\n'))
                .unwrap_or(rest.len());
        } else {
            break;
        }
    }
    pos
}

/// The bytes that end a token.
const ENDS: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = 0;
    while byte < ends.len() {
        #[allow(clippy::cast_possible_truncation, reason = "at most 255")]
        let value = byte as u8;
        ends[byte] = is_space(value) || is_delimiter(value);
        byte += 1;
    }
    ends
};

/// The end of the run of regular characters that starts at `pos`.
pub(super) fn token_end(src: &[u8], pos: usize) -> usize {
    let rest = src.get(pos..).unwrap_or_default();
    pos + rest
        .iter()
        .position(|&b| ENDS[usize::from(b)])
        .unwrap_or(rest.len())
}

/// Reads an integer that fills the token, or nothing.
pub(super) fn integer(token: &[u8]) -> Option<i64> {
    let (negative, digits) = match token {
        [b'-', rest @ ..] => (true, rest),
        rest => (false, rest.strip_prefix(b"+").unwrap_or(rest)),
    };
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    let mut sum = 0i64;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        sum = sum * 10 + i64::from(digit - b'0');
    }
    Some(if negative { -sum } else { sum })
}

/// Reads a decimal number that fills the token, or nothing.
pub(super) fn real(token: &[u8]) -> Option<f64> {
    let body = token
        .strip_prefix(b"-")
        .or_else(|| token.strip_prefix(b"+"))
        .unwrap_or(token);
    let dots = memchr::memchr_iter(b'.', body).count();
    let digits = body.iter().filter(|b| b.is_ascii_digit()).count();
    if dots > 1 || digits == 0 || dots + digits != body.len() || body.len() > 400 {
        return None;
    }
    let text = std::str::from_utf8(token).ok()?;
    text.strip_prefix('+').unwrap_or(text).parse().ok()
}
