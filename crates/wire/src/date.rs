//! Dates as callers read them.

use domain::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::StdFmtWrite;
use jiff::fmt::temporal::DateTimePrinter;
use jiff::tz::TimeZone;
use serde::Serialize;

static PRINTER: DateTimePrinter = DateTimePrinter::new().separator(b' ').precision(Some(0));

/// `YYYY-MM-DD HH:MM:SS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Date(DateTime);

impl Date {
    /// The time in a zone.
    pub fn new(at: Timestamp, zone: &TimeZone) -> Self {
        let instant =
            jiff::Timestamp::from_microsecond(at.as_micros()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        Self(zone.to_datetime(instant))
    }
}

impl std::fmt::Display for Date {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let printed = PRINTER.print_datetime(&self.0, StdFmtWrite(f));
        printed.map_err(|_| std::fmt::Error)
    }
}

impl Serialize for Date {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_shown_in_the_zone() {
        let zone = TimeZone::get("America/Bogota").unwrap();
        let at = Timestamp::from_micros(1_763_170_799_999_999);
        assert_eq!(Date::new(at, &zone).to_string(), "2025-11-14 20:39:59");
        assert_eq!(Date::new(at, &TimeZone::UTC).to_string(), "2025-11-15 01:39:59");
    }
}
