//! Takes objects over from another PDF, under new numbers; everything but the numbers is copied as it stands.

use std::collections::BTreeMap;

use super::Increment;
use super::edit::put;
use crate::file::{Damage, Document};
use crate::syntax::{Kind, Ref, Value};

/// Most objects that are taken over.
const MOST: usize = 10_000;

/// Copies objects and whatever they refer to.
#[derive(Debug)]
pub(super) struct Import<'i, 'd> {
    increment: &'i mut Increment,
    source: &'d Document<'d>,
    known: BTreeMap<Ref, Ref>,
    pending: Vec<Ref>,
}

impl<'i, 'd> Import<'i, 'd> {
    pub(super) fn new(increment: &'i mut Increment, source: &'d Document<'d>) -> Self {
        Self {
            increment,
            source,
            known: BTreeMap::new(),
            pending: Vec::new(),
        }
    }

    /// Says that an object of the other PDF is one of this document's and must not be copied.
    pub(super) fn same(&mut self, theirs: Option<Ref>, ours: Ref) {
        self.known.extend(theirs.map(|theirs| (theirs, ours)));
    }

    /// A value with the new numbers; what it refers to will be copied.
    pub(super) fn value(&mut self, value: &Value<'_>) -> Result<Vec<u8>, Damage> {
        let mut out = Vec::with_capacity(value.raw.len());
        self.rewrite(value, &mut out)?;
        Ok(out)
    }

    fn rewrite(&mut self, value: &Value<'_>, out: &mut Vec<u8>) -> Result<(), Damage> {
        match &value.kind {
            Kind::Ref(id) => {
                let new = self.number(*id)?;
                out.extend_from_slice(format!("{} {} R", new.number, new.generation).as_bytes());
            }
            Kind::Array(items) => {
                out.push(b'[');
                for item in items {
                    self.rewrite(item, out)?;
                    out.push(b' ');
                }
                out.push(b']');
            }
            Kind::Dict(dict) => {
                out.extend_from_slice(b"<<");
                for (key, item) in &dict.entries {
                    let item = self.value(item)?;
                    put(out, key, &item);
                }
                out.extend_from_slice(b">>");
            }
            _ => out.extend_from_slice(value.raw),
        }
        Ok(())
    }

    fn number(&mut self, id: Ref) -> Result<Ref, Damage> {
        if let Some(new) = self.known.get(&id) {
            return Ok(*new);
        }
        if self.known.len() >= MOST {
            return Err(Damage::TooManyObjects);
        }
        let new = self.increment.allocate();
        self.known.insert(id, new);
        self.pending.push(id);
        Ok(new)
    }

    /// Copies all that was referred to.
    pub(super) fn finish(mut self) -> Result<(), Damage> {
        while let Some(id) = self.pending.pop() {
            let new = self.number(id)?;
            let Some(value) = self.source.get(id)? else {
                self.increment.write(new, b"null");
                continue;
            };
            let Ok(stream) = self.source.stream(id) else {
                let body = self.value(&value)?;
                self.increment.write(new, &body);
                continue;
            };
            let mut entries = Vec::new();
            for (key, item) in stream
                .dict
                .entries
                .iter()
                .filter(|(key, _)| key.as_ref() != b"Length")
            {
                let item = self.value(item)?;
                put(&mut entries, key, &item);
            }
            self.increment.write_stream(new, &entries, stream.data);
        }
        Ok(())
    }
}
