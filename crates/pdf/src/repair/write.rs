//! Writes a copy: one revision, a table of cross-references, the numbers of the document.

use std::collections::{BTreeMap, BTreeSet};

use super::flatten::Flatten;
use crate::damage::Damage;
use crate::file::{Document, Entry};
use crate::inspect::Refused;
use crate::syntax::{Dict, Kind, Ref, Value};

/// A drawing of nothing, in the place of one that is not shown.
const EMPTY_FORM: &[u8] = b"<</Type/XObject/Subtype/Form/BBox[0 0 0 0]/Length 0>>\nstream\n\nendstream";

/// Writes a copy of at most `max` bytes.
pub(super) fn write(
    doc: &Document<'_>,
    root: Ref,
    flatten: &Flatten<'_>,
    max: usize,
) -> Result<Vec<u8>, Refused> {
    let mut copy = Copy {
        doc,
        flatten,
        out: header(doc.bytes()),
        pending: vec![root],
        seen: BTreeSet::from([root.number]),
        places: BTreeMap::new(),
    };
    let trailer = doc.trailer()?;
    let information = trailer.get("Info").and_then(Value::as_ref);
    copy.follow(information);
    while let Some(id) = copy.pending.pop() {
        copy.object(id)?;
        if copy.out.len() > max {
            return Err(Damage::TooComplex.into());
        }
    }
    let Copy { mut out, places, .. } = copy;
    let at = out.len();
    out.extend_from_slice(b"xref\n0 1\n0000000000 65535 f\r\n");
    for (number, (offset, generation)) in &places {
        out.extend_from_slice(format!("{number} 1\n{offset:010} {generation:05} n\r\n").as_bytes());
    }
    let size = places.keys().next_back().map_or(1, |number| number + 1);
    let named = |id: Ref| format!("{} {} R", id.number, id.generation);
    out.extend_from_slice(format!("trailer\n<</Size {size}/Root {}", named(root)).as_bytes());
    if let Some(id) = information.filter(|id| places.contains_key(&id.number)) {
        out.extend_from_slice(format!("/Info {}", named(id)).as_bytes());
    }
    if let Some(id) = trailer.get("ID").filter(|id| is_identifier(id)) {
        out.extend_from_slice(b"/ID");
        out.extend_from_slice(id.raw);
    }
    out.extend_from_slice(format!(">>\nstartxref\n{at}\n%%EOF\n").as_bytes());
    Ok(out)
}

/// The first line, with the version that the document states.
fn header(src: &[u8]) -> Vec<u8> {
    let stated = memchr::memmem::find(src, b"%PDF-").and_then(|at| src.get(at + 5..at + 8));
    let version = match stated {
        Some([major @ b'1'..=b'2', b'.', minor @ b'0'..=b'9']) => [*major, b'.', *minor],
        _ => *b"1.7",
    };
    // Bytes by which programs tell that this is no text.
    [b"%PDF-", version.as_slice(), b"\n%\xe2\xe3\xcf\xd3\n"].concat()
}

fn is_identifier(id: &Value<'_>) -> bool {
    let halves = id.as_array().unwrap_or_default();
    halves.len() == 2 && halves.iter().all(|half| half.as_string().is_some())
}

struct Copy<'c, 'd> {
    doc: &'d Document<'d>,
    flatten: &'c Flatten<'d>,
    out: Vec<u8>,
    pending: Vec<Ref>,
    seen: BTreeSet<u32>,
    /// Where each object stands in the copy, and its generation.
    places: BTreeMap<u32, (usize, u16)>,
}

impl<'d> Copy<'_, 'd> {
    fn follow(&mut self, id: Option<Ref>) {
        self.pending.extend(id.filter(|id| self.seen.insert(id.number)));
    }

    fn object(&mut self, id: Ref) -> Result<(), Refused> {
        let doc = self.doc;
        let Some((value, end)) = doc.find(id)? else {
            // What is not there may have been lost.
            if doc.is_recovered() {
                return Err(Damage::Missing(id.number).into());
            }
            // Another reference may name the generation that is there.
            self.seen.remove(&id.number);
            return Ok(());
        };
        self.places.insert(id.number, (self.out.len(), id.generation));
        self.out
            .extend_from_slice(format!("{} {} obj\n", id.number, id.generation).as_bytes());
        let is_stream = end.is_none() && matches!(doc.entry(id.number), Entry::At { .. });
        match value.kind {
            Kind::Dict(dict) if is_stream && self.flatten.is_off(&dict)? => {
                self.out.extend_from_slice(EMPTY_FORM);
            }
            Kind::Dict(_) if is_stream => self.stream(id)?,
            kind => self.value(&Value { raw: value.raw, kind }, Some(id))?,
        }
        self.out.extend_from_slice(b"\nendobj\n");
        Ok(())
    }

    fn stream(&mut self, id: Ref) -> Result<(), Refused> {
        let (dict, data) = self.doc.plain_stream(id)?;
        let length = data.len().to_string();
        self.dict(&dict, Some(id), Some(length.as_bytes()))?;
        self.out.extend_from_slice(b"\nstream\n");
        self.out.extend_from_slice(&data);
        self.out.extend_from_slice(b"\nendstream");
        Ok(())
    }

    /// Writes a value; `owner` is the object that it is, if it is one.
    fn value(&mut self, value: &Value<'d>, owner: Option<Ref>) -> Result<(), Refused> {
        match &value.kind {
            Kind::Array(items) => {
                self.out.push(b'[');
                for item in items {
                    self.value(item, None)?;
                    self.out.push(b' ');
                }
                self.out.push(b']');
            }
            Kind::Dict(dict) => self.dict(dict, owner, None)?,
            Kind::Ref(id) => {
                self.follow(Some(*id));
                self.out
                    .extend_from_slice(format!("{} {} R", id.number, id.generation).as_bytes());
            }
            _ => self.out.extend_from_slice(value.raw),
        }
        Ok(())
    }

    fn dict(&mut self, dict: &Dict<'d>, owner: Option<Ref>, length: Option<&[u8]>) -> Result<(), Refused> {
        if dict.ambiguous {
            return Err(Damage::Ambiguous.into());
        }
        // A copy would break the signature.
        if dict.has("ByteRange") {
            return Err(Refused::Unverifiable);
        }
        let flags = Flatten::flags(dict);
        self.out.extend_from_slice(b"<<");
        let mut keys = BTreeSet::new();
        for (key, value) in &dict.entries {
            if !keys.insert(key) || length.is_some() && &**key == b"Length" {
                continue;
            }
            if self.flatten.leaves_out(owner, key, value)? {
                continue;
            }
            self.key(key);
            match flags {
                Some(flags) if &**key == b"F" => self.out.extend_from_slice(flags),
                _ => self.value(value, None)?,
            }
        }
        if let Some(length) = length {
            self.key(b"Length");
            self.out.extend_from_slice(length);
        }
        self.out.extend_from_slice(b">>");
        Ok(())
    }

    fn key(&mut self, key: &[u8]) {
        self.out.push(b'/');
        for byte in key {
            match byte {
                b'!'..=b'~' if !b"#%()/<>[]{}".contains(byte) => self.out.push(*byte),
                _ => self.out.extend_from_slice(format!("#{byte:02X}").as_bytes()),
            }
        }
        self.out.push(b' ');
    }
}
