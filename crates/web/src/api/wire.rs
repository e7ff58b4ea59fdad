//! How things are written for callers: codes as strings, names in Spanish, dates in the installation's zone.

use domain::{FolioState, SignatureType, SignerState, Timestamp};
use jiff::tz::TimeZone;
use serde::Serialize;

/// The code and the name of a state.
pub(crate) const fn folio_state(state: FolioState) -> (&'static str, &'static str) {
    match state {
        FolioState::Signed => ("1", "FIRMADO"),
        FolioState::Pending => ("2", "PENDIENTE"),
        FolioState::RejectedBySigner => ("3", "RECHAZADO FIRMANTE"),
        FolioState::Approved => ("4", "FIRMADO Y APROBADO"),
        FolioState::Disapproved => ("5", "RECHAZADO GESTIÓN / ADMINISTRADOR"),
        FolioState::Cancelled => ("6", "ANULADO"),
    }
}

/// The code and the name of a signer's state: the folio's words.
pub(crate) const fn signer_state(state: SignerState) -> (&'static str, &'static str) {
    match state {
        SignerState::Signed => folio_state(FolioState::Signed),
        SignerState::Pending => folio_state(FolioState::Pending),
        SignerState::Rejected => folio_state(FolioState::RejectedBySigner),
    }
}

/// The code and the name of a signature type.
pub(crate) const fn signature_type(kind: SignatureType) -> (&'static str, &'static str) {
    match kind {
        SignatureType::EmailCode => ("1", "OTP Básico"),
        SignatureType::SmsCode => ("2", "OTP Móvil Verificado"),
    }
}

/// `YYYY-MM-DD HH:MM:SS`, without an allocation: a folio has several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Date([u8; 19]);

impl Date {
    /// The time in a zone.
    pub(crate) fn new(at: Timestamp, zone: &TimeZone) -> Self {
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

    pub(crate) fn as_str(&self) -> &str {
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
