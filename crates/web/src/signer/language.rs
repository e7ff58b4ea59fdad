//! The choice of a language: the browser keeps it, and later messages to the signer are in it.

use super::auth::IdentifyForm;
use super::session::SignerSession;
use crate::page::language_switch::{has_switch, keep_choice};
use crate::page::message_page::SignerMessage;
use crate::page::request::{PageRequest, company_embedding};
use crate::page::{Embedding, Lang, PageError, PageResult, see_other};
use app::{Error, SigningParty};
use axum::http::StatusCode;
use domain::Language;

/// `POST /language`, from any page with the switch.
pub(crate) async fn choose(IdentifyForm { request, form }: IdentifyForm) -> PageResult {
    let back = form.get("back");
    let (Ok(language), true) = (form.get("language").parse::<Language>(), has_switch(back)) else {
        let refused = request.message_page(StatusCode::BAD_REQUEST, SignerMessage::WrongLink);
        return Err(refused.into());
    };
    let party = party_of(&request, back);
    let embedding = embedding(&request, back, party).await;
    // A page without a valid session has no signer yet: the browser alone keeps the choice.
    if let Some(party) = party
        && let Ok(signer_session) = SignerSession::by_session(&request, party).await
        && !signer_session.signing.is_closed()
    {
        let chosen = request.web.app.choose_language(&signer_session.session, language);
        chosen.await.map_err(|error| request.error_page(error))?;
    }
    let mut response = see_other(back);
    keep_choice(
        response.headers_mut(),
        Lang::from(language),
        request.connection(),
        &embedding,
    );
    Ok(response)
}

/// Stores the language that the browser keeps, where the signer has another: it was chosen before the session began.
pub(super) async fn remember(request: &PageRequest, signer_session: &SignerSession) -> Result<(), PageError> {
    let signing = &signer_session.signing;
    let Some(chosen) = request.chosen_language() else {
        return Ok(());
    };
    if signing.chosen_language == Some(chosen) || signing.is_closed() {
        return Ok(());
    }
    let app = &request.web.app;
    match app.choose_language(&signer_session.session, chosen).await {
        // What the signer came for is more than its language: the act that follows says why it cannot be done.
        Ok(()) | Err(Error::SessionOver | Error::Unproven) => Ok(()),
        Err(error) => Err(request.error_page(error).into()),
    }
}

/// The party whose page that is, by the path of a session or by a link.
fn party_of(request: &PageRequest, back: &str) -> Option<SigningParty> {
    let app = &request.web.app;
    let (path, query) = back.split_once('?').unwrap_or((back, ""));
    match path {
        "/sign" => app.open_signer_link(&value(query, "s")?).ok(),
        "/sign/bulk" => app.open_bulk_link(&value(query, "msv")?).ok(),
        _ => path.strip_prefix("/sign/")?.split('/').next()?.parse().ok(),
    }
}

/// Which sites may embed the page.
async fn embedding(request: &PageRequest, back: &str, party: Option<SigningParty>) -> Embedding {
    let app = &request.web.app;
    let company = if let Some(party) = party {
        app.party_company(party).await
    } else {
        let token = back.split_once('?').and_then(|(_, query)| value(query, "f"));
        match token.map(|token| app.open_folio_link(&token)) {
            Some(Ok(folio)) => app.folio_company(folio).await,
            _ => return Embedding::default(),
        }
    };
    company.map_or_else(|_| Embedding::default(), |company| company_embedding(&company))
}

fn value(query: &str, name: &str) -> Option<String> {
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    let found = pairs.find(|(known, _)| known == name);
    found.map(|(_, value)| value.into_owned())
}
