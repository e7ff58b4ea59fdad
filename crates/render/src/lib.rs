//! Pages as images and as text, drawn in child processes with limits on memory and time, which reach nothing else.
//! A page that cannot be shown faithfully is reported; it never becomes an empty image.

mod annotations;
mod blank_page;
mod child;
mod contents;
mod deflate;
mod draw;
mod encode;
mod fonts;
mod image_format;
mod limits;
mod normalize_xref;
mod outcome;
mod pool;
mod protocol;
mod samples;
mod sandbox;
mod text;
mod worker;

pub use child::Launch;
pub use image_format::{ImageFormat, Photographs};
pub use limits::Limits;
pub use outcome::{Failure, PageSize, PageText, Picture, RenderWarning, Rendered};
pub use pool::{Pool, Source};
pub use sandbox::{Sandbox, run_confined};
pub use worker::run_worker;
