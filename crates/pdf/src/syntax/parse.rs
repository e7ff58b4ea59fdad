//! From bytes to values.

use std::borrow::Cow;

use super::lexer::{integer, is_space, real, skip_space, token_end};
use super::value::{Dict, Kind, Ref, Value, hex_digit};
use crate::damage::Damage;
use crate::meter::Meter;

/// Reads values one after the other from a source.
#[derive(Debug)]
pub struct Parser<'d, 'm> {
    src: &'d [u8],
    pos: usize,
    depth: u16,
    object: u64,
    meter: &'m Meter,
}

impl<'d, 'm> Parser<'d, 'm> {
    pub fn new(src: &'d [u8], pos: usize, meter: &'m Meter) -> Self {
        Self {
            src,
            pos,
            depth: meter.depth(),
            object: meter.object(),
            meter,
        }
    }

    pub fn position(&self) -> usize {
        self.pos
    }

    fn spend(&mut self) -> Result<(), Damage> {
        self.object = self.object.checked_sub(1).ok_or(Damage::TooComplex)?;
        self.meter.charge(1)
    }

    fn broken<T>(&self) -> Result<T, Damage> {
        Err(Damage::Syntax(self.pos))
    }

    /// Takes the keyword if it comes next.
    pub fn keyword(&mut self, word: &[u8]) -> bool {
        let start = skip_space(self.src, self.pos);
        let end = token_end(self.src, start);
        let found = self.src.get(start..end) == Some(word);
        if found {
            self.pos = end;
        }
        found
    }

    /// Takes a whole number if it comes next.
    pub fn number(&mut self) -> Option<u64> {
        let start = skip_space(self.src, self.pos);
        let end = token_end(self.src, start);
        let token = self.src.get(start..end)?;
        if !token.first()?.is_ascii_digit() {
            return None;
        }
        let number = u64::try_from(integer(token)?).ok()?;
        self.pos = end;
        Some(number)
    }

    /// Takes a row of a cross-reference table if it comes next in the usual twenty bytes: offset, generation, and
    /// whether the object is in use.
    pub fn row(&mut self) -> Option<(u64, u64, bool)> {
        let start = skip_space(self.src, self.pos);
        let (row, rest) = self.src.get(start..)?.split_first_chunk::<18>()?;
        let digits = |part: &[u8]| {
            part.iter().try_fold(0, |number: u64, byte| {
                byte.is_ascii_digit()
                    .then(|| number * 10 + u64::from(byte - b'0'))
            })
        };
        let used = match row {
            [.., b' ', b'n'] => true,
            [.., b' ', b'f'] => false,
            _ => return None,
        };
        let found = (digits(&row[..10])?, digits(&row[11..16])?, used);
        let apart = row[10] == b' ' && rest.first().copied().is_some_and(is_space);
        apart.then(|| {
            self.pos = start + row.len();
            found
        })
    }

    /// Takes `N G obj` if it comes next; the keyword may touch the value after it.
    pub fn header(&mut self) -> Option<Ref> {
        let reference = self.pair()?;
        let start = skip_space(self.src, self.pos);
        if !self.src.get(start..)?.starts_with(b"obj") {
            return None;
        }
        self.pos = start + 3;
        Some(reference)
    }

    fn pair(&mut self) -> Option<Ref> {
        let number = u32::try_from(self.number()?).ok()?;
        let generation = u16::try_from(self.number()?).ok()?;
        Some(Ref { number, generation })
    }

