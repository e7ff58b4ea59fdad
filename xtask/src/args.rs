//! What was asked for on the command line.

use crate::package::Profile;

pub(crate) const HELP: &str = include_str!("help.txt");
/// The bench's own: it knows its figures.
pub(crate) const BENCH_HELP: &str = include_str!("../../crates/bench/src/help.txt");

#[derive(Debug, PartialEq)]
pub(crate) enum Task {
    Help,
    Check,
    Mutants,
    Package(Profile),
    Release {
        /// Whether the version is tagged.
        tag: bool,
    },
    Test(TestOptions),
    Upgrade {
        /// The older version; the one that was released last if absent.
        from: Option<String>,
        profile: Profile,
    },
    Bench(Vec<String>),
    BenchHelp,
}

#[derive(Debug, Default, PartialEq)]
pub(crate) struct TestOptions {
    pub(crate) filter: Option<String>,
    pub(crate) crash_rounds: Option<u32>,
    /// Only what takes long.
    pub(crate) long: bool,
}

/// The task, or the error in the arguments.
pub(crate) fn parse(words: impl IntoIterator<Item = String>) -> Result<Task, String> {
    let mut words = words.into_iter().peekable();
    let command = words.next();
    if words
        .peek()
        .is_some_and(|word| matches!(word.as_str(), "-h" | "--help"))
    {
        return Ok(if command.as_deref() == Some("bench") {
            Task::BenchHelp
        } else {
            Task::Help
        });
    }
    let task = match command.as_deref() {
        None | Some("help" | "-h" | "--help") => Task::Help,
        Some("check") => Task::Check,
        Some("mutants") => Task::Mutants,
        Some("package") => Task::Package(profile(&mut words)),
        Some("release") => Task::Release {
            tag: !is_given(&mut words, "--no-tag"),
        },
        Some("test") => Task::Test(test_options(&mut words)?),
        Some("upgrade") => Task::Upgrade {
            profile: profile(&mut words),
            from: words.next_if(|word| !word.starts_with('-')),
        },
        Some("bench") => Task::Bench(words.by_ref().collect()),
        Some(other) => return Err(format!("there is no command {other:?}")),
    };
    match words.next() {
        None => Ok(task),
        Some(word) => Err(format!("{word:?} is not understood here")),
    }
}

fn profile(words: &mut std::iter::Peekable<impl Iterator<Item = String>>) -> Profile {
    if is_given(words, "--debug") {
        Profile::Debug
    } else {
        Profile::Release
    }
}

/// Whether the next word is that option, which is taken then.
fn is_given(words: &mut std::iter::Peekable<impl Iterator<Item = String>>, option: &str) -> bool {
    words.next_if(|word| word == option).is_some()
}

fn test_options(words: &mut impl Iterator<Item = String>) -> Result<TestOptions, String> {
    let mut options = TestOptions::default();
    while let Some(word) = words.next() {
        match word.split_once('=').unwrap_or((&word, "")) {
            ("--crash-rounds", given) => {
                let number = if given.is_empty() {
                    words.next()
                } else {
                    Some(given.to_owned())
                };
                let number = number.and_then(|number| number.parse().ok());
                options.crash_rounds = Some(number.ok_or("--crash-rounds wants a number")?);
            }
            ("--long", "") => options.long = true,
            (option, _) if option.starts_with('-') => return Err(format!("there is no option {option:?}")),
            _ if options.filter.is_some() => return Err("only one FILTER is possible".into()),
            _ => options.filter = Some(word),
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Task, String> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn commands_and_options_are_read() {
        let test = |filter: Option<&str>, crash_rounds| {
            Ok(Task::Test(TestOptions {
                filter: filter.map(str::to_owned),
                crash_rounds,
                long: false,
            }))
        };
        assert_eq!(parsed(""), Ok(Task::Help));
        assert_eq!(parsed("test --help"), Ok(Task::Help));
        assert_eq!(parsed("check"), Ok(Task::Check));
        assert_eq!(parsed("mutants"), Ok(Task::Mutants));
        assert_eq!(parsed("package"), Ok(Task::Package(Profile::Release)));
        assert_eq!(parsed("package --debug"), Ok(Task::Package(Profile::Debug)));
        assert_eq!(parsed("release"), Ok(Task::Release { tag: true }));
        assert_eq!(parsed("release --no-tag"), Ok(Task::Release { tag: false }));
        let upgrade = |from: Option<&str>, profile| {
            let from = from.map(str::to_owned);
            Ok(Task::Upgrade { from, profile })
        };
        assert_eq!(parsed("upgrade"), upgrade(None, Profile::Release));
        assert_eq!(
            parsed("upgrade --debug HEAD"),
            upgrade(Some("HEAD"), Profile::Debug)
        );
        assert_eq!(parsed("bench --help"), Ok(Task::BenchHelp));
        assert_eq!(
            parsed("bench create start"),
            Ok(Task::Bench(vec!["create".into(), "start".into()]))
        );
        assert_eq!(parsed("test"), test(None, None));
        assert_eq!(
            parsed("test cancel --crash-rounds 200"),
            test(Some("cancel"), Some(200))
        );
        assert_eq!(
            parsed("test --long"),
            Ok(Task::Test(TestOptions {
                long: true,
                ..TestOptions::default()
            }))
        );
        assert_eq!(parsed("test --crash-rounds=3"), test(None, Some(3)));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for line in [
            "deploy",
            "check now",
            "package --fast",
            "upgrade --fast",
            "release now",
            "test a b",
            "test --crash-rounds",
            "test --crash-rounds x",
            "test -q",
        ] {
            assert!(parsed(line).is_err(), "{line}");
        }
    }
}
