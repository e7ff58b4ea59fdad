//! Imports: the people of a CSV file, of whom many folios are to be made with a template. Each is a draft of one user.

use crate::error::Error;
use crate::rows::UserRow;
use crate::tx::Tx;
use domain::{CompanyId, DraftId, FolioId, FolioTemplateId, Timestamp};

/// An import.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredImport {
    /// The template.
    pub template: FolioTemplateId,
    /// The rows, as JSON; empty once the folios are made.
    pub rows: String,
    /// The first of the folios that were made of it.
    pub folio: Option<FolioId>,
}

impl std::fmt::Debug for StoredImport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // No personal data: this may be logged.
        f.debug_struct("StoredImport")
            .field("template", &self.template)
            .finish_non_exhaustive()
    }
}

impl Tx<'_> {
    /// Keeps the rows of a file. The identifier is a new one.
    pub fn add_import(
        &mut self,
        company: CompanyId,
        user: UserRow,
        id: DraftId,
        import: &StoredImport,
        at: Timestamp,
    ) -> Result<(), Error> {
        let sql = "INSERT INTO folio_drafts (id, company, person, form, template, saved_at)
                   VALUES ($1, $2, $3, $4, $5, $6)";
        let params = [
            (&id).into(),
            company.0.into(),
            user.into(),
            (&import.rows).into(),
            (&import.template).into(),
            at.into(),
        ];
        self.execute(sql, &params).map(drop)
    }

    /// An import of the user.
    pub fn import(
        &mut self,
        company: CompanyId,
        user: UserRow,
        id: DraftId,
    ) -> Result<Option<StoredImport>, Error> {
        let sql = "SELECT template, form, folio FROM folio_drafts
                   WHERE id = $1 AND person = $2 AND company = $3 AND template IS NOT NULL";
        self.query_one(sql, &[(&id).into(), user.into(), company.0.into()], |row| {
            Ok(StoredImport {
                template: row.get("template")?,
                rows: row.get("form")?,
                folio: row.get("folio")?,
            })
        })
    }

    /// Notes the first of the folios that this transaction makes, and deletes the rows. False where another made them.
    pub fn finish_import(
        &mut self,
        company: CompanyId,
        user: UserRow,
        id: DraftId,
        folio: FolioId,
        at: Timestamp,
    ) -> Result<bool, Error> {
        let sql = "UPDATE folio_drafts SET form = '', folio = $1, saved_at = $2
                   WHERE id = $3 AND person = $4 AND company = $5 AND template IS NOT NULL AND folio IS NULL";
        let params = [
            (&folio).into(),
            at.into(),
            (&id).into(),
            user.into(),
            company.0.into(),
        ];
        Ok(self.execute(sql, &params)? > 0)
    }
}
