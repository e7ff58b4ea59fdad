//! `cargo xtask mutants`: changes the code in one place at a time and sees whether a test notices. Not part of CI: it takes
//! about two hours.

use std::path::PathBuf;
use std::process::Command;

use parts::{Error, Result};

use crate::step::{cargo, run as run_command, step};

const VERSION: &str = "27.1.0";

/// What is changed, by which tests it is judged, and the share of the changes that they must notice.
///
/// cargo-mutants builds and tests once for each change.
struct Scope {
    name: &'static str,
    package: &'static str,
    files: &'static [&'static str],
    /// One of so many changes is tried, evenly spread over the files.
    one_of: usize,
    /// Tests that need no other program.
    tests: &'static [&'static str],
    min_percent: usize,
}

const SCOPES: [Scope; 2] = [
    Scope {
        name: "the rules",
        package: "domain",
        files: &["crates/domain/src/**/*.rs"],
        one_of: 1,
        tests: &[],
        min_percent: 95,
    },
    Scope {
        name: "the difference rules of the verifier",
        package: "pades",
        files: &[
            "crates/pades/src/verify/difference/*.rs",
            "crates/pades/src/verify/rules.rs",
        ],
        // All of them would take half a night.
        one_of: 4,
        // The other tests of the corpus want programs that CI installs.
        tests: &[
            "--lib",
            "--test",
            "corpus",
            "--",
            "verify::difference::",
            "verifying::",
            "attacks::",
            "locks::",
            "second_signatures::",
            "security_store::",
            "--skip=pdfbox",
            "--skip=pyhanko",
            "--skip=a_list_that_others_share",
        ],
        min_percent: 90,
    },
];

/// Runs every scope, also after a failure.
pub(crate) fn run() -> Result<()> {
    let program = provide()?;
    crate::step::all(SCOPES.map(|scope| step(scope.name, || measure(&program, &scope))))
}

fn measure(program: &PathBuf, scope: &Scope) -> Result<()> {
    let out = parts::target().join("mutants").join(scope.package);
    std::fs::create_dir_all(&out)?;
    let mut command = Command::new(program);
    command.current_dir(parts::workspace());
    command.args(["mutants", "--package", scope.package, "--no-shuffle", "--output"]);
    command.arg(&out);
    command.args([
        "--sharding",
        "round-robin",
        "--shard",
        &format!("0/{}", scope.one_of),
    ]);
    // Programs without line numbers are linked faster.
    command.env("CARGO_PROFILE_DEV_DEBUG", "none");
    for file in scope.files {
        command.args(["--file", file]);
    }
    if !scope.tests.is_empty() {
        command.arg("--").args(scope.tests);
    }
    // It fails where a change was not noticed, too: the files it leaves behind are what counts.
    let _ = run_command(&mut command);
    let count = |name: &str| -> Result<usize> {
        let text = std::fs::read_to_string(out.join("mutants.out").join(name))?;
        Ok(text.lines().count())
    };
    let caught = count("caught.txt")? + count("timeout.txt")?;
    let all = caught + count("missed.txt")?;
    println!(
        "{}: {caught} of {all} changes noticed; one of {} was tried",
        scope.name, scope.one_of
    );
    if caught * 100 >= all * scope.min_percent && all > 0 {
        return Ok(());
    }
    let missed = out.join("mutants.out").join("missed.txt");
    Err(Error::new(format!(
        "fewer than {} %: see {}",
        scope.min_percent,
        missed.display()
    )))
}

/// The program, built once per version.
fn provide() -> Result<PathBuf> {
    let root = parts::tools().join(format!("cargo-mutants-{VERSION}"));
    let program = root.join("bin").join("cargo-mutants");
    if !program.is_file() {
        run_command(
            cargo(&[
                "install",
                "--quiet",
                "cargo-mutants",
                "--locked",
                "--version",
                VERSION,
            ])
            .arg("--root")
            .arg(&root),
        )?;
    }
    Ok(program)
}
