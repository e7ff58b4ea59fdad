//! The signature sheet: pages at the end of a document with a field for every signer, the document's hash and a
//! code that leads to its verification; and what a field shows once its signer has acted.
//! Nothing is added to a document that came signed.

mod act;
mod canvas;
mod card;
mod data;
mod embed;
mod face;
mod fit;
mod layout;
mod letters;
mod paper;
mod place;
mod prose;
mod qr;
mod tree;
mod words;

pub use act::appearance;
pub use data::{Act, Colour, Fact, Sheet, SheetError, Signer};
pub use prose::Prose;

pub(crate) use place::place;
