//! A signer's session: the folios to sign, and the session that grants access to them.

use super::cookies;
use super::view::FormTarget;
use crate::page::message_page::SignerMessage;
use crate::page::request::{PageRequest, company_embedding};
use crate::page::{Embedding, PageError, see_other};
use app::signing::open::{Signing, SigningFolio};
use app::signing::pages::{PageViewer, Requester};
use app::{Session, SigningParty};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use domain::{SignerState, Timestamp};

/// A signer with a valid session.
#[derive(Debug)]
pub(crate) struct SignerSession {
    pub(crate) signing: Signing,
    pub(crate) session: Session,
    /// Whether the response must set the session cookie.
    cookie_is_new: bool,
}

impl SignerSession {
    /// For a link that names the party. A valid session of the browser is continued.
    pub(crate) async fn by_link(request: &PageRequest, party: SigningParty) -> Result<Self, PageError> {
        request.count(&party.to_bytes())?;
        let now = request.web.app.clock.now();
        let sessions = &request.web.app.sessions;
        let known = cookies::read(&request.parts.headers, party, request.connection())
            .and_then(|token| sessions.read(&token, party, now));
        let mut before = signing(request, party, known.as_ref()).await?;
        let session = if let Some(session) = known.filter(|session| is_valid(session, &before)) {
            sessions.renew(&session, now)
        } else {
            before = signing(request, party, None).await?;
            sessions.begin(party, before.session_generation, now)
        };
        if let Some(over) = bulk_expired_page(request, &before, now) {
            return Err(over.into());
        }
        Ok(Self {
            signing: before,
            session,
            cookie_is_new: true,
        })
    }

    /// By the browser's session, also where the contact has to be proved. Without a valid session, the error
    /// is the page that says so.
    pub(crate) async fn by_session(request: &PageRequest, party: SigningParty) -> Result<Self, PageError> {
        let app = &request.web.app;
        let now = app.clock.now();
        let Some(session) = idle_session(request, party) else {
            return Err(session_over(request, party, None).await);
        };
        if now >= session.ends_at() {
            return Err(session_over(request, party, Some(resume_path(party))).await);
        }
        request.count(&party.to_bytes())?;
        let signing = signing(request, party, Some(&session)).await?;
        if signing.signed_out {
            return Err(request.session_over_page(None).into());
        }
        if !is_valid(&session, &signing) {
            let over = || request.session_over_page(Some(resume_path(party)));
            return Err(ended_by_act(request, &signing).unwrap_or_else(over).into());
        }
        if let Some(over) = bulk_expired_page(request, &signing, now) {
            return Err(over.into());
        }
        let cookie_is_new = session.is_stale(now);
        let session = if cookie_is_new {
            app.sessions.renew(&session, now)
        } else {
            session
        };
        Ok(Self {
            signing,
            session,
            cookie_is_new,
        })
    }

    /// A new session for a browser whose session ended without being signed out. It gives what the link gives: a code typed
    /// in the old one proves nothing here.
    pub(crate) async fn resumed(request: &PageRequest, party: SigningParty) -> Result<Self, PageError> {
        let app = &request.web.app;
        let now = app.clock.now();
        let Some(idle) = idle_session(request, party) else {
            return Err(session_over(request, party, None).await);
        };
        request.count(&party.to_bytes())?;
        let before = signing(request, party, Some(&idle)).await?;
        if before.signed_out {
            return Err(request.session_over_page(None).into());
        }
        if let Some(over) = bulk_expired_page(request, &before, now) {
            return Err(over.into());
        }
        let session = if now < idle.ends_at() && is_valid(&idle, &before) {
            app.sessions.renew(&idle, now)
        } else {
            app.sessions.resume(&idle, before.session_generation, now)
        };
        Ok(Self {
            signing: before,
            session,
            cookie_is_new: true,
        })
    }

    /// The new session after an act, which ended the previous one.
    pub(crate) async fn renewed_after_act(self, request: &PageRequest) -> Result<Self, PageError> {
        let party = self.signing.party;
        let next = request.web.app.session_after_act(&self.session);
        let session = next.await.map_err(|error| request.error_page(error))?;
        Ok(Self {
            signing: signing(request, party, Some(&session)).await?,
            session,
            cookie_is_new: true,
        })
    }

    /// The same session with the current state of the folios.
    pub(crate) async fn reloaded(self, request: &PageRequest) -> Result<Self, PageError> {
        let signing = signing(request, self.signing.party, Some(&self.session)).await?;
        Ok(Self { signing, ..self })
    }

    /// Who pays for the rendering of page images: limits count by company and signer.
    pub(crate) const fn requester(&self) -> Requester {
        Requester {
            company: self.signing.company.id,
            viewer: PageViewer::Signer(self.session.id),
        }
    }

