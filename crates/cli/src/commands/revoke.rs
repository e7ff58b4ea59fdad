//! `firmeza revoke`: a certificate that is no longer to be believed.

use crate::settings::Settings;
use crate::terminal::say;
use crate::wiring::open_app;
use domain::Timestamp;
use pki::authority::Reason;
use std::error::Error;
use std::process::ExitCode;

pub(crate) async fn run(
    settings: &Settings,
    certificate: &str,
    reason: &str,
    at: Option<&str>,
) -> Result<ExitCode, Box<dyn Error>> {
    let names: Vec<&str> = Reason::names().collect();
    let reason =
        Reason::named(reason).ok_or_else(|| format!("--reason {reason}: none of {}", names.join(", ")))?;
    let at = at.map(time).transpose()?;
    let app = open_app(settings).await?;
    let revoked = app.revoke_certificate(certificate, reason, at).await;
    app.close().await;
    let revoked = revoked?;
    if !revoked.now {
        say!("It was revoked before: nothing was changed.");
        return Ok(ExitCode::SUCCESS);
    }
    match revoked.subject {
        Some(subject) => say!("Revoked: {subject}"),
        None => say!("Revoked. No certificate in use has that number: it is on the list of every issuer."),
    }
    if revoked.in_use {
        say!("The authority signs nothing more until you run: firmeza rotate authority");
    }
    Ok(ExitCode::SUCCESS)
}

fn time(text: &str) -> Result<Timestamp, String> {
    let instant = text.parse::<jiff::Timestamp>();
    let instant =
        instant.map_err(|error| format!("--at {text}: no time such as 2027-01-31T12:00:00Z: {error}"))?;
    Ok(Timestamp::from_micros(instant.as_microsecond()))
}
