//! `GET /panel/folios/{folio}`: everything about one folio, and what can be done with it.

use super::files::current_version;
use super::list::kind;
use super::{address, caller, folio, requester};
use crate::page::document_view;
use crate::page::document_view::DocumentView;
use crate::page::{PageError, PageResult, PanelLang};
use crate::panel::auth::{PanelRequest, RequireReader, RequireSupervisor};
use crate::panel::csrf_form::CsrfForm;
use crate::panel::layout::{PanelLayout, Section};
use crate::panel::texts::history::EventText;
use app::folios::list::Listing;
use app::folios::show::FolioFile;
use app::panel::Role;
use askama::Template;
use axum::extract::Path;
use domain::event::{ChainedEvent, hex};
use domain::{Document, FolioState, ReturnKind, SignatureType, SignerIndex, SignerState, Timestamp};
use store::LoggedMessage;

/// Pages that a sheet usually has.
const SHEET_PAGES: u32 = 1;

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/folio.html")]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub(crate) struct FolioPage {
    pub(crate) f: PanelLayout,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) message: String,
    pub(crate) observation: Option<String>,
    pub(crate) state: FolioState,
    pub(crate) dropped: bool,
    pub(crate) erased: bool,
    pub(crate) held: bool,
    pub(crate) expired: bool,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Option<Timestamp>,
    pub(crate) expires_at: Option<Timestamp>,
    /// When its signers are reminded next, if at all, and how often they were.
    pub(crate) next_reminder: Option<(Timestamp, i64)>,
    pub(crate) signature_type: SignatureType,
    pub(crate) return_url: String,
    pub(crate) documents: Vec<FolioDocumentView>,
    pub(crate) signers: Vec<SignerRow>,
    pub(crate) history: Vec<EventView>,
    pub(crate) part: HistoryPart,
    /// The number before which the events shown are; none where they are the newest.
    pub(crate) before: Option<i64>,
    /// In how many parts the evidence comes.
    evidence_parts: usize,
    pub(crate) messages: Vec<MessageView>,
    can_retry: bool,
    pub(crate) approval: bool,
    /// After a verdict, another folio that awaits one.
    pub(crate) next_to_approve: Option<String>,
}

/// Which part of the history is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HistoryPart {
    /// Where the older events are, if there are any.
    pub(crate) older: Option<i64>,
    /// Whether these are the newest.
    pub(crate) newest: bool,
}

/// A part of the evidence.
#[derive(Debug)]
pub(crate) struct EvidencePart {
    /// What its links say after the kind of file; empty where there is one part.
    pub(crate) label: String,
    /// The query of its addresses.
    pub(crate) query: String,
}

/// A document, with the pages that are shown of it.
#[derive(Debug)]
pub(crate) struct FolioDocumentView {
    pub(crate) document: DocumentView,
    /// Of its bytes as they are now.
    pub(crate) sha256: String,
}

/// A signer.
#[derive(Debug)]
pub(crate) struct SignerRow {
    pub(crate) index: SignerIndex,
    pub(crate) name: String,
    pub(crate) document: String,
    pub(crate) email: String,
    pub(crate) mobile: String,
    pub(crate) state: SignerState,
    pub(crate) acted_at: Option<Timestamp>,
    pub(crate) from: Option<String>,
    /// What happened to the signer and what they did, each kind once, in order.
    pub(crate) steps: Vec<StepView>,
}

/// A step of a signer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StepView {
    pub(crate) label: String,
    pub(crate) kind: &'static str,
    /// When it happened last.
    pub(crate) at: Timestamp,
    /// How often.
    pub(crate) times: usize,
}

/// An event of the history.
#[derive(Debug)]
pub(crate) struct EventView {
    pub(crate) number: i64,
    pub(crate) at: Timestamp,
    pub(crate) text: EventText,
}

/// A message and its delivery state.
#[derive(Debug)]
pub(crate) struct MessageView {
    pub(crate) row: LoggedMessage,
    pub(crate) name: String,
}

impl SignerRow {
    pub(crate) const fn kind(&self) -> &'static str {
        match self.state {
            SignerState::Pending => "wait",
            SignerState::Signed => "good",
            SignerState::Rejected => "bad",
        }
    }
}

