//! `/panel/folios/new`: a new folio, by the same rules as the API's.
//!
//! What is typed and chosen is kept as a draft as soon as the form is sent without making a folio: after an error, by a button
//! that adds, removes or moves a signer, and by the page's script while the form is filled in. Every button works without the script.

use super::{address, caller};
use crate::page::{PageError, PageResult, PanelLang};
use crate::panel::auth::{PanelRequest, RequireSupervisor};
use crate::panel::csrf_form::CsrfForm;
use crate::panel::folios::draft_form::{DraftForm, FormAction, SignerForm};
use crate::panel::folios::folio_request::folio_request;
use crate::panel::folios::receive_form::{NewFolioForm, ReceiveError, receive};
use crate::panel::layout::{PanelLayout, Section};
use app::folios::create::{FolioRequest, UploadedDocument};
use app::folios::drafts::DraftChange;
use app::shared::error::UnfitDocument;
use app::{Error, IdempotencyKey, Idempotent, IdempotentResult, Notary, SystemRandom};
use askama::Template;
use axum::extract::{Path, Request};
use axum::http::StatusCode;
use axum::response::Response;
use domain::event::hex;
use domain::{Causes, DocumentType, DraftId, FieldError, FolioId, Language, Timestamp, limits};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use store::{DraftDocumentRow, DraftFile, SignerContact, StoredDraft, StoredResponse};

/// The kinds of identification, as they are offered.
const KINDS: [DocumentType; 4] = [
    DocumentType::CitizenCard,
    DocumentType::ForeignerCard,
    DocumentType::TaxNumber,
    DocumentType::MinorCard,
];

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/new_folio.html")]
pub(crate) struct NewPage {
    pub(crate) f: PanelLayout,
    /// The identifier of this form: of its draft, and for idempotency.
    pub(crate) once: String,
    pub(crate) form: DraftForm,
    /// The documents that are kept with the draft.
    pub(crate) files: Vec<KeptFile>,
    /// The signers of earlier folios.
    pub(crate) contacts: Vec<SignerContact>,
    /// Other forms that were not sent.
    pub(crate) drafts: Vec<DraftView>,
    /// The errors, by field.
    pub(crate) errors: BTreeMap<String, String>,
}

/// A signer as the form shows one.
#[derive(Debug)]
pub(crate) struct SignerFields<'p> {
    pub(crate) index: usize,
    pub(crate) typed: &'p SignerForm,
    pub(crate) legend: String,
    pub(crate) is_last: bool,
}

/// A document that is kept with the draft.
#[derive(Debug, Clone)]
pub(crate) struct KeptFile {
    pub(crate) row: DraftDocumentRow,
    pub(crate) name: String,
    pub(crate) size: u64,
}

impl From<&DraftFile> for KeptFile {
    fn from(file: &DraftFile) -> Self {
        Self {
            row: file.row,
            name: file.name.as_str().to_owned(),
            size: file.size,
        }
    }
}

/// A form that was not sent, in the list of them.
#[derive(Debug, Clone)]
pub(crate) struct DraftView {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) saved_at: Timestamp,
}

impl NewPage {
    /// An empty form.
    pub(crate) fn blank(f: PanelLayout) -> Self {
        Self {
            f,
            once: String::new(),
            form: DraftForm::blank(),
            files: Vec::new(),
            contacts: Vec::new(),
            drafts: Vec::new(),
            errors: BTreeMap::new(),
        }
    }

    pub(crate) fn error(&self, field: &str) -> Option<&String> {
        self.errors.get(field)
    }

    pub(crate) fn error_of(&self, field: &str, index: usize) -> Option<&String> {
        self.errors.get(&format!("{field}{index}"))
    }

