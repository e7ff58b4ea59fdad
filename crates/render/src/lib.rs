#![doc = include_str!("../README.md")]

mod annotations;
mod blank_page;
mod colour_spaces;
mod contents;
mod deflate;
mod draw;
mod encode;
mod filters;
mod fonts;
mod group_probe;
mod image_format;
mod image_samples;
mod layers;
mod limits;
mod lone_image;
mod normalize_xref;
mod operations;
mod outcome;
mod paint_probe;
mod pool;
mod protocol;
mod sandbox;
mod text;
mod worker;
mod worker_process;

pub use image_format::{ImageFormat, Photographs};
pub use limits::Limits;
pub use outcome::{Failure, PageSize, PageText, Picture, RenderWarning, Rendered};
pub use pool::{Pool, Source};
pub use sandbox::{Sandbox, run_confined};
pub use worker::run_worker;
pub use worker_process::Launch;
