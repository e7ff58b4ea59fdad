//! `cargo xtask check`: what is true of the code before any test runs.

use parts::Result;

use crate::deny;
use crate::stage::{all, cargo, run as run_command, stage};

/// Runs every stage, also after one has failed: what is wrong is seen at once.
pub(crate) fn run() -> Result<()> {
    let lints = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "--deny",
        "warnings",
    ];
    all([
        stage("formatting", || {
            run_command(&mut cargo(&["fmt", "--all", "--check"]))
        }),
        stage("licences, bans, sources", || deny::check(&deny::provide()?)),
        stage("lints", || run_command(&mut cargo(&lints))),
    ])
}
