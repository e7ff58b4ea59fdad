//! Where settings come from, and how their texts become values.
//!
//! A setting that makes no sense is written down, and reading goes on with a value that the program does not use: all
//! problems are reported at once.

use super::BadSetting;
use super::table::{self, Setting};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use url::Url;

/// In the current directory.
const LOCAL_FILE: &str = "firmeza.toml";
/// Where packages put it.
const SYSTEM_FILE: &str = "/etc/firmeza/firmeza.toml";
/// The largest settings file that is read.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// The variable that names another file.
const CONFIG: &str = "config";
/// Variables of `firmeza mcp`, which are no settings of the service.
const CLIENT_NAMES: [&str; 2] = ["api_key", "url"];
/// How alike two names must be for one to be a slip of the other (Jaro-Winkler, from 0 to 1).
const SLIP_SIMILARITY: f64 = 0.8;

/// The variables and the file.
#[derive(Debug)]
pub(crate) struct SettingsSource {
    /// The file that is used, if there is one.
    pub(crate) path: Option<PathBuf>,
    file: toml::Table,
    problems: RefCell<Vec<BadSetting>>,
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    Variable,
    File,
    Default,
}

impl SettingsSource {
    /// Finds the file and looks through all names.
    pub(crate) fn open() -> Self {
        let path = settings_file();
        let (file, problem) = match path.as_deref().map(read_file) {
            None => (toml::Table::new(), None),
            Some(Ok(file)) => (file, None),
            Some(Err(problem)) => (toml::Table::new(), Some(problem)),
        };
        let source = Self {
            path,
            file,
            problems: RefCell::default(),
        };
        if let (Some(path), Some(problem)) = (&source.path, problem) {
            let path = path.clone();
            source.complain(BadSetting::File { path, problem });
        }
        source.check_names();
        source
    }

    /// A name that is no setting is a slip of the operator, who believes it to be set.
    fn check_names(&self) {
        if let Some(path) = &self.path {
            for (name, value) in &self.file {
                let problem = if find(name).is_none() {
                    format!("`{name}` is not a setting{}", suggestion(name, str::to_owned))
                } else if file_text(value).is_none() {
                    format!("`{name}` must be a text, a number, true or false, or a list of texts")
                } else {
                    continue;
                };
                let path = path.clone();
                self.complain(BadSetting::File { path, problem });
            }
        }
        let mut variables: Vec<_> = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
            .filter(|(name, _)| name.starts_with("FIRMEZA_"))
            .collect();
        variables.sort();
        for (name, value) in variables {
            let problem = if let Some(set) = unknown_variable(&name) {
                format!("is not a setting{}", suggestion(&set, variable))
            } else if value.to_str().is_none() {
                "is not UTF-8".to_owned()
            } else {
                continue;
            };
            self.complain(BadSetting::Value { name, problem });
        }
    }

    /// Writes a problem down; only the first about a setting, since others may follow from it.
    pub(super) fn complain(&self, problem: BadSetting) {
        let mut problems = self.problems.borrow_mut();
        let again = |known: &BadSetting| {
            matches!((known, &problem),
            (BadSetting::Value { name: known, .. }, BadSetting::Value { name, .. }) if known == name)
        };
        if !problems.iter().any(again) {
            problems.push(problem);
        }
    }

    /// Everything that was written down.
    pub(crate) fn into_problems(self) -> Vec<BadSetting> {
        self.problems.into_inner()
    }

    /// A value, or `otherwise` after its problem was written down.
    pub(super) fn or_complain<T>(&self, value: Result<T, BadSetting>, otherwise: T) -> T {
        value.unwrap_or_else(|problem| {
            self.complain(problem);
            otherwise
        })
    }

    /// What was set, and where; an empty text counts as absent.
    fn given(&self, name: &str) -> Option<(String, Origin)> {
        let filled = |text: String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let variable = std::env::var(variable(name)).ok().and_then(filled);
        let file = || self.file.get(name).and_then(file_text).and_then(filled);
        variable
            .map(|text| (text, Origin::Variable))
            .or_else(|| Some((file()?, Origin::File)))
    }

    /// The value that holds, and where it comes from.
    pub(crate) fn effective(&self, setting: &Setting) -> Option<(String, Origin)> {
        let default = || setting.default_in(self.is_production()).map(str::to_owned);
        self.given(setting.name)
            .or_else(|| Some((default()?, Origin::Default)))
    }

    pub(super) fn is_production(&self) -> bool {
        self.given("environment")
            .is_some_and(|(text, _)| text == "production")
    }

    /// Whether the operator has set it.
    pub(super) fn is_set(&self, name: &str) -> bool {
        self.given(name).is_some()
    }

