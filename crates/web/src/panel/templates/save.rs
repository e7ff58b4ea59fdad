//! `/panel/templates/new?draft=…`: a draft becomes a template, with roles in place of people.

use crate::page::{PageError, PageResult};
use crate::panel::auth::{PanelRequest, RequireSupervisor};
use crate::panel::csrf_form::CsrfForm;
use crate::panel::folios::caller;
use crate::panel::folios::draft_form::DraftForm;
use crate::panel::layout::{PanelLayout, Section};
use askama::Template;
use domain::search::sort_key;
use domain::{DraftId, limits};
use std::collections::BTreeMap;
use store::StoredDraft;

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/template_save.html")]
pub(crate) struct SavePage {
    pub(crate) f: PanelLayout,
    pub(crate) draft: String,
    pub(crate) name: String,
    /// Of each signer, the role.
    pub(crate) roles: Vec<String>,
    pub(crate) documents: Vec<String>,
    /// The errors, by field.
    pub(crate) errors: BTreeMap<String, String>,
}

impl SavePage {
    pub(crate) fn error(&self, field: &str) -> Option<&String> {
        self.errors.get(field)
    }

    /// The fields of the roles.
    pub(crate) fn fields(&self) -> Vec<RoleField<'_>> {
        let field = |(index, role)| {
            let id = format!("role{index}");
            RoleField {
                role,
                label: self.f.l.signer_number(index + 1),
                error: self.errors.get(&id),
                id,
            }
        };
        self.roles.iter().enumerate().map(field).collect()
    }
}

/// The field of a role.
#[derive(Debug)]
pub(crate) struct RoleField<'p> {
    pub(crate) id: String,
    pub(crate) label: String,
    pub(crate) role: &'p String,
    pub(crate) error: Option<&'p String>,
}

/// What is typed as a name of a template or of a role: one line, of so many characters.
pub(super) fn typed_name(typed: &str) -> String {
    let typed = typed.trim().chars().filter(|c| !c.is_control());
    typed.take(limits::FOLIO_TEMPLATE_NAME).collect()
}

/// The draft that a request names, if the user has it and no folio was made of it.
async fn find(request: &PanelRequest, id: &str) -> Result<Option<StoredDraft>, PageError> {
    let Ok(id) = id.parse::<DraftId>() else {
        return Ok(None);
    };
    let found = request.web.app.draft(request.user(), id).await;
    let found = found.map_err(|error| request.error_page(error))?;
    Ok(found.filter(|draft| draft.folio.is_none()))
}

fn save_page(request: &PanelRequest, draft: &StoredDraft, form: &DraftForm) -> SavePage {
    let roles = form
        .signers
        .iter()
        .enumerate()
        .map(|(index, signer)| match signer.role.as_str() {
            "" => request.l.signer_number(index + 1),
            role => role.to_owned(),
        });
    SavePage {
        f: request.frame(Section::Folios),
        draft: draft.id.to_string(),
        name: typed_name(&form.name),
        roles: roles.collect(),
        documents: draft
            .files
            .iter()
            .map(|file| file.name.as_str().to_owned())
            .collect(),
        errors: BTreeMap::new(),
    }
}

/// `GET /panel/templates/new`.
pub(crate) async fn page(RequireSupervisor(request): RequireSupervisor) -> PageResult {
    let id = request.query("draft").unwrap_or_default();
    let Some(draft) = find(&request, &id).await? else {
        return Ok(request.redirect("/panel/folios/new"));
    };
    let form = DraftForm::from_json(&draft.form);
    Ok(request.page(&save_page(&request, &draft, &form)))
}

/// `POST /panel/templates`.
pub(crate) async fn save(
    RequireSupervisor(request): RequireSupervisor,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let Some(draft) = find(&request, form.get("draft")).await? else {
        return Ok(request.redirect("/panel/folios/new"));
    };
    let draft_form = DraftForm::from_json(&draft.form);
    let mut page = save_page(&request, &draft, &draft_form);
    page.name = typed_name(form.get("template-name"));
    let roles = (0..page.roles.len()).map(|index| typed_name(form.get(&format!("role{index}"))));
    page.roles = roles.collect();
    let missing = request.l.problem(&domain::FieldError::Missing);
    if page.name.is_empty() {
        page.errors.insert("template-name".to_owned(), missing.clone());
    }
    for (index, role) in page.roles.iter().enumerate() {
        let is_taken = page.roles[..index]
            .iter()
            .any(|other| sort_key(other) == sort_key(role));
        let error = match role.as_str() {
            "" => missing.clone(),
            _ if is_taken => request.l.template_role_taken().to_owned(),
            _ => continue,
        };
        page.errors.insert(format!("role{index}"), error);
    }
    if !page.errors.is_empty() {
        return Ok(request.page_with_errors(&page));
    }
    let fields = draft_form.with_roles(page.roles.clone()).to_json();
    let saved = request
        .web
        .app
        .save_folio_template(
            caller(&request),
            request.user(),
            draft.id,
            page.name.clone(),
            fields,
        )
        .await;
    if let Some(id) = saved.map_err(|error| request.error_page(error))? {
        return Ok(request.redirect(&format!("/panel/templates/{id}?done=saved")));
    }
    let taken = request.l.template_name_taken().to_owned();
    page.errors.insert("template-name".to_owned(), taken);
    Ok(request.page_with_errors(&page))
}
