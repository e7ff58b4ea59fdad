//! Logs: one line an event, to standard error; as text, or as JSON for machines.

use crate::settings::Settings;
use crate::terminal::Log;

/// Starts logging as the settings say.
pub(crate) fn start(settings: &Settings) {
    let log = tracing_subscriber::fmt()
        .with_env_filter(settings.log.clone())
        .with_writer(Log {
            json: settings.log_json,
        });
    if settings.log_json {
        log.json().flatten_event(true).with_span_list(false).init();
    } else {
        log.with_ansi(false).init();
    }
}
