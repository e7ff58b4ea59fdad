//! Imports: many folios are made at once with a template and the rows of a file of people.
//!
//! All of them are made, or none, in one transaction: nothing is half done after an interruption, and the form sent twice makes
//! them once. What is in the rows is the page's own matter.
//!
//! Each folio gets a signing state of its own for each document, and all of them are in memory at once. So that is bounded, and
//! an instance runs one import at a time.

use crate::folios::create::FolioRequest;
use crate::panel::{AuditAct, User, record_caller_act};
use crate::shared::admission::{AdmissionLimits, AdmissionPermit};
use crate::shared::error::{Unfit, UnfitDocument};
use crate::shared::secrets::SystemRandom;
use crate::{App, Caller, Error, IdempotentResult, Who};
use domain::{
    Created, DocumentId, DraftId, Folio, FolioId, FolioName, FolioTemplateId, NewDocument, NewFolio,
    NewSigner, limits,
};
use std::time::{Duration, Instant};
use store::{SentFile, StoredFolioTemplate, StoredImport};

/// Signing states of one import. That of most documents has a few kilobytes; that of a large form has up to four megabytes.
const MAX_STATE_BYTES: usize = 64 << 20;

/// Imports, of all companies.
pub(crate) const ADMISSION_LIMITS: AdmissionLimits = AdmissionLimits {
    running: 1,
    admitted: 8,
    timeout: Duration::from_secs(15),
};

/// What a folio of an import has of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedFolio {
    /// What it is called.
    pub name: FolioName,
    /// Who signs.
    pub signers: Vec<NewSigner>,
}

/// The folios of an import, before they are stored.
struct NewFolios {
    created: Vec<Created>,
    /// The states of each folio's documents.
    signing_states: Vec<Vec<Vec<u8>>>,
    sent: Vec<(DocumentId, SentFile)>,
    blobs: Vec<[u8; 32]>,
    /// Goes with the memory: a request that was given up may still be writing.
    _permit: AdmissionPermit,
}

/// Refuses so many folios if their signing states take too much memory. The document with the largest one is named.
fn check_states(documents: &[NewDocument], states: &[Vec<u8>], folios: usize) -> Result<(), UnfitDocument> {
    let each = states.iter().map(Vec::len).sum::<usize>().max(1);
    let max = MAX_STATE_BYTES / each;
    let largest = documents.iter().zip(states).max_by_key(|(_, state)| state.len());
    match largest {
        Some((document, _)) if folios > max => Err(UnfitDocument {
            name: document.name.clone(),
            why: Unfit::TooManyFolios { max },
        }),
        _ => Ok(()),
    }
}

impl App {
    /// Keeps the rows of a file for a template. The user's oldest one beyond [`limits::DRAFTS`] is deleted.
    pub async fn save_import(
        &self,
        caller: Caller,
        user: &User,
        template: FolioTemplateId,
        rows: String,
    ) -> Result<DraftId, Error> {
        let (now, user) = (self.clock.now(), user.seq);
        let id = DraftId::random(&mut SystemRandom);
        let import = StoredImport {
            template,
            rows,
            folio: None,
        };
        let saved = self.write_idempotent(caller, None, move |tx, caller| {
            let company = caller.company;
            if tx.import(company, user, id)?.is_none() {
                tx.add_import(company, user, id, &import, now)?;
                tx.delete_drafts_beyond(company, user, limits::DRAFTS, now)?;
            }
            Ok(())
        });
        saved.await?;
        Ok(id)
    }

    /// An import of the user.
    pub async fn import(&self, user: &User, id: DraftId) -> Result<StoredImport, Error> {
        let (company, user) = (user.company, user.seq);
        let found = self.store.read(move |tx| tx.import(company, user, id));
        found.await?.ok_or(Error::NotFound)
    }

    /// Makes the folios of an import: `common` with the documents of the template, and with the name and the signers of each.
    /// False where they are made already.
    pub async fn make_imported(
        &self,
        caller: Caller,
        user: &User,
        (id, template): (DraftId, &StoredFolioTemplate),
        mut common: FolioRequest,
        folios: Vec<ImportedFolio>,
    ) -> Result<bool, Error> {
        let permit = self.import_admission.acquire().await?;
        let (now, person, begun) = (self.clock.now(), user.seq, Instant::now());
        common.documents = self.stored_uploads(&template.files).await?;
        let new = self.new_folios(&caller, common, folios, permit).await?;
        let template = template.name.clone();
        let made = self.write_idempotent(caller, None, move |tx, caller| {
            let company = caller.company;
            if !tx.keep_blobs(&new.blobs, begun.elapsed())? {
                return Err(Error::Overloaded);
            }
            let ids: Vec<FolioId> = new.created.iter().map(|created| created.folio.id).collect();
            let Some(first) = ids.first() else {
                return Ok(false);
            };
            if !tx.finish_import(company, person, id, *first, now)? {
                return Ok(false);
            }
            let signing_states = new.signing_states.iter().map(Vec::as_slice);
            let rows: Vec<_> = new.created.iter().zip(signing_states).collect();
            tx.insert_folios(&rows)?;
            tx.set_sent_files(&new.sent)?;
            if let Who::User { email, .. } = &caller.who {
                tx.set_folio_creator(company, &ids, email)?;
            }
            let detail = format!("{template} ({})", ids.len());
            record_caller_act(tx, caller, AuditAct::FoliosImported, &detail, now)?;
            Ok(true)
        });
        let made = made.await?;
        self.wakeups.outbox.notify();
        self.wakeups.projector.notify();
        Ok(matches!(made, IdempotentResult::Fresh(true)))
    }

    /// The documents are inspected and rehearsed once for all folios, and made durable.
    async fn new_folios(
        &self,
        caller: &Caller,
        common: FolioRequest,
        folios: Vec<ImportedFolio>,
        permit: AdmissionPermit,
    ) -> Result<NewFolios, Error> {
        let (now, company, origin) = (self.clock.now(), caller.company, caller.origin());
        let (sender, policy) = (caller.sender(), self.creation_policy(now));
        let made = self.blobs.persist_with(move || {
            let accepted = policy.accept(common).map_err(Error::Unfit)?;
            check_states(&accepted.new.documents, &accepted.prepared, folios.len()).map_err(Error::Unfit)?;
            let blobs: Vec<[u8; 32]> = accepted.pending.iter().map(|one| *one.id().as_bytes()).collect();
            let (mut created, mut sent) = (Vec::with_capacity(folios.len()), Vec::new());
            for folio in folios {
                let new = NewFolio {
                    name: folio.name,
                    signers: folio.signers,
                    ..accepted.new.clone()
                };
                let one = Folio::create(new, company, origin.clone(), now, &mut SystemRandom)
                    .sent_by(sender.clone());
                let documents = one.folio.documents.iter().zip(&accepted.sent);
                sent.extend(documents.filter_map(|(document, sent)| Some((document.id, (*sent)?))));
                created.push(one);
            }
            let made = (created, sent, blobs, accepted.prepared, permit);
            Ok::<_, Error>((accepted.pending, made))
        });
        let (created, sent, blobs, prepared, permit) = made.await??;
        let signing_states = created
            .iter()
            .map(|created| self.seal_signing_states(created.folio.id, prepared.clone()));
        Ok(NewFolios {
            signing_states: signing_states.collect(),
            created,
            sent,
            blobs,
            _permit: permit,
        })
    }
}
