//! Writes incremental updates: new bytes after the last one, in the document's own dialect.
//! Bytes of existing objects are spliced, never parsed into numbers and written again. What is added to an encrypted
//! document is encrypted.

mod edit;
mod encrypt;
mod objects;
mod xref;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub use edit::{append_item, array_of, dict_of, edit, encoded, entry, text};
pub use objects::Objects;

use sha2::Digest;

use crate::damage::Damage;
use crate::prepare::{AppendState, ObjectCopy, Prepared};
use crate::syntax::Ref;

/// An increment being written.
#[derive(Debug)]
pub struct Increment {
    /// The offset of its first byte in the document.
    start: u64,
    out: Vec<u8>,
    written: BTreeMap<u32, (u64, u16)>,
    restated: BTreeSet<Ref>,
    /// Of the restated objects, those that no later increment will restate.
    settled: BTreeSet<Ref>,
    /// The state of the document after this increment.
    pub append_state: AppendState,
    /// Makes the second half of the file identifier differ from the last revision's.
    fingerprint: [u8; 16],
    /// Why an object could not be encrypted.
    failure: Option<Damage>,
}

/// The bytes of an increment, and the state of the document after them.
#[derive(Debug, Clone)]
#[must_use]
pub struct Appended {
    /// The bytes to append to the document.
    pub increment: Vec<u8>,
    /// The state of the document after them.
    pub next: Prepared,
}

impl Increment {
    pub fn new(prepared: &Prepared) -> Self {
        let mut fingerprint = [0; 16];
        fingerprint.copy_from_slice(prepared.sha256().first_chunk::<16>().unwrap_or(&[0; 16]));
        let mut out = Vec::with_capacity(8 << 10);
        if !prepared.append_state.ends_line {
            out.push(b'\n');
        }
        let mut this = Self {
            start: prepared.length,
            out,
            written: BTreeMap::new(),
            restated: BTreeSet::new(),
            settled: BTreeSet::new(),
            append_state: prepared.append_state.clone(),
            fingerprint,
            failure: None,
        };
        this.separate_information();
        this
    }

    /// Makes an object of an information dictionary that is written into the trailer: strict validators do not read
    /// such a trailer.
    fn separate_information(&mut self) {
        let information = self.append_state.info.clone();
        if self.append_state.signatures == 0 && information.starts_with(b"<<") {
            let id = self.allocate();
            self.write(id, &information);
            self.append_state.info = format!("{} 0 R", id.number).into_bytes();
        }
    }

    /// Reserves a number for a new object.
    pub fn allocate(&mut self) -> Ref {
        let number = self.append_state.size;
        self.append_state.size += 1;
        Ref {
            number,
            generation: 0,
        }
    }

    /// Writes an object and returns the place of its body in the increment.
    pub fn write(&mut self, id: Ref, body: &[u8]) -> Range<usize> {
        match self.encryption() {
            None => self.put(id, body),
            Some(encryption) => {
                let encrypted = encryption.object(id, body);
                let body = self.unless_failed(encrypted);
                self.put(id, &body)
            }
        }
    }

    /// Writes a stream object; `entries` are those of its dictionary, without the length.
    pub fn write_stream(&mut self, id: Ref, entries: &[u8], data: &[u8]) {
        let body = match self.encryption() {
            None => objects::stream(entries, data),
            Some(encryption) => {
                let encrypted = encryption.stream(id, entries, data);
                self.unless_failed(encrypted)
            }
        };
        self.put(id, &body);
    }

    fn encryption(&self) -> Option<encrypt::Encrypt<'_>> {
        let encryption = self.append_state.encryption.as_ref()?;
        Some(encrypt::Encrypt {
            encryption: &encryption.encryption,
            fingerprint: self.fingerprint,
        })
    }

    fn unless_failed(&mut self, body: Result<Vec<u8>, Damage>) -> Vec<u8> {
        body.unwrap_or_else(|damage| {
            self.failure = Some(damage);
            Vec::new()
        })
    }

    fn put(&mut self, id: Ref, body: &[u8]) -> Range<usize> {
        self.written
            .insert(id.number, (self.start + self.out.len() as u64, id.generation));
        self.out
            .extend_from_slice(format!("{} {} obj\n", id.number, id.generation).as_bytes());
        let at = self.out.len();
        self.out.extend_from_slice(body);
        let place = at..self.out.len();
        self.out.extend_from_slice(b"\nendobj\n");
        place
    }

    /// The newest body of an object that the state has a copy of.
    pub fn object(&self, id: Ref) -> Option<&[u8]> {
        self.append_state
            .objects
            .get(&id.number)
            .map(|copy| copy.body.as_slice())
    }

    /// Gives an object a new version: written once, when the increment ends, and copied for the next increment.
    pub fn restate(&mut self, id: Ref, body: Vec<u8>) {
        self.restated.insert(id);
        self.append_state.objects.insert(
            id.number,
            ObjectCopy {
                generation: id.generation,
                body,
            },
        );
    }

    /// Gives an object its last version: written once, when the increment ends, and not copied.
    pub fn settle(&mut self, id: Ref, body: Vec<u8>) {
        self.restate(id, body);
        self.settled.insert(id);
    }

    /// Ends an increment that carries no signature.
    pub fn append(self, prepared: &Prepared) -> Result<Appended, Damage> {
        let (increment, append_state) = self.finish()?;
        let mut hasher = prepared.hasher.clone();
        hasher.update(&increment);
        let next = Prepared {
            length: prepared.length + increment.len() as u64,
            hasher,
            append_state,
        };
        Ok(Appended { increment, next })
    }

    /// Ends the increment with its cross-references.
    pub fn finish(mut self) -> Result<(Vec<u8>, AppendState), Damage> {
        for id in std::mem::take(&mut self.restated) {
            let body = self.object(id).unwrap_or_default().to_vec();
            self.write(id, &body);
        }
        if let Some(damage) = self.failure {
            return Err(damage);
        }
        for id in &self.settled {
            self.append_state.objects.remove(&id.number);
        }
        let at = self.start + self.out.len() as u64;
        xref::write(
            &mut self.out,
            at,
            &self.written,
            &mut self.append_state,
            self.fingerprint,
        );
        self.append_state.startxref = at;
        self.append_state.ends_line = true;
        Ok((self.out, self.append_state))
    }
}
