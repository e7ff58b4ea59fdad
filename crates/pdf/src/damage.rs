//! Why a file cannot be read.

use thiserror::Error;

/// What is wrong with the structure of a file, or which budget reading it exhausted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Damage {
    /// An object is malformed.
    #[error("malformed object at byte {0}")]
    Syntax(usize),
    /// The end of the file does not say where its cross-references are.
    #[error("no startxref near the end of the file")]
    NoEnd,
    /// A cross-reference section is malformed.
    #[error("malformed cross-reference section at byte {0}")]
    CrossReference(usize),
    /// A cross-reference section lists an object twice, and readers disagree about which entry counts.
    #[error("a cross-reference section lists object {0} twice")]
    ListedTwice(u32),
    /// Cross-reference sections point at each other in a circle.
    #[error("the cross-reference sections form a loop")]
    Loop,
    /// The cross-references point to a place where the object is not.
    #[error("object {0} is not where the cross-references say")]
    Misplaced(u32),
    /// An object that must exist does not, or is of another type.
    #[error("object {0} is missing or of the wrong type")]
    Missing(u32),
    /// A required entry of a dictionary is missing or of the wrong type.
    #[error("the entry {0} is missing or of the wrong type")]
    Entry(&'static str),
    /// A key appears twice in one dictionary, with different values.
    #[error("a dictionary says two things under one key")]
    Ambiguous,
    /// A stream does not end where its length says.
    #[error("the stream of object {0} does not end where it says")]
    StreamEnd(u32),
    /// A structural stream is compressed in a way that is not allowed here.
    #[error("the structural stream {0} uses an unsupported filter")]
    Filter(u32),
    /// The encryption is of an unknown kind.
    #[error("the encryption is of an unknown kind")]
    Encryption,
    /// Encrypted data is corrupt.
    #[error("encrypted data is corrupt")]
    Encrypted,
    /// The password does not open the file.
    #[error("the password does not open the file")]
    Password,
    /// Compressed data is corrupt.
    #[error("compressed data is corrupt")]
    Compressed,
    /// Compressed data expands beyond its limit.
    #[error("compressed data expands beyond its limit")]
    Inflated,
    /// Values are nested too deeply.
    #[error("values are nested too deeply")]
    TooDeep,
    /// There are more values than the limit.
    #[error("there are more values than the limit")]
    TooComplex,
    /// Reading takes longer than the limit.
    #[error("reading takes longer than the limit")]
    TooSlow,
    /// There are more objects or cross-reference sections than the limit.
    #[error("there are more objects or revisions than the limit")]
    TooManyObjects,
    /// The page tree is malformed: a loop, a node of an unknown type or a wrong count.
    #[error("the page tree is malformed")]
    PageTree,
    /// The form's field tree is malformed.
    #[error("the tree of form fields is malformed")]
    FieldTree,
    /// A page is too small or too large to be seen.
    #[error("page {0} has an impossible size")]
    PageSize(u32),
    /// A second, independent reader understands the file differently.
    #[error("two readers understand the file differently")]
    ReadersDisagree,
}

impl Damage {
    /// Whether a limit was exceeded rather than a rule broken.
    pub fn is_excess(self) -> bool {
        matches!(
            self,
            Self::Inflated | Self::TooDeep | Self::TooComplex | Self::TooSlow | Self::TooManyObjects
        )
    }
}
