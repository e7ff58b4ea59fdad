//! `cargo xtask test`: every test, against real parts.

use std::env;
use std::io;
use std::panic::resume_unwind;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use parts::Result;

use crate::args::TestOptions;
use crate::build::build;
use crate::environment::{Servers, install_parts, look_for_parts};
use crate::schemathesis;
use crate::step::{all, cargo, step, watch};
use crate::test_counts::TestCounts;

/// What the random cases of tests are made from.
const SEED_VARIABLE: &str = "PROPTEST_RNG_SEED";

/// The package that has a step of its own.
const CLIENTS_PACKAGE: &str = "interop";

/// Runs every step, also after one has failed, as long as the parts are there.
pub(crate) fn run(options: &TestOptions) -> Result<()> {
    let mut counts = TestCounts::default();
    let outcome = steps(options, &mut counts);
    if counts.ignored > 0 {
        println!("{} ignored", counts.ignored);
    }
    println!("{} passed, {} failed", counts.passed, counts.failed);
    outcome
}

fn steps(options: &TestOptions, counts: &mut TestCounts) -> Result<()> {
    let filter = options.filter.as_deref();
    let api_fuzzed = filter.is_none_or(|filter| schemathesis::NAME.contains(filter));

    look_for_parts()?;
    // Installing waits for the network, and keeps one processor busy at most.
    let (tools, built) = thread::scope(|scope| {
        let tools = scope.spawn(|| step("parts", install_parts));
        let built = step("build", build);
        (tools.join(), built)
    });
    let built = built?;
    let tools = tools.unwrap_or_else(|panic| resume_unwind(panic))?;
    let servers = step("PostgreSQL and S3", Servers::start)?;
    let variables = |stack| tools.variables().into_iter().chain(servers.variables(stack));

    all([
        step("tests of the workspace", || {
            let mut command = cargo(&[
                "test",
                "--workspace",
                "--exclude",
                CLIENTS_PACKAGE,
                "--no-fail-fast",
            ]);
            test(command.envs(variables("embedded")), options, counts)
        }),
        step(
            "tests of the web API and of messages on PostgreSQL and S3",
            || {
                let mut outcomes = Vec::new();
                for package in ["web", "delivery"] {
                    for program in built.tests_of(package)? {
                        let mut command = in_package(package, &program);
                        outcomes.push(test(command.envs(variables("distributed")), options, counts));
                    }
                }
                all(outcomes)
            },
        ),
        step("HTTP clients of other languages", || {
            let mut outcomes = Vec::new();
            for program in built.tests_of(CLIENTS_PACKAGE)? {
                let mut command = in_package(CLIENTS_PACKAGE, &program);
                outcomes.push(test(command.envs(variables("embedded")), options, counts));
            }
            all(outcomes)
        }),
        if api_fuzzed {
            step(schemathesis::NAME, || schemathesis::run(&tools.schemathesis))
        } else {
            eprintln!(
                "==> {}: left out, the filter does not name it",
                schemathesis::NAME
            );
            Ok(())
        },
    ])
}

/// A test program as cargo would run it.
fn in_package(package: &str, program: &Path) -> Command {
    let directory = parts::workspace().join("crates").join(package);
    let mut command = Command::new(program);
    command
        .env("CARGO_MANIFEST_DIR", &directory)
        .env("CARGO_PKG_NAME", package)
        .current_dir(directory);
    command
}

fn test(command: &mut Command, options: &TestOptions, counts: &mut TestCounts) -> Result<()> {
    command.args(options.filter.as_slice()).stdout(Stdio::piped());
    // Every run uses the same random cases, so that a failure belongs to the change. Another seed finds
    // more.
    if env::var_os(SEED_VARIABLE).is_none() {
        command.env(SEED_VARIABLE, "1");
    }
    if let Some(rounds) = options.crash_rounds {
        command.env("FIRMEZA_TEST_CRASH_ROUNDS", rounds.to_string());
    }
    watch(command, |child| {
        if let Some(output) = child.stdout.take() {
            counts.follow(output, io::stdout())?;
        }
        Ok(child.wait()?)
    })
}
