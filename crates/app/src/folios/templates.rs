//! Templates: a company keeps the documents, the roles of the signers and the message of folios that it makes again and again.
//!
//! A template is made of a draft, and a draft is made of a template. What is in the form's fields is the page's own matter.

use crate::panel::{AuditAct, User, record_caller_act};
use crate::shared::secrets::SystemRandom;
use crate::{App, Caller, Error, IdempotentResult};
use domain::{CompanyId, DraftId, FolioTemplateId, limits};
use std::time::Duration;
use store::StoredFolioTemplate;

impl App {
    /// The company's templates, by name.
    pub async fn folio_templates(&self, company: CompanyId) -> Result<Vec<StoredFolioTemplate>, Error> {
        let found = self.store.read(move |tx| tx.folio_templates(company));
        Ok(found.await?)
    }

    /// A template of the company.
    pub async fn folio_template(
        &self,
        company: CompanyId,
        id: FolioTemplateId,
    ) -> Result<StoredFolioTemplate, Error> {
        let found = self.store.read(move |tx| tx.folio_template(company, id));
        found.await?.ok_or(Error::NotFound)
    }

    /// Makes a template of these fields and the documents of the user's draft. `None` where the company has one of that name, or
    /// [`limits::FOLIO_TEMPLATES`].
    pub async fn save_folio_template(
        &self,
        caller: Caller,
        user: &User,
        draft: DraftId,
        name: String,
        form: String,
    ) -> Result<Option<FolioTemplateId>, Error> {
        let (now, user) = (self.clock.now(), user.seq);
        let template = StoredFolioTemplate {
            id: FolioTemplateId::random(&mut SystemRandom),
            name,
            form,
            saved_at: now,
            files: Vec::new(),
        };
        let id = template.id;
        let saved = self.write_idempotent(caller, None, move |tx, caller| {
            let company = caller.company;
            // After a lost answer the transaction is run again, and finds the template.
            if tx.folio_template(company, id)?.is_some() {
                return Ok(true);
            }
            let draft_row = tx.draft(company, user, draft)?.ok_or(Error::NotFound)?;
            let hashes: Vec<[u8; 32]> = draft_row.files.iter().map(|file| file.sha256).collect();
            if !tx.keep_blobs(&hashes, Duration::ZERO)? {
                return Err(Error::Overloaded);
            }
            if !tx.add_folio_template(company, &template, limits::FOLIO_TEMPLATES)? {
                return Ok(false);
            }
            tx.copy_draft_files(company, user, draft, id)?;
            record_caller_act(tx, caller, AuditAct::TemplateSaved, &template.name, now)?;
            Ok(true)
        });
        Ok(matches!(saved.await?, IdempotentResult::Fresh(true)).then_some(id))
    }

    /// Makes a draft of a template, with these fields and its documents. The user's oldest draft beyond the limit is deleted.
    pub async fn use_folio_template(
        &self,
        caller: Caller,
        user: &User,
        id: FolioTemplateId,
        form: String,
    ) -> Result<DraftId, Error> {
        let (now, user) = (self.clock.now(), user.seq);
        let draft = DraftId::random(&mut SystemRandom);
        let done = self.write_idempotent(caller, None, move |tx, caller| {
            let company = caller.company;
            if tx.draft(company, user, draft)?.is_some() {
                return Ok(());
            }
            let template = tx.folio_template(company, id)?.ok_or(Error::NotFound)?;
            let hashes: Vec<[u8; 32]> = template.files.iter().map(|file| file.sha256).collect();
            if !tx.keep_blobs(&hashes, Duration::ZERO)? {
                return Err(Error::Overloaded);
            }
            tx.save_draft(company, user, draft, &form, now)?;
            tx.copy_template_files(company, id, draft)?;
            tx.delete_drafts_beyond(company, user, limits::DRAFTS, now)?;
            Ok(())
        });
        done.await?;
        Ok(draft)
    }

    /// Calls a template otherwise. False where another of the company has that name.
    pub async fn rename_folio_template(
        &self,
        caller: Caller,
        id: FolioTemplateId,
        name: String,
    ) -> Result<bool, Error> {
        let now = self.clock.now();
        let renamed = self.write_idempotent(caller, None, move |tx, caller| {
            let before = tx.folio_template(caller.company, id)?.ok_or(Error::NotFound)?;
            if before.name == name {
                return Ok(true);
            }
            if !tx.rename_folio_template(caller.company, id, &name)? {
                return Ok(false);
            }
            let detail = format!("{} → {name}", before.name);
            record_caller_act(tx, caller, AuditAct::TemplateRenamed, &detail, now)?;
            Ok(true)
        });
        Ok(matches!(renamed.await?, IdempotentResult::Fresh(true)))
    }

    /// Deletes a template, if there is one of that identifier.
    pub async fn delete_folio_template(&self, caller: Caller, id: FolioTemplateId) -> Result<(), Error> {
        let now = self.clock.now();
        let deleted = self.write_idempotent(caller, None, move |tx, caller| {
            if let Some(name) = tx.delete_folio_template(caller.company, id, now)? {
                record_caller_act(tx, caller, AuditAct::TemplateDeleted, &name, now)?;
            }
            Ok(())
        });
        deleted.await.map(drop)
    }
}
