//! The bytes of PDF objects as values that keep the bytes they were read from.
//! Parsing is strict, bounded in depth and in work, and borrows wherever it can.

mod lexer;
mod parse;
mod value;

pub use lexer::{is_delimiter, is_space, skip_space};
pub use parse::Parser;
pub use value::{Dict, Kind, Ref, Value, is_plain_number};
