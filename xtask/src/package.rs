//! `cargo xtask package`: the program, its manual pages and completions, as a Debian package.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use parts::{Error, Result, Systemd};

use crate::step::{run as run_command, step};
use crate::tool::Tool;

const CARGO_DEB: Tool = Tool {
    name: "cargo-deb",
    version: "3.8.0",
};

/// What is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    Release,
    /// Built sooner, for trying the package.
    Debug,
}

/// Packages what stands in the workspace.
pub(crate) fn run(profile: Profile) -> Result<()> {
    let root = parts::workspace();
    step("the program", || build(&root, profile))?;
    let package = step("the package", || debian(&root, profile))?;
    println!("{}", package.display());
    Ok(())
}

/// Builds the program of the workspace at `root`, the same bytes wherever that is.
pub(crate) fn build(root: &Path, profile: Profile) -> Result<()> {
    let mut command = cargo_in(root);
    command.args(["build", "--locked", "--bin", "firmeza"]);
    match profile {
        Profile::Release => {
            let (rust, c) = path_flags(root)?;
            command.args(["--release", "--package", "cli"]);
            command.env("RUSTFLAGS", rust).env("CFLAGS", c);
        }
        // With the features that tests are built with, so that nothing is built anew.
        Profile::Debug => {
            command.arg("--workspace");
        }
    }
    run_command(&mut command)
}

/// What a package needs beside the program.
pub(crate) fn provide_tools() -> Result<()> {
    parts::provide(&[&Systemd::PART])?;
    // Without these, cargo-deb guesses what the program depends on, or leaves its symbols in.
    for program in ["dpkg-shlibdeps", "strip"] {
        parts::run(Command::new(program).arg("--version"))?;
    }
    CARGO_DEB.provide().map(drop)
}

/// The program of that workspace.
pub(crate) fn program(root: &Path, profile: Profile) -> PathBuf {
    let directory = match profile {
        Profile::Release => "release",
        Profile::Debug => "debug",
    };
    root.join("target").join(directory).join("firmeza")
}

/// Flags by which compilers write down no path of this machine: of the workspace, cargo's own directory and Rust's.
fn path_flags(root: &Path) -> Result<(String, String)> {
    let sysroot = parts::run(
        Command::new("rustc")
            .args(["--print", "sysroot"])
            .current_dir(root),
    )?;
    let cargo = match std::env::var_os("CARGO_HOME") {
        Some(home) => PathBuf::from(home),
        None => std::env::home_dir()
            .ok_or_else(|| Error::new("there is no home directory"))?
            .join(".cargo"),
    };
    let paths = [
        (root.display().to_string(), "/firmeza"),
        (cargo.display().to_string(), "/cargo"),
        (sysroot.trim().to_owned(), "/rust"),
    ];
    if let Some((path, _)) = paths.iter().find(|(path, _)| path.contains(char::is_whitespace)) {
        return Err(Error::new(format!(
            "flags of compilers are separated by spaces, and {path} has one"
        )));
    }
    let flags = |option: &str| {
        let flags = paths.iter().map(|(path, name)| format!("{option}={path}={name}"));
        flags.collect::<Vec<_>>().join(" ")
    };
    Ok((flags("--remap-path-prefix"), flags("-ffile-prefix-map")))
}

/// Makes the package of a program that was built; its path.
pub(crate) fn debian(root: &Path, profile: Profile) -> Result<PathBuf> {
    let cargo_deb = CARGO_DEB.provide()?;
    let exposure = Systemd::exposure(&root.join("deploy/debian/firmeza.service"))?;
    eprintln!("{}", exposure.lines().last().unwrap_or_default());
    let name = match profile {
        Profile::Release => "release",
        Profile::Debug => "dev",
    };
    let program = program(root, profile);
    let out = root.join("target/package");
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    fs::create_dir_all(out.join("completions"))?;
    run_command(Command::new(&program).arg("man").arg(out.join("man")))?;
    for (shell, file) in [("bash", "firmeza"), ("zsh", "_firmeza"), ("fish", "firmeza.fish")] {
        let script = File::create(out.join("completions").join(file))?;
        run_command(Command::new(&program).args(["completions", shell]).stdout(script))?;
    }
    let mut command = Command::new(cargo_deb);
    command
        .args([
            "deb",
            "--package",
            "cli",
            "--no-build",
            "--locked",
            "--profile",
            name,
        ])
        .arg("--output")
        .arg(&out)
        .current_dir(root)
        .env_remove("CARGO_TARGET_DIR");
    if profile == Profile::Debug {
        command.arg("--fast");
    }
    run_command(&mut command)?;
    let mut packages = fs::read_dir(&out)?.filter_map(|entry| Some(entry.ok()?.path()));
    packages
        .find(|path| path.extension().is_some_and(|extension| extension == "deb"))
        .ok_or_else(|| Error::new("cargo-deb made no package"))
}

/// Cargo in a workspace that keeps its own target directory.
fn cargo_in(root: &Path) -> Command {
    let mut command = crate::step::cargo(&[]);
    command.current_dir(root).env_remove("CARGO_TARGET_DIR");
    command
}
