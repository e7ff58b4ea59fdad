//! Dates as callers read them.

use domain::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;

/// `YYYY-MM-DD HH:MM:SS`, without an allocation: a folio has several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Date([u8; 19]);

impl Date {
    /// The time in a zone.
    pub fn new(at: Timestamp, zone: &TimeZone) -> Self {
        let instant =
            jiff::Timestamp::from_microsecond(at.as_micros()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        let local = zone.to_datetime(instant);
        let year = local.year().unsigned_abs();
        let pairs = [
            (0, year / 100),
            (2, year % 100),
            (5, local.month().unsigned_abs().into()),
            (8, local.day().unsigned_abs().into()),
            (11, local.hour().unsigned_abs().into()),
            (14, local.minute().unsigned_abs().into()),
            (17, local.second().unsigned_abs().into()),
        ];
        let mut text = *b"0000-00-00 00:00:00";
        for (at, value) in pairs {
            let digit = |value: u16| b'0' + u8::try_from(value % 10).unwrap_or_default();
            (text[at], text[at + 1]) = (digit(value / 10), digit(value));
        }
        Self(text)
    }

    /// The date as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl std::fmt::Display for Date {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Date {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_shown_in_the_zone() {
        let zone = TimeZone::get("America/Bogota").unwrap();
        let at = Timestamp::from_micros(1_763_170_799_999_999);
        assert_eq!(Date::new(at, &zone).as_str(), "2025-11-14 20:39:59");
        assert_eq!(Date::new(at, &TimeZone::UTC).as_str(), "2025-11-15 01:39:59");
    }
}
