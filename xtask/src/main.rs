//! `cargo xtask`: what a developer and CI run. The help text says what there is.

mod args;
mod bench;
mod build;
mod check;
mod circles;
mod deny;
mod environment;
mod git;
mod long;
mod mutants;
mod package;
mod release;
mod schemathesis;
mod step;
mod test;
mod test_counts;
mod tool;
mod upgrade;

use std::env;
use std::process::ExitCode;

use args::Task;

fn main() -> ExitCode {
    let outcome = match args::parse(env::args().skip(1)) {
        Ok(Task::Help) => {
            print!("{}", args::HELP);
            Ok(())
        }
        Ok(Task::BenchHelp) => {
            print!("{}", args::BENCH_HELP);
            Ok(())
        }
        Ok(Task::Bench(figures)) => bench::run(&figures),
        Ok(Task::Check) => check::run(),
        Ok(Task::Mutants) => mutants::run(),
        Ok(Task::Package(profile)) => package::run(profile),
        Ok(Task::Release { tag }) => release::run(tag),
        Ok(Task::Upgrade { from, profile }) => upgrade::run(from.as_deref(), profile),
        Ok(Task::Test(options)) if options.long => long::run(),
        Ok(Task::Test(options)) => test::run(&options),
        Err(complaint) => {
            eprintln!("{complaint}\n\n{}", args::HELP);
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}
