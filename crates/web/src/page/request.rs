//! A request to a page: client address, language, form.

use crate::Web;
use crate::http::request_id::RequestId;
use crate::page::branding::Branding;
use crate::page::language_switch::{LanguageSwitch, read_choice};
use crate::page::layout::PageLayout;
use crate::page::message_page::{ReturnLink, SignerMessage, SignerMessagePage};
use crate::page::{
    Connection, Embedding, FormFields, Lang, PageError, PanelLang, is_same_origin, render_page,
};
use app::{Error, SigningParty};
use axum::body::Body;
use axum::extract::FromRequest;
use axum::http::header::{ACCEPT_LANGUAGE, HeaderValue, RETRY_AFTER, USER_AGENT};
use axum::http::{Request, StatusCode, request::Parts};
use axum::response::Response;
use domain::{Causes, Client, Language};
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::OnceLock;
use std::time::Duration;
use store::{CompanyContact, CompanyRow};

/// Bytes of a form: a reason of five hundred characters at its longest, and the short fields.
const MAX_FORM_BYTES: usize = 16 << 10;

/// Which sites may embed a company's pages, and the style they carry.
pub(crate) fn company_embedding(company: &CompanyRow) -> Embedding {
    Embedding::of(&company.embedding_origins.join(" ")).styled(Branding::of(company).source())
}

/// A request.
#[derive(Debug)]
pub(crate) struct PageRequest {
    pub(crate) web: Web,
    /// The language that was chosen in this browser.
    chosen: Option<Lang>,
    /// The language that the browser asks for.
    preferred: Option<Lang>,
    /// The language that the signer chose last, and that of the folio, once they are known.
    of_signer: OnceLock<(Option<Language>, Language)>,
    pub(crate) address: IpAddr,
    pub(crate) parts: Parts,
    id: RequestId,
    /// Which sites may embed the response, once its company is known.
    embedding: OnceLock<Embedding>,
    /// Whom signers of the company may ask, once the request has shown that it is one's.
    contact: OnceLock<CompanyContact>,
}

impl FromRequest<Web> for PageRequest {
    type Rejection = Infallible;

    async fn from_request(request: Request<Body>, web: &Web) -> Result<Self, Infallible> {
        Ok(Self::new(web.clone(), request).0)
    }
}

impl PageRequest {
    /// The request, and the body apart.
    pub(crate) fn new(web: Web, request: Request<Body>) -> (Self, Body) {
        let address = web.settings.trusted_proxies.of(&request);
        let id = RequestId::of(&request);
        let (parts, body) = request.into_parts();
        let request = Self {
            chosen: read_choice(&parts.headers, Connection::of(&web.settings.base_url)),
            preferred: Lang::of(&parts.headers),
            of_signer: OnceLock::new(),
            web,
            address,
            parts,
            id,
            embedding: OnceLock::new(),
            contact: OnceLock::new(),
        };
        (request, body)
    }

    /// The language of the page: the one chosen in this browser, or else by this signer before; otherwise the one that the
    /// browser asks for, or the folio's.
    pub(crate) fn l(&self) -> Lang {
        let of_signer = self.of_signer.get().copied();
        let before = of_signer.and_then(|(chosen, _)| chosen).map(Lang::from);
        let of_folio = of_signer.map_or(Lang::Es, |(_, folio)| Lang::from(folio));
        self.chosen.or(before).or(self.preferred).unwrap_or(of_folio)
    }

    /// The language of a page for companies and integrators.
    pub(crate) fn panel_lang(&self) -> PanelLang {
        PanelLang::of(&self.parts.headers)
    }

    /// The language that was chosen in this browser, if any.
    pub(crate) fn chosen_language(&self) -> Option<Language> {
        self.chosen.map(Lang::language)
    }

    /// The languages of a signer and a folio, now that these are known.
    pub(crate) fn speak(&self, chosen: Option<Language>, folio: Language) {
        // A second call is for the same signer.
        let _ = self.of_signer.set((chosen, folio));
    }

