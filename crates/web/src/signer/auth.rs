//! What a handler of the signers' pages requires of a request: the session of the signer that the path names, and for a
//! form its CSRF token. Only [`UnprovenSignerForm`] is open to a signer whose contact was corrected and is not proven
//! yet; the others respond with the page that asks for the code.

use super::proof_page::proof_page;
use super::session::SignerSession;
use crate::Web;
use crate::page::message_page::SignerMessage;
use crate::page::request::PageRequest;
use crate::page::{FormFields, PageError, see_other};
use app::SigningParty;
use axum::RequestExt;
use axum::body::Body;
use axum::extract::{FromRequest, Path, Request};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde::Deserialize;

/// A signer with a session.
#[derive(Debug)]
pub(crate) struct ProvenSigner {
    pub(crate) request: PageRequest,
    pub(crate) signer_session: SignerSession,
}

/// The same with a form.
#[derive(Debug)]
pub(crate) struct ProvenSignerForm {
    pub(crate) request: PageRequest,
    pub(crate) signer_session: SignerSession,
    pub(crate) form: FormFields,
}

/// A form of a signer with a session, also before the contact is proven.
#[derive(Debug)]
pub(crate) struct UnprovenSignerForm {
    pub(crate) request: PageRequest,
    pub(crate) signer_session: SignerSession,
    pub(crate) form: FormFields,
}

/// A form without a session, from one of our pages.
#[derive(Debug)]
pub(crate) struct IdentifyForm {
    pub(crate) request: PageRequest,
    pub(crate) form: FormFields,
}

#[derive(Deserialize)]
struct PartyPath {
    party: String,
}

impl FromRequest<Web> for ProvenSigner {
    type Rejection = PageError;

    async fn from_request(request: Request, web: &Web) -> Result<Self, PageError> {
        let (request, party, _) = open(request, web).await?;
        let signer_session = by_session(&request, party).await?;
        must_be_proven(&request, &signer_session)?;
        Ok(Self {
            request,
            signer_session,
        })
    }
}

impl FromRequest<Web> for ProvenSignerForm {
    type Rejection = PageError;

    async fn from_request(request: Request, web: &Web) -> Result<Self, PageError> {
        let UnprovenSignerForm {
            request,
            signer_session,
            form,
        } = UnprovenSignerForm::from_request(request, web).await?;
        must_be_proven(&request, &signer_session)?;
        Ok(Self {
            request,
            signer_session,
            form,
        })
    }
}

impl FromRequest<Web> for UnprovenSignerForm {
    type Rejection = PageError;

    /// Without the CSRF token, the response is a redirect to the signer's page.
    async fn from_request(request: Request, web: &Web) -> Result<Self, PageError> {
        let (request, party, body) = open(request, web).await?;
        let form = match request.form(body).await {
            Ok(form) => form,
            Err(status) => {
                if let Some(party) = party {
                    request.embed_for_party(party).await;
                }
                return Err(request.message_page(status, SignerMessage::WrongLink).into());
            }
        };
        let signer_session = by_session(&request, party).await?;
        if form.get("csrf") != signer_session.session.csrf {
            return Err(see_other(&signer_session.form_target().path).into());
        }
        Ok(Self {
            request,
            signer_session,
            form,
        })
    }
}

impl FromRequest<Web> for IdentifyForm {
    type Rejection = PageError;

    async fn from_request(request: Request, web: &Web) -> Result<Self, PageError> {
        let (request, body) = PageRequest::new(web.clone(), request);
        let form = request.form(body).await;
        let form = form.map_err(|status| request.message_page(status, SignerMessage::WrongLink))?;
        Ok(Self { request, form })
    }
}

/// The request with the party that its path names, and the body. A malformed party is `None`.
async fn open(
    mut request: Request,
    web: &Web,
) -> Result<(PageRequest, Option<SigningParty>, Body), PageError> {
    let path = request.extract_parts::<Path<PartyPath>>().await;
    let Path(PartyPath { party }) = path.map_err(IntoResponse::into_response)?;
    let (request, body) = PageRequest::new(web.clone(), request);
    Ok((request, party.parse().ok(), body))
}

async fn by_session(request: &PageRequest, party: Option<SigningParty>) -> Result<SignerSession, PageError> {
    let unknown = || request.message_page(StatusCode::NOT_FOUND, SignerMessage::NotFound);
    SignerSession::by_session(request, party.ok_or_else(unknown)?).await
}

fn must_be_proven(request: &PageRequest, signer_session: &SignerSession) -> Result<(), PageError> {
    if signer_session.signing.is_closed() {
        return Err(proof_page(request, signer_session, Vec::new()).into());
    }
    Ok(())
}
