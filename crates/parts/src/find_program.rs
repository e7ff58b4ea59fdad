//! Where a program is on this machine.

use std::env;
use std::fs;
use std::path::PathBuf;

use crate::{Error, Result};

/// The path of a program. Some servers are in directories that are not in every user's `PATH`.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let servers = ["/usr/local/sbin", "/usr/sbin", "/sbin"].map(PathBuf::from);
    env::split_paths(&path)
        .chain(servers)
        .map(|directory| directory.join(program))
        .find(|file| file.is_file())
}

/// The path of a program that must be there.
pub fn program(name: &str) -> Result<PathBuf> {
    find(name).ok_or_else(|| Error::new(format!("{name} is not installed")))
}

/// Where a program of `PostgreSQL` is: of the newest version that is installed.
pub(crate) fn find_postgres(name: &str) -> Result<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten();
    let newest = versions
        .filter_map(|version| Some((version.file_name().to_str()?.parse::<u32>().ok()?, version.path())))
        .map(|(version, path)| (version, path.join("bin").join(name)))
        .filter(|(_, program)| program.is_file())
        .max();
    match newest {
        Some((_, program)) => Ok(program),
        None => find(name).ok_or_else(|| Error::new(format!("{name} is not installed"))),
    }
}
