//! `POST forward_emails`: the signing emails again, perhaps to corrected contacts.

use super::answer::Answer;
use super::call::{Call, answered, once};
use super::errors::{Cause, Failure};
use super::fields::{Fault, Faults, Fields};
use super::form;
use super::signers::corrections;
use crate::Web;
use domain::{Correction, FolioId, Problem, ReturnUrl, limits};

pub(crate) const RESENT: &str = "Los correos fueron reenviados exitosamente.";

pub(crate) async fn handle(web: &Web, call: &mut Call) -> Result<Answer, Failure> {
    let caller = web.caller(call.access()).await?;
    let fields = form::short(call).await?;
    let ticket = call.ticket(|| Some(fields.fingerprint(call.operation.name(), &[])))?;
    let (folio, corrections, return_url) = match read(&fields) {
        Ok(read) => read,
        Err(failure) => return web.refuse(call.operation, &caller, ticket, failure).await,
    };
    let once = once(call.operation, ticket, render);
    let resent = web
        .app
        .resend_emails(caller, folio, corrections, return_url, once)
        .await?;
    Ok(answered(resent, render))
}

fn read(fields: &Fields) -> Result<(FolioId, Vec<Correction>, ReturnUrl), Failure> {
    let mut faults = Faults::default();
    let folio = fields
        .text("folioId")
        .and_then(|text| text.parse().map_err(|_| Problem::NotJson));
    let folio = faults.take("folioId", folio);
    let url = fields
        .text("urlReturn")
        .and_then(|text| ReturnUrl::new(text, limits::RETURN_URL_SHORT));
    let url = faults.take("urlReturn", url);
    let signers = match fields.json("signers") {
        Err(Problem::NotJson) => {
            let fault = Fault::new("signers", Problem::NotJson);
            return Err(Failure::Faults(Cause::MalformedSigners, vec![fault]));
        }
        json => faults
            .take("signers", json)
            .and_then(|json| corrections("signers", json, limits::SIGNERS, &mut faults)),
    };
    if signers.as_ref().is_some_and(Vec::is_empty) {
        faults.take::<()>("signers", Err(Problem::Missing));
    }
    let read = folio
        .zip(signers)
        .zip(url)
        .map(|((folio, signers), url)| (folio, signers, url));
    faults.unless_any(read)
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "outcomes are rendered by reference"
)]
fn render((): &()) -> Answer {
    Answer::message(RESENT)
}
