//! The time for which a certificate is valid.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

use super::error::AuthorityError;
use crate::cms::Certificate;
use crate::cms::write_der::{self, GENERALIZED_TIME, SEQUENCE, UTC_TIME};

/// From the first to the last second, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validity {
    pub(super) from: Timestamp,
    pub(super) until: Timestamp,
}

impl Validity {
    /// From `from` until `until`; years 1970 to 9999.
    pub fn new(from: Timestamp, until: Timestamp) -> Result<Self, AuthorityError> {
        if from >= until || from < Timestamp::UNIX_EPOCH {
            return Err(AuthorityError::Validity);
        }
        Ok(Self { from, until })
    }

    /// From `from` for this many years of 365.25 days.
    pub fn of_years(from: Timestamp, years: u32) -> Result<Self, AuthorityError> {
        const YEAR: i64 = 31_557_600;
        let until = from
            .as_second()
            .saturating_add(i64::from(years).saturating_mul(YEAR));
        Self::new(
            from,
            Timestamp::from_second(until).map_err(|_| AuthorityError::Validity)?,
        )
    }

    /// The last second.
    pub fn ends(self) -> Timestamp {
        self.until
    }

    /// Refuses dates outside the issuer's: a certificate that outlives its issuer cannot be verified to its end.
    pub(super) fn check_within(self, issuer: &Certificate) -> Result<(), AuthorityError> {
        let starts = issuer.not_before().as_second() <= self.from.as_second();
        let ends = self.until.as_second() <= issuer.not_after().as_second();
        if starts && ends {
            Ok(())
        } else {
            Err(AuthorityError::Validity)
        }
    }

    pub(super) fn write(self, out: &mut Vec<u8>) {
        write_der::nested(out, SEQUENCE, |out| {
            write_time(out, self.from);
            write_time(out, self.until);
        });
    }
}

/// A `Time`: two digits of the year until 2049, four from then on.
pub(super) fn write_time(out: &mut Vec<u8>, at: Timestamp) {
    let at = Offset::UTC.to_datetime(at);
    let text = digits(at);
    if at.year() < 2050 {
        write_der::value(out, UTC_TIME, &text.as_bytes()[2..]);
    } else {
        write_der::value(out, GENERALIZED_TIME, text.as_bytes());
    }
}

/// `YYYYMMDDHHMMSSZ`.
pub(crate) fn digits(at: DateTime) -> String {
    at.strftime("%Y%m%d%H%M%SZ").to_string()
}
