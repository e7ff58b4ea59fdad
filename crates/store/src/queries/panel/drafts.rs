//! Drafts: forms of new folios that were not sent yet, with their documents. Each belongs to one user of one company.

use crate::dialect::ColumnType::{Bytes, Int, Text};
use crate::error::Error;
use crate::rows::{DraftDocumentRow, UserRow};
use crate::tx::Tx;
use crate::value::{Param, Row, Rows, only_column, sql_int};
use domain::{CompanyId, DraftId, FileName, FolioId, Timestamp};

/// A draft.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredDraft {
    /// Its identifier.
    pub id: DraftId,
    /// The fields of the form; empty once the folio is made.
    pub form: String,
    /// When it was last saved.
    pub saved_at: Timestamp,
    /// The folio that was made of it.
    pub folio: Option<FolioId>,
    /// Its documents, in the order in which they came.
    pub files: Vec<DraftFile>,
}

impl std::fmt::Debug for StoredDraft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // No personal data: this may be logged.
        f.debug_struct("StoredDraft")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// A draft or an import, and the email address of its user.
#[derive(Clone, PartialEq, Eq)]
pub struct PanelDraft {
    /// Its identifier.
    pub id: DraftId,
    /// Whose it is.
    pub user: String,
    /// The fields.
    pub form: String,
    /// When it was last saved.
    pub saved_at: Timestamp,
    /// What its documents are called.
    pub file_names: Vec<String>,
}

impl std::fmt::Debug for PanelDraft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // No personal data: this may be logged.
        f.debug_struct("PanelDraft").finish_non_exhaustive()
    }
}

/// A document of a draft, as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftFile {
    /// Its number in the database; [`DraftDocumentRow::ZERO`] before it is stored.
    pub row: DraftDocumentRow,
    /// What it is called.
    pub name: FileName,
    /// SHA-256 of its bytes.
    pub sha256: [u8; 32],
    /// How many these are.
    pub size: u64,
}

