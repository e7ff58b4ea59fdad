//! The properties of a new signature.

use jiff::Timestamp;

use super::Appearance;
use crate::sheet::Sheet;

/// A signature to be made.
#[derive(Debug, Clone)]
pub struct NewSignature<'r> {
    /// The field that holds it.
    pub field: Field<'r>,
    /// The time the signer's act took place, as the service saw it.
    pub time: Timestamp,
    /// The name of the signer, for readers that do not read it from the certificate.
    pub name: Option<&'r str>,
    /// Why it was signed.
    pub reason: Option<&'r str>,
    /// Where it was signed.
    pub location: Option<&'r str>,
    /// Certifies the document: only the first signature can.
    pub certify: Option<Permission>,
    /// Fields that may not change after this signature.
    pub lock: Option<Lock<'r>>,
    /// How the signature is drawn, if it is visible.
    pub appearance: Option<Appearance>,
    /// The signature sheet to add before the signature, in the same increment; only the first signature can.
    pub sheet: Option<Sheet<'r>>,
    /// Bytes to reserve for the CMS.
    pub reserve: usize,
}

impl<'r> NewSignature<'r> {
    /// An invisible approval signature in the given field.
    pub fn new(field: Field<'r>, time: Timestamp, reserve: usize) -> Self {
        Self {
            field,
            time,
            name: None,
            reason: None,
            location: None,
            certify: None,
            lock: None,
            appearance: None,
            sheet: None,
            reserve,
        }
    }
}

/// The field of a signature.
#[derive(Debug, Clone, Copy)]
pub enum Field<'r> {
    /// An empty signature field the document already has, by its full name.
    Existing(&'r str),
    /// A new field on the first page, without an area: it shows in the reader's list of signatures only.
    Invisible(&'r str),
    /// A new field on the first page, in points from its lower left corner: left, bottom, right, top.
    Visible(&'r str, [f64; 4]),
}

/// The changes that a certification allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// Nothing at all, not even further signatures.
    Nothing,
    /// Filling in forms and signing.
    FillAndSign,
    /// Also annotating.
    Annotate,
}

impl Permission {
    pub(super) fn level(self) -> u8 {
        match self {
            Self::Nothing => 1,
            Self::FillAndSign => 2,
            Self::Annotate => 3,
        }
    }
}

/// The fields a signature locks, by their full names.
#[derive(Debug, Clone, Copy)]
pub enum Lock<'r> {
    /// Every field.
    All,
    /// These.
    Only(&'r [&'r str]),
    /// All but these.
    AllBut(&'r [&'r str]),
}
