//! One build of everything, and where its test programs are.
//!
//! Building a package alone would choose other features of its dependencies than building the workspace
//! does, and compile them anew; so the programs of one package are found among those of the workspace.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Stdio;

use parts::{Error, Result};

use crate::step::{cargo, watch};

/// What cargo said of the programs it built.
pub(crate) struct Built {
    messages: Vec<String>,
}

/// Builds the programs and the tests of the whole workspace.
pub(crate) fn build() -> Result<Built> {
    let mut messages = Vec::new();
    let mut command = cargo(&["build", "--workspace", "--bins", "--tests"]);
    command
        .args(["--message-format", "json-render-diagnostics"])
        .stdout(Stdio::piped());
    watch(&mut command, |child| {
        for line in child
            .stdout
            .take()
            .into_iter()
            .flat_map(|output| BufReader::new(output).lines())
        {
            messages.push(line?);
        }
        Ok(child.wait()?)
    })?;
    Ok(Built { messages })
}

impl Built {
    /// The test programs of one of our packages; that there are none is a failure.
    pub(crate) fn tests_of(&self, package: &str) -> Result<Vec<PathBuf>> {
        let manifest = format!("/crates/{package}/Cargo.toml\"");
        let of_package = self.messages.iter().filter(|message| message.contains(&manifest));
        let tests: Vec<_> = of_package.filter_map(|message| test_program(message)).collect();
        if tests.is_empty() {
            return Err(Error::new(format!("package {package} has no tests")));
        }
        Ok(tests)
    }
}

/// The path in a message such as `{…,"profile":{…,"test":true},…,"executable":"…/web-0123",…}`.
fn test_program(message: &str) -> Option<PathBuf> {
    let (_, rest) = message.split_once("\"executable\":\"")?;
    let (path, _) = rest.split_once('"')?;
    message.contains("\"test\":true}").then(|| path.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_test_programs_of_the_package_are_found() {
        let message = |package: &str, test: bool, executable: &str| {
            format!(
                r#"{{"manifest_path":"/w/crates/{package}/Cargo.toml","profile":{{"opt_level":"0","test":{test}}},"executable":{executable},"fresh":true}}"#
            )
        };
        let built = Built {
            messages: vec![
                message("web", true, r#""/w/target/debug/deps/web-1""#),
                message("web", false, "null"),
                message("web", false, r#""/w/target/debug/web""#),
                message("cli", true, r#""/w/target/debug/deps/firmeza-2""#),
            ],
        };
        assert_eq!(
            built.tests_of("web").unwrap(),
            [PathBuf::from("/w/target/debug/deps/web-1")]
        );
        assert!(built.tests_of("store").is_err());
    }
}
