//! Where new objects are written: an increment, or a new file.

use super::Increment;
use crate::syntax::Ref;

/// A destination of new objects.
pub trait Objects {
    /// Reserves a number for a new object.
    fn allocate(&mut self) -> Ref;

    /// Writes an object.
    fn write(&mut self, id: Ref, body: &[u8]);

    /// Writes a stream object; `entries` are those of its dictionary, without the length.
    fn write_stream(&mut self, id: Ref, entries: &[u8], data: &[u8]) {
        self.write(id, &stream(entries, data));
    }
}

impl Objects for Increment {
    fn allocate(&mut self) -> Ref {
        Self::allocate(self)
    }

    fn write(&mut self, id: Ref, body: &[u8]) {
        Self::write(self, id, body);
    }

    fn write_stream(&mut self, id: Ref, entries: &[u8], data: &[u8]) {
        Self::write_stream(self, id, entries, data);
    }
}

/// The body of a stream object.
pub(super) fn stream(entries: &[u8], data: &[u8]) -> Vec<u8> {
    let length = format!("/Length {}>>\nstream\n", data.len());
    [b"<<", entries, length.as_bytes(), data, b"\nendstream"].concat()
}
