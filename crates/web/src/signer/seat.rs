//! A signer's session: the folios to sign, and the session that grants access to them.

use super::cookie;
use super::notice::News;
use super::prove::present_proof;
use super::view::Desk;
use super::visit::{Visit, embedding};
use crate::page::{Embedding, Form, see_other};
use app::open_link::{Signing, SigningFolio};
use app::show_page::{Person, Requester};
use app::{Holder, Session};
use askama::Template;
use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::SET_COOKIE;
use axum::response::Response;
use domain::{FolioState, SignerState, Timestamp};

/// A signer with a valid session.
#[derive(Debug)]
pub(crate) struct Seat {
    pub(crate) signing: Signing,
    pub(crate) session: Session,
    /// Whether the response must set the session cookie.
    fresh: bool,
}

impl Seat {
    /// For a link that names the holder. A valid session of the browser is continued.
    pub(crate) async fn by_link(visit: &Visit, holder: Holder) -> Result<Self, Response> {
        visit.count(&holder.to_bytes()).map_err(|answer| *answer)?;
        let now = visit.web.app.clock.now();
        let sessions = &visit.web.app.sessions;
        let known = visit
            .cookie(holder)
            .and_then(|token| sessions.read(&token, holder, now));
        let mut before = signing(visit, holder, known.as_ref()).await?;
        let session = if let Some(session) = known.filter(|session| holds(session, &before)) {
            sessions.renew(&session, now)
        } else {
            before = signing(visit, holder, None).await?;
            sessions.begin(holder, before.session_generation, now)
        };
        if let Some(over) = bulk_over(visit, &before, now) {
            return Err(over);
        }
        Ok(Self {
            signing: before,
            session,
            fresh: true,
        })
    }

    /// By the browser's session. Where the contact has to be proved first, the error is the page that asks
    /// for the code.
    pub(crate) async fn by_session(visit: &Visit, holder: &str) -> Result<Self, Response> {
        let seat = Self::by_any_session(visit, holder).await?;
        if seat.signing.is_closed() {
            return Err(present_proof(visit, &seat, Vec::new()));
        }
        Ok(seat)
    }

    /// By the browser's session, also where the contact has to be proved. Without a valid session, the error
    /// is the page that says so.
    pub(crate) async fn by_any_session(visit: &Visit, holder: &str) -> Result<Self, Response> {
        let Ok(holder) = holder.parse::<Holder>() else {
            return Err(visit.news(StatusCode::NOT_FOUND, News::NotFound));
        };
        let app = &visit.web.app;
        let now = app.clock.now();
        let session = visit
            .cookie(holder)
            .and_then(|token| app.sessions.read(&token, holder, now));
        let over = || visit.news(StatusCode::FORBIDDEN, News::SessionOver);
        let Some(session) = session else {
            visit.embed_for_holder(holder).await;
            return Err(over());
        };
        visit.count(&holder.to_bytes()).map_err(|answer| *answer)?;
        let signing = signing(visit, holder, Some(&session)).await?;
        if !holds(&session, &signing) {
            let told = ended_by_act(visit, &signing).filter(|_| !signing.signed_out);
            return Err(told.unwrap_or_else(over));
        }
        if let Some(over) = bulk_over(visit, &signing, now) {
            return Err(over);
        }
        let fresh = session.is_stale(now);
        let session = if fresh {
            app.sessions.renew(&session, now)
        } else {
            session
        };
        Ok(Self {
            signing,
            session,
            fresh,
        })
    }

    /// The same with a form. Without the CSRF token, the error is a redirect to the page.
    pub(crate) async fn with_form(visit: &Visit, body: Body, holder: &str) -> Result<(Self, Form), Response> {
        let (seat, form) = Self::with_any_form(visit, body, holder).await?;
        if seat.signing.is_closed() {
            return Err(present_proof(visit, &seat, Vec::new()));
        }
        Ok((seat, form))
    }

    /// The same, also where the contact has to be proved.
    pub(crate) async fn with_any_form(
        visit: &Visit,
        body: Body,
        holder: &str,
    ) -> Result<(Self, Form), Response> {
        let form = match visit.form(body).await {
            Ok(form) => form,
            Err(status) => {
                if let Ok(holder) = holder.parse::<Holder>() {
                    visit.embed_for_holder(holder).await;
                }
                return Err(visit.news(status, News::WrongLink));
            }
        };
        let seat = Self::by_any_session(visit, holder).await?;
        if form.get("csrf") != seat.session.csrf {
            return Err(see_other(&seat.desk().path));
        }
        Ok((seat, form))
    }

