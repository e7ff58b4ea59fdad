//! Why a message did not leave: for now, or for good.

use app::messages::SendFailure;
use std::fmt::Display;

/// Why a message could not be sent: a [`Reason`] on one line. What a server said in it may repeat the recipient.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It may work later.
    #[error("{0}")]
    Transient(String),
    /// It never will.
    #[error("{0}")]
    Permanent(String),
    /// It is no longer wanted: another message takes its place (a newer code, or that all have signed), or the signer has nothing
    /// left to be reminded of.
    #[error("superseded")]
    Superseded,
}

/// Characters of a reason, or of a reply.
const MAX_REASON_CHARS: usize = 300;
/// Characters that are read of a response: more than a reason has, so that redaction happens before it is
/// cut.
const MAX_RESPONSE_CHARS: usize = 4096;

/// The text of a failure. Our own part of it is a [`SendFailure`], so that people can read it in their language.
#[derive(Debug)]
pub struct Reason(String);

impl Reason {
    /// Our own words and, after a colon, a server's reply or a program's error.
    pub fn detailed(failure: SendFailure, detail: impl Display) -> Self {
        Self(format!("{}: {detail}", failure.stored()))
    }

    /// What a server replied, beginning with its status.
    pub fn reply(said: impl Display) -> Self {
        Self(said.to_string())
    }
}

impl From<SendFailure> for Reason {
    fn from(failure: SendFailure) -> Self {
        Self(failure.stored().to_owned())
    }
}

impl Failure {
    /// A failure that may pass.
    pub fn transient(reason: impl Into<Reason>) -> Self {
        Self::Transient(one_line(&reason.into().0))
    }

    /// A failure for good.
    pub fn permanent(reason: impl Into<Reason>) -> Self {
        Self::Permanent(one_line(&reason.into().0))
    }

    /// The reason, cut to its limit.
    pub fn reason(&self) -> &str {
        let said = match self {
            Self::Transient(said) | Self::Permanent(said) => said,
            Self::Superseded => "superseded",
        };
        cut(said)
    }

    /// The same without these words: a server may repeat parts of the message in its error.
    #[must_use]
    pub(crate) fn without(self, words: &[&str]) -> Self {
        let struck = |said: String| without_words(said, words);
        match self {
            Self::Transient(said) => Self::Transient(struck(said)),
            Self::Permanent(said) => Self::Permanent(struck(said)),
            Self::Superseded => Self::Superseded,
        }
    }
}

/// The part of a reason that is our own text, and may go into a log.
pub(crate) fn stage(reason: &str) -> &str {
    reason.split_once(':').map_or(reason, |(stage, _)| stage)
}

/// What a server answered, or a program found: one line, without these words, cut to its limit.
pub(crate) fn plain_reply(reply: &str, words: &[&str]) -> String {
    cut(&without_words(one_line(reply), words)).to_owned()
}

fn cut(said: &str) -> &str {
    let end = said.char_indices().nth(MAX_REASON_CHARS);
    end.map_or(said, |(end, _)| &said[..end])
}

fn without_words(said: String, words: &[&str]) -> String {
    words.iter().fold(said, |said, word| strike(&said, word))
}

/// The text without a word, in upper or lower case.
fn strike(text: &str, word: &str) -> String {
    if word.is_empty() {
        return text.to_owned();
    }
    let (within, sought) = (text.to_ascii_lowercase(), word.to_ascii_lowercase());
    let mut left = String::with_capacity(text.len());
    let mut from = 0;
    for (at, found) in within.match_indices(sought.as_str()) {
        left.push_str(&text[from..at]);
        left.push('…');
        from = at + found.len();
    }
    left.push_str(&text[from..]);
    left
}

/// Responses of servers go into histories: no control characters, and a bounded length.
fn one_line(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let text: String = text.chars().map(plain).take(MAX_RESPONSE_CHARS).collect();
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_short_and_on_one_line() {
        let failure = Failure::transient(Reason::reply(format_args!("a\r\nb\0c{}", "x".repeat(1000))));
        assert!(failure.reason().starts_with("a  b c"));
        assert_eq!(failure.reason().chars().count(), 300);
    }

    #[test]
    fn what_was_repeated_is_struck_out_also_where_a_reason_ends() {
        let said = format!("<Ana@ñ.co> {} ana@ñ.co no", "x".repeat(285));
        let reason = Reason::detailed(SendFailure::Recipient, said);
        let failure = Failure::permanent(reason).without(&["ana@ñ.co", ""]);
        assert!(failure.reason().starts_with("RCPT TO: <…> x"), "{failure}");
        assert!(
            !failure.to_string().to_ascii_lowercase().contains("ana"),
            "{failure}"
        );
        assert!(failure.reason().ends_with("x …"), "{failure}");
        assert_eq!(stage(failure.reason()), "RCPT TO");
        assert_eq!(
            stage(Failure::transient(Reason::reply("503 Service Unavailable: ")).reason()),
            "503 Service Unavailable"
        );
    }
}
