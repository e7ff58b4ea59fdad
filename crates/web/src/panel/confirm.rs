//! The page that asks before something that cannot be undone, or that others feel at once. It works without a script.

use super::frame::Frame;
use askama::Template;

/// The question.
#[derive(Debug, Template)]
#[template(path = "panel/confirm.html")]
pub(crate) struct ConfirmPage {
    pub(crate) f: Frame,
    pub(crate) title: String,
    /// What comes of it.
    pub(crate) lead: String,
    /// Whether it cannot be undone.
    pub(crate) lasting: bool,
    /// What it is about, line by line.
    pub(crate) about: Vec<String>,
    /// Where the form goes.
    pub(crate) action: String,
    /// What the form carries besides its mark.
    pub(crate) fields: Vec<(&'static str, String)>,
    /// What the button says.
    pub(crate) button: String,
    /// The way back.
    pub(crate) back: String,
}
