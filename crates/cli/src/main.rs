//! `firmeza`: settings, wiring, commands.

mod arguments;
mod certificates;
mod commands;
mod descriptors;
mod first_start;
mod key_file;
mod logging;
mod otlp;
mod proxy_marker;
mod sample;
mod settings;
mod terminal;
mod trusted_lists;
mod wiring;

use arguments::{Arguments, BackupAction, Command};
use clap::Parser;
use settings::Settings;
use std::error::Error;
use std::process::ExitCode;
use terminal::print_error;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if matches!(arguments.command, Some(Command::RenderWorker)) {
        return render::run_worker();
    }
    match run(arguments) {
        Ok(code) => code,
        Err(error) => {
            print_error(&*error);
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> Result<ExitCode, Box<dyn Error>> {
    let command = match arguments.command.unwrap_or(Command::Serve) {
        // Needs neither settings nor an installation, unless an option names one.
        Command::Verify {
            files,
            json,
            trust,
            installation: false,
        } => return commands::verify::run(&files, json, &trust),
        // Needs the backup alone.
        Command::Backup {
            action: Some(BackupAction::Verify { directory }),
            ..
        } => {
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
            return runtime.block_on(commands::backup::run_verify(&directory));
        }
        Command::Backup {
            action:
                Some(BackupAction::Prune {
                    directory,
                    older_than,
                }),
            ..
        } => {
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
            return runtime.block_on(commands::backup::run_prune(&directory, older_than));
        }
        // Talks to an installation as its clients do.
        Command::Mcp => return commands::mcp::run(),
        // Reads the settings itself, whatever is wrong with them.
        Command::Config { action } => return commands::config::run(&action),
        Command::Completions { shell } => return Ok(commands::documents::completions(shell)),
        Command::Man { directory } => return commands::documents::man(&directory),
        command => command,
    };
    let settings = match Settings::load() {
        Ok(settings) => settings,
        Err(problems) => {
            for problem in &problems {
                print_error(problem);
            }
            return Ok(match command {
                // The email stays with the mail server until the settings are right.
                Command::Bounce => ExitCode::from(commands::bounce::EX_TEMPFAIL),
                _ => ExitCode::FAILURE,
            });
        }
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let ended = runtime.block_on(async {
        match command {
            Command::Serve => Box::pin(commands::serve::run(settings)).await,
            Command::Company { action } => commands::company::run(&settings, action).await,
            Command::Key { action } => commands::key::run(&settings, action).await,
            Command::User { action } => commands::user::run(&settings, action).await,
            Command::Outbox { action } => commands::outbox::run(&settings, action).await,
            Command::Bounce => commands::bounce::run(&settings).await,
            Command::Backup {
                directory: Some(directory),
                with_master_key,
                quick,
                ..
            } => commands::backup::run(&settings, &directory, with_master_key, quick).await,
            Command::Inspect { mend_from } => commands::inspect::run(&settings, mend_from.as_deref()).await,
            Command::Restore {
                directory,
                take_over_storage,
            } => commands::restore::run(&settings, &directory, take_over_storage).await,
            Command::Storage { action } => Box::pin(commands::storage::run(&settings, action)).await,
            Command::Rotate { what } => commands::rotate::run(&settings, what).await,
            Command::Reseal { folios, all_due } => {
                Box::pin(commands::reseal::run(&settings, folios, all_due)).await
            }
            Command::Revoke {
                certificate,
                reason,
                at,
            } => commands::revoke::run(&settings, &certificate, &reason, at.as_deref()).await,
            Command::Migrate => commands::migrate::run(&settings).await,
            Command::Doctor => commands::doctor::run(&settings).await,
            Command::Verify {
                files, json, trust, ..
            } => commands::verify::run_with_installation(&settings, &files, json, &trust).await,
            // Need no settings, and were taken care of before those were read.
            Command::Mcp
            | Command::Config { .. }
            | Command::Completions { .. }
            | Command::Man { .. }
            | Command::RenderWorker
            | Command::Backup { .. } => Ok(ExitCode::SUCCESS),
        }
    });
    // Tasks that still run are not awaited, so that they cannot delay the exit.
    runtime.shutdown_background();
    ended
}
