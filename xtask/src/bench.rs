//! `cargo xtask bench`: builds the program as it is shipped, and has the bench measure it.

use std::process::Command;

use parts::Result;

use crate::step::{cargo, run as run_command, step};

/// Measures the figures named; without any, all.
pub(crate) fn run(figures: &[String]) -> Result<()> {
    step("building", || {
        run_command(&mut cargo(&["build", "--release", "-p", "bench", "-p", "cli"]))
    })?;
    let program = parts::target().join("release").join("bench");
    step("figures", || run_command(Command::new(program).args(figures)))
}
