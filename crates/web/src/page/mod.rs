//! What pages of every kind share: the language, headers, forms, dates.

mod cookie;
mod dates;
mod form;
mod headers;
mod lang;
mod words;

pub(crate) use cookie::cookie;
pub(crate) use form::{Form, is_from_here, see_other};
pub(crate) use headers::{Embedding, answer, headers};
pub(crate) use lang::Lang;
pub(crate) use words::words;
