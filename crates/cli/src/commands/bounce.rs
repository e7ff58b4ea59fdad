//! `firmeza bounce`: what a mail server pipes in about emails that did not arrive.

use crate::settings::Settings;
use crate::terminal::{print_error, say};
use crate::wiring::open_app;
use app::messages::ReportOutcome;
use delivery::reports::{MAX_REPORT_BYTES, read_report};
use std::error::Error;
use std::io::{self, Read};
use std::process::ExitCode;

/// The codes of `sysexits.h`, by which mail servers judge a program. This one has the server try again.
pub(crate) const EX_TEMPFAIL: u8 = 75;
/// The server returns the email to its sender.
const NO_REPORT: u8 = 65;

pub(crate) async fn run(settings: &Settings) -> Result<ExitCode, Box<dyn Error>> {
    match record(settings).await {
        Ok(code) => Ok(code),
        Err(error) => {
            print_error(&*error);
            Ok(ExitCode::from(EX_TEMPFAIL))
        }
    }
}

async fn record(settings: &Settings) -> Result<ExitCode, Box<dyn Error>> {
    let email = tokio::task::spawn_blocking(read_input).await??;
    let report = match read_report(&email) {
        Ok(Some(report)) => report,
        Ok(None) => {
            say!("The report is about nothing that lasts.");
            return Ok(ExitCode::SUCCESS);
        }
        Err(error) => {
            print_error(&error);
            return Ok(ExitCode::from(NO_REPORT));
        }
    };
    let app = open_app(settings).await?;
    let recorded = app.record_report(report).await;
    app.close().await;
    match recorded? {
        ReportOutcome::Recorded => say!("It is in the folio's history."),
        ReportOutcome::Ignored => say!("It was reported before, or the folio was erased."),
        ReportOutcome::UnknownMessage => say!("This installation sent no such message to a signer."),
    }
    Ok(ExitCode::SUCCESS)
}

/// The beginning of standard input. The rest is read away: a mail server takes a pipe that closes early for a failure.
fn read_input() -> io::Result<Vec<u8>> {
    let mut input = io::stdin().lock();
    let mut email = Vec::new();
    input.by_ref().take(MAX_REPORT_BYTES).read_to_end(&mut email)?;
    io::copy(&mut input, &mut io::sink())?;
    Ok(email)
}
