//! The page that asks for confirmation before an act that is final or that others notice. It works without a
//! script.

use super::layout::PanelLayout;
use askama::Template;

/// The question.
#[derive(Debug, Template)]
#[template(path = "panel/confirm.html")]
pub(crate) struct ConfirmPage {
    pub(crate) f: PanelLayout,
    pub(crate) title: String,
    /// The consequence.
    pub(crate) lead: String,
    /// Whether it cannot be undone.
    pub(crate) lasting: bool,
    /// What it is about, line by line.
    pub(crate) about: Vec<String>,
    /// Where the form goes.
    pub(crate) action: String,
    /// The fields of the form besides the CSRF token.
    pub(crate) fields: Vec<(&'static str, String)>,
    /// What the button says.
    pub(crate) button: String,
    /// The way back.
    pub(crate) back: String,
}
