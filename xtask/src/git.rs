//! What git knows of the workspace.

use std::fs;
use std::path::Path;
use std::process::Command;

use parts::Result;

use crate::step::run;

/// Git, in the workspace.
pub(crate) fn git() -> Command {
    let mut command = Command::new("git");
    command.current_dir(parts::workspace());
    command
}

/// What a command of git prints.
pub(crate) fn output(arguments: &[&str]) -> Result<String> {
    parts::run(git().args(arguments))
}

/// The tag of the version that was released last, among those that this commit follows.
pub(crate) fn last_release() -> Result<Option<String>> {
    let tags = output(&[
        "tag",
        "--list",
        "v*",
        "--sort=-version:refname",
        "--merged",
        "HEAD",
    ])?;
    Ok(tags.lines().next().map(str::to_owned))
}

/// Writes a commit's files into a directory.
pub(crate) fn unpack(commit: &str, directory: &Path) -> Result<()> {
    fs::create_dir_all(directory)?;
    let archive = directory.with_extension("tar");
    run(git().args(["archive", "--output"]).arg(&archive).arg(commit))?;
    run(Command::new("tar")
        .arg("xf")
        .arg(&archive)
        .arg("-C")
        .arg(directory))?;
    Ok(fs::remove_file(archive)?)
}
