//! The languages in which the service speaks to signers.

use crate::field_error::FieldError;
use std::str::FromStr;

const SPANISH_MONTHS: [&str; 12] = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
];
const ENGLISH_MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const PORTUGUESE_MONTHS: [&str; 12] = [
    "janeiro",
    "fevereiro",
    "março",
    "abril",
    "maio",
    "junho",
    "julho",
    "agosto",
    "setembro",
    "outubro",
    "novembro",
    "dezembro",
];

/// A language of signers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// Español, as in Colombia.
    #[default]
    Spanish,
    /// English.
    English,
    /// Português, as in Brazil.
    Portuguese,
}

impl Language {
    /// Every language.
    pub const ALL: [Self; 3] = [Self::Spanish, Self::English, Self::Portuguese];
    /// The codes of all of them.
    pub const CODES: [&'static str; 3] = ["es", "en", "pt"];

    /// Its code (ISO 639-1).
    pub const fn code(self) -> &'static str {
        let [spanish, english, portuguese] = Self::CODES;
        match self {
            Self::Spanish => spanish,
            Self::English => english,
            Self::Portuguese => portuguese,
        }
    }

    /// A month, from one to twelve.
    fn month(self, number: i8) -> &'static str {
        let months = match self {
            Self::Spanish => &SPANISH_MONTHS,
            Self::English => &ENGLISH_MONTHS,
            Self::Portuguese => &PORTUGUESE_MONTHS,
        };
        let index = usize::from(number.unsigned_abs()).saturating_sub(1);
        months.get(index).copied().unwrap_or_default()
    }

    /// A day: "2 de marzo de 2026".
    pub fn day(self, day: i8, month: i8, year: i16) -> String {
        let month = self.month(month);
        match self {
            Self::Spanish | Self::Portuguese => format!("{day} de {month} de {year}"),
            Self::English => format!("{day} {month} {year}"),
        }
    }

    /// A time of the day: "9:30 a. m.", "9:30 a.m.", "09:30". It ends a sentence as it is, except in Portuguese.
    pub fn clock(self, hour: i8, minute: i8) -> String {
        let half = match (self, hour < 12) {
            (Self::Spanish, true) => "a.\u{a0}m.",
            (Self::Spanish, false) => "p.\u{a0}m.",
            (Self::English, true) => "a.m.",
            (Self::English, false) => "p.m.",
            (Self::Portuguese, _) => return format!("{hour:02}:{minute:02}"),
        };
        let hour = (hour + 11) % 12 + 1;
        format!("{hour}:{minute:02}\u{a0}{half}")
    }

    /// A day and a time of it, as a sentence says them: "2 de marzo de 2026 a las 9:30 a. m."
    pub fn day_at(self, day: &str, clock: &str) -> String {
        let at = match self {
            Self::Spanish if clock.starts_with("1:") => "a la",
            Self::Spanish => "a las",
            Self::English => "at",
            Self::Portuguese if clock.starts_with("01:") => "à",
            Self::Portuguese => "às",
        };
        format!("{day} {at} {clock}")
    }

    /// What its speakers call it.
    pub const fn own_name(self) -> &'static str {
        match self {
            Self::Spanish => "Español",
            Self::English => "English",
            Self::Portuguese => "Português",
        }
    }
}

/// From a code, perhaps with a region: `pt`, `pt-BR`, `es_CO`.
impl FromStr for Language {
    type Err = FieldError;

    fn from_str(code: &str) -> Result<Self, FieldError> {
        let primary = code.split(['-', '_']).next().unwrap_or_default();
        let known = |language: &Self| language.code().eq_ignore_ascii_case(primary);
        Self::ALL.into_iter().find(known).ok_or(FieldError::NotOneOf {
            allowed: &Self::CODES,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn days_and_times_are_in_the_form_of_the_language() {
        let said = |language: Language| (language.day(2, 3, 2026), language.clock(14, 5));
        let expected = |day: &str, time: &str| (day.to_owned(), time.to_owned());
        assert_eq!(
            said(Language::Spanish),
            expected("2 de marzo de 2026", "2:05\u{a0}p.\u{a0}m.")
        );
        assert_eq!(
            said(Language::English),
            expected("2 March 2026", "2:05\u{a0}p.m.")
        );
        assert_eq!(
            said(Language::Portuguese),
            expected("2 de março de 2026", "14:05")
        );
        assert_eq!(Language::Spanish.clock(0, 7), "12:07\u{a0}a.\u{a0}m.");
    }

    #[test]
    fn a_day_and_its_time_stand_well_in_a_sentence() {
        let said = |language: Language, hour| {
            let text = language.day_at(&language.day(2, 3, 2026), &language.clock(hour, 5));
            text.replace('\u{a0}', " ")
        };
        for (language, hour, text) in [
            (Language::Spanish, 13, "2 de marzo de 2026 a la 1:05 p. m."),
            (Language::Spanish, 11, "2 de marzo de 2026 a las 11:05 a. m."),
            (Language::English, 1, "2 March 2026 at 1:05 a.m."),
            (Language::Portuguese, 1, "2 de março de 2026 à 01:05"),
            (Language::Portuguese, 13, "2 de março de 2026 às 13:05"),
        ] {
            assert_eq!(said(language, hour), text);
        }
    }

    #[test]
    fn a_language_is_found_by_its_code_with_or_without_a_region() {
        for (code, language) in [
            ("es", Some(Language::Spanish)),
            ("en-US", Some(Language::English)),
            ("pt_BR", Some(Language::Portuguese)),
            ("PT", Some(Language::Portuguese)),
            ("", None),
            ("fr", None),
            ("português", None),
        ] {
            assert_eq!(code.parse().ok(), language, "{code}");
        }
    }
}
