//! `cargo xtask check`: formatting, circles among modules, licences and lints, without tests.

use parts::Result;

use crate::step::{all, cargo, run as run_command, step};
use crate::{circles, deny};

/// Runs every step, also after a failure, so that all problems are reported.
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
        step("formatting", || {
            run_command(&mut cargo(&["fmt", "--all", "--check"]))
        }),
        step("circles among modules", || circles::check(&parts::workspace())),
        step("licences, bans, sources", || deny::check(&deny::provide()?)),
        step("lints", || run_command(&mut cargo(&lints))),
    ])
}
