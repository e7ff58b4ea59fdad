//! cargo-deny, installed into the cache of tools when it is not there.

use std::path::{Path, PathBuf};
use std::process::Command;

use parts::Result;

use crate::step::{cargo, run};

const VERSION: &str = "0.20.2";

/// The program, built once per version.
pub(crate) fn provide() -> Result<PathBuf> {
    let root = parts::tools().join(format!("cargo-deny-{VERSION}"));
    let program = root.join("bin").join("cargo-deny");
    if !program.is_file() {
        // Unoptimised and without fetching advisories: a third of the time to build, and fast enough.
        let source = [
            "cargo-deny",
            "--version",
            VERSION,
            "--locked",
            "--no-default-features",
        ];
        let build = ["--debug", "--config", "profile.dev.debug=false"];
        run(cargo(&["install", "--quiet"])
            .args(source)
            .args(build)
            .arg("--root")
            .arg(&root))?;
    }
    Ok(program)
}

/// What `deny.toml` says of the dependencies' licences, bans and sources.
pub(crate) fn check(program: &Path) -> Result<()> {
    let mut command = Command::new(program);
    command.args([
        "--workspace",
        "check",
        "--hide-inclusion-graph",
        "licenses",
        "bans",
        "sources",
    ]);
    run(command.current_dir(parts::workspace()))
}
