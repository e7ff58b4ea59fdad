//! An error with its causes, for logs.

use std::error::Error;
use std::fmt;

/// Shows an error and its causes on one line, the outermost first. A cause that the text before it repeats is left out, and
/// so are further lines of a text: `PostgreSQL` puts values of a row there, which may be personal.
#[derive(Debug, Clone, Copy)]
pub struct Causes<'a>(pub &'a (dyn Error + 'a));

impl fmt::Display for Causes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = first_line(self.0);
        f.write_str(&shown)?;
        let mut cause = self.0.source();
        while let Some(error) = cause {
            let text = first_line(error);
            if !shown.contains(&text) {
                write!(f, ": {text}")?;
                shown = text;
            }
            cause = error.source();
        }
        Ok(())
    }
}

fn first_line(error: &dyn Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("{0}")]
    struct Layer(&'static str, #[source] Option<Box<Layer>>);

    #[test]
    fn causes_follow_each_other_and_none_is_said_twice() {
        let refused = Layer("connection refused\nDETAIL: Ana", None);
        let said = Layer("S3: connection refused", Some(Box::new(refused)));
        let storage = Layer("the storage is unavailable", Some(Box::new(said)));
        assert_eq!(
            Causes(&storage).to_string(),
            "the storage is unavailable: S3: connection refused"
        );
    }
}
