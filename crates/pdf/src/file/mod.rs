//! A PDF file as its objects: cross-references of every kind, object streams, streams.
//! Strict and bounded: the reader repairs nothing and reads only the objects that its caller asks for.

mod ciphers;
mod document;
mod encryption;
mod inflate;
mod object;
mod password;
mod section;
mod xref;
mod xref_stream;

pub use document::Document;
pub use encryption::Encryption;
pub use section::{Entry, Section, SectionKind};
