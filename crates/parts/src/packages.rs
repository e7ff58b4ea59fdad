//! Which Debian packages a part needs, whether they are there, and installing those that are not.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::command::tail;
use crate::find_program::{find, find_postgres};
use crate::{Error, Result, tools};

/// A third-party program that tests use.
#[derive(Debug)]
pub struct Part {
    pub(crate) needs: &'static [Need],
}

/// Something that must be on the machine, and the Debian package that brings it.
#[derive(Debug)]
pub(crate) enum Need {
    Program {
        name: &'static str,
        package: &'static str,
    },
    PostgresProgram {
        name: &'static str,
        package: &'static str,
    },
    PythonModule {
        name: &'static str,
        package: &'static str,
    },
    PhpExtension {
        name: &'static str,
        package: &'static str,
    },
    File {
        path: &'static str,
        package: &'static str,
    },
}

impl Part {
    /// The Debian packages of this part that are still to be installed.
    pub fn missing(&self) -> BTreeSet<&'static str> {
        self.needs
            .iter()
            .filter(|need| !need.is_there())
            .map(Need::package)
            .collect()
    }
}

impl Need {
    fn is_there(&self) -> bool {
        match self {
            Self::Program { name, .. } => find(name).is_some(),
            Self::PostgresProgram { name, .. } => find_postgres(name).is_ok(),
            Self::PythonModule { name, .. } => {
                succeeds(Command::new("python3").args(["-c", &format!("import {name}")]))
            }
            Self::PhpExtension { name, .. } => succeeds(
                Command::new("php").args(["-r", &format!("exit((int) !extension_loaded('{name}'));")]),
            ),
            Self::File { path, .. } => Path::new(path).is_file(),
        }
    }

    fn package(&self) -> &'static str {
        match self {
            Self::Program { package, .. }
            | Self::PostgresProgram { package, .. }
            | Self::PythonModule { package, .. }
            | Self::PhpExtension { package, .. }
            | Self::File { package, .. } => package,
        }
    }
}

fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Fails, with what to install, when parts are missing that [`provide`] could not install.
pub fn can_provide(parts: &[&Part]) -> Result<()> {
    to_install(parts).map(drop)
}

/// Makes sure that the parts are there: installs what is missing as root, else says what to install.
/// Returns the packages it installed.
pub fn provide(parts: &[&Part]) -> Result<Vec<&'static str>> {
    if to_install(parts)?.is_empty() {
        return Ok(Vec::new());
    }
    // Test programs run side by side: one installs, the others find it done.
    fs::create_dir_all(tools())?;
    let lock = File::create(tools().join("apt.lock"))?;
    lock.lock()?;
    let packages = Vec::from_iter(missing(parts));
    if packages.is_empty() {
        return Ok(packages);
    }
    apt_get(&["update"])?;
    apt_get(
        &[
            &["install", "--yes", "--no-install-recommends"],
            packages.as_slice(),
        ]
        .concat(),
    )?;
    match missing(parts) {
        still if still.is_empty() => Ok(packages),
        still => Err(Error::new(format!(
            "installed, but not found afterwards: {still:?}"
        ))),
    }
}

fn to_install(parts: &[&Part]) -> Result<BTreeSet<&'static str>> {
    let packages = missing(parts);
    if packages.is_empty() || (is_root() && find("apt-get").is_some()) {
        return Ok(packages);
    }
    let names = Vec::from_iter(packages).join(" ");
    Err(Error::new(format!(
        "missing: apt-get install --no-install-recommends {names} (as root)"
    )))
}

fn missing(parts: &[&Part]) -> BTreeSet<&'static str> {
    parts.iter().flat_map(|part| part.missing()).collect()
}

fn apt_get(arguments: &[&str]) -> Result<()> {
    let log = tools().join("apt.log");
    let output = File::create(&log)?;
    let status = Command::new("apt-get")
        .args([
            "--quiet",
            "--option=DPkg::Lock::Timeout=600",
            "--option=Acquire::Retries=3",
        ])
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdin(Stdio::null())
        .stdout(output.try_clone()?)
        .stderr(output)
        .status()
        .map_err(Error::while_("apt-get"))?;
    if status.success() {
        return Ok(());
    }
    Err(Error::new(format!(
        "apt-get {}: {status}\n{}",
        arguments.join(" "),
        tail(&log)
    )))
}

pub(crate) fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}
