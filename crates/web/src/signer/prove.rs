//! Proving the contact: a code is sent there and typed here. It is required before a corrected contact sees
//! the folio, and before the evidence.

use super::auth::UnprovenSignerForm;
use super::codes::{code_error, typed_codes};
use super::proof_page::proof_page;
use crate::page::PageResult;
use app::{CodeOutcome, CodePurpose};

/// `POST /sign/{party}/proof-code`: sends the code.
pub(crate) async fn code(
    UnprovenSignerForm {
        request,
        signer_session,
        ..
    }: UnprovenSignerForm,
) -> PageResult {
    let app = &request.web.app;
    let sending = app.send_codes(&signer_session.session, CodePurpose::Prove, request.client());
    match sending.await {
        // Too soon after the last code, or too many today: the page says how long to wait.
        Ok(()) | Err(app::Error::TooOften { .. } | app::Error::Locked { .. }) => {
            Ok(signer_session.redirect_to_step(&request, "proof"))
        }
        Err(error) => Err(request.error_page(error).into()),
    }
}

/// `POST /sign/{party}/proof`: compares the code.
pub(crate) async fn prove(
    UnprovenSignerForm {
        request,
        signer_session,
        form,
    }: UnprovenSignerForm,
) -> PageResult {
    let codes = typed_codes(&request, &signer_session, &form)
        .map_err(|code_errors| proof_page(&request, &signer_session, code_errors))?;
    let app = &request.web.app;
    let proved = app.prove_contact(&signer_session.session, codes, request.client());
    let proved = proved.await.map_err(|error| request.error_page(error))?;
    if let CodeOutcome::Done(()) = proved {
        return Ok(signer_session.redirect_to_step(&request, ""));
    }
    let signer_session = signer_session.reloaded(&request).await?;
    Ok(proof_page(
        &request,
        &signer_session,
        code_error(request.l(), &proved),
    ))
}
