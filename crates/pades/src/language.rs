//! Languages for people.

use jiff::Zoned;

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

    /// A date and time, to the second, with the offset from UTC.
    pub(crate) fn date_and_time(self, time: &Zoned) -> String {
        let months = self.pick(SPANISH_MONTHS, ENGLISH_MONTHS, PORTUGUESE_MONTHS);
        let month = usize::from(time.month().unsigned_abs()).saturating_sub(1);
        let month = months.get(month).copied().unwrap_or_default();
        let minutes = time.offset().seconds() / 60;
        let sign = if minutes < 0 { '−' } else { '+' };
        let (hours, minutes) = (minutes.abs() / 60, minutes.abs() % 60);
        let offset = match (hours, minutes) {
            (0, 0) => "UTC".into(),
            (_, 0) => format!("UTC{sign}{hours}"),
            _ => format!("UTC{sign}{hours}:{minutes:02}"),
        };
        let clock = time.strftime("%H:%M:%S");
        let (day, year) = (time.day(), time.year());
        match self {
            Self::Spanish | Self::Portuguese => {
                format!("{day} de {month} de {year}, {clock} ({offset})")
            }
            Self::English => format!("{day} {month} {year}, {clock} ({offset})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Language;
    use jiff::Timestamp;
    use jiff::tz::{Offset, TimeZone};

    #[test]
    fn a_date_and_time_is_written_in_the_form_of_the_language() {
        let at: Timestamp = "2026-03-02T14:30:05Z".parse().unwrap();
        let utc = at.to_zoned(TimeZone::UTC);
        for (language, text) in [
            (Language::Spanish, "2 de marzo de 2026, 14:30:05 (UTC)"),
            (Language::English, "2 March 2026, 14:30:05 (UTC)"),
            (Language::Portuguese, "2 de março de 2026, 14:30:05 (UTC)"),
        ] {
            assert_eq!(language.date_and_time(&utc), text);
        }
        let there = at.to_zoned(TimeZone::fixed(Offset::from_seconds(-16_200).unwrap()));
        assert_eq!(
            Language::Spanish.date_and_time(&there),
            "2 de marzo de 2026, 10:00:05 (UTC−4:30)"
        );
    }
}
