//! Where settings come from, and how their texts become values.

use super::BadSetting;
use app::MasterKey;
use jiff::tz::TimeZone;
use std::path::PathBuf;
use std::str::FromStr;
use url::Url;

/// The name of every setting, as it is written in the file; the variable is the same in capitals after `FIRMEZA_`.
const NAMES: [&str; 53] = [
    "environment",
    "listen",
    "metrics_listen",
    "connections_per_client",
    "master_key_file",
    "base_url",
    "sign_app_url",
    "data_dir",
    "database_url",
    "database_readers",
    "database_writers",
    "migrate_database_url",
    "blobs_url",
    "smtp_url",
    "mail_from",
    "send_messages",
    "sms_url",
    "sms_format",
    "sms_from",
    "sms_authorization",
    "sms_accepted",
    "tsa_url",
    "tsa_roots",
    "tsa_client_certificates",
    "trusted_lists",
    "certificate_file",
    "certificate_password",
    "certificate_key",
    "certificate_chain",
    "issuer_file",
    "issuer_password",
    "issuer_chain",
    "pkcs11_module",
    "pkcs11_token",
    "pkcs11_pin",
    "webhooks_to_loopback",
    "webhook_ports",
    "webhook_networks",
    "timezone",
    "trusted_proxies",
    "requests_per_minute",
    "creates_per_minute",
    "max_document_mb",
    "max_documents",
    "max_request_mb",
    "body_grace_seconds",
    "resends_in_ten_minutes",
    "resends_in_a_day",
    "folio_lifetime_days",
    "scrub_days",
    "spare_blobs_url",
    "log",
    "log_format",
];
const MASTER_KEY: &str = "master_key";
/// Variables of `firmeza mcp`, which are no settings of the service.
const CLIENT_NAMES: [&str; 2] = ["api_key", "url"];

/// The variables and the file.
#[derive(Debug)]
pub(super) struct SettingsSource {
    file: toml::Table,
}

impl SettingsSource {
    pub(super) fn open() -> Result<Self, BadSetting> {
        let named = std::env::var_os("FIRMEZA_CONFIG").map(PathBuf::from);
        let path = named.clone().unwrap_or_else(|| "firmeza.toml".into());
        let bad_setting = |problem: String| BadSetting::File {
            path: path.clone(),
            problem,
        };
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && named.is_none() => String::new(),
            Err(error) => return Err(bad_setting(error.to_string())),
        };
        let file: toml::Table = text
            .parse()
            .map_err(|error: toml::de::Error| bad_setting(error.to_string()))?;
        match file
            .keys()
            .find(|key| !NAMES.contains(&key.as_str()) && *key != MASTER_KEY)
        {
            Some(unknown) => Err(bad_setting(format!("`{unknown}` is not a setting"))),
            None => match std::env::vars_os().find_map(|(name, _)| unknown_variable(name.to_str()?)) {
                Some(name) => Err(BadSetting::Value {
                    name,
                    problem: "is not a setting".to_owned(),
                }),
                None => Ok(Self { file }),
            },
        }
    }

    /// The setting's text; an empty one counts as absent.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        let given = |text: String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let variable = std::env::var(variable(name)).ok().and_then(given);
        variable.or_else(|| match self.file.get(name)? {
            toml::Value::String(text) => given(text.clone()),
            other => given(other.to_string()),
        })
    }

    /// The parts of a setting that are separated by commas.
    pub(super) fn list(&self, name: &str) -> Vec<String> {
        let text = self.get(name).unwrap_or_default();
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    }

    pub(super) fn parse<T: FromStr<Err: ToString>>(&self, name: &str) -> Result<Option<T>, BadSetting> {
        let parsed = self.get(name).map(|text| text.parse::<T>());
        parsed
            .transpose()
            .map_err(|error| bad_setting(name, error.to_string()))
    }

    pub(super) fn number(&self, name: &str, default: u64) -> Result<u64, BadSetting> {
        let number = self.parse::<u64>(name)?.unwrap_or(default);
        if number > u64::from(u32::MAX) {
            Err(bad_setting(name, "is too large a number"))
        } else {
            Ok(number)
        }
    }

    pub(super) fn one_of(&self, name: &str, words: &[&str]) -> Result<Option<usize>, BadSetting> {
        let Some(text) = self.get(name) else {
            return Ok(None);
        };
        let place = words.iter().position(|word| *word == text);
        place
            .map(Some)
            .ok_or_else(|| bad_setting(name, format!("must be one of: {}", words.join(", "))))
    }

    pub(super) fn url(&self, name: &str) -> Result<Option<Url>, BadSetting> {
        self.get(name).map(|text| as_url(name, &text)).transpose()
    }

    /// The address of a whole host: pages, their forms and cookies have their places from its root on.
    pub(super) fn host_url(&self, name: &str) -> Result<Option<Url>, BadSetting> {
        let url = self.url(name)?;
        let whole = |url: &Url| url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        if url.as_ref().is_none_or(whole) {
            Ok(url)
        } else {
            Err(bad_setting(
                name,
                "must be an address without a path, query or fragment: everything is served from a host's root on",
            ))
        }
    }

    pub(super) fn timezone(&self) -> Result<TimeZone, BadSetting> {
        let name = self.get("timezone").unwrap_or_else(|| "America/Bogota".into());
        TimeZone::get(&name).map_err(|error| bad_setting("timezone", error.to_string()))
    }

    pub(super) fn master_key(&self) -> Result<Option<MasterKey>, BadSetting> {
        let key = self.get(MASTER_KEY).map(|text| MasterKey::from_hex(&text));
        key.transpose()
            .map_err(|error| bad_setting(MASTER_KEY, error.to_string()))
    }
}

