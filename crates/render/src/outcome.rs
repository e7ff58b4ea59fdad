//! The results of drawing a page.

use thiserror::Error;

use crate::image_format::ImageFormat;

/// A page as an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The format of the file.
    pub format: ImageFormat,
    /// The image file.
    pub file: Vec<u8>,
}

/// How large a page is, in whole points, as it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageSize {
    /// From side to side.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}

/// A drawn page, and whether it is faithful.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Rendered {
    /// The page as readers show it.
    Faithful(Picture),
    /// A part of the page was not understood and may be missing from the image.
    WithWarnings {
        /// The image without that part.
        picture: Picture,
        /// The parts that were not understood.
        warnings: Vec<RenderWarning>,
    },
}

/// The text of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageText {
    /// Lines in the order in which the page draws them.
    pub text: String,
    /// Whether every letter of the page could be read.
    pub complete: bool,
}

/// A part of a page that was not understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RenderWarning {
    /// A font cannot be read, and another one replaces it.
    Font,
    /// A font is not embedded, and the one that stands in for it lacks letters of the page.
    MissingFont,
    /// An image cannot be decoded, or lacks a part.
    Image,
    /// An annotation or form field cannot be drawn.
    Annotation,
    /// A part of the page's contents cannot be decoded.
    Contents,
}

impl RenderWarning {
    /// Every kind, in the order of their bits in a message.
    pub(super) const ALL: [Self; 5] = [
        Self::Font,
        Self::MissingFont,
        Self::Image,
        Self::Annotation,
        Self::Contents,
    ];
}

/// Why there is no image or text of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Failure {
    /// The document cannot be read.
    #[error("the document cannot be read")]
    Unreadable,
    /// The document has no such page, or the page no size.
    #[error("the document has no such page")]
    NoSuchPage,
    /// The image came out empty although the page draws something.
    #[error("the page draws something, but its image is empty")]
    Blank,
    /// The page takes too long.
    #[error("the page takes too long to draw")]
    TooSlow,
    /// The page takes more memory than it may, or nests too deeply.
    #[error("the page needs too much memory")]
    TooLarge,
    /// The renderer broke on the page.
    #[error("the renderer broke on the page")]
    Crashed,
    /// Every worker is busy.
    #[error("every renderer is busy")]
    Busy,
    /// No worker can be started.
    #[error("no renderer can be started")]
    NoWorker,
}
