//! PDF values, borrowed from their source.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

/// A reference to an indirect object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ref {
    /// Object number.
    pub number: u32,
    /// Generation number.
    pub generation: u16,
}

/// A value and the bytes it was read from.
#[derive(Debug, Clone)]
pub struct Value<'d> {
    /// The exact source bytes.
    pub raw: &'d [u8],
    /// Their meaning.
    pub kind: Kind<'d>,
}

/// The meaning of a value.
#[derive(Debug, Clone)]
pub enum Kind<'d> {
    Null,
    Bool,
    Int(i64),
    Real(f64),
    Name(Cow<'d, [u8]>),
    /// The text between the delimiters, still escaped.
    Literal(&'d [u8]),
    /// The digits between the angle brackets.
    Hex(&'d [u8]),
    Array(Vec<Value<'d>>),
    Dict(Dict<'d>),
    Ref(Ref),
}

/// A dictionary: its entries in the order of the file.
#[derive(Debug, Clone, Default)]
pub struct Dict<'d> {
    pub entries: Vec<(Cow<'d, [u8]>, Value<'d>)>,
    /// A key appears twice with different values: readers disagree about such a dictionary.
    pub ambiguous: bool,
}

/// A dictionary with more entries is hashed before all of its keys are looked up.
const MAX_LINEAR_SEARCH: usize = 32;

/// A dictionary prepared for the lookup of all its keys.
#[derive(Debug)]
pub enum Index<'k, 'd> {
    Linear(&'k Dict<'d>),
    Hashed(HashMap<&'k [u8], &'k Value<'d>>),
}

impl<'k, 'd> Index<'k, 'd> {
    /// As [`Dict::value`].
    pub fn value(&self, key: &[u8]) -> Option<&'k Value<'d>> {
        match self {
            Self::Linear(dict) => dict.value(key),
            Self::Hashed(values) => values.get(key).copied().filter(|value| !value.is_null()),
        }
    }
}

impl<'d> Dict<'d> {
    /// The same, for a caller that looks all of its keys up.
    pub fn index(&self) -> Index<'_, 'd> {
        if self.entries.len() <= MAX_LINEAR_SEARCH {
            return Index::Linear(self);
        }
        // Of two entries with one key the first counts.
        let entries = self.entries.iter().rev();
        Index::Hashed(entries.map(|(key, value)| (&**key, value)).collect())
    }

    /// The value of a key; an explicit `null` is the same as no entry.
    pub fn get(&self, key: &str) -> Option<&Value<'d>> {
        self.value(key.as_bytes())
    }

    /// The same for a key that was read from a file.
    pub fn value(&self, key: &[u8]) -> Option<&Value<'d>> {
        let found = self.entries.iter().find(|(name, _)| name.as_ref() == key);
        found.map(|(_, value)| value).filter(|value| !value.is_null())
    }

    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Whether another dictionary has the same keys, in any order, with equal values. Each value is compared once:
    /// otherwise the cost would double with every level of nesting.
    fn says_the_same(&self, other: &Self) -> bool {
        let (one, two) = (self.index(), other.index());
        !self.ambiguous
            && !other.ambiguous
            && self.nulls() == other.nulls()
            && other
                .entries
                .iter()
                .all(|(key, value)| value.is_null() || one.value(key).is_some())
            && self.entries.iter().all(|(key, value)| {
                value.is_null() || two.value(key).is_some_and(|other| value.says_the_same(other))
            })
    }

    /// Keys with an explicit `null`. Some readers do not search the parents for those.
    pub fn nulls(&self) -> BTreeSet<&[u8]> {
        let nulls = self.entries.iter().filter(|(_, value)| value.is_null());
        nulls.map(|(key, _)| &**key).collect()
    }

    /// The name stored directly under a key.
    pub fn name(&self, key: &str) -> Option<&[u8]> {
        self.get(key).and_then(Value::as_name)
    }

    /// The integer stored directly under a key.
    pub fn int(&self, key: &str) -> Option<i64> {
        self.get(key).and_then(Value::as_int)
    }
}

impl<'d> Value<'d> {
    pub fn is_null(&self) -> bool {
        matches!(self.kind, Kind::Null)
    }

    pub fn as_name(&self) -> Option<&[u8]> {
        if let Kind::Name(name) = &self.kind {
            Some(name)
        } else {
            None
        }
    }

    pub fn as_int(&self) -> Option<i64> {
        if let Kind::Int(number) = self.kind {
            Some(number)
        } else {
            None
        }
    }

    pub fn as_number(&self) -> Option<f64> {
        match self.kind {
            #[allow(clippy::cast_precision_loss, reason = "coordinates are compared, not kept")]
            Kind::Int(number) => Some(number as f64),
            Kind::Real(number) => Some(number),
            _ => None,
        }
    }

    pub fn as_ref(&self) -> Option<Ref> {
        if let Kind::Ref(reference) = self.kind {
            Some(reference)
        } else {
            None
        }
    }

    pub fn as_dict(&self) -> Option<&Dict<'d>> {
        if let Kind::Dict(dict) = &self.kind {
            Some(dict)
        } else {
            None
        }
    }

    pub fn as_array(&self) -> Option<&[Value<'d>]> {
        if let Kind::Array(items) = &self.kind {
            Some(items)
        } else {
            None
        }
    }

    /// Whether another value means the same, in any spelling: programs that restate an object write it their own way.
    pub fn says_the_same(&self, other: &Self) -> bool {
        if self.raw == other.raw {
            return true;
        }
        match (&self.kind, &other.kind) {
            (Kind::Null, Kind::Null) => true,
            (Kind::Ref(one), Kind::Ref(two)) => one == two,
            (Kind::Name(one), Kind::Name(two)) => one == two,
            (Kind::Literal(_) | Kind::Hex(_), Kind::Literal(_) | Kind::Hex(_)) => {
                self.as_string() == other.as_string()
            }
            // Some readers accept only one kind of number for flags and angles.
            (Kind::Int(_), Kind::Int(_)) | (Kind::Real(_), Kind::Real(_)) => {
                is_plain_number(self.raw)
                    && is_plain_number(other.raw)
                    && self.as_number() == other.as_number()
            }
            (Kind::Array(one), Kind::Array(two)) => {
                one.len() == two.len() && one.iter().zip(two).all(|(one, two)| one.says_the_same(two))
            }
            (Kind::Dict(one), Kind::Dict(two)) => one.says_the_same(two),
            _ => false,
        }
    }

    /// The bytes of a string, unescaped.
    pub fn as_string(&self) -> Option<Vec<u8>> {
        match self.kind {
            Kind::Literal(text) => Some(unescape(text)),
            Kind::Hex(digits) => Some(unhex(digits)),
            _ => None,
        }
    }
}

/// Whether every reader reads the same number: a sign, digits, and at most one point.
pub fn is_plain_number(raw: &[u8]) -> bool {
    let unsigned = raw.strip_prefix(b"-").or(raw.strip_prefix(b"+")).unwrap_or(raw);
    let mut parts = unsigned.splitn(2, |byte| *byte == b'.');
    (1..=15).contains(&unsigned.len())
        && unsigned != b"."
        && parts.all(|part| part.iter().all(u8::is_ascii_digit))
}

fn unhex(digits: &[u8]) -> Vec<u8> {
    // The contents of signatures are long and have only digits.
    let (pairs, odd) = digits.as_chunks::<2>();
    if odd.is_empty()
        && pairs
            .as_flattened()
            .iter()
            .fold(true, |fine, b| fine & b.is_ascii_hexdigit())
    {
        let value = |digit: u8| (digit & 15) + 9 * (digit >> 6);
        return pairs
            .iter()
            .map(|[high, low]| value(*high) << 4 | value(*low))
            .collect();
    }
    let mut out = Vec::with_capacity(digits.len() / 2 + 1);
    let mut high = None;
    for nibble in digits.iter().filter_map(|&b| hex_digit(b)) {
        match high.take() {
            None => high = Some(nibble),
            Some(first) => out.push(first << 4 | nibble),
        }
    }
    out.extend(high.map(|nibble| nibble << 4));
    out
}

/// The value of a hexadecimal digit.
pub(super) fn hex_digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

fn unescape(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = text.iter().copied().peekable();
    while let Some(byte) = at.next() {
        if byte == b'\r' {
            at.next_if_eq(&b'\n');
            out.push(b'\n');
            continue;
        }
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        match at.next() {
            Some(b'n') => out.push(b'\n'),
            Some(b'r') => out.push(b'\r'),
            Some(b't') => out.push(b'\t'),
            Some(b'b') => out.push(8),
            Some(b'f') => out.push(12),
            Some(b'\r') => {
                at.next_if_eq(&b'\n');
            }
            Some(b'\n') | None => {}
            Some(digit @ b'0'..=b'7') => {
                let mut code = u32::from(digit - b'0');
                for _ in 0..2 {
                    let Some(next) = at.next_if(|b| matches!(b, b'0'..=b'7')) else {
                        break;
                    };
                    code = code * 8 + u32::from(next - b'0');
                }
                out.push((code & 0xff) as u8);
            }
            Some(other) => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::meter::Meter;
    use crate::syntax::Parser;

    fn same(one: &str, two: &str) -> bool {
        let meter = Meter::new(1_000, 1_000, 10);
        let [one, two] = [one, two].map(|text| Parser::new(text.as_bytes(), 0, &meter).value().unwrap());
        assert_eq!(one.says_the_same(&two), two.says_the_same(&one));
        one.says_the_same(&two)
    }

    #[test]
    fn what_is_deeply_nested_is_compared_once() {
        let nested = |inner: &str| format!("{}{inner}{}", "<</A".repeat(90), ">>".repeat(90));
        let meter = Meter::new(1_000, 1_000, 100);
        let (one, two) = (nested(" 1"), nested("  1"));
        let [one, two] = [&one, &two].map(|text| Parser::new(text.as_bytes(), 0, &meter).value().unwrap());
        assert!(one.says_the_same(&two));
    }

    #[test]
    fn spelling_does_not_matter_and_all_else_does() {
        for (one, two) in [
            ("[ 0 0 595.32 841.92]", "[0 0 595.320 +841.92]"),
            ("<</A 1/B(x)>>", "<< /B <78> /A +1 >>"),
            ("/Contents", "/C#6fntents"),
            ("5 0 R", "5  0  R"),
            ("(a\\(b\\)\\051)", "(a(b)\\))"),
        ] {
            assert!(same(one, two), "{one} {two}");
        }
        for (one, two) in [
            ("[0 0]", "[0 0 0]"),
            ("[5 0 R]", "[5 0]"),
            ("<</A 1>>", "<</A 1/B 2>>"),
            ("<</A 1>>", "<</A 1/A 2>>"),
            ("5 0 R", "5 1 R"),
            ("true", "false"),
            ("null", "false"),
            ("(5)", "5"),
            ("/A", "(A)"),
            ("1.0", "1.0000000000000001"),
            ("1", "1.0"),
            ("<</A null/B 2>>", "<</B 2>>"),
            ("<</A null/B 2>>", "<</C null/B 2>>"),
        ] {
            assert!(!same(one, two), "{one} {two}");
        }
    }
}
