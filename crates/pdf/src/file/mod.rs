//! A PDF file as its objects: cross-references of every kind, object streams, streams.
//! Strict and bounded: the reader repairs nothing and reads only the objects that its caller asks for.

mod document;
mod inflate;
mod object;
mod section;
mod xref;
mod xref_stream;

pub use document::Document;
pub use section::{Entry, Section, SectionKind};
