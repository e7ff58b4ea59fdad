//! The contents of a sheet.

use crate::language::Language;
use jiff::Zoned;
use pdf::Damage;
use thiserror::Error;

/// The pages to be added to a document. Texts that do not fit are set smaller, then take more lines. They have at most
/// 400 characters each, in any script.
#[derive(Debug, Clone, Copy)]
pub struct Sheet<'s> {
    /// The title of the document.
    pub title: &'s str,
    /// Facts about it, such as its number and its sender; at most six.
    pub facts: &'s [Fact<'s>],
    /// The text at the foot of every page, such as the document's number.
    pub reference: &'s str,
    /// The address where the document can be verified, drawn as a code and as text.
    pub address: &'s str,
    /// The signers, in their order.
    pub signers: &'s [Signer<'s>],
    /// The one colour besides black.
    pub accent: Colour,
    /// The language of the sheet's own texts.
    pub language: Language,
}

/// A line of the sheet's head.
#[derive(Debug, Clone, Copy)]
pub struct Fact<'s> {
    /// What it is.
    pub label: &'s str,
    /// What it says.
    pub value: &'s str,
}

/// A person who is to sign.
#[derive(Debug, Clone, Copy)]
pub struct Signer<'s> {
    /// The name of the field for the signature: printable ASCII without a full stop.
    pub field: &'s str,
    /// The signer's name.
    pub name: &'s str,
    /// The capacity in which the person signs.
    pub role: &'s str,
}

/// A signature as its field shows it.
#[derive(Debug, Clone, Copy)]
pub struct Act<'s> {
    /// The signer's name.
    pub name: &'s str,
    /// The capacity in which the person signed.
    pub role: &'s str,
    /// Kind and number of the signer's identity document.
    pub document: &'s str,
    /// When it happened, in the time zone to be shown.
    pub time: &'s Zoned,
    /// The network address it came from.
    pub address: &'s str,
    /// How the signer was reached and authenticated.
    pub channel: &'s str,
    /// A reference to the text that the signer accepted.
    pub consent: &'s str,
    /// What the signer drew or typed as a picture of the signature, if anything. It decorates the card.
    pub picture: Option<Picture<'s>>,
    /// The one colour besides black.
    pub accent: Colour,
    /// The language of the sheet.
    pub language: Language,
}

/// A picture of a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture<'s> {
    /// Lines through points of an area of that width and height, from its left and its top.
    Drawn {
        /// Width and height.
        area: [u16; 2],
        /// The lines; their points are in the area.
        strokes: &'s [Vec<[u16; 2]>],
    },
    /// A text in slanted letters.
    Typed(&'s str),
}

/// A colour of the screen: red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

/// Why a sheet or an appearance cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SheetError {
    /// The document carries signatures, which a new page would break.
    #[error("a signed document gets no sheet")]
    Signed,
    /// There are no signers, or too many.
    #[error("a sheet is for one to {limit} signers")]
    Signers {
        /// How many there may be.
        limit: usize,
    },
    /// The name of a field is taken, or is not a plain one.
    #[error("the name of a field is taken or not a plain one")]
    FieldName,
    /// The address is too long for a QR code.
    #[error("the address is too long for a code")]
    Address,
    /// The document has no empty field of that name on a sheet of ours.
    #[error("there is no empty field of that name on the sheet")]
    NoSuchField,
    /// The stored state does not hold together.
    #[error("the stored state is damaged: {0}")]
    State(#[from] Damage),
}
