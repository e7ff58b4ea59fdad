//! Errors, grouped by the caller's remedy.

use std::error::Error as StdError;
use std::io;

use crate::BlobId;

type Cause = Box<dyn StdError + Send + Sync>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("there is no blob {0}")]
    NotFound(BlobId),

    /// The blob is there but shorter than the range asked for: it was damaged, or the range is wrong.
    #[error("blob {0} ends before the range asked for")]
    Truncated(BlobId),

    /// The blob is there, but its bytes are not those that its name follows from.
    #[error("blob {0} was damaged")]
    Damaged(BlobId),

    /// The disk or quota is full; the caller may retry after the operator freed space.
    #[error("the storage is full: {action}")]
    Full { action: String, source: io::Error },

    /// The storage is absent or refuses; the caller may try again later.
    #[error("the storage is unavailable: {action}")]
    Unavailable { action: String, source: Cause },

    #[error("{action}")]
    Io { action: String, source: io::Error },

    #[error("`{0}` is not an address of the form s3://bucket/prefix")]
    Address(String),

    /// The work panicked, the runtime is shutting down, or an earlier step of the same document had failed.
    #[error("the work on a blob was interrupted")]
    Interrupted(#[source] Cause),
}

impl Error {
    /// Whether the blob is simply not there.
    pub const fn is_not_found(&self) -> bool {
        matches!(self, Self::NotFound(_))
    }

    pub(crate) fn io(action: impl Into<String>, source: io::Error) -> Self {
        let action = action.into();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full { action, source },
            _ => Self::Io { action, source },
        }
    }

    pub(crate) fn unavailable(action: impl Into<String>, source: impl Into<Cause>) -> Self {
        Self::Unavailable {
            action: action.into(),
            source: source.into(),
        }
    }

    pub(crate) fn interrupted(source: impl Into<Cause>) -> Self {
        Self::Interrupted(source.into())
    }
}

/// Adds the operation and the path to an I/O error.
pub(crate) trait During<T> {
    fn during(self, verb: &str, path: &std::path::Path) -> Result<T, Error>;
}

impl<T> During<T> for io::Result<T> {
    fn during(self, verb: &str, path: &std::path::Path) -> Result<T, Error> {
        self.map_err(|source| Error::io(format!("cannot {verb} {}", path.display()), source))
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::Write;
    use std::path::Path;

    use super::*;

    #[test]
    fn a_full_disk_is_an_error_of_its_own() {
        let path = Path::new("/dev/full");
        let mut full = OpenOptions::new().write(true).open(path).unwrap();
        let error = full.write_all(b"x").during("write", path).unwrap_err();
        assert!(matches!(error, Error::Full { .. }), "{error:?}");
        assert_eq!(error.to_string(), "the storage is full: cannot write /dev/full");
    }
}