    /// The setting's text, or its default.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        let setting = find(name);
        debug_assert!(setting.is_some(), "{name} is not in the table");
        self.effective(setting?).map(|(text, _)| text)
    }

    /// The parts of a setting that are separated by commas.
    pub(super) fn list(&self, name: &str) -> Vec<String> {
        let text = self.get(name).unwrap_or_default();
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    }

    pub(super) fn parse<T: FromStr<Err: ToString>>(&self, name: &str) -> Option<T> {
        let parsed = self.get(name)?.parse::<T>();
        let parsed = parsed.map_err(|error| bad_setting(name, error.to_string()));
        self.or_complain(parsed.map(Some), None)
    }

    pub(super) fn number(&self, name: &str) -> u64 {
        let number = self.parse::<u64>(name).unwrap_or(0);
        if number > u64::from(u32::MAX) {
            self.complain(bad_setting(name, "is too large a number"));
            return 0;
        }
        number
    }

    /// The place of the text among these words.
    pub(super) fn one_of(&self, name: &str, words: &[&str]) -> usize {
        let text = self.get(name).unwrap_or_default();
        let place = words.iter().position(|word| *word == text);
        let place = place.ok_or_else(|| bad_setting(name, format!("must be one of: {}", words.join(", "))));
        self.or_complain(place, 0)
    }

    pub(super) fn url(&self, name: &str) -> Option<Url> {
        let url = as_url(name, &self.get(name)?);
        self.or_complain(url.map(Some), None)
    }

    /// The address of a whole host: pages, their forms and cookies have their places from its root on.
    pub(super) fn host_url(&self, name: &str) -> Option<Url> {
        let url = self.url(name)?;
        if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
            self.complain(bad_setting(
                name,
                "must be an address without a path, query or fragment: everything is served from a host's root on",
            ));
        }
        Some(url)
    }
}

/// The file that `FIRMEZA_CONFIG` names, whether it is there or not; or the first that is there.
fn settings_file() -> Option<PathBuf> {
    let named = std::env::var_os(variable(CONFIG)).filter(|path| !path.is_empty());
    let usual = || {
        let mut usual = [LOCAL_FILE, SYSTEM_FILE].into_iter().map(PathBuf::from);
        usual.find(|path| path.exists())
    };
    named.map(PathBuf::from).or_else(usual)
}

fn read_file(path: &Path) -> Result<toml::Table, String> {
    let length = path.metadata().map_err(|error| error.to_string())?.len();
    if length > MAX_FILE_BYTES {
        return Err(format!("has more than {MAX_FILE_BYTES} bytes"));
    }
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    text.parse().map_err(|error: toml::de::Error| error.to_string())
}

/// A value of the file as the text of a variable.
fn file_text(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => Some(number.to_string()),
        toml::Value::Boolean(word) => Some(word.to_string()),
        toml::Value::Array(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(file_text).collect();
            parts.map(|parts| parts.join(","))
        }
        _ => None,
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

fn find(name: &str) -> Option<&'static Setting> {
    table::all().find(|setting| setting.name == name)
}

/// The setting that a variable seems to name, if there is no such one. Those of tests are for others.
fn unknown_variable(name: &str) -> Option<String> {
    let set = name.strip_prefix("FIRMEZA_")?.to_lowercase();
    let known = set == CONFIG || find(&set).is_some() || CLIENT_NAMES.contains(&set.as_str());
    (!known && !set.starts_with("test_")).then_some(set)
}

/// The setting that was probably meant, in words.
fn suggestion(wrong: &str, spell: impl Fn(&str) -> String) -> String {
    let names = table::all().map(|setting| setting.name).chain([CONFIG]);
    let alike = names.map(|name| (strsim::jaro_winkler(&wrong.to_lowercase(), name), name));
    match alike.max_by(|(one, _), (other, _)| one.total_cmp(other)) {
        Some((similarity, name)) if similarity >= SLIP_SIMILARITY => {
            format!("; did you mean `{}`?", spell(name))
        }
        _ => String::new(),
    }
}

/// The variable of a setting.
pub(crate) fn variable(name: &str) -> String {
    format!("FIRMEZA_{}", name.to_uppercase())
}

#[cfg(test)]
mod tests {
    use super::{suggestion, unknown_variable, variable};

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
        assert_eq!(unknown_variable("FIRMEZA_BASEURL"), Some("baseurl".to_owned()));
    }

    #[test]
    fn the_nearest_name_is_suggested_and_nothing_far_away() {
        for (wrong, meant) in [
            ("baseurl", "FIRMEZA_BASE_URL"),
            ("databse_url", "FIRMEZA_DATABASE_URL"),
            ("trusted_proxy", "FIRMEZA_TRUSTED_PROXIES"),
        ] {
            assert_eq!(suggestion(wrong, variable), format!("; did you mean `{meant}`?"));
        }
        assert_eq!(suggestion("zzz", variable), "");
    }
}
