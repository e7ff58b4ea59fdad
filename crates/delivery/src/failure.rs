//! Why a message did not leave: for now, or for good.

/// What stood in the way. The text is what the other side said, cut short and on one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It may work later.
    #[error("{0}")]
    Passing(String),
    /// It never will.
    #[error("{0}")]
    Permanent(String),
}

/// Characters of a reason.
const REASON: usize = 300;

impl Failure {
    /// A failure that may pass.
    pub fn passing(said: impl std::fmt::Display) -> Self {
        Self::Passing(one_line(&said.to_string()))
    }

    /// A failure for good.
    pub fn permanent(said: impl std::fmt::Display) -> Self {
        Self::Permanent(one_line(&said.to_string()))
    }

    /// What stood in the way.
    pub fn reason(&self) -> &str {
        match self {
            Self::Passing(reason) | Self::Permanent(reason) => reason,
        }
    }
}

/// What strangers say goes into logs and histories: no control characters, and not without end.
fn one_line(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let text: String = text.chars().map(plain).take(REASON).collect();
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_short_and_on_one_line() {
        let failure = Failure::passing(format!("a\r\nb\0c{}", "x".repeat(1000)));
        assert!(failure.reason().starts_with("a  b c"));
        assert_eq!(failure.reason().chars().count(), 300);
    }
}