    /// The new session after an act, which ended the previous one.
    pub(crate) async fn after_act(self, visit: &Visit) -> Result<Self, Response> {
        let holder = self.signing.holder;
        let next = visit.web.app.session_after_act(&self.session);
        let session = next.await.map_err(|error| visit.trouble(error))?;
        Ok(Self {
            signing: signing(visit, holder, Some(&session)).await?,
            session,
            fresh: true,
        })
    }

    /// The same session with the current state of the folios.
    pub(crate) async fn again(self, visit: &Visit) -> Result<Self, Response> {
        let signing = signing(visit, self.signing.holder, Some(&self.session)).await?;
        Ok(Self { signing, ..self })
    }

    /// Who pays for the rendering of page images: limits count by company and signer.
    pub(crate) const fn requester(&self) -> Requester {
        Requester {
            company: self.signing.company.id,
            person: Person::Signer(self.session.id),
        }
    }

    pub(crate) fn desk(&self) -> Desk {
        Desk {
            path: format!("/sign/{}", self.signing.holder),
            csrf: self.session.csrf.clone(),
        }
    }

    pub(crate) fn embedding(&self) -> Embedding {
        embedding(&self.signing.company)
    }

    /// A page for this signer.
    pub(crate) fn answer(&self, visit: &Visit, status: StatusCode, page: &impl Template) -> Response {
        let answer = crate::page::answer(status, page, &self.embedding());
        self.keep(visit, answer)
    }

    /// To the signer's own page.
    pub(crate) fn on_to(&self, visit: &Visit, step: &str) -> Response {
        let path = self.desk().path;
        let question = if step.is_empty() { "" } else { "?step=" };
        self.keep(visit, see_other(&format!("{path}{question}{step}")))
    }

    /// Sets the session cookie where it is new.
    pub(crate) fn keep(&self, visit: &Visit, mut answer: Response) -> Response {
        if self.fresh
            && let Some(cookie) = cookie::keep(
                self.signing.holder,
                &self.session.token,
                visit.is_https(),
                &self.embedding(),
            )
        {
            answer.headers_mut().append(SET_COOKIE, cookie);
        }
        answer
    }
}

/// Whether the session is of the present generation, and was not signed out.
const fn holds(session: &Session, signing: &Signing) -> bool {
    session.is_of(signing.session_generation) && !signing.signed_out
}

/// Loads the holder's folios. From here on, pages may be embedded where the company allows it.
async fn signing(visit: &Visit, holder: Holder, session: Option<&Session>) -> Result<Signing, Response> {
    match visit.web.app.signing(holder, session).await {
        Ok(signing) => {
            visit.embed_for(&signing.company);
            Ok(signing)
        }
        Err(error) => {
            visit.embed_for_holder(holder).await;
            Err(visit.trouble(error))
        }
    }
}

/// The page of an expired bulk signature, which shows nothing of its folios.
fn bulk_over(visit: &Visit, signing: &Signing, now: Timestamp) -> Option<Response> {
    signing.expires_at.filter(|end| *end <= now)?;
    let back = signing.return_url.as_str();
    let page = visit.known_news(News::BulkOver, &signing.company, None, back);
    let embedding = embedding(&signing.company);
    Some(crate::page::answer(StatusCode::GONE, &page, &embedding))
}

/// The page for a session that the signer's own act has ended, perhaps by a double click: it says what was
/// done, and no more.
fn ended_by_act(visit: &Visit, signing: &Signing) -> Option<Response> {
    let acted = |own: &SigningFolio| own.folio.signers.get(own.place).map(|signer| signer.state);
    let news = if signing.holder.bulk().is_some() {
        let (own, all) = (signing.folios.iter(), signing.folios.len());
        let open = signing.folios.iter().any(|own| own.closed.is_none());
        let signed = own.filter(|own| acted(own) == Some(SignerState::Signed)).count();
        (signed > 0 && !open).then(|| News::BulkSigned(visit.l.signed_of(signed, all)))?
    } else {
        let own = signing.folios.first()?;
        match acted(own)? {
            SignerState::Pending => return None,
            SignerState::Signed if own.folio.state == FolioState::Cancelled => News::Cancelled,
            SignerState::Signed => News::Signed,
            SignerState::Rejected => News::Rejected(None),
        }
    };
    let page = visit.known_news(news, &signing.company, None, signing.return_url.as_str());
    let embedding = embedding(&signing.company);
    Some(crate::page::answer(StatusCode::OK, &page, &embedding))
}
