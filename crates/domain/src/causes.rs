//! An error with its causes, for logs.

use std::error::Error;
use std::fmt;

/// Shows an error and its causes on one line, the outermost first. A cause that the text before it repeats is left out.
#[derive(Debug, Clone, Copy)]
pub struct Causes<'a>(pub &'a (dyn Error + 'a));

impl fmt::Display for Causes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = self.0.to_string();
        f.write_str(&shown)?;
        let mut cause = self.0.source();
        while let Some(error) = cause {
            let text = error.to_string();
            if !shown.contains(&text) {
                write!(f, ": {text}")?;
                shown = text;
            }
            cause = error.source();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("{0}")]
    struct Layer(&'static str, #[source] Option<Box<Layer>>);

    #[test]
    fn causes_follow_each_other_and_none_is_said_twice() {
        let refused = Layer("connection refused", None);
        let said = Layer("S3: connection refused", Some(Box::new(refused)));
        let storage = Layer("the storage is unavailable", Some(Box::new(said)));
        assert_eq!(
            Causes(&storage).to_string(),
            "the storage is unavailable: S3: connection refused"
        );
    }
}