    /// The signers as the form shows them.
    pub(crate) fn signers(&self) -> Vec<SignerFields<'_>> {
        let count = self.form.signers.len();
        let signers = self.form.signers.iter().enumerate();
        let view = |(index, typed)| SignerFields {
            index,
            typed,
            legend: match typed.role.as_str() {
                "" => self.f.l.signer_number(index + 1),
                role => role.to_owned(),
            },
            is_last: index + 1 == count,
        };
        signers.map(view).collect()
    }

    pub(crate) const fn has_several(&self) -> bool {
        self.form.signers.len() > 1
    }

    pub(crate) fn may_add(&self) -> bool {
        self.form.signers.len() < limits::SIGNERS
    }

    pub(crate) fn kinds(&self, chosen: &str) -> [(&'static str, &'static str, bool); 4] {
        KINDS.map(|kind| {
            (
                kind.code(),
                self.f.l.document_type_name(kind),
                kind.code() == chosen,
            )
        })
    }

    /// The folio to create, without its documents; `None` where a field is invalid, and then the page has all the errors.
    fn request(&mut self, home: &str, notary: &Notary) -> Option<FolioRequest> {
        match folio_request(&self.form, home, notary) {
            Ok(request) => Some(request),
            Err(faults) => {
                let texts = faults
                    .iter()
                    .map(|(field, problem)| (field.clone(), self.f.l.problem(problem)));
                self.errors.extend(texts);
                None
            }
        }
    }

    /// Sending the same form again creates no second folio. A changed form is another folio.
    fn idempotent(&self, documents: &[UploadedDocument]) -> Option<Idempotent<FolioId>> {
        if self.once.is_empty() {
            return None;
        }
        let mut all = Sha256::new();
        let mut add = |part: &[u8]| {
            all.update(part.len().to_be_bytes());
            all.update(part);
        };
        add(self.once.as_bytes());
        add(self.form.to_json().as_bytes());
        for document in documents {
            add(document.name.as_str().as_bytes());
            add(&document.sha256.unwrap_or_default());
        }
        let fingerprint = all.finalize().into();
        Some(Idempotent {
            idempotency_key: IdempotencyKey {
                key: format!("panel {}", hex(&fingerprint)),
                fingerprint,
            },
            render: Box::new(|created| {
                let id = created.as_ref().ok()?;
                Some(StoredResponse {
                    status: StatusCode::SEE_OTHER.as_u16(),
                    body: id.to_string(),
                })
            }),
        })
    }

    /// Says next to the documents that they are too large together.
    fn add_too_large(&mut self, request: &PanelRequest) {
        let max_bytes = request.l.size(request.web.settings.request_bytes);
        let text = request.l.too_large_together(&max_bytes);
        self.errors.insert("documents".to_owned(), text);
    }

    /// Puts the errors of documents next to their field.
    fn add_unfit(&mut self, unfit: &[UnfitDocument]) {
        if unfit.is_empty() {
            return;
        }
        let texts: Vec<String> = unfit.iter().map(|document| self.f.l.unfit(document)).collect();
        let known = self.errors.remove("documents").into_iter();
        let all: Vec<String> = known.chain(texts).collect();
        self.errors.insert("documents".to_owned(), all.join(" "));
    }
}

/// Where signers return to if the form says nothing: the page that checks documents.
pub(crate) fn home(request: &PanelRequest) -> String {
    format!("{}/verify", request.web.settings.base_url.trim_end_matches('/'))
}

/// `GET /panel/folios/new`, empty or with a draft.
pub(crate) async fn page(RequireSupervisor(request): RequireSupervisor) -> PageResult {
    let asked = request.query("draft").and_then(|id| id.parse::<DraftId>().ok());
    let draft = match asked {
        Some(id) => find_draft(&request, id).await?,
        None => None,
    };
    if let Some(folio) = draft.as_ref().and_then(|draft| draft.folio) {
        return Ok(request.redirect(&address(folio)));
    }
    let notice = (request.done().as_deref() == Some("discarded")).then(|| request.l.draft_discarded());
    let mut page = NewPage::blank(request.frame(Section::Folios).with_notice(notice));
    match draft {
        Some(draft) => {
            page.once = draft.id.to_string();
            page.form = DraftForm::from_json(&draft.form);
            page.files = draft.files.iter().map(KeptFile::from).collect();
        }
        None => page.once = DraftId::random(&mut SystemRandom).to_string(),
    }
    Ok(request.page(&surrounded(&request, page).await?))
}

