//! `firmeza config`: what the settings are, and what is wrong with them.

use crate::arguments::ConfigAction;
use crate::settings::{
    BadSetting, DefaultValue, GROUPS, Origin, Secret, Setting, Settings, SettingsSource, quoted, template,
    variable,
};
use crate::terminal::{line, print_error, say};
use crate::wiring;
use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

/// Stands for what is not shown.
const MASK: &str = "***";
/// Parameters of addresses whose values are no secrets.
const PLAIN_PARAMETERS: [&str; 4] = ["sslmode", "sslrootcert", "target_session_attrs", "tls"];

pub(crate) fn run(action: &ConfigAction) -> Result<ExitCode, Box<dyn Error>> {
    match action {
        ConfigAction::Show => show(),
        ConfigAction::Check => Ok(check()),
        ConfigAction::Template => {
            io::stdout().write_all(template().as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Every setting with its value and where that comes from, as a settings file; then what is wrong with the names.
fn show() -> Result<ExitCode, Box<dyn Error>> {
    let source = SettingsSource::open();
    let mut text = String::new();
    match &source.path {
        Some(path) => line!(&mut text, "# The settings file is {}.", path.display()),
        None => line!(&mut text, "# There is no settings file."),
    }
    for group in GROUPS {
        line!(&mut text, "");
        for setting in group.settings {
            line!(&mut text, "{}", shown(&source, setting));
        }
    }
    io::stdout().write_all(text.as_bytes())?;
    Ok(report(&source.into_problems()))
}

fn shown(source: &SettingsSource, setting: &Setting) -> String {
    let Some((value, origin)) = source.effective(setting) else {
        let instead = match setting.default {
            DefaultValue::Nothing { instead, .. } => instead,
            DefaultValue::Always(_) | DefaultValue::ByEnvironment { .. } => "",
        };
        return format!("# {} is not set: {instead}", setting.name);
    };
    let (value, origin) = match origin {
        Origin::Variable => (masked(setting.secret, &value), variable(setting.name)),
        Origin::File => (masked(setting.secret, &value), "the file".to_owned()),
        Origin::Default => (value, "the default".to_owned()),
    };
    format!("{} = {}  # {origin}", setting.name, quoted(&value))
}

/// Everything that can be found wrong without a connection to anything.
fn check() -> ExitCode {
    let settings = match Settings::load() {
        Ok(settings) => settings,
        Err(problems) => return report(&problems),
    };
    let parts: [Result<(), Box<dyn Error>>; 5] = [
        settings.smtp().map(drop),
        settings.gateway().map(drop),
        wiring::time_stamping(&settings).map(drop),
        wiring::trusted_lists(&settings).map(drop),
        wiring::certifying(&settings).map(drop),
    ];
    let problems: Vec<_> = parts.into_iter().filter_map(Result::err).collect();
    for problem in &problems {
        print_error(&**problem);
    }
    if !problems.is_empty() {
        return ExitCode::FAILURE;
    }
    say!("The settings make sense. `firmeza doctor` tries what they name.");
    ExitCode::SUCCESS
}

fn report(problems: &[BadSetting]) -> ExitCode {
    for problem in problems {
        print_error(problem);
    }
    if problems.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn masked(secret: Secret, value: &str) -> String {
    match secret {
        Secret::Nothing => value.to_owned(),
        Secret::All => MASK.to_owned(),
        Secret::InAddress => masked_address(value),
    }
}

/// An address without its secrets. Everything between the first user and the last `@` goes, so that neither a list of
/// addresses nor a password with strange characters shows one.
fn masked_address(address: &str) -> String {
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    let (user, host) = rest.rsplit_once('@').unwrap_or(("", rest));
    let host = match host.split_once('?') {
        Some((host, query)) => format!("{host}?{}", without_values(query)),
        None => host.to_owned(),
    };
    let scheme = if scheme.is_empty() {
        String::new()
    } else {
        format!("{scheme}://")
    };
    match user.split_once(':') {
        Some((name, _)) => format!("{scheme}{name}:{MASK}@{host}"),
        None if user.is_empty() => format!("{scheme}{host}"),
        None => format!("{scheme}{MASK}@{host}"),
    }
}

fn without_values(query: &str) -> String {
    let parameters = query.split('&').map(|parameter| match parameter.split_once('=') {
        Some((name, _)) if !PLAIN_PARAMETERS.contains(&name) => format!("{name}={MASK}"),
        _ => parameter.to_owned(),
    });
    parameters.collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::masked;
    use crate::settings::Secret;

    #[test]
    fn no_password_is_shown() {
        for (address, shown) in [
            (
                "postgres://firmeza:secreta@a:1,b:2/firmeza?sslmode=require&password=secreta",
                "postgres://firmeza:***@a:1,b:2/firmeza?sslmode=require&password=***",
            ),
            ("smtps://u:secreta@host", "smtps://u:***@host"),
            ("smtps://u:se/creta@host", "smtps://u:***@host"),
            ("smtps://u:se?creta@host", "smtps://u:***@host"),
            ("https://secreta@host/send", "https://***@host/send"),
            ("https://host/send?apikey=secreta", "https://host/send?apikey=***"),
            ("https://u:secreta@a, https://v:secreta@b", "https://u:***@b"),
            ("sqlite:/var/lib/x", "sqlite:/var/lib/x"),
            ("s3://bucket/prefix", "s3://bucket/prefix"),
        ] {
            let masked = masked(Secret::InAddress, address);
            assert!(!masked.contains("creta"), "{masked}");
            assert_eq!(masked, shown);
        }
        assert_eq!(masked(Secret::All, "secreta"), "***");
    }
}
