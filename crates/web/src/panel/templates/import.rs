//! `/panel/templates/{template}/import`: many folios of a CSV file. The file is checked first, and nothing is made while a row is
//! wrong; what is checked is kept as a draft until the user confirms.

use super::people_file::{CellError, FileFault, ImportRow, decode, folios, headings, read};
use super::{TemplateView, find};
use crate::http::conditional::attachment;
use crate::page::{Embedding, PageError, PageResult, PanelLang, headers};
use crate::panel::auth::{PanelRequest, RequireSupervisor};
use crate::panel::csrf_form::CsrfForm;
use crate::panel::csv::is_formula;
use crate::panel::file_upload::FileUpload;
use crate::panel::folios::caller;
use crate::panel::folios::draft_form::DraftForm;
use crate::panel::folios::new::home;
use crate::panel::layout::{PanelLayout, Section};
use app::Error;
use app::folios::import::ImportedFolio;
use askama::Template;
use axum::extract::Path;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, HeaderValue};
use axum::response::IntoResponse;
use domain::limits::IMPORT_BYTES;
use domain::{DraftId, limits};
use store::StoredFolioTemplate;

/// Errors of a file that are shown.
const MAX_ERRORS: usize = 100;
/// Rows of a file that are shown before it is confirmed.
const SHOWN_ROWS: usize = 20;

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/import.html")]
pub(crate) struct ImportPage {
    pub(crate) f: PanelLayout,
    pub(crate) template: TemplateView,
    /// Each column with what goes into it.
    pub(crate) headings: Vec<(String, &'static str)>,
    /// What is wrong with the file as a whole.
    pub(crate) error: Option<&'static str>,
    pub(crate) errors: Vec<CellError>,
    /// Errors that are not shown.
    pub(crate) more_errors: usize,
}

/// The question before the folios are made.
#[derive(Debug, Template)]
#[template(path = "panel/import_confirm.html")]
pub(crate) struct ConfirmImportPage {
    pub(crate) f: PanelLayout,
    pub(crate) template: TemplateView,
    /// The identifier of the kept file.
    pub(crate) file: String,
    pub(crate) count: usize,
    /// The first folios, each with its signers.
    pub(crate) rows: Vec<(String, String)>,
}

impl ImportPage {
    fn new(request: &PanelRequest, template: &StoredFolioTemplate) -> Self {
        let view = TemplateView::from(template);
        Self {
            f: request.frame(Section::Folios),
            headings: headings(&view.form, request.l),
            error: view.documents.is_empty().then(|| request.l.import_no_documents()),
            template: view,
            errors: Vec::new(),
            more_errors: 0,
        }
    }

    fn with_error(self, error: &'static str) -> Self {
        Self {
            error: Some(error),
            ..self
        }
    }

