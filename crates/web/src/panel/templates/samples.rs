//! Pages about templates with data made up for them.

use super::import::{ConfirmImportPage, ImportPage};
use super::people_file::{CellError, headings};
use super::save::SavePage;
use super::template_page::TemplatePage;
use super::{TemplateView, TemplatesPage};
use crate::page::PanelLang;
use crate::panel::folios::draft_form::DraftForm;
use crate::panel::layout::{PanelLayout, Section};
use crate::panel::sample_data::{frame, sample};
use crate::signer::samples::Sample;
use app::panel::Role;

fn template(name: &str) -> TemplateView {
    let form = DraftForm {
        name: "Contrato de arriendo".to_owned(),
        message: "Por favor revise y firme el contrato de arriendo.".to_owned(),
        ..DraftForm::blank()
    };
    TemplateView {
        id: "0a4d55a8d778e5022fab701977c5d840".to_owned(),
        name: name.to_owned(),
        documents: vec!["Contrato de arriendo.pdf".to_owned(), "Reglamento.pdf".to_owned()],
        form: form.with_roles(vec!["Arrendatario".to_owned(), "Codeudor".to_owned()]),
    }
}

/// The pages with made-up data.
pub(crate) fn all(l: PanelLang) -> Vec<Sample> {
    let f = || -> PanelLayout { frame(l, Section::Folios, Role::Supervisor) };
    let list = |templates| TemplatesPage { f: f(), templates };
    let one = template("Arriendo de vivienda");
    let import = |errors: Vec<CellError>| ImportPage {
        f: f(),
        headings: headings(&one.form, l),
        template: one.clone(),
        error: None,
        more_errors: errors.len(),
        errors,
    };
    let wrong = |row, column: &str, text: String| CellError {
        row,
        column: column.to_owned(),
        text,
    };
    let columns: Vec<String> = headings(&one.form, l)
        .into_iter()
        .map(|(heading, _)| heading)
        .collect();
    let errors = vec![
        wrong(None, "Teléfono fijo", l.import_column_unknown().to_owned()),
        wrong(Some(3), &columns[4], l.problem(&domain::FieldError::NotEmail)),
        wrong(Some(17), &columns[8], l.import_abbreviated().to_owned()),
        wrong(Some(18), "", l.problem(&domain::FieldError::Duplicate)),
    ];
    let mut save = SavePage {
        f: f(),
        draft: one.id.clone(),
        name: one.name.clone(),
        roles: vec!["Arrendatario".to_owned(), "Arrendatario".to_owned()],
        documents: one.documents.clone(),
        errors: std::collections::BTreeMap::new(),
    };
    save.errors
        .insert("template-name".to_owned(), l.template_name_taken().to_owned());
    save.errors
        .insert("role1".to_owned(), l.template_role_taken().to_owned());
    let confirm = ConfirmImportPage {
        f: f(),
        template: one.clone(),
        file: one.id.clone(),
        count: 37,
        rows: vec![
            (
                "Contrato de arriendo, apto 501".to_owned(),
                "Andrés Felipe Peña (andres@example.com), Marta Lucía Díaz (marta@example.com)".to_owned(),
            ),
            (
                "Contrato de arriendo, apto 502".to_owned(),
                "Jorge Iván Ñáñez (jorge@example.com), Ana María Ruiz (ana@example.com)".to_owned(),
            ),
        ],
    };
    let shown = TemplatePage {
        f: f(),
        typed: one.name.clone(),
        error: None,
        template: one.clone(),
    };
    vec![
        sample(
            l,
            "templates",
            &list(vec![one.clone(), template("Poder especial")]),
        ),
        sample(l, "templates-none", &list(Vec::new())),
        sample(l, "template", &shown),
        sample(l, "template-save", &save),
        sample(l, "import", &import(Vec::new())),
        sample(l, "import-wrong", &import(errors)),
        sample(l, "import-confirm", &confirm),
    ]
}
