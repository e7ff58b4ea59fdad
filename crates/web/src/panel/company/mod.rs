//! The company: what it is called, what it looks like, what it wants of folios.

mod form;
mod page;
mod reminder_form;
mod samples;

pub(super) use page::{logo, page, remove_logo, save};
pub(super) use samples::samples;
