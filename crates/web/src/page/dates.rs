//! Times, spans and sizes as people say them, in every language.

use super::Lang;
use domain::Timestamp;
use jiff::tz::TimeZone;
use std::time::Duration;

impl Lang {
    /// A number with its thousands apart: "1.253", "1,253".
    pub(crate) fn number(self, number: i64) -> String {
        let digits = number.unsigned_abs().to_string();
        let point = match self {
            Self::Es | Self::Pt => '.',
            Self::En => ',',
        };
        let mut text = String::with_capacity(digits.len() * 4 / 3 + 1);
        if number < 0 {
            text.push('-');
        }
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                text.push(point);
            }
            text.push(digit);
        }
        text
    }

    /// A number with one decimal: "4,5", "4.5".
    pub(crate) fn tenths(self, number: f64) -> String {
        let text = format!("{number:.1}");
        match self {
            Self::Es | Self::Pt => text.replace('.', ","),
            Self::En => text,
        }
    }

    /// A size as people say it.
    pub(crate) fn size(self, bytes: u64) -> String {
        let tenths = bytes.saturating_mul(10) >> 20;
        let point = match self {
            Self::Es | Self::Pt => ',',
            Self::En => '.',
        };
        match bytes {
            0..1_048_576 => format!("{} KB", bytes.div_ceil(1024)),
            _ => format!("{}{point}{} MB", tenths / 10, tenths % 10),
        }
    }

    pub(crate) fn wait(self, span: Duration) -> String {
        let seconds = span.as_secs().max(1);
        let (number, one, many) = match (self, seconds) {
            (Self::Es | Self::Pt, 0..90) => (seconds, "segundo", "segundos"),
            (Self::Es | Self::Pt, 90..5400) => (seconds.div_ceil(60), "minuto", "minutos"),
            (Self::Es | Self::Pt, _) => (seconds.div_ceil(3600), "hora", "horas"),
            (Self::En, 0..90) => (seconds, "second", "seconds"),
            (Self::En, 90..5400) => (seconds.div_ceil(60), "minute", "minutes"),
            (Self::En, _) => (seconds.div_ceil(3600), "hour", "hours"),
        };
        let unit = if number == 1 { one } else { many };
        match self {
            Self::Es => format!("Intente de nuevo en {number} {unit}."),
            Self::En => format!("Try again in {number} {unit}."),
            Self::Pt => format!("Tente de novo em {number} {unit}."),
        }
    }

    /// "9:30 a. m."
    pub(crate) fn time(self, at: Timestamp, zone: &TimeZone) -> String {
        local(at, zone).map_or_else(String::new, |at| self.language().clock(at.hour(), at.minute()))
    }

    /// "2 de marzo de 2026, 9:30 a. m."
    pub(crate) fn date(self, at: Timestamp, zone: &TimeZone) -> String {
        let time = self.time(at, zone);
        local(at, zone).map_or_else(String::new, |at| {
            let day = self.language().day(at.day(), at.month(), at.year());
            format!("{day}, {time}")
        })
    }

    /// The same as a sentence says it: "2 de marzo de 2026 a las 9:30 a. m."
    pub(crate) fn date_in_sentence(self, at: Timestamp, zone: &TimeZone) -> String {
        let (language, time) = (self.language(), self.time(at, zone));
        local(at, zone).map_or_else(String::new, |at| {
            language.day_at(&language.day(at.day(), at.month(), at.year()), &time)
        })
    }

    /// "hace 3 horas".
    pub(crate) fn ago(self, at: Timestamp, now: Timestamp) -> String {
        if at > now {
            return self.ahead(at.since(now));
        }
        let seconds = now.since(at).as_secs();
        let Some(span) = self.span(seconds) else {
            return match self {
                Self::Es => "hace un momento".to_owned(),
                Self::En => "a moment ago".to_owned(),
                Self::Pt => "há um instante".to_owned(),
            };
        };
        match self {
            Self::Es => format!("hace {span}"),
            Self::En => format!("{span} ago"),
            Self::Pt => format!("há {span}"),
        }
    }

    /// "en 3 horas".
    fn ahead(self, span: Duration) -> String {
        let span = self.span(span.as_secs());
        match (self, span) {
            (Self::Es, None) => "en un momento".to_owned(),
            (Self::En, None) => "in a moment".to_owned(),
            (Self::Pt, None) => "em um instante".to_owned(),
            (Self::Es, Some(span)) => format!("en {span}"),
            (Self::En, Some(span)) => format!("in {span}"),
            (Self::Pt, Some(span)) => format!("em {span}"),
        }
    }

    /// A span by its largest unit; nothing where it is not worth counting.
    fn span(self, seconds: u64) -> Option<String> {
        const UNITS: [(u64, [[&str; 2]; 3]); 5] = [
            (31_557_600, [["año", "años"], ["year", "years"], ["ano", "anos"]]),
            (
                2_629_800,
                [["mes", "meses"], ["month", "months"], ["mês", "meses"]],
            ),
            (86_400, [["día", "días"], ["day", "days"], ["dia", "dias"]]),
            (3_600, [["hora", "horas"], ["hour", "hours"], ["hora", "horas"]]),
            (
                60,
                [
                    ["minuto", "minutos"],
                    ["minute", "minutes"],
                    ["minuto", "minutos"],
                ],
            ),
        ];
        let (unit, words) = UNITS.into_iter().find(|(unit, _)| seconds >= *unit)?;
        let number = seconds / unit;
        let word = words[self as usize][usize::from(number != 1)];
        Some(format!("{number} {word}"))
    }
}