/// The page with what is beside its form: people to choose from, and other drafts.
async fn surrounded(request: &PanelRequest, mut page: NewPage) -> Result<NewPage, PageError> {
    let app = &request.web.app;
    let failed = |error| request.error_page(error);
    page.contacts = app
        .recent_contacts(request.user().company)
        .await
        .map_err(failed)?;
    let drafts = app.drafts(request.user()).await.map_err(failed)?;
    page.drafts = drafts
        .iter()
        .filter(|draft| draft.id.to_string() != page.once)
        .map(|draft| DraftView {
            id: draft.id.to_string(),
            name: DraftForm::from_json(&draft.form).name,
            saved_at: draft.saved_at,
        })
        .collect();
    Ok(page)
}

async fn find_draft(request: &PanelRequest, id: DraftId) -> Result<Option<StoredDraft>, PageError> {
    let found = request.web.app.draft(request.user(), id).await;
    Ok(found.map_err(|error| request.error_page(error))?)
}

/// `POST /panel/folios/new`: makes the folio, or changes and keeps the form.
pub(crate) async fn create(
    RequireSupervisor(request): RequireSupervisor,
    http_request: Request,
) -> PageResult {
    let (sent, too_large) = match receive(&request, http_request).await {
        Ok(sent) => (sent, false),
        Err(ReceiveError::Response(response)) => return Err(response.into()),
        Err(ReceiveError::TooLarge(form)) => {
            let documents = Vec::new();
            (NewFolioForm { form, documents }, true)
        }
    };
    let NewFolioForm { form, documents } = sent;
    if too_large && !form.has("csrf") {
        let mut page = NewPage::blank(request.frame(Section::Folios));
        page.add_too_large(&request);
        return Ok(request.page_with_errors(&surrounded(&request, page).await?));
    }
    let id = form.get("once").parse::<DraftId>();
    let id = id.unwrap_or_else(|_| DraftId::random(&mut SystemRandom));
    let found = find_draft(&request, id).await?;
    let (id, draft) = match found.as_ref().and_then(|draft| draft.folio) {
        None => (id, found),
        // The form was sent twice.
        Some(folio) if documents.is_empty() => {
            return Ok(request.redirect(&format!("{}?done=created", address(folio))));
        }
        // The page was left open, and another folio is made with it.
        Some(_) => (DraftId::random(&mut SystemRandom), None),
    };
    let mut page = NewPage::blank(request.frame(Section::Folios));
    page.form = DraftForm::sent(&form);
    form.get("once").clone_into(&mut page.once);
    let action = FormAction::of(form.get("do"));
    let app = &request.web.app;
    let failed = |error| request.error_page(error);
    let (documents, unfit) = app.inspect_documents(documents).await.map_err(failed)?;
    if let FormAction::Create = action {
        let folio_request = page.request(&home(&request), &app.notary);
        let kept = draft.as_ref().map_or(0, |draft| draft.files.len());
        if documents.is_empty() && kept == 0 && unfit.is_empty() && !too_large {
            let missing = request.l.problem(&FieldError::Missing);
            page.errors.insert("documents".to_owned(), missing);
        }
        page.add_unfit(&unfit);
        if too_large {
            page.add_too_large(&request);
        }
        if let (Some(folio_request), true) = (folio_request, page.errors.is_empty()) {
            return finish(&request, page, folio_request, draft, documents).await;
        }
    } else {
        let contacts = app.recent_contacts(request.user().company).await;
        page.form.act(action, &contacts.map_err(failed)?);
        page.add_unfit(&unfit);
    }
    keep(&request, page, id, action, documents).await
}