    pub(crate) fn form_target(&self) -> FormTarget {
        FormTarget {
            path: format!("/sign/{}", self.signing.party),
            csrf: self.session.csrf.clone(),
            seconds_left: self.session.lasts().as_secs(),
        }
    }

    pub(crate) fn embedding(&self) -> Embedding {
        company_embedding(&self.signing.company)
    }

    /// A page for this signer.
    pub(crate) fn render_page(
        &self,
        request: &PageRequest,
        status: StatusCode,
        page: &impl Template,
    ) -> Response {
        let response = crate::page::render_page(status, page, &self.embedding());
        self.with_cookie(request, response)
    }

    /// To the signer's own page.
    pub(crate) fn redirect_to_step(&self, request: &PageRequest, step: &str) -> Response {
        let path = self.form_target().path;
        let question = if step.is_empty() { "" } else { "?step=" };
        self.with_cookie(request, see_other(&format!("{path}{question}{step}")))
    }

    /// Sets the session cookie where it is new.
    pub(crate) fn with_cookie(&self, request: &PageRequest, mut response: Response) -> Response {
        if self.cookie_is_new {
            cookies::set(
                response.headers_mut(),
                self.signing.party,
                &self.session.token,
                request.connection(),
                &self.embedding(),
            );
        }
        response
    }
}

/// The browser's session, also where it was not used for too long.
fn idle_session(request: &PageRequest, party: SigningParty) -> Option<Session> {
    let app = &request.web.app;
    let token = cookies::read(&request.parts.headers, party, request.connection())?;
    app.sessions.read_idle(&token, party, app.clock.now())
}

/// The page for a session that is over, or was never there: only a browser that had one is told whom to ask.
async fn session_over(request: &PageRequest, party: SigningParty, again: Option<String>) -> PageError {
    let app = &request.web.app;
    let token = cookies::read(&request.parts.headers, party, request.connection());
    if token.is_some_and(|token| app.sessions.was_issued(&token, party)) {
        request.embed_for_signer(party).await;
    } else {
        request.embed_for_party(party).await;
    }
    request.session_over_page(again).into()
}

/// The address at which a browser whose session has ended gets a new one.
fn resume_path(party: SigningParty) -> String {
    format!("/sign/{party}/resume")
}

/// Whether the session is of the present generation, and was not signed out.
const fn is_valid(session: &Session, signing: &Signing) -> bool {
    session.is_of(signing.session_generation) && !signing.signed_out
}

/// Loads the party's folios. From here on, pages may be embedded where the company allows it.
async fn signing(
    request: &PageRequest,
    party: SigningParty,
    session: Option<&Session>,
) -> Result<Signing, PageError> {
    match request.web.app.signing(party, session).await {
        Ok(signing) => {
            request.embed_for(&signing.company);
            request.speak(signing.chosen_language, signing.language);
            Ok(signing)
        }
        Err(error) => {
            request.embed_for_signer(party).await;
            Err(request.error_page(error).into())
        }
    }
}

/// The page of an expired bulk signature, which shows nothing of its folios.
fn bulk_expired_page(request: &PageRequest, signing: &Signing, now: Timestamp) -> Option<Response> {
    signing.expires_at.filter(|end| *end <= now)?;
    let back = signing.return_url.as_str();
    let page = request.signer_message_page(SignerMessage::BulkOver, &signing.company, None, back);
    let embedding = company_embedding(&signing.company);
    Some(crate::page::render_page(StatusCode::GONE, &page, &embedding))
}

/// The page for a session that the signer's own act has ended, perhaps by a double click. It only says what was
/// done.
fn ended_by_act(request: &PageRequest, signing: &Signing) -> Option<Response> {
    let acted = |own: &SigningFolio| own.folio.signer(own.signer_index).map(|signer| signer.state);
    let message = if signing.party.bulk().is_some() {
        let documents = |own: &SigningFolio| own.folio.documents.len();
        let folios = signing.folios.iter();
        let all: usize = folios.clone().map(documents).sum();
        let signed = folios.filter(|own| acted(own) == Some(SignerState::Signed));
        let signed: usize = signed.map(documents).sum();
        let open = signing.folios.iter().any(|own| own.closed.is_none());
        (signed > 0 && !open).then(|| SignerMessage::BulkSigned(request.l().signed_of(signed, all)))?
    } else {
        let own = signing.folios.first()?;
        match acted(own)? {
            SignerState::Pending => return None,
            SignerState::Signed => SignerMessage::Signed,
            SignerState::Rejected => SignerMessage::Rejected(None),
        }
    };
    let mut page = request.signer_message_page(message, &signing.company, None, signing.return_url.as_str());
    page.again = Some(resume_path(signing.party));
    let embedding = company_embedding(&signing.company);
    Some(crate::page::render_page(StatusCode::OK, &page, &embedding))
}