    /// Where the request came from, and what the browser says of itself.
    pub(crate) fn client(&self) -> Client {
        let header = |name| self.parts.headers.get(name).and_then(|value| value.to_str().ok());
        Client::browser(self.address, header(USER_AGENT), header(ACCEPT_LANGUAGE))
    }

    /// A value of the address's query.
    pub(crate) fn query(&self, name: &str) -> Option<String> {
        let query = self.parts.uri.query().unwrap_or_default();
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.into_owned())
    }

    /// How the browser reaches the service.
    pub(crate) fn connection(&self) -> Connection {
        Connection::of(&self.web.settings.base_url)
    }

    /// Allows the response to be embedded where the company's pages may be, and to name its contact. The request is one of
    /// its signers'.
    pub(crate) fn embed_for(&self, company: &CompanyRow) {
        // A second call is for the same company.
        let _ = self.embedding.set(company_embedding(company));
        let _ = self.contact.set(company.contact.clone());
    }

    /// The same for a party whose link or session the browser has shown; an unknown one changes nothing.
    pub(crate) async fn embed_for_signer(&self, party: SigningParty) {
        if let Ok(company) = self.web.app.party_company(party).await {
            self.embed_for(&company);
        }
    }

    /// Allows embedding alone, for a party that a request without a session named.
    pub(crate) async fn embed_for_party(&self, party: SigningParty) {
        if let Ok(company) = self.web.app.party_company(party).await {
            let _ = self.embedding.set(company_embedding(&company));
        }
    }

    /// Reads the form, if it was sent from one of our pages; otherwise the status of the error.
    pub(crate) async fn form(&self, body: Body) -> Result<FormFields, StatusCode> {
        if !is_same_origin(&self.web, &self.parts.headers, true) {
            return Err(StatusCode::FORBIDDEN);
        }
        let read = FormFields::read(&self.web, body, MAX_FORM_BYTES).await;
        read.ok_or(StatusCode::BAD_REQUEST)
    }

    pub(crate) fn frame(&self, company: Option<&CompanyRow>) -> PageLayout {
        let frame = PageLayout::new(
            self.l(),
            company.map(|company| company.name.clone()),
            LanguageSwitch::of(&self.parts),
        );
        let contact = company.map(|company| company.contact.clone());
        let origins = company.map(|company| company.embedding_origins.as_slice());
        frame
            .branded(company.map(Branding::of).unwrap_or_default())
            .with_contact(contact)
            .embeddable_by(origins.unwrap_or_default())
    }

    /// A message page for an unidentified client.
    pub(crate) fn message_page(&self, status: StatusCode, message: SignerMessage) -> Response {
        let retry_address = match message {
            SignerMessage::Overloaded
            | SignerMessage::Internal(_)
            | SignerMessage::TooOften(_)
            | SignerMessage::DocumentUnavailable
            | SignerMessage::DocumentsBeingChecked => self.retry_address(),
            _ => None,
        };
        let page = SignerMessagePage {
            f: self.frame(None).with_contact(self.contact.get().cloned()),
            message,
            name: None,
            back: None,
            again: retry_address,
        };
        let embedding = self.embedding.get().cloned().unwrap_or_default();
        render_page(status, &page, &embedding)
    }

    /// The page for a session that is over, perhaps with the address where the browser begins anew.
    pub(crate) fn session_over_page(&self, again: Option<String>) -> Response {
        let page = SignerMessagePage {
            f: self.frame(None).with_contact(self.contact.get().cloned()),
            message: SignerMessage::SessionOver,
            name: None,
            back: None,
            again,
        };
        let embedding = self.embedding.get().cloned().unwrap_or_default();
        render_page(StatusCode::FORBIDDEN, &page, &embedding)
    }

    /// A message page for a signer, with the return link.
    pub(crate) fn signer_message_page(
        &self,
        message: SignerMessage,
        company: &CompanyRow,
        name: Option<&str>,
        back: &str,
    ) -> SignerMessagePage {
        SignerMessagePage {
            f: self.frame(Some(company)),
            message,
            name: name.map(str::to_owned),
            back: Some(ReturnLink::to(back)),
            again: None,
        }
    }

    /// The address to retry: the page itself, or the page of the form.
    fn retry_address(&self) -> Option<String> {
        let path = self.parts.uri.path();
        if self.parts.method == axum::http::Method::POST {
            let (page, _) = path.rsplit_once('/')?;
            return (page != "/sign").then(|| page.to_owned());
        }
        Some(self.parts.uri.path_and_query()?.as_str().to_owned())
    }

    /// The page for a failed act.
    pub(crate) fn error_page(&self, error: Error) -> Response {
        match error {
            Error::NotFound | Error::Foreign | Error::Denied => {
                self.message_page(StatusCode::NOT_FOUND, SignerMessage::WrongLink)
            }
            Error::TooOften { retry_after } => self.wait(StatusCode::TOO_MANY_REQUESTS, retry_after),
            Error::Overloaded => self.retry_page(SignerMessage::Overloaded),
            Error::Unavailable(source) => {
                self.log_failure(&*source);
                self.retry_page(SignerMessage::Overloaded)
            }
            Error::Unconfirmed(source) => {
                self.log_failure(&*source);
                self.retry_page(SignerMessage::Unconfirmed)
            }
            Error::SessionOver | Error::Unproven => {
                self.message_page(StatusCode::FORBIDDEN, SignerMessage::SessionOver)
            }
            Error::Refused(_)
            | Error::Unread(_)
            | Error::NotAccepted
            | Error::PictureMissing
            | Error::Locked { .. }
            | Error::Unfit(_)
            | Error::KeyReused => self.message_page(StatusCode::CONFLICT, SignerMessage::Gone),
            Error::BrokenHistory => {
                self.message_page(StatusCode::INTERNAL_SERVER_ERROR, SignerMessage::BrokenHistory)
            }
            Error::DocumentUnavailable => self.message_page(
                StatusCode::SERVICE_UNAVAILABLE,
                SignerMessage::DocumentUnavailable,
            ),
            Error::DocumentsBeingChecked { retry_after } => {
                let mut response = self.message_page(
                    StatusCode::SERVICE_UNAVAILABLE,
                    SignerMessage::DocumentsBeingChecked,
                );
                let seconds = HeaderValue::from(retry_after.as_secs().max(1));
                response.headers_mut().insert(RETRY_AFTER, seconds);
                response
            }
            Error::Internal(source) => {
                self.log_failure(&*source);
                let message = SignerMessage::Internal(self.id.as_str().to_owned());
                self.message_page(StatusCode::INTERNAL_SERVER_ERROR, message)
            }
        }
    }

    fn log_failure(&self, error: &(dyn std::error::Error + 'static)) {
        tracing::error!(error = %Causes(error), request = self.id.as_str(), "a page failed");
    }

    /// A page that is worth trying again in a moment.
    fn retry_page(&self, message: SignerMessage) -> Response {
        let mut response = self.message_page(StatusCode::SERVICE_UNAVAILABLE, message);
        response
            .headers_mut()
            .insert(RETRY_AFTER, HeaderValue::from_static("2"));
        response
    }

    /// Counts the request against the limits per minute of the signer or folio, and of the network address.
    pub(crate) fn count(&self, whose: &[u8]) -> Result<(), PageError> {
        let now = self.web.app.clock.now();
        let counted = self.web.signer_limits.try_acquire(whose, self.address, now);
        counted.map_err(|span| self.wait(StatusCode::TOO_MANY_REQUESTS, span).into())
    }

    /// Counts a file of evidence.
    pub(crate) fn count_evidence(&self, party: SigningParty) -> Result<(), PageError> {
        let now = self.web.app.clock.now();
        let counted = self
            .web
            .signer_limits
            .try_acquire_evidence(&party.to_bytes(), now);
        counted.map_err(|span| self.wait(StatusCode::TOO_MANY_REQUESTS, span).into())
    }

    fn wait(&self, status: StatusCode, span: Duration) -> Response {
        let mut response = self.message_page(status, SignerMessage::TooOften(self.l().wait(span)));
        let seconds = HeaderValue::from(span.as_secs().max(1));
        response.headers_mut().insert(RETRY_AFTER, seconds);
        response
    }
}
