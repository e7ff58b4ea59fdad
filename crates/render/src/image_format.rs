//! The formats of page images.

/// The format of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ImageFormat {
    /// Lossless.
    Png,
    /// Lossy.
    Jpeg,
}

/// How pages with photographic content are encoded; pages of text and flat areas are always PNG.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Photographs {
    /// As PNG.
    Png,
    /// As JPEG, at the best quality that takes at most so many bytes. Only what is mere noise takes more.
    Jpeg {
        /// The bytes.
        max_bytes: usize,
    },
}