impl MessageView {
    pub(crate) fn kind(&self) -> &'static str {
        match self.row.state.as_str() {
            _ if self.row.returned.is_some() => "bad",
            "sent" => "good",
            "dead" => "bad",
            "superseded" => "over",
            _ => "wait",
        }
    }

    pub(crate) fn words(&self, l: PanelLang) -> &'static str {
        match (self.row.returned, self.row.state.as_str()) {
            (Some(ReturnKind::Bounced), _) => l.folio_bounced(),
            (Some(ReturnKind::Complained), _) => l.folio_complained(),
            (None, state) => Self::words_of(state, l),
        }
    }

    fn words_of(state: &str, l: PanelLang) -> &'static str {
        match state {
            "sent" => l.folio_sent(),
            "dead" => l.folio_undelivered(),
            "superseded" => l.folio_unwanted(),
            _ => l.folio_waiting(),
        }
    }
}

impl FolioPage {
    /// Whether the documents have all the signatures that they are to have.
    pub(crate) const fn is_signed(&self) -> bool {
        matches!(
            self.state,
            FolioState::Signed | FolioState::Approved | FolioState::Disapproved
        )
    }

    /// The address of this page with times to the second, or without.
    pub(crate) fn times_address(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        if let Some(before) = self.before {
            query.append_pair("before", &before.to_string());
        }
        if !self.f.exact {
            query.append_pair("times", "exact");
        }
        format!("/panel/folios/{}?{}", self.id, query.finish())
    }

    /// The page without the images of its documents.
    pub(crate) fn new(f: PanelLayout, file: FolioFile, documents: Vec<DocumentView>, newest: bool) -> Self {
        let folio = &file.folio;
        let versions = file.versions.iter().map(|version| hex(&version.sha256));
        let with_hashes = documents.into_iter().zip(versions);
        let signer = |(index, signer): (SignerIndex, &domain::Signer)| SignerRow {
            index,
            name: signer.name.as_str().to_owned(),
            document: format!(
                "{} {}",
                signer.document_type.code(),
                signer.document_number.as_str()
            ),
            email: signer.contact.email.as_str().to_owned(),
            mobile: signer.contact.mobile.as_str().to_owned(),
            state: signer.state,
            acted_at: signer.updated_at.filter(|_| signer.state != SignerState::Pending),
            from: signer.signed_from.map(|from| from.to_string()),
            steps: steps(f.l, &file.story, folio, index),
        };
        let name = |index: SignerIndex| {
            let signer = folio.signer(index);
            signer.map_or_else(String::new, |signer| signer.name.as_str().to_owned())
        };
        Self {
            id: folio.id.to_string(),
            name: shown_name(f.l, folio),
            message: folio.message.as_str().to_owned(),
            observation: folio.observation.as_ref().map(|text| text.as_str().to_owned()),
            state: folio.state,
            dropped: folio.dropped,
            erased: folio.erased,
            held: folio.held,
            expired: folio.state == FolioState::Pending && folio.is_expired(f.now),
            created_at: folio.created_at,
            updated_at: folio.updated_at,
            expires_at: folio.expires_at,
            next_reminder: file.next_reminder,
            signature_type: folio.signature_type,
            return_url: folio.return_url.as_str().to_owned(),
            documents: with_hashes
                .map(|(document, sha256)| FolioDocumentView { document, sha256 })
                .collect(),
            signers: folio.indexed_signers().map(signer).collect(),
            history: file
                .history
                .iter()
                .map(|event| event_view(f.l, event, folio))
                .collect(),
            before: None,
            part: HistoryPart {
                older: file.older,
                newest,
            },
            evidence_parts: file.evidence_parts,
            can_retry: file.can_retry,
            messages: file
                .messages
                .into_iter()
                .map(|row| MessageView {
                    name: name(row.signer),
                    row,
                })
                .collect(),
            approval: file.approval,
            next_to_approve: None,
            f,
        }
    }

