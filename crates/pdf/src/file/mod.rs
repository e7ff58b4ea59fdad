//! A PDF file as its objects: cross-references of every kind, object streams, streams.
//! Strict and bounded: the reader repairs nothing and reads only the objects that its caller asks for. A file that is
//! encrypted with the empty password is read as if it were not.

mod ciphers;
mod decryption;
mod document;
mod encryption;
mod inflate;
mod object;
mod password;
mod recover;
mod section;
mod xref;
mod xref_stream;

pub(crate) use decryption::respell;
pub use document::Document;
pub use encryption::Encryption;
pub use section::{Entry, Section, SectionKind};
