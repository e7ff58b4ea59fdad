//! `cargo xtask check`: what is true of the code before any test runs.

use parts::Result;

use crate::deny;
use crate::stage::{cargo, run, stage};

pub(crate) fn run_all() -> Result<()> {
    stage("formatting", || run(&mut cargo(&["fmt", "--all", "--check"])))?;
    stage("lints", || {
        run(&mut cargo(&[
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "--deny",
            "warnings",
        ]))
    })?;
    let program = stage("cargo-deny", deny::provide)?;
    stage("licences, bans, sources", || deny::check(&program))
}
