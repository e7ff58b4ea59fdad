//! Logs: one line an event, to standard error; as text, or as JSON for machines.

use crate::settings::Settings;
use tracing_subscriber::EnvFilter;

/// Starts logging as the settings say.
pub(crate) fn start(settings: &Settings) -> Result<(), tracing_subscriber::filter::ParseError> {
    let filter = EnvFilter::try_new(&settings.log)?;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    if settings.log_json {
        log.json().flatten_event(true).init();
    } else {
        log.with_ansi(false).init();
    }
    Ok(())
}
