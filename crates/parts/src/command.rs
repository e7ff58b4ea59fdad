//! Running a program to its end, and saying what went wrong in words.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, for a person to read.
pub struct Error(String);

impl Error {
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// For `map_err`: puts what was being attempted before the cause.
    pub fn while_<C: fmt::Display>(attempt: impl fmt::Display) -> impl FnOnce(C) -> Self {
        move |cause| Self(format!("{attempt}: {cause}"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

// Tests unwrap these: the message must stay readable there, line breaks and all.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(cause: io::Error) -> Self {
        Self(cause.to_string())
    }
}

/// Runs a command to its end and returns its standard output; a failure carries the end of what it printed.
pub fn run(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(Error::while_(&name))?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(printed);
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    Err(Error(format!(
        "{name}: {}\n{}",
        output.status,
        last_lines(&format!("{printed}{complaint}"))
    )))
}

/// The end of a log file, for an error message.
pub(crate) fn tail(log: &Path) -> String {
    fs::read(log).map_or_else(
        |_| String::new(),
        |bytes| last_lines(&String::from_utf8_lossy(&bytes)),
    )
}

fn last_lines(text: &str) -> String {
    const MAX_SHOWN_LINES: usize = 25;
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(MAX_SHOWN_LINES)..].join("\n")
}
