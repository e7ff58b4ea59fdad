//! Dates as people write them in Spanish.

use domain::Timestamp;
use jiff::tz::TimeZone;

const MONTHS: [&str; 12] = [
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

/// "2 de marzo de 2026, 9:30 a. m."
pub(crate) fn date(at: Timestamp, zone: &TimeZone) -> String {
    let Ok(at) = jiff::Timestamp::from_microsecond(at.as_micros()) else {
        return String::new();
    };
    let at = at.to_zoned(zone.clone());
    let month = usize::from(at.month().unsigned_abs()).saturating_sub(1);
    let half = if at.hour() < 12 { "a" } else { "p" };
    format!(
        "{} de {} de {}, {}:{:02} {half}. m.",
        at.day(),
        MONTHS.get(month).copied().unwrap_or_default(),
        at.year(),
        (at.hour() + 11) % 12 + 1,
        at.minute()
    )
}
