//! `cargo xtask check`: formatting, lints, licences and documents, without tests.

use parts::Result;

use crate::stage::{all, cargo, run as run_command, stage};
use crate::{circles, deny};

/// Runs every stage, also after a failure, so that all problems are reported.
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
        stage("circles among modules", || circles::check(&parts::workspace())),
        stage("licences, bans, sources", || deny::check(&deny::provide()?)),
        stage("lints", || run_command(&mut cargo(&lints))),
    ])
}
