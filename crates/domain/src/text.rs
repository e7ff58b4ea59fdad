//! Texts that people write, as types that cannot hold an unacceptable one.

use crate::field_error::FieldError;
use crate::limits;
use std::fmt;

fn check(text: &str, min: usize, max: usize, multiline: bool) -> Result<(), FieldError> {
    if text.trim().is_empty() {
        return Err(FieldError::Missing);
    }
    let length = text.chars().count();
    if length > max {
        return Err(FieldError::TooLong { max });
    }
    if length < min {
        return Err(FieldError::TooShort { min });
    }
    let allowed = |c: char| !is_hostile(c) || multiline && matches!(c, '\n' | '\r' | '\t');
    if text.chars().all(allowed) {
        Ok(())
    } else {
        Err(FieldError::Characters)
    }
}

/// Whether it is a mark that people paste without seeing it. Such marks are dropped.
pub(crate) fn is_pasted_mark(c: char) -> bool {
    matches!(c, '\u{feff}' | '\u{200b}' | '\u{200e}' | '\u{200f}')
}

/// The text without [pasted marks](is_pasted_mark).
pub(crate) fn without_pasted_marks(text: String) -> String {
    if text.contains(is_pasted_mark) {
        text.replace(is_pasted_mark, "")
    } else {
        text
    }
}

/// Characters without a shape of their own: joiners, soft hyphens, fillers, variation selectors, tags. Two names that
/// differ by one of them look the same.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// A name, checked.
fn name(text: String) -> Result<String, FieldError> {
    let text = without_pasted_marks(text);
    check(&text, 1, limits::PERSON_NAME, false)?;
    if text.chars().any(is_invisible) {
        return Err(FieldError::Characters);
    }
    Ok(text)
}

/// A text of some kind, checked.
fn kept(text: String, min: usize, max: usize, multiline: bool) -> Result<String, FieldError> {
    let text = without_pasted_marks(text);
    check(&text, min, max, multiline)?;
    Ok(text)
}

/// Control characters, and the marks that reverse or hide the direction of what follows.
pub(crate) fn is_hostile(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

macro_rules! text {
    ($(#[$doc:meta])* $name:ident, $read:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Takes the text, or says what is wrong with it.
            pub fn new(text: impl Into<String>) -> Result<Self, FieldError> {
                let read: fn(String) -> Result<String, FieldError> = $read;
                read(text.into()).map(Self)
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// A text that was accepted before and is read back.
            pub const fn stored(text: String) -> Self {
                Self(text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text!(
    /// What a folio is called.
    FolioName, |text| kept(text, 1, limits::FOLIO_NAME, false)
);
text!(
    /// The company's message to the signers.
    FolioMessage, |text| kept(text, 1, limits::FOLIO_MESSAGE, true)
);
text!(
    /// Why a folio was cancelled or rejected.
    Observation, |text| kept(text, limits::OBSERVATION_MIN, limits::OBSERVATION_MAX, true)
);
text!(
    /// The law under which a company has documents signed.
    LegalBasis, |text| kept(text, 1, limits::LEGAL_BASIS, false)
);
text!(
    /// A person's full name.
    PersonName, name
);

/// An identification number; inside a folio it names the signer.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(transparent)]
pub struct DocumentNumber(String);

impl DocumentNumber {
    /// Letters, digits, and the dots, hyphens and spaces that people write between them.
    pub fn new(text: impl Into<String>) -> Result<Self, FieldError> {
        let text = without_pasted_marks(text.into());
        check(&text, 1, limits::DOCUMENT_NUMBER, false)?;
        let fits = text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ' '));
        if fits && text.trim() == text {
            Ok(Self(text))
        } else {
            Err(FieldError::NotDocumentNumber)
        }
    }

    /// The number as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its letters and digits alone, in one case: what is left of it however people write it.
    pub fn bare(&self) -> String {
        let kept = self.0.chars().filter(char::is_ascii_alphanumeric);
        kept.map(|c| c.to_ascii_uppercase()).collect()
    }

    /// A number that was accepted before and is read back.
    pub const fn stored(text: String) -> Self {
        Self(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_count_characters() {
        assert!(FolioName::new("ñ".repeat(100)).is_ok());
        assert_eq!(
            FolioName::new("ñ".repeat(101)),
            Err(FieldError::TooLong { max: 100 })
        );
        assert_eq!(
            Observation::new("123456789"),
            Err(FieldError::TooShort { min: 10 })
        );
        assert!(Observation::new("áéíóúñü¿¡-").is_ok());
    }

    #[test]
    fn blanks_count_as_missing() {
        assert_eq!(FolioName::new(" \t\u{a0}"), Err(FieldError::Missing));
        assert_eq!(Observation::new(" ".repeat(20)), Err(FieldError::Missing));
    }

    #[test]
    fn control_and_direction_marks_are_refused() {
        for bad in [
            "a\0b",
            "a\u{1b}b",
            "a\nb",
            "a\u{202e}b",
            "a\u{2066}b",
            "a\u{7f}b",
            "a\u{2028}b",
        ] {
            assert_eq!(FolioName::new(bad), Err(FieldError::Characters), "{bad:?}");
        }
        assert!(FolioMessage::new("Señora:\r\n\tfirme aquí").is_ok());
        assert_eq!(FolioMessage::new("a\0b"), Err(FieldError::Characters));
    }

    #[test]
    fn a_name_has_nothing_that_is_not_seen() {
        for hidden in [
            '\u{ad}',
            '\u{34f}',
            '\u{115f}',
            '\u{1160}',
            '\u{17b4}',
            '\u{17b5}',
            '\u{180b}',
            '\u{180e}',
            '\u{200c}',
            '\u{200d}',
            '\u{2060}',
            '\u{2064}',
            '\u{3164}',
            '\u{fe00}',
            '\u{fe0f}',
            '\u{ffa0}',
            '\u{e0001}',
            '\u{e007f}',
        ] {
            let name = format!("Ana{hidden} Gómez");
            assert_eq!(PersonName::new(name), Err(FieldError::Characters), "{hidden:?}");
        }
        let pasted = PersonName::new("\u{feff}Ana\u{200b} Gó\u{200e}mez\u{200f}").unwrap();
        assert_eq!(pasted.as_str(), "Ana Gómez");
        assert_eq!(PersonName::new("\u{200b}\u{feff}"), Err(FieldError::Missing));
        assert!(PersonName::new("Ana 𠮷田 𝒢").is_ok());
    }

    #[test]
    fn document_numbers_are_plain() {
        assert!(DocumentNumber::new("900.123.456-7").is_ok());
        assert_eq!(DocumentNumber::new("1<2"), Err(FieldError::NotDocumentNumber));
        assert_eq!(DocumentNumber::new(" 12"), Err(FieldError::NotDocumentNumber));
    }
}
