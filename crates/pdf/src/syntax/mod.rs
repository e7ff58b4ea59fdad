//! The bytes of PDF objects as values that remember where they came from.
//! Reading is strict, bounded in depth and in work, and never copies what it can borrow.

mod lexer;
mod parse;
mod value;

pub use lexer::{is_delimiter, is_space, skip_space};
pub use parse::Parser;
pub use value::{Dict, Kind, Ref, Value, is_plain_number};
