//! The state of the page's forms: the step, the last act, and errors.

use super::picture::{PictureForm, PictureView};
use super::session::SignerSession;
use super::view::{ActView, CodeView, Pause, RejectView, SentView, Step};
use crate::page::request::PageRequest;
use crate::page::{Lang, PageError};
use app::signing::consent::Consent;
use app::signing::open::Signing;
use domain::event::ShownDocument;
use domain::mask::masked;
use domain::{Channel, Document, FolioId, SentCode, Timestamp};

/// The state of the page's forms.
#[derive(Debug, Default)]
pub(crate) struct FormState {
    /// The consent that was given: the code comes next.
    pub(crate) accepted: Option<Consent>,
    /// The act that redirected to this page.
    pub(crate) after: LastAct,
    pub(crate) consent_error: Option<String>,
    /// What the signer was shown of each document, with its name.
    pub(crate) shown: Vec<(String, ShownDocument)>,
    /// The folios of a bulk signature to which these belong, each with how many of them.
    pub(crate) folios: Vec<(String, usize)>,
    /// The errors of the code fields.
    pub(crate) code_errors: Vec<(Channel, String)>,
    /// The picture of the signature.
    pub(crate) picture: PictureForm,
    /// The rejection form of a folio, with its error.
    pub(crate) reject: Option<(FolioId, RejectView)>,
    /// The folio whose rejection form is open, in a bulk signature.
    pub(crate) rejecting: Option<FolioId>,
    /// Whether the signer has to prove the contact.
    pub(crate) proving: bool,
}

/// The act that redirected to this page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum LastAct {
    #[default]
    Nothing,
    Signing,
    Rejecting,
}

impl FormState {
    /// The state that the query asks for.
    pub(crate) fn from_query(request: &PageRequest) -> Self {
        let step = request.query("step").unwrap_or_default();
        Self {
            // The query names the consent: without it the signer is asked first, and the recorded text is
            // the one that the signer saw, in its language.
            accepted: request
                .query("consent")
                .filter(|_| step == "code")
                .and_then(|name| Consent::named(&name)),
            proving: step == "proof",
            rejecting: request.query("reject").and_then(|folio| folio.parse().ok()),
            after: match step.as_str() {
                "done" => LastAct::Signing,
                "rejected" => LastAct::Rejecting,
                _ => LastAct::Nothing,
            },
            ..Self::default()
        }
    }

    /// Whether a form has errors.
    pub(crate) fn is_wrong(&self) -> bool {
        self.consent_error.is_some()
            || !self.code_errors.is_empty()
            || self.picture.error.is_some()
            || self.reject.is_some()
    }

    /// The reason that was typed for rejecting this folio.
    pub(crate) fn rejection(&self, folio: FolioId) -> RejectView {
        let typed = self.reject.as_ref().filter(|(of, _)| *of == folio);
        let open = typed.is_some() || self.rejecting == Some(folio);
        let view = typed.map(|(_, view)| view.clone()).unwrap_or_default();
        RejectView { open, ..view }
    }

    /// The text that is agreed to, or was, with what was shown.
    pub(crate) fn text(&self, l: Lang) -> String {
        let consent = self.accepted.unwrap_or(consent(l));
        consent.filled(
            self.shown
                .iter()
                .map(|(name, shown)| (name.as_str(), shown.clone())),
        )
    }

    /// The same state, with what the signer was shown of the documents that can still be signed.
    pub(crate) async fn with_shown(
        mut self,
        request: &PageRequest,
        signer_session: &SignerSession,
    ) -> Result<Self, PageError> {
        let folios = signer_session.signing.folios.iter();
        let open = folios.filter(|own| own.closed.is_none());
        if signer_session.signing.party.bulk().is_some() {
            let folios = open.clone().map(|own| &own.folio);
            self.folios = folios
                .map(|folio| (folio.name.to_string(), folio.documents.len()))
                .collect();
        }
        let documents: Vec<&Document> = open.flat_map(|own| &own.folio.documents).collect();
        let app = &request.web.app;
        let accepted = self.accepted.is_some();
        let shown = app.shown_documents(&signer_session.session, &documents, accepted);
        let shown = shown.await.map_err(|error| request.error_page(error))?;
        let names = documents.iter().map(|document| document.name.as_str().to_owned());
        self.shown = names.zip(shown).collect();
        Ok(self)
    }

    /// What the signer is to do next.
    pub(crate) fn act(&self, request: &PageRequest, signing: &Signing) -> ActView {
        let (l, zone) = (request.l(), request.web.app.zone_of(&signing.company));
        let now = request.web.app.clock.now();
        let several = signing.codes.len() > 1;
        let codes = signing.codes.iter().map(|code| {
            let live = code.sent.filter(|sent| sent.is_live(now));
            let lost = code.lost && live.is_some();
            let error = self
                .code_errors
                .iter()
                .find(|(channel, _)| *channel == code.channel);
            CodeView {
                channel: code.channel,
                field: field(code.channel, several),
                to: masked(code.channel, &code.recipient),
                sent: live.filter(|_| !lost).map(|sent| SentView {
                    good_until: l.time(sent.expires_at, &zone),
                    good_for: sent.expires_at.since(now).as_secs(),
                }),
                gone: if lost {
                    Some(l.code_lost())
                } else {
                    gone(l, code.sent, now)
                },
                lost,
                error: error.map(|(_, words)| words.clone()),
            }
        });
        let codes: Vec<CodeView> = codes.collect();
        let pauses = signing.codes.iter().filter_map(|code| code.wait);
        ActView {
            step: if self.accepted.is_some() {
                Step::Code
            } else {
                Step::Read
            },
            consent: self.accepted.unwrap_or(consent(l)),
            text: self.text(l),
            folios: self.folios.clone(),
            read_to_end: signing.company.read_to_end,
            picture: PictureView::of(signing.company.picture, &self.picture),
            consent_error: self.consent_error.clone(),
            pause: pauses.max().map(|span| Pause {
                until: l.time(now.after(span), &zone),
                seconds: span.as_secs() + 1,
            }),
            has_code: codes.iter().all(|code| code.sent.is_some()),
            codes,
        }
    }
}

/// Why a code is no longer valid: expired, or too many attempts.
fn gone(l: Lang, sent: Option<SentCode>, now: Timestamp) -> Option<&'static str> {
    let sent = sent.filter(|sent| !sent.is_live(now))?;
    Some(if now < sent.expires_at {
        l.code_spent()
    } else {
        l.code_late()
    })
}

/// The text that is agreed to.
const fn consent(l: Lang) -> Consent {
    match l {
        Lang::Es => Consent::SPANISH,
        Lang::En => Consent::ENGLISH,
        Lang::Pt => Consent::PORTUGUESE,
    }
}

/// The name of a code's field.
pub(crate) const fn field(channel: Channel, several: bool) -> &'static str {
    match (several, channel) {
        (false, _) => "code",
        (true, Channel::Email) => "codeEmail",
        (true, Channel::Sms) => "codeSms",
    }
}
