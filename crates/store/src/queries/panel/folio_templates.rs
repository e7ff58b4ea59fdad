//! Templates: forms that a company keeps to make folios of again, with their documents.

use crate::error::Error;
use crate::queries::panel::drafts::DraftFile;
use crate::rows::UserRow;
use crate::tx::Tx;
use crate::value::{Param, Row, only_column, sql_int};
use domain::{CompanyId, DraftId, FileName, FolioTemplateId, Timestamp};

/// A template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFolioTemplate {
    /// Its identifier.
    pub id: FolioTemplateId,
    /// What it is called.
    pub name: String,
    /// The fields of the form.
    pub form: String,
    /// When it was made.
    pub saved_at: Timestamp,
    /// Its documents, in their order.
    pub files: Vec<DraftFile>,
}

impl Tx<'_> {
    /// The company's templates, by name.
    pub fn folio_templates(&mut self, company: CompanyId) -> Result<Vec<StoredFolioTemplate>, Error> {
        let sql = "SELECT id, name, form, saved_at FROM folio_templates WHERE company = $1 ORDER BY name";
        let found = self.query(sql, &[company.0.into()], folio_template)?;
        self.with_files(found)
    }

    /// A template of the company.
    pub fn folio_template(
        &mut self,
        company: CompanyId,
        id: FolioTemplateId,
    ) -> Result<Option<StoredFolioTemplate>, Error> {
        let sql = "SELECT id, name, form, saved_at FROM folio_templates WHERE company = $1 AND id = $2";
        let found = self.query(sql, &[company.0.into(), (&id).into()], folio_template)?;
        Ok(self.with_files(found)?.pop())
    }

    fn with_files(
        &mut self,
        mut templates: Vec<StoredFolioTemplate>,
    ) -> Result<Vec<StoredFolioTemplate>, Error> {
        let sql = "SELECT template, seq, name, sha256, size FROM template_documents
                   WHERE template IN ({list}) ORDER BY template, seq";
        let ids: Vec<FolioTemplateId> = templates.iter().map(|template| template.id).collect();
        let files = self.query_in(sql, &[], ids.iter().map(Param::from), |row| {
            let file = DraftFile {
                row: row.get("seq")?,
                name: FileName::stored(row.get("name")?),
                sha256: row.get("sha256")?,
                size: row.get("size")?,
            };
            Ok((row.get::<FolioTemplateId>("template")?, file))
        })?;
        for (id, file) in files {
            if let Some(template) = templates.iter_mut().find(|template| template.id == id) {
                template.files.push(file);
            }
        }
        Ok(templates)
    }

    /// Adds a template, unless the company has one of that name, or so many.
    pub fn add_folio_template(
        &mut self,
        company: CompanyId,
        template: &StoredFolioTemplate,
        max: usize,
    ) -> Result<bool, Error> {
        let sql = "INSERT INTO folio_templates (id, company, name, form, saved_at)
                   SELECT $1, $2, $3, $4, $5 FROM companies
                   WHERE seq = $2 AND (SELECT COUNT(*) FROM folio_templates WHERE company = $2) < $6
                   ON CONFLICT (company, name) DO NOTHING";
        let params = [
            (&template.id).into(),
            company.0.into(),
            (&template.name).into(),
            (&template.form).into(),
            template.saved_at.into(),
            sql_int(max)?.into(),
        ];
        Ok(self.execute(sql, &params)? > 0)
    }

    /// Gives a new template the documents of a draft of the user.
    pub fn copy_draft_files(
        &mut self,
        company: CompanyId,
        user: UserRow,
        draft: DraftId,
        template: FolioTemplateId,
    ) -> Result<(), Error> {
        let sql = "INSERT INTO template_documents (template, name, sha256, size)
                   SELECT $1, d.name, d.sha256, d.size FROM draft_documents d JOIN folio_drafts f ON f.id = d.draft
                   WHERE d.draft = $2 AND f.company = $3 AND f.person = $4 AND d.released_at IS NULL ORDER BY d.seq";
        let params = [(&template).into(), (&draft).into(), company.0.into(), user.into()];
        self.execute(sql, &params).map(drop)
    }

    /// Gives a new draft the documents of a template of the company.
    pub fn copy_template_files(
        &mut self,
        company: CompanyId,
        template: FolioTemplateId,
        draft: DraftId,
    ) -> Result<(), Error> {
        let sql = "INSERT INTO draft_documents (draft, name, sha256, size)
                   SELECT $1, d.name, d.sha256, d.size FROM template_documents d JOIN folio_templates t ON t.id = d.template
                   WHERE d.template = $2 AND t.company = $3 ORDER BY d.seq";
        let params = [(&draft).into(), (&template).into(), company.0.into()];
        self.execute(sql, &params).map(drop)
    }

    /// Calls a template otherwise. False where there is none of that identifier, or another has the name.
    pub fn rename_folio_template(
        &mut self,
        company: CompanyId,
        id: FolioTemplateId,
        name: &str,
    ) -> Result<bool, Error> {
        let sql = "UPDATE folio_templates SET name = $1 WHERE id = $2 AND company = $3 AND NOT EXISTS (
                       SELECT 1 FROM folio_templates o WHERE o.company = $3 AND o.name = $1 AND o.id <> $2)";
        Ok(self.execute(sql, &[name.into(), (&id).into(), company.0.into()])? > 0)
    }

    /// Deletes a template; its name, if there was one of that identifier. Its documents are those of a draft that is gone.
    pub fn delete_folio_template(
        &mut self,
        company: CompanyId,
        id: FolioTemplateId,
        at: Timestamp,
    ) -> Result<Option<String>, Error> {
        let lock = self.dialect().for_update();
        let sql = format!("SELECT name FROM folio_templates WHERE id = $1 AND company = $2{lock}");
        let Some(name) = self.query_one(&sql, &[(&id).into(), company.0.into()], only_column)? else {
            return Ok(None);
        };
        let sql = "INSERT INTO draft_documents (draft, name, sha256, size, released_at)
                   SELECT template, '', sha256, size, $1 FROM template_documents WHERE template = $2";
        self.execute(sql, &[at.into(), (&id).into()])?;
        self.execute(
            "DELETE FROM template_documents WHERE template = $1",
            &[(&id).into()],
        )?;
        let sql = "DELETE FROM folio_templates WHERE id = $1 AND company = $2";
        self.execute(sql, &[(&id).into(), company.0.into()])?;
        Ok(Some(name))
    }
}

fn folio_template(row: &Row<'_>) -> Result<StoredFolioTemplate, Error> {
    Ok(StoredFolioTemplate {
        id: row.get("id")?,
        name: row.get("name")?,
        form: row.get("form")?,
        saved_at: row.get("saved_at")?,
        files: Vec::new(),
    })
}
