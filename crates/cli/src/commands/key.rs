//! `firmeza key`: API keys.

use crate::arguments::KeyAction;
use crate::settings::Settings;
use crate::wiring::open_office;
use domain::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::error::Error;
use std::process::ExitCode;

pub(crate) async fn run(settings: &Settings, action: KeyAction) -> Result<ExitCode, Box<dyn Error>> {
    let office = open_office(settings).await?;
    let unknown = |company: &str| format!("there is no company called {company}");
    match action {
        KeyAction::Add {
            company,
            expires,
            label,
        } => {
            let expires = expires
                .map(|text| end_of(&text, &settings.timezone))
                .transpose()?;
            let issued = office.add_key(company.clone(), label, expires).await;
            let issued = issued.map_err(|error| explain(error, unknown(&company)))?;
            println!("Key {} of {company}. It is shown only this once:", issued.id);
            println!("{}", issued.key.reveal());
        }
        KeyAction::List { company } => {
            let keys = office
                .keys(company.clone())
                .await
                .map_err(|error| explain(error, unknown(&company)))?;
            let shown =
                |at: Option<Timestamp>| at.map_or_else(|| "-".into(), |at| show(at, &settings.timezone));
            println!(
                "{:32}  {:19}  {:19}  {:19}  {:19}  label",
                "id", "made", "expires", "last used", "revoked"
            );
            for key in keys {
                println!(
                    "{}  {:19}  {:19}  {:19}  {:19}  {}",
                    key.id,
                    shown(Some(key.created_at)),
                    shown(key.expires_at),
                    shown(key.last_used_at),
                    shown(key.revoked_at),
                    key.label
                );
            }
        }
        KeyAction::Revoke { key_or_id } => {
            let revoked = office.revoke_key(key_or_id).await;
            let now = revoked.map_err(|error| explain(error, "there is no such key".into()))?;
            println!("{}", if now { "Revoked." } else { "It was revoked before." });
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
fn end_of(text: &str, zone: &TimeZone) -> Result<Timestamp, Box<dyn Error>> {
    let instant = match text.parse::<Date>() {
        Ok(day) if !text.contains('T') => day.tomorrow()?.to_zoned(zone.clone())?.timestamp(),
        _ => text
            .parse::<jiff::Timestamp>()
            .map_err(|error| format!("--expires {text}: {error}"))?,
    };
    Ok(Timestamp::from_micros(instant.as_microsecond()))
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
        assert!(end_of("mañana", &bogota).is_err());
    }
}
