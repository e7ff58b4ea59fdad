//! Why a signature cannot be made.

use pdf::Damage;
use pki::cms::CmsError;
use thiserror::Error;

use crate::sheet;

/// Why a signature cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SignError {
    /// There is no empty signature field of that name.
    #[error("there is no empty signature field of that name")]
    NoSuchField,
    /// A field of that name exists already, or the name is not a plain one.
    #[error("the name of the field is taken or not a plain one")]
    NameTaken,
    /// A signature in the document forbids any other.
    #[error("the document is locked against further signatures")]
    Locked,
    /// Only the first signature of a document can certify it.
    #[error("only the first signature can certify a document")]
    NotFirst,
    /// The signature does not fit into the space reserved for it.
    #[error("the signature needs {needed} bytes, {reserved} were reserved")]
    TooLarge {
        /// Bytes it needs.
        needed: usize,
        /// Bytes that were reserved.
        reserved: usize,
    },
    /// The stored state does not hold together.
    #[error("the stored state is damaged: {0}")]
    State(#[from] Damage),
    /// The sheet cannot be added.
    #[error(transparent)]
    Sheet(#[from] sheet::SheetError),
    /// The certificate cannot be used.
    #[error(transparent)]
    Cms(#[from] CmsError),
}
