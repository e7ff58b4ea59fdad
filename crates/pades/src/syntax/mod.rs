//! The bytes of PDF objects as values that remember where they came from.
//! Reading is strict, bounded in depth and in work, and never copies what it can borrow.

mod lexer;
mod meter;
mod parse;
mod value;

pub(crate) use lexer::{is_delimiter, is_space, skip_space};
pub(crate) use meter::Meter;
pub(crate) use parse::Parser;
pub(crate) use value::{Dict, Kind, Ref, Value, is_plain_number};