    fn with_errors(self, mut errors: Vec<CellError>) -> Self {
        let more_errors = errors.len().saturating_sub(MAX_ERRORS);
        errors.truncate(MAX_ERRORS);
        Self {
            errors,
            more_errors,
            ..self
        }
    }
}

impl ConfirmImportPage {
    pub(crate) fn more(&self) -> usize {
        self.count.saturating_sub(self.rows.len())
    }
}

/// The folios of a text, in the words of the page.
fn rows_of(folios: &[ImportedFolio]) -> Vec<(String, String)> {
    let row = |folio: &ImportedFolio| {
        let signers = folio.signers.iter();
        let people: Vec<String> = signers
            .map(|one| format!("{} ({})", one.name.as_str(), one.contact.email.as_str()))
            .collect();
        (folio.name.as_str().to_owned(), people.join(", "))
    };
    folios.iter().take(SHOWN_ROWS).map(row).collect()
}

/// `GET …/import`, or with `?file=…` the question about a file that was checked.
pub(crate) async fn page(
    RequireSupervisor(request): RequireSupervisor,
    Path(id): Path<String>,
) -> PageResult {
    let template = find(&request, &id).await?;
    let asked = request
        .query("file")
        .and_then(|file| file.parse::<DraftId>().ok());
    let Some(file) = asked else {
        let mut page = ImportPage::new(&request, &template);
        if request.done().as_deref() == Some("gone") {
            page = page.with_error(request.l.import_gone());
        }
        return Ok(request.page(&page));
    };
    let rows = match kept(&request, &template, file).await? {
        Kept::Rows(rows) => rows,
        Kept::Made => return Ok(request.redirect("/panel/folios")),
        Kept::Gone => return Ok(request.redirect(&gone(&id))),
    };
    let form = DraftForm::from_json(&template.form);
    // The rows were right when they came; what is wrong since is told of the file sent again.
    let Ok((_, folios)) = folios(&rows, &form, (&home(&request), &request.web.app.notary)) else {
        return Ok(request.redirect(&gone(&id)));
    };
    Ok(request.page(&ConfirmImportPage {
        f: request.frame(Section::Folios),
        template: TemplateView::from(&template),
        file: file.to_string(),
        count: folios.len(),
        rows: rows_of(&folios),
    }))
}

/// What there is of a file.
enum Kept {
    Rows(Vec<ImportRow>),
    /// Its folios are made already.
    Made,
    Gone,
}

async fn kept(
    request: &PanelRequest,
    template: &StoredFolioTemplate,
    file: DraftId,
) -> Result<Kept, PageError> {
    match request.web.app.import(request.user(), file).await {
        Ok(import) if import.template != template.id => Ok(Kept::Gone),
        Ok(import) if import.folio.is_some() => Ok(Kept::Made),
        Ok(import) => Ok(serde_json::from_str(&import.rows).map_or(Kept::Gone, Kept::Rows)),
        Err(Error::NotFound) => Ok(Kept::Gone),
        Err(error) => Err(request.error_page(error).into()),
    }
}

fn gone(id: &str) -> String {
    format!("/panel/templates/{id}/import?done=gone")
}

/// `POST …/import`: checks a file.
pub(crate) async fn upload(
    RequireSupervisor(request): RequireSupervisor,
    Path(id): Path<String>,
    upload: FileUpload<IMPORT_BYTES>,
) -> PageResult {
    let template = find(&request, &id).await?;
    let page = ImportPage::new(&request, &template);
    if page.error.is_some() {
        return Ok(request.page_with_errors(&page));
    }
    let decoded = match upload.file {
        _ if upload.too_large => Err(request.l.import_too_large()),
        None => Err(request.l.import_no_file()),
        Some(bytes) => decode(&bytes).map_err(|fault| match fault {
            FileFault::Workbook => request.l.import_workbook(),
            FileFault::NoText => request.l.import_no_text(),
        }),
    };
    let text = match decoded {
        Ok(text) => text,
        Err(error) => return Ok(request.page_with_errors(&page.with_error(error))),
    };
    let form = DraftForm::from_json(&template.form);
    let app = &request.web.app;
    let rows = match read(&text, &form, (&home(&request), &app.notary), request.l) {
        Ok(rows) => serde_json::json!(rows).to_string(),
        Err(errors) => return Ok(request.page_with_errors(&page.with_errors(errors))),
    };
    let saved = app
        .save_import(caller(&request), request.user(), template.id, rows)
        .await;
    let file = saved.map_err(|error| request.error_page(error))?;
    Ok(request.redirect(&format!("/panel/templates/{id}/import?file={file}")))
}

/// `POST …/import/make`: makes the folios of the file that was checked, all of them or none.
pub(crate) async fn make(
    RequireSupervisor(request): RequireSupervisor,
    Path(id): Path<String>,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let template = find(&request, &id).await?;
    let Ok(file) = form.get("file").parse::<DraftId>() else {
        return Ok(request.redirect(&gone(&id)));
    };
    let count = form
        .get("count")
        .parse::<usize>()
        .unwrap_or(0)
        .min(limits::IMPORTED_FOLIOS);
    let made = format!("/panel/folios?mark=mine&done=imported&n={count}");
    let rows = match kept(&request, &template, file).await? {
        Kept::Rows(rows) => rows,
        // The form was sent twice.
        Kept::Made => return Ok(request.redirect(&made)),
        Kept::Gone => return Ok(request.redirect(&gone(&id))),
    };
    let app = &request.web.app;
    let failed = |error| request.error_page(error);
    let draft_form = DraftForm::from_json(&template.form);
    let Ok((common, folios)) = folios(&rows, &draft_form, (&home(&request), &app.notary)) else {
        return Ok(request.redirect(&gone(&id)));
    };
    let import = (file, &template);
    let imported = app
        .make_imported(caller(&request), request.user(), import, common, folios)
        .await;
    match imported {
        Ok(_) => Ok(request.redirect(&made)),
        Err(Error::Unfit(unfit)) => {
            let error = CellError {
                row: None,
                column: request.l.new_documents().to_owned(),
                text: request.l.unfit(&unfit),
            };
            let page = ImportPage::new(&request, &template).with_errors(vec![error]);
            Ok(request.page_with_errors(&page))
        }
        Err(error) => Err(failed(error).into()),
    }
}

/// `GET …/people.csv`: the headings, as the reader's Excel takes them apart.
pub(crate) async fn sample(
    RequireSupervisor(request): RequireSupervisor,
    Path(id): Path<String>,
) -> PageResult {
    let template = find(&request, &id).await?;
    let form = DraftForm::from_json(&template.form);
    let separator = match request.l {
        PanelLang::Es => ";",
        PanelLang::En => ",",
    };
    let quoted = headings(&form, request.l).into_iter().map(|(heading, _)| {
        let guard = if is_formula(&heading) { "'" } else { "" };
        format!("\"{guard}{}\"", heading.replace('"', "\"\""))
    });
    let line: Vec<String> = quoted.collect();
    let text = format!("\u{feff}{}\r\n", line.join(separator));
    let mut headers = headers(&Embedding::default());
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8"));
    headers.insert(CONTENT_DISPOSITION, attachment(&format!("{}.csv", template.name)));
    Ok((headers, text).into_response())
}