    pub(crate) const fn kind(&self) -> &'static str {
        kind(self.state)
    }

    /// The evidence, part by part: a report of one part says that the others are in the same place.
    pub(crate) fn evidence(&self) -> Vec<EvidencePart> {
        let of = self.evidence_parts;
        let part = |part: usize| EvidencePart {
            label: if of > 1 {
                self.f.l.evidence_part(part, of)
            } else {
                String::new()
            },
            query: if part > 1 {
                format!("?part={part}")
            } else {
                String::new()
            },
        };
        (1..=of).map(part).collect()
    }

    fn may(&self, required: Role) -> bool {
        self.f.user.as_ref().is_some_and(|user| user.role >= required)
    }

    /// Whether the user may resend and cancel it.
    pub(crate) fn may_move(&self) -> bool {
        self.may(Role::Supervisor) && self.state == FolioState::Pending && !self.dropped
    }

    /// Whether the user may let this signer ask for codes again.
    pub(crate) fn may_free(&self, signer: &SignerRow) -> bool {
        self.may_move() && !self.expired && signer.state == SignerState::Pending
    }

    pub(crate) fn may_approve(&self) -> bool {
        self.may(Role::Supervisor) && self.approval && self.state == FolioState::Signed && !self.dropped
    }

    pub(crate) fn may_drop(&self) -> bool {
        self.may(Role::Administrator) && self.state.is_final() && !self.dropped
    }

    pub(crate) fn may_erase(&self) -> bool {
        self.may(Role::Administrator) && self.state.is_final() && !self.erased && !self.held
    }

    pub(crate) fn may_hold(&self) -> bool {
        self.may(Role::Administrator) && !self.erased
    }

    pub(crate) fn may_retry(&self) -> bool {
        self.may(Role::Supervisor) && self.can_retry
    }

    pub(crate) const fn way(&self) -> &'static str {
        match self.signature_type {
            SignatureType::EmailCode => self.f.l.folio_email_code(),
            SignatureType::SmsCode => self.f.l.folio_sms_code(),
        }
    }
}

/// An erased folio has no name of its own.
fn shown_name(l: PanelLang, folio: &domain::Folio) -> String {
    if folio.erased {
        l.folio_erased_name().to_owned()
    } else {
        folio.name.as_str().to_owned()
    }
}

/// What happened to a signer and what they did, each kind once, by when it happened first.
fn steps(l: PanelLang, story: &[ChainedEvent], folio: &domain::Folio, index: SignerIndex) -> Vec<StepView> {
    let mut steps: Vec<StepView> = Vec::new();
    for event in story {
        let body = event.full_body();
        if body["signer"].as_u64() != u64::try_from(index.0).ok() {
            continue;
        }
        let Some((label, kind)) = l.step(&body, folio) else {
            continue;
        };
        let at = Timestamp::from_micros(body["at"].as_i64().unwrap_or_default());
        match steps.iter_mut().find(|step| step.label == label) {
            Some(step) => (step.at, step.times) = (at, step.times + 1),
            None => steps.push(StepView {
                label,
                kind,
                at,
                times: 1,
            }),
        }
    }
    steps
}

fn event_view(l: PanelLang, event: &ChainedEvent, folio: &domain::Folio) -> EventView {
    let body = event.full_body();
    EventView {
        number: event.number,
        at: Timestamp::from_micros(body["at"].as_i64().unwrap_or_default()),
        text: l.event(&body, folio),
    }
}

