//! What reaches a terminal or a log. Names, labels and errors of others pass through `pki::escape` here, and only here.

use pki::escape::{escape, escape_json};
use std::error::Error;
use std::io::{self, Write};
use tracing_subscriber::fmt::MakeWriter;

/// Prints a line to standard output.
macro_rules! say {
    ($($part:tt)*) => {
        println!("{}", pki::escape::escape(&format!($($part)*)))
    };
}
pub(crate) use say;

/// Adds a line to a text for people.
macro_rules! line {
    ($out:expr, $($part:tt)*) => {
        $crate::terminal::add_line($out, format_args!($($part)*))
    };
}
pub(crate) use line;

pub(crate) fn add_line(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.push_str(&escape(&text.to_string()));
    out.push('\n');
}

/// An error and everything behind it, on one line each.
pub(crate) fn print_error(error: &dyn Error) {
    eprintln!("firmeza: {}", escape(&error.to_string()));
    let mut source = error.source();
    while let Some(cause) = source {
        eprintln!("  because: {}", escape(&cause.to_string()));
        source = cause.source();
    }
}

/// Standard error, an event of the log a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Log {
    pub(crate) json: bool,
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        *self
    }
}

impl Log {
    /// An event, which ends in the only line end that stays one.
    fn escaped(self, event: &[u8]) -> String {
        let text = String::from_utf8_lossy(event);
        let text = text.strip_suffix('\n').unwrap_or(&text);
        let mut escaped = if self.json {
            escape_json(text).replace('\n', "\\n")
        } else {
            escape(text).into_owned()
        };
        escaped.push('\n');
        escaped
    }
}

impl Write for Log {
    /// The subscriber hands over an event at a time.
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        io::stderr().lock().write_all(self.escaped(event).as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names are kept by one crate and shown by another: both know the same characters.
    #[test]
    fn no_name_needs_to_be_escaped() {
        for c in '\0'..=char::MAX {
            let text = format!("a{c}b");
            let kept = domain::PersonName::new(text.as_str()).is_ok_and(|name| name.as_str() == text);
            assert_eq!(kept, !pki::escape::is_deceptive(c), "{c:?}");
        }
    }

    #[test]
    fn an_event_of_the_log_is_one_line_that_steers_no_terminal() {
        let event = "WARN mail: 550 \u{1b}[2J\nINFO forged \u{202e}\n".as_bytes();
        let text = Log { json: false }.escaped(event);
        assert_eq!(text, "WARN mail: 550 \\u{1b}[2J\\u{a}INFO forged \\u{202e}\n");
        let event = "{\"error\":\"550 \u{9b}2J\u{202e}\"}\n".as_bytes();
        let json = Log { json: true }.escaped(event);
        assert_eq!(json, "{\"error\":\"550 \\u009b2J\\u202e\"}\n");
    }
}
