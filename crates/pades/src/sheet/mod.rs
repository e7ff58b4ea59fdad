//! The signature sheet: pages at the end of a document with a field for every signer, the document's hash and
//! a QR code that leads to its verification; and the appearance of a field once its signer has signed.
//! Nothing is added to a document that came signed.

mod appearance;
mod append;
mod archive;
mod canvas;
mod charset;
mod data;
mod embedded_fonts;
mod font;
mod layout;
mod line_break;
mod page_tree;
mod paper;
mod qr;
mod scripts;
mod signature_appearance;
mod signer_card;
mod text_document;
mod texts;

pub use appearance::Appearance;
pub use data::{Act, Colour, Fact, Picture, Sheet, SheetError, Signer};
pub use scripts::Subsets;
pub use signature_appearance::appearance;
pub use text_document::TextDocument;

pub(crate) use append::{append_blank_sheet, append_sheet};
pub(crate) use archive::Archive;