pub(crate) async fn page(RequireReader(request): RequireReader, Path(id): Path<String>) -> PageResult {
    let l = request.l;
    let notice = match request.done().as_deref() {
        Some("created") => Some(l.folio_created_notice()),
        Some("resent") => Some(l.folio_resent_notice()),
        Some("cancelled") => Some(l.folio_cancelled_notice()),
        Some("dropped") => Some(l.folio_dropped_notice()),
        Some("erased") => Some(l.folio_erased_notice()),
        Some("held") => Some(l.folio_held_notice()),
        Some("lifted") => Some(l.folio_lifted_notice()),
        Some("held-before") => Some(l.folio_held_before()),
        Some("not-held") => Some(l.folio_not_held()),
        Some("approved") => Some(l.folio_approved_notice()),
        Some("disapproved") => Some(l.folio_disapproved_notice()),
        Some("retried") => Some(l.folio_retried_notice()),
        Some("freed") => Some(l.folio_freed_notice()),
        _ => None,
    };
    let file = open(&request, &id).await?;
    let path = address(file.folio.id);
    let documents = if file.folio.dropped {
        Vec::new()
    } else {
        let sent = file.folio.documents.iter().cloned();
        let now = sent.zip(&file.versions);
        let now: Vec<Document> = now
            .map(|(sent, now)| current_version(sent, now.sha256, now.size))
            .collect();
        document_view::documents(&request.web, requester(&request), &path, &now, SHEET_PAGES, false).await
    };
    let mut frame = request.frame(Section::Folios).with_notice(notice);
    frame.exact = request.query("times").as_deref() == Some("exact");
    let before = request.query("before").and_then(|text| text.parse().ok());
    let newest = request.query("before").is_none();
    Ok(request.page(&FolioPage {
        before,
        next_to_approve: next_to_approve(&request).await?,
        ..FolioPage::new(frame, file, documents, newest)
    }))
}

/// After a verdict, the newest folio that awaits one.
async fn next_to_approve(request: &PanelRequest) -> Result<Option<String>, PageError> {
    let decided = matches!(request.done().as_deref(), Some("approved" | "disapproved"));
    if !decided || request.user().role < Role::Supervisor {
        return Ok(None);
    }
    let listing = Listing {
        state: Some(FolioState::Signed),
        kept: true,
        size: Some(1),
        ..Listing::default()
    };
    let waiting = request.web.app.list_folios(request.user().company, listing).await;
    let waiting = waiting.map_err(|error| request.error_page(error))?;
    Ok(waiting.folios.first().map(|folio| folio.id.to_string()))
}

/// The link of one signer.
#[derive(Debug, Template)]
#[template(path = "panel/signer_link.html")]
pub(crate) struct SignerLinkPage {
    pub(crate) f: PanelLayout,
    pub(crate) back: String,
    pub(crate) name: String,
    pub(crate) link: String,
}

/// `POST /panel/folios/{folio}/signers/{signer}/link`: shows a signer's link, and says so in the audit log.
pub(crate) async fn link(
    RequireSupervisor(request): RequireSupervisor,
    Path((id, index)): Path<(String, SignerIndex)>,
    _: CsrfForm,
) -> PageResult {
    let folio = open(&request, &id).await?.folio;
    let shown = request
        .web
        .app
        .show_signer_link(caller(&request), folio.id, index)
        .await;
    let link = shown.map_err(|error| request.error_page(error))?;
    let signer = folio.signer(index);
    Ok(request.page(&SignerLinkPage {
        f: request.frame(Section::Folios),
        back: address(folio.id),
        name: signer.map_or_else(String::new, |signer| signer.name.as_str().to_owned()),
        link,
    }))
}

/// The folio that an address names, with everything about it.
pub(super) async fn open(request: &PanelRequest, id: &str) -> Result<FolioFile, PageError> {
    let id = folio(id).map_err(|error| request.error_page(error))?;
    let before = request.query("before").and_then(|text| text.parse().ok());
    let found = request
        .web
        .app
        .show_folio(request.user().company, id, before)
        .await;
    found.map_err(|error| request.error_page(error).into())
}

/// `POST /panel/folios/{folio}/messages`: retries messages that were given up.
pub(crate) async fn retry(
    RequireSupervisor(request): RequireSupervisor,
    Path(id): Path<String>,
    _: CsrfForm,
) -> PageResult {
    let id = folio(&id).map_err(|error| request.error_page(error))?;
    request
        .web
        .app
        .retry_messages(caller(&request), id)
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.redirect(&format!("{}?done=retried#messages", address(id))))
}

/// `POST /panel/folios/{folio}/signers/{signer}/free`: the signer may ask for codes again.
pub(crate) async fn free(
    RequireSupervisor(request): RequireSupervisor,
    Path((id, index)): Path<(String, SignerIndex)>,
    _: CsrfForm,
) -> PageResult {
    let id = folio(&id).map_err(|error| request.error_page(error))?;
    request
        .web
        .app
        .unlock_signer(caller(&request), id, index)
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.redirect(&format!("{}?done=freed", address(id))))
}