impl Tx<'_> {
    /// Saves a draft. False where its folio is made already, or another user has a draft of that identifier.
    pub fn save_draft(
        &mut self,
        company: CompanyId,
        user: UserRow,
        id: DraftId,
        form: &str,
        at: Timestamp,
    ) -> Result<bool, Error> {
        let sql = "INSERT INTO folio_drafts (id, company, person, form, saved_at) VALUES ($1, $2, $3, $4, $5)
                   ON CONFLICT (id) DO UPDATE SET form = excluded.form, saved_at = excluded.saved_at
                   WHERE folio_drafts.company = excluded.company AND folio_drafts.person = excluded.person
                       AND folio_drafts.folio IS NULL AND folio_drafts.template IS NULL";
        let params = [
            (&id).into(),
            company.0.into(),
            user.into(),
            form.into(),
            at.into(),
        ];
        Ok(self.execute(sql, &params)? > 0)
    }

    /// Adds documents to a draft.
    pub fn add_draft_files(&mut self, draft: DraftId, files: &[DraftFile]) -> Result<(), Error> {
        let mut rows = Rows::new();
        for file in files {
            rows.push([
                (&draft).into(),
                file.name.as_str().into(),
                (&file.sha256).into(),
                sql_int(file.size)?.into(),
            ]);
        }
        let sql = "INSERT INTO draft_documents (draft, name, sha256, size) VALUES";
        self.run_rows(sql, &[Bytes, Text, Bytes, Int], &rows)
    }

    /// Takes a document out of a draft.
    pub fn release_draft_file(
        &mut self,
        draft: DraftId,
        row: DraftDocumentRow,
        at: Timestamp,
    ) -> Result<(), Error> {
        let sql = "UPDATE draft_documents SET name = '', released_at = $1
                   WHERE draft = $2 AND seq = $3 AND released_at IS NULL";
        self.execute(sql, &[at.into(), (&draft).into(), row.into()])
            .map(drop)
    }

    /// The drafts of a user that no folio was made of, the last first, without their documents.
    pub fn drafts(&mut self, company: CompanyId, user: UserRow) -> Result<Vec<StoredDraft>, Error> {
        let sql = "SELECT id, form, saved_at, folio FROM folio_drafts
                   WHERE person = $1 AND company = $2 AND folio IS NULL AND template IS NULL
                   ORDER BY saved_at DESC, id";
        self.query(sql, &[user.into(), company.0.into()], draft)
    }

    /// Drafts and imports of all of the company's users that were not sent yet, those after one of them: at most so many.
    pub fn drafts_of_company(
        &mut self,
        company: CompanyId,
        after: DraftId,
        max: usize,
    ) -> Result<Vec<PanelDraft>, Error> {
        let sql =
            "SELECT d.id, u.email, d.form, d.saved_at FROM folio_drafts d JOIN users u ON u.seq = d.person
                   WHERE d.company = $1 AND d.id > $2 AND d.folio IS NULL ORDER BY d.id LIMIT $3";
        let params = [company.0.into(), (&after).into(), sql_int(max)?.into()];
        let mut drafts = self.query(sql, &params, |row| {
            Ok(PanelDraft {
                id: row.get("id")?,
                user: row.get("email")?,
                form: row.get("form")?,
                saved_at: row.get("saved_at")?,
                file_names: Vec::new(),
            })
        })?;
        let sql = "SELECT draft, name FROM draft_documents WHERE released_at IS NULL AND draft IN ({list})
                   ORDER BY seq";
        let ids: Vec<DraftId> = drafts.iter().map(|draft| draft.id).collect();
        let names = self.query_in(sql, &[], ids.iter().map(Param::from), |row| {
            Ok((row.get::<DraftId>("draft")?, row.get::<String>("name")?))
        })?;
        for (id, name) in names {
            if let Some(draft) = drafts.iter_mut().find(|draft| draft.id == id) {
                draft.file_names.push(name);
            }
        }
        Ok(drafts)
    }

    /// Replaces the fields of a draft or an import that was not sent yet.
    pub fn correct_draft(&mut self, company: CompanyId, id: DraftId, form: &str) -> Result<(), Error> {
        let sql = "UPDATE folio_drafts SET form = $1 WHERE id = $2 AND company = $3 AND folio IS NULL";
        self.execute(sql, &[form.into(), (&id).into(), company.0.into()])
            .map(drop)
    }

    /// Deletes these drafts and imports of the company.
    pub fn delete_drafts_of_company(
        &mut self,
        company: CompanyId,
        ids: &[DraftId],
        at: Timestamp,
    ) -> Result<(), Error> {
        let sql = "DELETE FROM folio_drafts WHERE company = $1 AND id IN ({list}) RETURNING id";
        let ids = ids.iter().map(Param::from);
        let deleted: Vec<DraftId> = self.query_in(sql, &[company.0.into()], ids, only_column)?;
        self.release_files_of(&deleted, at)
    }

    /// A draft of the user, with its documents.
    pub fn draft(
        &mut self,
        company: CompanyId,
        user: UserRow,
        id: DraftId,
    ) -> Result<Option<StoredDraft>, Error> {
        let sql = "SELECT id, form, saved_at, folio FROM folio_drafts
                   WHERE id = $1 AND person = $2 AND company = $3 AND template IS NULL";
        let params = [(&id).into(), user.into(), company.0.into()];
        let Some(mut found) = self.query_one(sql, &params, draft)? else {
            return Ok(None);
        };
        let sql = "SELECT seq, name, sha256, size FROM draft_documents
                   WHERE draft = $1 AND released_at IS NULL ORDER BY seq";
        found.files = self.query(sql, &[(&id).into()], |row| {
            Ok(DraftFile {
                row: row.get("seq")?,
                name: FileName::stored(row.get("name")?),
                sha256: row.get("sha256")?,
                size: row.get("size")?,
            })
        })?;
        Ok(Some(found))
    }

    /// Deletes a draft of the user, not an import. False where there is none.
    pub fn delete_draft(
        &mut self,
        company: CompanyId,
        user: UserRow,
        id: DraftId,
        at: Timestamp,
    ) -> Result<bool, Error> {
        let sql = "DELETE FROM folio_drafts
                   WHERE id = $1 AND person = $2 AND company = $3 AND template IS NULL";
        let deleted = self.execute(sql, &[(&id).into(), user.into(), company.0.into()])?;
        if deleted > 0 {
            self.release_files_of(&[id], at)?;
        }
        Ok(deleted > 0)
    }

    /// Deletes what the user typed into a draft, not into an import, and notes the folio that was made of it.
    pub fn finish_draft(
        &mut self,
        company: CompanyId,
        user: UserRow,
        id: DraftId,
        folio: FolioId,
        at: Timestamp,
    ) -> Result<(), Error> {
        let sql = "UPDATE folio_drafts SET form = '', folio = $1, saved_at = $2
                   WHERE id = $3 AND person = $4 AND company = $5 AND folio IS NULL
                       AND template IS NULL";
        let params = [
            (&folio).into(),
            at.into(),
            (&id).into(),
            user.into(),
            company.0.into(),
        ];
        if self.execute(sql, &params)? > 0 {
            self.release_files_of(&[id], at)?;
        }
        Ok(())
    }

    /// Deletes the oldest drafts of a user beyond so many; imports count apart.
    pub fn delete_drafts_beyond(
        &mut self,
        company: CompanyId,
        user: UserRow,
        max: usize,
        at: Timestamp,
    ) -> Result<(), Error> {
        let sql =
            "DELETE FROM folio_drafts WHERE person = $1 AND company = $2 AND folio IS NULL AND id NOT IN (
                       SELECT id FROM (SELECT id, ROW_NUMBER() OVER (
                               PARTITION BY template IS NULL ORDER BY saved_at DESC, id) AS place
                           FROM folio_drafts WHERE person = $1 AND company = $2 AND folio IS NULL) AS kept
                       WHERE place <= $3)
                   RETURNING id";
        let params = [user.into(), company.0.into(), sql_int(max)?.into()];
        let deleted = self.query(sql, &params, only_column)?;
        self.release_files_of(&deleted, at)
    }

    /// Deletes drafts that were saved before, and those of which a folio was made before, up to `max` of each. Returns how
    /// many.
    pub fn delete_old_drafts(
        &mut self,
        saved_before: Timestamp,
        made_before: Timestamp,
        max: usize,
        at: Timestamp,
    ) -> Result<u64, Error> {
        let mut deleted: Vec<DraftId> = Vec::new();
        for (before, made) in [(saved_before, ""), (made_before, " AND folio IS NOT NULL")] {
            let sql = format!(
                "DELETE FROM folio_drafts WHERE id IN (
                     SELECT id FROM folio_drafts WHERE saved_at < $1{made} ORDER BY saved_at LIMIT $2) RETURNING id"
            );
            deleted.extend(self.query(
                &sql,
                &[before.into(), sql_int(max)?.into()],
                only_column::<DraftId>,
            )?);
        }
        self.release_files_of(&deleted, at)?;
        Ok(deleted.len() as u64)
    }

    /// Deletes the rows of documents whose draft was gone before, up to `max`. Returns how many.
    pub fn delete_released_draft_files(&mut self, before: Timestamp, max: usize) -> Result<u64, Error> {
        let sql = "DELETE FROM draft_documents WHERE seq IN (
                       SELECT seq FROM draft_documents WHERE released_at < $1 ORDER BY released_at LIMIT $2)";
        self.execute(sql, &[before.into(), sql_int(max)?.into()])
    }

    fn release_files_of(&mut self, drafts: &[DraftId], at: Timestamp) -> Result<(), Error> {
        if drafts.is_empty() {
            return Ok(());
        }
        let sql = "UPDATE draft_documents SET name = '', released_at = $1
                   WHERE released_at IS NULL AND draft IN ({list}) RETURNING seq";
        self.query_in(sql, &[at.into()], drafts.iter().map(Param::from), |_| Ok(()))
            .map(drop)
    }
}

fn draft(row: &Row<'_>) -> Result<StoredDraft, Error> {
    Ok(StoredDraft {
        id: row.get("id")?,
        form: row.get("form")?,
        saved_at: row.get("saved_at")?,
        folio: row.get("folio")?,
        files: Vec::new(),
    })
}