fn local(at: Timestamp, zone: &TimeZone) -> Option<jiff::Zoned> {
    let at = jiff::Timestamp::from_microsecond(at.as_micros()).ok()?;
    Some(at.to_zoned(zone.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_as_people_say_them() {
        let zone = TimeZone::get("America/Bogota").unwrap();
        let at = Timestamp::from_micros(1_772_461_800_000_000);
        assert_eq!(
            Lang::Es.date(at, &zone),
            "2 de marzo de 2026, 9:30\u{a0}a.\u{a0}m."
        );
        assert_eq!(Lang::En.date(at, &zone), "2 March 2026, 9:30\u{a0}a.m.");
        assert_eq!(Lang::Pt.date(at, &zone), "2 de março de 2026, 09:30");
        assert_eq!(
            Lang::Es.date_in_sentence(at, &zone),
            "2 de marzo de 2026 a las 9:30\u{a0}a.\u{a0}m."
        );
        let noon = at.after(Duration::from_mins(150));
        assert_eq!(Lang::En.time(noon, &zone), "12:00\u{a0}p.m.");
        assert_eq!(Lang::Es.size(3 << 19), "1,5 MB");
        assert_eq!(Lang::Es.size(1), "1 KB");
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1.000"),
            (-12_345, "-12.345"),
            (1_234_567, "1.234.567"),
        ] {
            assert_eq!(Lang::Es.number(number), text);
        }
        assert_eq!(Lang::En.number(1_253), "1,253");
        assert_eq!(Lang::Pt.number(1_253), "1.253");
        assert_eq!(Lang::ALL.map(|lang| lang.tenths(4.47)), ["4,5", "4.5", "4,5"]);
        assert_eq!(
            Lang::Es.wait(Duration::from_secs(100)),
            "Intente de nuevo en 2 minutos."
        );
        let ago = |seconds| Lang::Es.ago(at, at.after(Duration::from_secs(seconds)));
        assert_eq!(ago(20), "hace un momento");
        assert_eq!(ago(61), "hace 1 minuto");
        assert_eq!(ago(3 * 3600), "hace 3 horas");
        assert_eq!(ago(40 * 86_400), "hace 1 mes");
        assert_eq!(Lang::En.ago(at.after(Duration::from_hours(49)), at), "in 2 days");
    }
}