/// Keeps the form as a draft, and shows it with its errors, or again.
async fn keep(
    request: &PanelRequest,
    mut page: NewPage,
    id: DraftId,
    action: FormAction,
    documents: Vec<UploadedDocument>,
) -> PageResult {
    let change = DraftChange {
        id,
        form: page.form.to_json(),
        remove: match action {
            FormAction::Forget(row) => Some(row),
            _ => None,
        },
        max_bytes: request.web.settings.request_bytes,
    };
    let saved = request
        .web
        .app
        .save_draft(caller(request), request.user(), change, documents)
        .await;
    match saved {
        Ok(unfit) => page.add_unfit(&unfit),
        Err(error) => return Err(request.error_page(error).into()),
    }
    if page.errors.is_empty() {
        return Ok(request.redirect(&match action {
            FormAction::Template => format!("/panel/templates/new?draft={id}"),
            _ => format!("/panel/folios/new?draft={id}{}", action.fragment()),
        }));
    }
    page.once = id.to_string();
    let kept = find_draft(request, id).await?;
    page.files = kept
        .iter()
        .flat_map(|draft| draft.files.iter().map(KeptFile::from))
        .collect();
    Ok(request.page_with_errors(&surrounded(request, page).await?))
}

async fn finish(
    request: &PanelRequest,
    page: NewPage,
    mut folio_request: FolioRequest,
    draft: Option<StoredDraft>,
    sent: Vec<UploadedDocument>,
) -> PageResult {
    let app = &request.web.app;
    let failed = |error| request.error_page(error);
    if let Some(draft) = &draft {
        folio_request.documents = app.stored_uploads(&draft.files).await.map_err(failed)?;
    }
    // A page that saves by itself may have sent a file already that it sends again with the form.
    for document in sent {
        let is_same =
            |known: &UploadedDocument| known.name == document.name && known.sha256 == document.sha256;
        if !folio_request.documents.iter().any(is_same) {
            folio_request.documents.push(document);
        }
    }
    let idempotent = page.idempotent(&folio_request.documents);
    let id = match app.create_folio(caller(request), folio_request, idempotent).await {
        Ok(IdempotentResult::Fresh(id)) => Some(id),
        Ok(IdempotentResult::Replayed(kept)) => kept.body.parse().ok(),
        Err(Error::Unfit(unfit)) => {
            let mut page = page;
            page.add_unfit(&[unfit]);
            page.files = draft
                .iter()
                .flat_map(|draft| draft.files.iter().map(KeptFile::from))
                .collect();
            return Ok(request.page_with_errors(&surrounded(request, page).await?));
        }
        Err(error) => return Err(failed(error).into()),
    };
    let Some(id) = id else {
        return Ok(request.redirect("/panel/folios"));
    };
    if let Some(draft) = draft
        && let Err(error) = app.finish_draft(request.user(), draft.id, id).await
    {
        // The folio is made, and the draft expires by itself.
        tracing::warn!(error = %Causes(&error), "the draft of a new folio could not be deleted");
    }
    Ok(request.redirect(&format!("{}?done=created", address(id))))
}

/// `POST /panel/folios/drafts/{draft}/discard`.
pub(crate) async fn discard(
    RequireSupervisor(request): RequireSupervisor,
    Path(id): Path<String>,
    _: CsrfForm,
) -> Result<Response, PageError> {
    // One that is gone is as good as discarded; so is another user's, of which nothing is told.
    if let Ok(id) = id.parse::<DraftId>() {
        let discarded = request
            .web
            .app
            .discard_draft(caller(&request), request.user(), id)
            .await;
        discarded.map_err(|error| request.error_page(error))?;
    }
    Ok(request.redirect("/panel/folios/new?done=discarded"))
}

impl PanelLang {
    /// What a draft is called.
    pub(crate) fn draft_name(self, draft: &DraftView) -> &str {
        if draft.name.is_empty() {
            self.draft_unnamed()
        } else {
            &draft.name
        }
    }
}
