//! `firmeza key`: API keys.

use crate::arguments::KeyAction;
use crate::settings::Settings;
use crate::terminal::say;
use crate::wiring::open_operator;
use app::operator::keys::{KeyRequest, is_label};
use domain::Timestamp;
use domain::limits::KEY_LABEL;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::error::Error;
use std::process::ExitCode;

pub(crate) async fn run(settings: &Settings, action: KeyAction) -> Result<ExitCode, Box<dyn Error>> {
    let operator = open_operator(settings).await?;
    let unknown = |company: &str| format!("there is no company called {company}");
    match action {
        KeyAction::Add {
            company,
            expires,
            permissions,
            label,
        } => {
            let expires_at = expires
                .map(|text| end_of(&text, &settings.timezone))
                .transpose()?;
            if !is_label(&label) {
                return Err(
                    format!("--label: at most {KEY_LABEL} characters, and no control characters").into(),
                );
            }
            let request = KeyRequest {
                label,
                permissions,
                expires_at,
            };
            let issued = operator.add_key(company.clone(), request).await;
            let issued = issued.map_err(|error| explain(error, unknown(&company)))?;
            say!("Key {} of {company}. It is shown only this once:", issued.id);
            say!("{}", issued.key.reveal());
        }
        KeyAction::List { company } => {
            let keys = operator
                .keys(company.clone())
                .await
                .map_err(|error| explain(error, unknown(&company)))?;
            let shown =
                |at: Option<Timestamp>| at.map_or_else(|| "-".into(), |at| show(at, &settings.timezone));
            say!(
                "{:32}  {:17}  {:19}  {:19}  {:19}  {:19}  {:33}  label",
                "id",
                "key",
                "made",
                "expires",
                "last used",
                "revoked",
                "permissions"
            );
            for key in keys {
                say!(
                    "{}  {:17}  {:19}  {:19}  {:19}  {:19}  {:33}  {}",
                    key.id,
                    key.hint,
                    shown(Some(key.created_at)),
                    shown(key.expires_at),
                    shown(key.last_used_at),
                    shown(key.revoked_at),
                    key.permissions,
                    key.label
                );
            }
        }
        KeyAction::Revoke { key_or_id } => {
            let revoked = operator.revoke_key(key_or_id).await;
            let now = revoked.map_err(|error| explain(error, "there is no such key".into()))?;
            say!("{}", if now { "Revoked." } else { "It was revoked before." });
        }
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn explain(error: app::Error, not_found: String) -> Box<dyn Error> {
    if matches!(error, app::Error::NotFound) {
        not_found.into()
    } else {
        error.into()
    }
}

pub(crate) fn show(at: Timestamp, zone: &TimeZone) -> String {
    let instant = jiff::Timestamp::from_microsecond(at.as_micros()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    zone.to_datetime(instant)
        .strftime("%Y-%m-%d %H:%M:%S")
        .to_string()
}

/// The end of that day in the installation's zone, or the time itself.
fn end_of(text: &str, zone: &TimeZone) -> Result<Timestamp, String> {
    let instant = if is_day(text) {
        end_of_day(text, zone)
    } else {
        text.parse::<jiff::Timestamp>()
    };
    let instant = instant.map_err(|error| {
        format!("--expires {text}: neither a day (2027-01-31) nor a time (2027-01-31T12:00:00Z): {error}")
    })?;
    Ok(Timestamp::from_micros(instant.as_microsecond()))
}

fn end_of_day(day: &str, zone: &TimeZone) -> Result<jiff::Timestamp, jiff::Error> {
    let next = day.parse::<Date>()?.tomorrow()?;
    Ok(next.to_zoned(zone.clone())?.timestamp())
}

/// Whether it is written as a day, and nothing else: a day would also be read off the beginning of a time.
fn is_day(text: &str) -> bool {
    let fits = |(place, byte): (usize, u8)| match place {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    text.len() == 10 && text.bytes().enumerate().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_ends_at_its_end_in_the_zone() {
        let bogota = TimeZone::get("America/Bogota").unwrap();
        let shown = |text| show(end_of(text, &bogota).unwrap(), &TimeZone::UTC);
        assert_eq!(shown("2027-01-31"), "2027-02-01 05:00:00");
        assert_eq!(shown("2027-01-31T12:00:00Z"), "2027-01-31 12:00:00");
    }

    #[test]
    fn a_time_is_never_taken_for_its_day() {
        let bogota = TimeZone::get("America/Bogota").unwrap();
        let shown = |text| end_of(text, &bogota).map(|at| show(at, &TimeZone::UTC));
        for noon in ["2027-01-31 12:00:00-05:00", "2027-01-31t12:00:00-05:00"] {
            assert_eq!(shown(noon).as_deref(), Ok("2027-01-31 17:00:00"), "{noon}");
        }
        for neither in [
            "mañana",
            "2027-02-31",
            "20270131",
            "2027-01-31 12:00:00",
            "2027-01-31[America/Bogota]",
            " 2027-01-31",
        ] {
            assert!(
                shown(neither).is_err_and(|error| error.contains(neither)),
                "{neither}"
            );
        }
    }
}
