//! `/panel/templates/{template}`: what is in a template, and what is done with it.

use super::save::typed_name;
use super::{TemplateView, find};
use crate::page::PageResult;
use crate::panel::auth::{PanelRequest, RequireSupervisor};
use crate::panel::confirm::ConfirmPage;
use crate::panel::csrf_form::CsrfForm;
use crate::panel::folios::caller;
use crate::panel::folios::draft_form::DraftForm;
use crate::panel::layout::{PanelLayout, Section};
use askama::Template;
use axum::extract::Path;
use store::StoredFolioTemplate;

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/template.html")]
pub(crate) struct TemplatePage {
    pub(crate) f: PanelLayout,
    pub(crate) template: TemplateView,
    /// The name as it was typed, and what is wrong with it.
    pub(crate) typed: String,
    pub(crate) error: Option<String>,
}

fn shown(
    request: &PanelRequest,
    template: &StoredFolioTemplate,
    notice: Option<&'static str>,
) -> TemplatePage {
    TemplatePage {
        f: request.frame(Section::Folios).with_notice(notice),
        template: TemplateView::from(template),
        typed: template.name.clone(),
        error: None,
    }
}

pub(crate) async fn page(
    RequireSupervisor(request): RequireSupervisor,
    Path(id): Path<String>,
) -> PageResult {
    let template = find(&request, &id).await?;
    let notice = match request.done().as_deref() {
        Some("saved") => Some(request.l.template_saved()),
        Some("renamed") => Some(request.l.template_renamed()),
        _ => None,
    };
    Ok(request.page(&shown(&request, &template, notice)))
}

/// `POST …/use`: a draft with everything but the people.
pub(crate) async fn start(
    RequireSupervisor(request): RequireSupervisor,
    Path(id): Path<String>,
    _: CsrfForm,
) -> PageResult {
    let template = find(&request, &id).await?;
    let form = DraftForm::from_json(&template.form).to_json();
    let draft = request
        .web
        .app
        .use_folio_template(caller(&request), request.user(), template.id, form)
        .await;
    let draft = draft.map_err(|error| request.error_page(error))?;
    Ok(request.redirect(&format!("/panel/folios/new?draft={draft}")))
}

/// `POST …/rename`.
pub(crate) async fn rename(
    RequireSupervisor(request): RequireSupervisor,
    Path(id): Path<String>,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let template = find(&request, &id).await?;
    let name = typed_name(form.get("template-name"));
    let refused = |error: String| {
        request.page_with_errors(&TemplatePage {
            typed: name.clone(),
            error: Some(error),
            ..shown(&request, &template, None)
        })
    };
    if name.is_empty() {
        return Ok(refused(request.l.problem(&domain::FieldError::Missing)));
    }
    let renamed = request
        .web
        .app
        .rename_folio_template(caller(&request), template.id, name.clone())
        .await;
    if !renamed.map_err(|error| request.error_page(error))? {
        return Ok(refused(request.l.template_name_taken().to_owned()));
    }
    Ok(request.redirect(&format!("/panel/templates/{id}?done=renamed")))
}

/// `GET …/delete`: the question.
pub(crate) async fn delete_page(
    RequireSupervisor(request): RequireSupervisor,
    Path(id): Path<String>,
) -> PageResult {
    let template = find(&request, &id).await?;
    let l = request.l;
    Ok(request.page(&ConfirmPage {
        f: request.frame(Section::Folios),
        title: l.template_delete().to_owned(),
        lead: l.template_delete_lead().to_owned(),
        lasting: true,
        about: vec![template.name],
        action: format!("/panel/templates/{id}/delete"),
        fields: Vec::new(),
        button: l.template_delete().to_owned(),
        back: format!("/panel/templates/{id}"),
    }))
}

/// `POST …/delete`.
pub(crate) async fn delete(
    RequireSupervisor(request): RequireSupervisor,
    Path(id): Path<String>,
    _: CsrfForm,
) -> PageResult {
    let template = find(&request, &id).await?;
    let deleted = request
        .web
        .app
        .delete_folio_template(caller(&request), template.id)
        .await;
    deleted.map_err(|error| request.error_page(error))?;
    Ok(request.redirect("/panel/templates?done=deleted"))
}
