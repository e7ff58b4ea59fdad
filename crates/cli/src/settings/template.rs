//! The settings file with every setting in it, as a comment.

use super::table::{DefaultValue, GROUPS, Setting};
use std::fmt::Write;

const HEAD: &str = "\
# Settings of Firmeza. Every setting is below, as a comment with its default or an example.
#
# Firmeza reads the file that FIRMEZA_CONFIG names; without that, firmeza.toml in the current directory; without that,
# /etc/firmeza/firmeza.toml. A variable wins over the file: FIRMEZA_LISTEN over listen, and so on.
# `firmeza config check` names every problem, and `firmeza config show` what is in effect.
";

/// A line for the text of a comment, after `# `.
const COMMENT_WIDTH: usize = 110;

/// The whole file.
pub(crate) fn template() -> String {
    let mut text = HEAD.to_owned();
    for group in GROUPS {
        let _ = write!(text, "\n\n## {}\n", group.heading);
        for setting in group.settings {
            text.push_str(&entry(setting));
        }
    }
    text
}

fn entry(setting: &Setting) -> String {
    let (default, value) = match setting.default {
        DefaultValue::Always(value) => (format!("Default: {value}"), value),
        DefaultValue::ByEnvironment { sandbox, production } => (
            format!("Default: {sandbox}; in production {production}"),
            production,
        ),
        DefaultValue::Nothing { instead, example } => (format!("Not set: {instead}"), example),
    };
    let mut text = "\n".to_owned();
    for comment in [format!("{}.", setting.meaning), format!("{default}.")] {
        for line in wrapped(&comment) {
            let _ = writeln!(text, "# {line}");
        }
    }
    let _ = writeln!(text, "#{} = {}", setting.name, quoted(value));
    text
}

/// A value as TOML spells it.
pub(crate) fn quoted(value: &str) -> String {
    if value.parse::<i64>().is_ok() || matches!(value, "true" | "false") {
        value.to_owned()
    } else {
        toml::Value::from(value).to_string()
    }
}

fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].len() + word.len() >= COMMENT_WIDTH {
            lines.push(word.to_owned());
            continue;
        }
        if !lines[last].is_empty() {
            lines[last].push(' ');
        }
        lines[last].push_str(word);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::table;
    use super::template;

    #[test]
    fn the_packaged_file_has_every_setting() {
        let packaged = include_str!("../../../../deploy/debian/firmeza.toml");
        let expected = template().replace(
            "#data_dir = \"./firmeza-data\"",
            "data_dir = \"/var/lib/firmeza\"",
        );
        assert!(
            packaged == expected,
            "write it anew: firmeza config template > deploy/debian/firmeza.toml, and set data_dir as before"
        );
    }

    #[test]
    fn without_its_comment_signs_it_is_a_settings_file() {
        let text = template();
        let lines = text.lines().filter_map(|line| {
            let line = line.strip_prefix('#')?;
            line.starts_with(|c: char| c.is_ascii_lowercase()).then_some(line)
        });
        let file: toml::Table = lines.collect::<Vec<_>>().join("\n").parse().unwrap();
        assert_eq!(file.len(), table::all().count());
    }
}
