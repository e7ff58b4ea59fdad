//! Writes incremental updates: new bytes after the last one, in the document's own dialect.
//! Bytes of existing objects are spliced, never parsed into numbers and written again.

mod edit;
mod objects;
mod xref;

use std::collections::{BTreeMap, BTreeSet};

pub use edit::{append_item, array_of, dict_of, edit, encoded, entry, text};
pub use objects::Objects;

use sha2::Digest;

use crate::prepare::{Base, Held, Prepared};
use crate::syntax::Ref;

/// An increment being written.
#[derive(Debug)]
pub struct Increment {
    /// Where its first byte will stand.
    start: u64,
    out: Vec<u8>,
    written: BTreeMap<u32, (u64, u16)>,
    restated: BTreeSet<Ref>,
    /// Of these, what no later increment will restate.
    settled: BTreeSet<Ref>,
    /// What the document will be like afterwards.
    pub base: Base,
    /// What makes this revision's identifier different from the last one's.
    fingerprint: [u8; 16],
}

/// A document with something appended: the new bytes alone, and the state after them.
#[derive(Debug, Clone)]
#[must_use]
pub struct Appended {
    /// The bytes to append to the document.
    pub increment: Vec<u8>,
    /// The state of the document with them.
    pub next: Prepared,
}

impl Increment {
    pub fn new(state: &Prepared) -> Self {
        let mut fingerprint = [0; 16];
        fingerprint.copy_from_slice(state.sha256().first_chunk::<16>().unwrap_or(&[0; 16]));
        let mut out = Vec::with_capacity(8 << 10);
        if !state.base.ends_line {
            out.push(b'\n');
        }
        Self {
            start: state.length,
            out,
            written: BTreeMap::new(),
            restated: BTreeSet::new(),
            settled: BTreeSet::new(),
            base: state.base.clone(),
            fingerprint,
        }
    }

    /// A number for a new object.
    pub fn allocate(&mut self) -> Ref {
        let number = self.base.size;
        self.base.size += 1;
        Ref {
            number,
            generation: 0,
        }
    }

    /// Writes an object and says where in the increment its body starts.
    pub fn write(&mut self, id: Ref, body: &[u8]) -> usize {
        self.written
            .insert(id.number, (self.start + self.out.len() as u64, id.generation));
        self.out
            .extend_from_slice(format!("{} {} obj\n", id.number, id.generation).as_bytes());
        let at = self.out.len();
        self.out.extend_from_slice(body);
        self.out.extend_from_slice(b"\nendobj\n");
        at
    }

    /// Writes a stream object; `entries` are those of its dictionary, without the length.
    pub fn write_stream(&mut self, id: Ref, entries: &[u8], data: &[u8]) {
        self.write(id, &objects::stream(entries, data));
    }

    /// The newest body of an object that is kept.
    pub fn held(&self, id: Ref) -> Option<&[u8]> {
        self.base.objects.get(&id.number).map(|held| held.body.as_slice())
    }

    /// Gives an object a new version, written once at the end and kept for the next increment.
    pub fn restate(&mut self, id: Ref, body: Vec<u8>) {
        self.restated.insert(id);
        self.base.objects.insert(
            id.number,
            Held {
                generation: id.generation,
                body,
            },
        );
    }

    /// Gives an object its last version, written once at the end and kept no longer.
    pub fn settle(&mut self, id: Ref, body: Vec<u8>) {
        self.restate(id, body);
        self.settled.insert(id);
    }

    /// Closes an increment that carries no signature.
    pub fn append(self, state: &Prepared) -> Appended {
        let (increment, base) = self.finish();
        let mut hasher = state.hasher.clone();
        hasher.update(&increment);
        let next = Prepared {
            length: state.length + increment.len() as u64,
            hasher,
            base,
        };
        Appended { increment, next }
    }

    /// Closes the increment with its cross-references.
    pub fn finish(mut self) -> (Vec<u8>, Base) {
        for id in std::mem::take(&mut self.restated) {
            let body = self.held(id).unwrap_or_default().to_vec();
            self.write(id, &body);
        }
        for id in &self.settled {
            self.base.objects.remove(&id.number);
        }
        let at = self.start + self.out.len() as u64;
        xref::write(&mut self.out, at, &self.written, &mut self.base, self.fingerprint);
        self.base.startxref = at;
        self.base.ends_line = true;
        (self.out, self.base)
    }
}