    /// Reads one value.
    pub fn value(&mut self) -> Result<Value<'d>, Damage> {
        self.spend()?;
        self.pos = skip_space(self.src, self.pos);
        let start = self.pos;
        let kind = match self.src.get(start) {
            Some(b'/') => Kind::Name(self.name()?),
            Some(b'(') => Kind::Literal(self.literal()?),
            Some(b'[') => self.nested(Self::array)?,
            Some(b'<') if self.src.get(start + 1) == Some(&b'<') => self.nested(Self::dict)?,
            Some(b'<') => Kind::Hex(self.hex()?),
            Some(_) => self.plain()?,
            None => return self.broken(),
        };
        let raw = self.src.get(start..self.pos).unwrap_or_default();
        Ok(Value { raw, kind })
    }

    fn nested(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Kind<'d>, Damage>,
    ) -> Result<Kind<'d>, Damage> {
        self.depth = self.depth.checked_sub(1).ok_or(Damage::TooDeep)?;
        let kind = read(self)?;
        self.depth += 1;
        Ok(kind)
    }

    fn name(&mut self) -> Result<Cow<'d, [u8]>, Damage> {
        let start = self.pos + 1;
        self.pos = token_end(self.src, start);
        let raw = self.src.get(start..self.pos).unwrap_or_default();
        if !raw.contains(&b'#') {
            return Ok(Cow::Borrowed(raw));
        }
        let mut out = Vec::with_capacity(raw.len());
        let mut rest = raw;
        while let Some((&byte, tail)) = rest.split_first() {
            rest = tail;
            if byte != b'#' {
                out.push(byte);
                continue;
            }
            match tail {
                [a, b, after @ ..] => match (hex_digit(*a), hex_digit(*b)) {
                    (Some(high), Some(low)) => {
                        out.push(high << 4 | low);
                        rest = after;
                    }
                    _ => return self.broken(),
                },
                _ => return self.broken(),
            }
        }
        Ok(Cow::Owned(out))
    }

    fn literal(&mut self) -> Result<&'d [u8], Damage> {
        let start = self.pos + 1;
        let mut open = 1usize;
        let mut at = start;
        while let Some(&byte) = self.src.get(at) {
            match byte {
                b'\\' => at += 1,
                b'(' => open += 1,
                b')' => {
                    open -= 1;
                    if open == 0 {
                        self.pos = at + 1;
                        return Ok(self.src.get(start..at).unwrap_or_default());
                    }
                }
                _ => {}
            }
            at += 1;
        }
        self.broken()
    }

    fn hex(&mut self) -> Result<&'d [u8], Damage> {
        let start = self.pos + 1;
        let rest = self.src.get(start..).unwrap_or_default();
        let Some(length) = memchr::memchr(b'>', rest) else {
            return self.broken();
        };
        let digits = rest.get(..length).unwrap_or_default();
        // Without an early exit, so that the compiler can vectorise it: signatures are long.
        let pure = |part: &[u8]| part.iter().fold(true, |fine, b| fine & b.is_ascii_hexdigit());
        let fine = |part: &[u8]| part.iter().all(|&b| b.is_ascii_hexdigit() || super::is_space(b));
        if !digits.chunks(256).all(|part| pure(part) || fine(part)) {
            return self.broken();
        }
        self.pos = start + length + 1;
        Ok(digits)
    }

    fn array(&mut self) -> Result<Kind<'d>, Damage> {
        self.pos += 1;
        let mut items = Vec::new();
        loop {
            self.pos = skip_space(self.src, self.pos);
            if self.src.get(self.pos) == Some(&b']') {
                self.pos += 1;
                return Ok(Kind::Array(items));
            }
            items.push(self.value()?);
        }
    }

    fn dict(&mut self) -> Result<Kind<'d>, Damage> {
        self.pos += 2;
        let mut entries: Vec<(Cow<'d, [u8]>, Value<'d>)> = Vec::with_capacity(8);
        loop {
            self.pos = skip_space(self.src, self.pos);
            match self.src.get(self.pos) {
                Some(b'/') => {
                    let key = self.name()?;
                    let value = self.value()?;
                    entries.push((key, value));
                }
                Some(b'>') if self.src.get(self.pos + 1) == Some(&b'>') => {
                    self.pos += 2;
                    let ambiguous = ambiguous(&entries);
                    return Ok(Kind::Dict(Dict { entries, ambiguous }));
                }
                _ => return self.broken(),
            }
        }
    }

    /// A number, a reference or a keyword.
    fn plain(&mut self) -> Result<Kind<'d>, Damage> {
        let start = self.pos;
        let end = token_end(self.src, start);
        let token = self.src.get(start..end).unwrap_or_default();
        self.pos = end;
        match token {
            b"null" => return Ok(Kind::Null),
            b"true" | b"false" => return Ok(Kind::Bool),
            _ => {}
        }
        if let Some(number) = integer(token) {
            if token.first().is_some_and(u8::is_ascii_digit)
                && let Some(reference) = self.reference(number)
            {
                return Ok(Kind::Ref(reference));
            }
            self.pos = end;
            return Ok(Kind::Int(number));
        }
        self.pos = start;
        let Some(number) = real(token) else {
            return self.broken();
        };
        self.pos = end;
        Ok(Kind::Real(number))
    }

    /// Takes the rest of a reference after its object number.
    fn reference(&mut self, number: i64) -> Option<Ref> {
        let number = u32::try_from(number).ok()?;
        let generation = u16::try_from(self.number()?).ok()?;
        self.keyword(b"R").then_some(Ref { number, generation })
    }
}

/// Whether a key appears twice with different values.
fn ambiguous(entries: &[(Cow<'_, [u8]>, Value<'_>)]) -> bool {
    if are_unlike(entries) {
        return false;
    }
    let mut sorted: Vec<_> = entries.iter().collect();
    sorted.sort_by(|(a, _), (b, _)| a.cmp(b));
    sorted
        .windows(2)
        .any(|pair| matches!(pair, [(a, x), (b, y)] if a == b && x.raw != y.raw))
}

/// Whether no two keys have the same length and last byte, as in nearly all dictionaries. If two have, they may still
/// differ.
fn are_unlike(entries: &[(Cow<'_, [u8]>, Value<'_>)]) -> bool {
    let mut seen = [0u64; 4];
    entries.iter().all(|(key, _)| {
        let end = |byte: Option<&u8>| byte.map_or(0, |byte| usize::from(*byte));
        let mark = (end(key.first()) * 7 + end(key.last()) * 37 + key.len() * 11) % 256;
        let (word, bit) = (&mut seen[mark / 64], 1 << (mark % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_with_two_values_is_noticed_among_any_number_of_keys() {
        let meter = Meter::new(10_000, 10_000, 10);
        let is_ambiguous = |text: &str| {
            let value = Parser::new(text.as_bytes(), 0, &meter).value().unwrap();
            value.as_dict().unwrap().ambiguous
        };
        for others in [0, 1, 20, 300] {
            let others: Vec<_> = (0..others).map(|number| format!("/K{number}y 0")).collect();
            let others = others.concat();
            assert!(!is_ambiguous(&format!("<<{others}>>")));
            assert!(!is_ambiguous(&format!("<</Abz 1{others}/Aaz 2>>")));
            assert!(!is_ambiguous(&format!("<</Aaz 1{others}/Aaz 1>>")));
            assert!(is_ambiguous(&format!("<</Aaz 1{others}/Aaz 2>>")));
            assert!(is_ambiguous(&format!("<</Aaz 1{others}/A#61z 2/Aaz 1>>")));
        }
    }
}
