//! Templates of folios: what a company makes again and again, with the people to fill in.

pub(super) mod import;
mod people_file;
pub(super) mod samples;
pub(super) mod save;
pub(super) mod template_page;

use super::auth::{PanelRequest, RequireSupervisor};
use super::folios::draft_form::DraftForm;
use super::layout::{PanelLayout, Section};
use crate::page::{PageError, PageResult};
use app::Error;
use askama::Template;
use domain::FolioTemplateId;
use store::StoredFolioTemplate;

/// The list.
#[derive(Debug, Template)]
#[template(path = "panel/templates.html")]
pub(crate) struct TemplatesPage {
    pub(crate) f: PanelLayout,
    pub(crate) templates: Vec<TemplateView>,
}

/// A template as pages show it.
#[derive(Debug, Clone)]
pub(crate) struct TemplateView {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) documents: Vec<String>,
    pub(crate) form: DraftForm,
}

impl From<&StoredFolioTemplate> for TemplateView {
    fn from(stored: &StoredFolioTemplate) -> Self {
        Self {
            id: stored.id.to_string(),
            name: stored.name.clone(),
            documents: stored
                .files
                .iter()
                .map(|file| file.name.as_str().to_owned())
                .collect(),
            form: DraftForm::from_json(&stored.form),
        }
    }
}

impl TemplateView {
    /// The signers' roles, in their order.
    pub(crate) fn roles(&self) -> Vec<&str> {
        self.form
            .signers
            .iter()
            .map(|signer| signer.role.as_str())
            .collect()
    }
}

/// `GET /panel/templates`.
pub(crate) async fn page(RequireSupervisor(request): RequireSupervisor) -> PageResult {
    let l = request.l;
    let notice = match request.done().as_deref() {
        Some("deleted") => Some(l.template_deleted()),
        _ => None,
    };
    let found = request.web.app.folio_templates(request.user().company).await;
    let found = found.map_err(|error| request.error_page(error))?;
    Ok(request.page(&TemplatesPage {
        f: request.frame(Section::Folios).with_notice(notice),
        templates: found.iter().map(TemplateView::from).collect(),
    }))
}

/// The template of the company that an address names.
async fn find(request: &PanelRequest, id: &str) -> Result<StoredFolioTemplate, PageError> {
    let id: FolioTemplateId = id.parse().map_err(|_| request.error_page(Error::NotFound))?;
    let found = request.web.app.folio_template(request.user().company, id).await;
    Ok(found.map_err(|error| request.error_page(error))?)
}
