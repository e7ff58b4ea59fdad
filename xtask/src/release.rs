//! `cargo xtask release`: a version for others to install, from what is committed. Not part of CI: it builds twice, and
//! runs what takes long.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use parts::{Error, Result};

use crate::git::{git, last_release, output, unpack};
use crate::long;
use crate::package::{self, Profile};
use crate::step::{run as run_command, step};
use crate::tool::Tool;
use crate::upgrade;

const CYCLONEDX: Tool = Tool {
    name: "cargo-cyclonedx",
    version: "0.5.9",
};

/// Tests, builds, packages, describes and tags the version that `Cargo.toml` has. Without `tag`, everything but the tests
/// and the tag.
pub(crate) fn run(tag: bool) -> Result<()> {
    let Released {
        version,
        changes,
        commit,
    } = step("what is released", released)?;
    // What is missing is said before the builds, not after them.
    step("the tools", || {
        if tag {
            output(&["var", "GIT_COMMITTER_IDENT"])?;
        }
        package::provide_tools()?;
        CYCLONEDX.provide().map(drop)
    })?;
    if tag {
        step("what takes long", long::run)?;
    }
    let work = parts::target().join("dist");
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    let out = work.join(format!("firmeza-{version}"));
    fs::create_dir_all(&out)?;
    fs::write(out.join("CHANGES.md"), changes)?;
    // Paths of different length: a path that is in the program changes its size as well.
    let first = step("the first build", || build(&commit, &work.join("a")))?;
    let second = step("the second build", || build(&commit, &work.join("another")))?;
    step("the same bytes", || same_bytes(&first, &second))?;
    upgrade::beside(None, &first, Profile::Release)?;
    let package = step("the package", || {
        package::debian(&work.join("a"), Profile::Release)
    })?;
    fs::copy(&first, out.join("firmeza"))?;
    fs::copy(&package, out.join(package.file_name().unwrap_or_default()))?;
    step("the bill of materials", || {
        bill_of_materials(&work.join("a"), &out)
    })?;
    step("the checksums", || checksums(&out))?;
    if tag {
        let name = format!("v{version}");
        step(&name, || {
            run_command(git().args([
                "tag",
                "--annotate",
                "--message",
                &format!("Firmeza {version}"),
                &name,
                &commit,
            ]))
        })?;
        println!("Push it with: git push origin {name}");
    }
    println!("{}", out.display());
    Ok(())
}

/// What is released. Work goes on while it is built: the commit is the one that there was at the beginning.
struct Released {
    version: String,
    changes: String,
    commit: String,
}

/// The version, its changes and its commit, if they can be released.
fn released() -> Result<Released> {
    if !output(&["status", "--porcelain"])?.trim().is_empty() {
        return Err(Error::new(
            "commit your changes first: a release is built from what is committed",
        ));
    }
    let version = env!("CARGO_PKG_VERSION").to_owned();
    if !output(&["tag", "--list", &format!("v{version}")])?
        .trim()
        .is_empty()
    {
        return Err(Error::new(format!(
            "v{version} is released; Cargo.toml needs another version"
        )));
    }
    let changelog = fs::read_to_string(parts::workspace().join("CHANGELOG.md"))?;
    let changes = changes_of(&changelog, &version).ok_or_else(|| {
        Error::new(format!(
            "CHANGELOG.md has no heading `## {version} (DATE)`: rename `## Unreleased`, and commit"
        ))
    })?;
    unchanged_migrations()?;
    Ok(Released {
        version,
        changes,
        commit: output(&["rev-parse", "--verify", "HEAD^{commit}"])?
            .trim()
            .to_owned(),
    })
}

/// The text below the heading of a version.
fn changes_of(changelog: &str, version: &str) -> Option<String> {
    let heading = format!("## {version} (");
    let lines = changelog.lines().skip_while(|line| !line.starts_with(&heading));
    let text: Vec<_> = lines
        .skip(1)
        .take_while(|line| !line.starts_with("## "))
        .collect();
    let text = text.join("\n").trim().to_owned();
    (!text.is_empty()).then_some(text + "\n")
}

/// A migration that was released ran in databases of others: it never changes.
fn unchanged_migrations() -> Result<()> {
    let Some(last) = last_release()? else {
        return Ok(());
    };
    let changed = output(&[
        "diff",
        "--name-only",
        "--diff-filter=a",
        &last,
        "HEAD",
        "--",
        "crates/store/migrations",
    ])?;
    if changed.trim().is_empty() {
        Ok(())
    } else {
        Err(Error::new(format!(
            "migrations of {last} were changed:\n{changed}"
        )))
    }
}

/// Builds a commit in a directory of its own; the program.
fn build(commit: &str, root: &Path) -> Result<PathBuf> {
    unpack(commit, root)?;
    package::build(root, Profile::Release)?;
    Ok(package::program(root, Profile::Release))
}

fn same_bytes(first: &Path, second: &Path) -> Result<()> {
    let sum = |path: &Path| {
        let line = parts::run(Command::new("sha256sum").arg(path))?;
        Ok::<_, Error>(line.split_whitespace().next().unwrap_or_default().to_owned())
    };
    let (one, other) = (sum(first)?, sum(second)?);
    if one != other {
        return Err(Error::new(format!("two builds differ: {one} and {other}")));
    }
    println!("{one}");
    Ok(())
}

/// What the program is made of (`CycloneDX` 1.5, JSON).
fn bill_of_materials(root: &Path, out: &Path) -> Result<()> {
    let tool = CYCLONEDX.provide()?;
    let mut command = Command::new(tool);
    command
        .args(["cyclonedx", "--format", "json", "--spec-version", "1.5"])
        .args(["--override-filename", "firmeza.cdx", "--target", &host()?])
        .arg("--manifest-path")
        .arg(root.join("crates/cli/Cargo.toml"))
        .current_dir(root);
    run_command(&mut command)?;
    fs::copy(
        root.join("crates/cli/firmeza.cdx.json"),
        out.join("firmeza.cdx.json"),
    )?;
    Ok(())
}

/// The target that the program is built for: this machine's.
fn host() -> Result<String> {
    let said = parts::run(Command::new("rustc").arg("-vV"))?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or_else(|| Error::new("rustc names no host"))
}

fn checksums(out: &Path) -> Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(out)? {
        names.push(entry?.file_name());
    }
    names.sort();
    let sums = parts::run(Command::new("sha256sum").args(&names).current_dir(out))?;
    Ok(fs::write(out.join("SHA256SUMS"), sums)?)
}

#[cfg(test)]
mod tests {
    use super::changes_of;

    #[test]
    fn the_changes_of_one_version_are_found() {
        let changelog = "# Changelog\n\n## Unreleased\n\nmore\n\n## 0.2.0 (2027-01-31)\n\n- one\n- two\n\n## 0.1.0 (2026-12-01)\n\nfirst\n";
        assert_eq!(changes_of(changelog, "0.2.0").as_deref(), Some("- one\n- two\n"));
        assert_eq!(changes_of(changelog, "0.1.0").as_deref(), Some("first\n"));
        assert_eq!(changes_of(changelog, "0.3.0"), None);
    }
}
