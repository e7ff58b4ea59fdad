//! Steps of a run, each with a line that says how it went and how long it took.

use std::env;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use parts::{End, Error, Guard, Result};

/// Does one step and prints its line.
pub(crate) fn step<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    eprintln!("==> {name}");
    let started = Instant::now();
    let outcome = work();
    let verdict = if outcome.is_ok() { "done" } else { "FAILED" };
    eprintln!(
        "==> {name}: {verdict} in {:.1} s",
        started.elapsed().as_secs_f64()
    );
    outcome
}

/// Everything that failed, as one failure.
pub(crate) fn all(outcomes: impl IntoIterator<Item = Result<()>>) -> Result<()> {
    let failures: Vec<_> = outcomes
        .into_iter()
        .filter_map(Result::err)
        .map(|failure| failure.to_string())
        .collect();
    if failures.is_empty() {
        Ok(())
    } else {
        Err(Error::new(failures.join("\n")))
    }
}

/// A cargo command, in the workspace.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(parts::workspace());
    command
}

/// Runs a command whose output goes straight to the terminal. It ends with us, however we end.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    watch(command, |child| child.wait().map_err(Error::from))
}

/// The same, within a time.
pub(crate) fn run_within(limit: Duration, command: &mut Command) -> Result<()> {
    let started = Instant::now();
    watch(command, |child| {
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status);
            }
            if started.elapsed() > limit {
                return Err(Error::new(format!("still running after {limit:?}")));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    })
}

/// Starts a command, runs `work` with it, and fails if it failed.
pub(crate) fn watch(
    command: &mut Command,
    follow: impl FnOnce(&mut Child) -> Result<ExitStatus>,
) -> Result<()> {
    let name = words(command);
    let mut guard = Guard::new(None)?;
    let mut child = guard.spawn(command.stdin(Stdio::null()), End::KillGroup)?;
    let status = follow(&mut child).map_err(Error::while_(&name))?;
    guard.forget(&child)?;
    if status.success() {
        Ok(())
    } else {
        Err(Error::new(format!("{name}: {status}")))
    }
}

fn words(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program())
        .file_name()
        .unwrap_or_default();
    let first = command.get_args().next().unwrap_or_default();
    format!("{} {}", program.to_string_lossy(), first.to_string_lossy())
}
