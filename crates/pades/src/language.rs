//! Languages for people.

/// A language of sheets and of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// Español.
    #[default]
    Spanish,
    /// English.
    English,
    /// Português.
    Portuguese,
}

impl Language {
    /// Its code (ISO 639-1).
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::Spanish => "es",
            Self::English => "en",
            Self::Portuguese => "pt",
        }
    }

    /// What is said in this language.
    pub(crate) fn pick<T>(self, spanish: T, english: T, portuguese: T) -> T {
        match self {
            Self::Spanish => spanish,
            Self::English => english,
            Self::Portuguese => portuguese,
        }
    }
}