/// The address in a text.
pub(super) fn as_url(name: &str, text: &str) -> Result<Url, BadSetting> {
    let url = Url::parse(text).map_err(|error| bad_setting(name, error.to_string()))?;
    if matches!(url.scheme(), "http" | "https") {
        Ok(url)
    } else {
        Err(bad_setting(name, "must be an http or https address"))
    }
}

/// A value that makes no sense.
pub(super) fn bad_setting(name: &str, problem: impl Into<String>) -> BadSetting {
    BadSetting::Value {
        name: variable(name),
        problem: problem.into(),
    }
}

/// The variable, if it looks like a setting and is none. Those of tests are for others.
fn unknown_variable(name: &str) -> Option<String> {
    let set = name.strip_prefix("FIRMEZA_")?.to_lowercase();
    let mut names = NAMES.iter().chain(&CLIENT_NAMES);
    let known = set == "config" || set == MASTER_KEY || names.any(|name| *name == set);
    (!known && !set.starts_with("test_")).then(|| name.to_owned())
}

fn variable(name: &str) -> String {
    format!("FIRMEZA_{}", name.to_uppercase())
}

#[cfg(test)]
mod tests {
    use super::{CLIENT_NAMES, MASTER_KEY, NAMES, unknown_variable, variable};

    #[test]
    fn a_mistyped_variable_is_noticed() {
        for known in [
            "FIRMEZA_LISTEN",
            "FIRMEZA_MASTER_KEY",
            "FIRMEZA_CONFIG",
            "FIRMEZA_API_KEY",
            "FIRMEZA_TEST_STACK",
            "PATH",
        ] {
            assert_eq!(unknown_variable(known), None, "{known}");
        }
        assert_eq!(
            unknown_variable("FIRMEZA_BASEURL"),
            Some("FIRMEZA_BASEURL".to_owned())
        );
    }

    #[test]
    fn every_setting_is_in_the_operators_manual() {
        let manual = include_str!("../../../../docs/operators.md");
        for name in NAMES.into_iter().chain([MASTER_KEY]).chain(CLIENT_NAMES) {
            let quoted = format!("`{}`", variable(name));
            assert!(manual.contains(&quoted), "{quoted}");
        }
    }
}
