//! What the panel looks after is each company's own: people, keys, settings, what was done.

use crate::api_requests::request;
use crate::db::{Db, company, run, write};
use crate::keys::new_key;
use crate::sample::at;
use domain::{
    CompanyId, DraftId, FileName, FolioId, FolioTemplateId, InvitationId, KeyId, ProviderId, Role, UserId,
};
use store::{
    ActFilter, ApiRequestFilter, AuditEntry, AuditRow, DraftDocumentRow, DraftFile, Error, Identity, KeyHash,
    NewInvitation, NewUser, ProviderSettings, StoredFolioTemplate, StoredImport, StoredProvider, Tx, UserRow,
};

pub(crate) fn no_company_reaches_anothers_people_and_settings(db: &Db) {
    let store = db.open();
    run(async {
        let (ours, theirs) = (company(&store, "Ours").await, company(&store, "Theirs").await);
        let (person, key) = (UserId::from_bytes([3; 16]), KeyId::from_bytes([4; 16]));
        write(&store, move |tx| {
            tx.add_user(&NewUser {
                id: person,
                company: theirs,
                email: "ana@example.com",
                name: "Ana",
                role: Role::Administrator,
                password: Some("$argon2id$…"),
                at: at(0),
            })?;
            tx.add_key(&new_key(key, theirs, &KeyHash { hash: [4; 32] }))?;
            let act = AuditEntry {
                seq: AuditRow::ZERO,
                at: at(0),
                who: "ana@example.com".to_owned(),
                address: None,
                what: "key_made".to_owned(),
                detail: "theirs".to_owned(),
                times: 1,
            };
            tx.record_act(theirs, &act)?;

            assert!(tx.user(ours, person)?.is_none() && tx.user(theirs, person)?.is_some());
            assert!(tx.users_of(ours, 9)?.is_empty() && tx.users_of(theirs, 9)?.len() == 1);
            assert!(tx.lock_administrators(ours)?.is_empty());
            assert_eq!(tx.lock_administrators(theirs)?, [person]);
            let all = ActFilter::default();
            assert!(tx.acts_before(ours, &all, None, 9)?.is_empty());
            assert_eq!(tx.acts_before(theirs, &all, None, 9)?.len(), 1);
            assert!(tx.last_act_of(ours, &["key_made"], at(-1))?.is_none());
            assert!(tx.last_act_of(theirs, &["key_made"], at(-1))?.is_some());
            tx.log_api_requests(&[(theirs, request(key, 0, 200))])?;
            for key in [None, Some(key)] {
                let filter = ApiRequestFilter { key, failed: false };
                assert!(tx.api_requests(ours, &filter, 9)?.is_empty());
                assert_eq!(tx.api_requests(theirs, &filter, 9)?.len(), 1);
            }
            assert!(tx.key(ours, key)?.is_none());
            tx.end_key(ours, key, at(1))?;
            assert_eq!(tx.key(theirs, key)?.unwrap().expires_at, None);

            let ana = tx.user(theirs, person)?.unwrap().seq;
            let draft = DraftId::from_bytes([6; 16]);
            let form = "{\"number\":\"1.020-3\"}";
            assert!(tx.save_draft(theirs, ana, draft, form, at(0))?);
            let first = DraftId::from_bytes([0; 16]);
            tx.correct_draft(ours, draft, "ours")?;
            tx.delete_drafts_of_company(ours, &[draft], at(0))?;
            assert!(tx.drafts_of_company(ours, first, 9)?.is_empty());
            assert_eq!(tx.drafts_of_company(theirs, first, 9)?[0].form, form);
            assert!(tx.drafts_of_company(theirs, draft, 9)?.is_empty());
            assert!(tx.save_draft(theirs, ana, draft, "{}", at(0))?);
            assert!(!tx.save_draft(ours, ana, draft, "ours", at(1))?);
            assert!(tx.draft(ours, ana, draft)?.is_none() && tx.drafts(ours, ana)?.is_empty());
            assert!(!tx.delete_draft(ours, ana, draft, at(1))?);
            tx.delete_drafts_beyond(ours, ana, 0, at(1))?;
            tx.finish_draft(ours, ana, draft, FolioId::from_bytes([7; 16]), at(1))?;
            let kept = tx.draft(theirs, ana, draft)?.unwrap();
            assert_eq!((kept.form.as_str(), kept.folio), ("{}", None));
            assert_eq!(tx.drafts(theirs, ana)?.len(), 1);
            templates_are_a_companys_own(tx, (ours, theirs), ana, draft)?;
            identity_providers_are_a_companys_own(tx, (ours, theirs), ana)?;
            assert!(tx.save_search(theirs, ana, "Suya", "q=ana", 1)?);
            assert!(tx.saved_searches(ours, ana)?.is_empty());
            let search = tx.saved_searches(theirs, ana)?.remove(0);
            tx.delete_saved_search(ours, ana, search.row)?;
            tx.delete_searches_of_company(ours, &[search.row])?;
            assert!(tx.searches_of_company(ours)?.is_empty());
            assert_eq!(tx.searches_of_company(theirs)?.len(), 1);
            assert_eq!(tx.saved_searches(theirs, ana)?, [search]);

            let before = tx.company_settings(theirs)?.unwrap();
            let mut changed = tx.company_settings(ours)?.unwrap();
            changed.folio_days = Some(7);
            tx.set_company_settings(ours, &changed)?;
            tx.set_logo(ours, None)?;
            assert_eq!(tx.company_settings(ours)?.unwrap().folio_days, Some(7));
            assert_eq!(tx.company_settings(theirs)?.unwrap(), before);
            Ok(())
        })
        .await
        .unwrap();
    });
}

fn identity_providers_are_a_companys_own(
    tx: &mut Tx<'_>,
    (ours, theirs): (CompanyId, CompanyId),
    ana: UserRow,
) -> Result<(), Error> {
    tx.put_identity_provider(&StoredProvider {
        id: ProviderId::from_bytes([12; 16]),
        company: theirs,
        settings: ProviderSettings::default(),
        client_secret: None,
        tried_at: None,
        enabled_at: None,
    })?;
    assert!(tx.identity_provider(ours)?.is_none() && tx.lock_identity_provider(ours)?.is_none());
    assert!(!tx.remove_identity_provider(ours)?);
    assert!(tx.identity_provider(theirs)?.is_some() && tx.lock_identity_provider(theirs)?.is_some());
    let identity = Identity {
        issuer: "https://login.example".to_owned(),
        subject: "ana".to_owned(),
    };
    tx.set_identity(ana, Some(&identity))?;
    assert!(tx.lock_user_with_identity(ours, &identity)?.is_none());
    assert!(tx.lock_user_with_identity(theirs, &identity)?.is_some());
    tx.add_invitation(&NewInvitation {
        id: InvitationId::from_bytes([13; 16]),
        company: theirs,
        email: "berta@example.com",
        name: "Berta",
        role: Role::Reader,
        digest: &[14; 32],
        at: at(0),
        expires_at: at(60),
    })?;
    assert!(tx.lock_invitation_of(ours, "berta@example.com")?.is_none());
    assert!(tx.lock_invitation_of(theirs, "berta@example.com")?.is_some());
    Ok(())
}

fn templates_are_a_companys_own(
    tx: &mut Tx<'_>,
    (ours, theirs): (CompanyId, CompanyId),
    ana: UserRow,
    draft: DraftId,
) -> Result<(), Error> {
    let file = DraftFile {
        row: DraftDocumentRow::ZERO,
        name: FileName::new("contrato.pdf"),
        sha256: [4; 32],
        size: 5,
    };
    tx.add_draft_files(draft, &[file])?;
    let template = StoredFolioTemplate {
        id: FolioTemplateId::from_bytes([8; 16]),
        name: "Arriendo".to_owned(),
        form: "{}".to_owned(),
        saved_at: at(0),
        files: Vec::new(),
    };
    let id = template.id;
    assert!(
        !tx.add_folio_template(theirs, &template, 0)?,
        "so many are too many"
    );
    assert!(tx.add_folio_template(theirs, &template, 1)?);
    tx.copy_draft_files(ours, ana, draft, id)?;
    assert!(tx.folio_template(theirs, id)?.unwrap().files.is_empty());
    tx.copy_draft_files(theirs, ana, draft, id)?;
    assert!(tx.folio_template(ours, id)?.is_none() && tx.folio_templates(ours)?.is_empty());
    assert!(!tx.rename_folio_template(ours, id, "Nuestra")?);
    assert!(tx.delete_folio_template(ours, id, at(1))?.is_none());
    let import = StoredImport {
        template: id,
        rows: "[]".to_owned(),
        folio: None,
    };
    let (import_id, folio) = (DraftId::from_bytes([9; 16]), FolioId::from_bytes([7; 16]));
    tx.add_import(theirs, ana, import_id, &import, at(0))?;
    assert!(tx.import(ours, ana, import_id)?.is_none());
    assert!(!tx.finish_import(ours, ana, import_id, folio, at(1))?);
    // Nor does an import end as a draft of the form for one folio.
    tx.finish_draft(theirs, ana, import_id, folio, at(1))?;
    assert!(!tx.delete_draft(theirs, ana, import_id, at(1))?);
    assert_eq!(tx.import(theirs, ana, import_id)?, Some(import));
    let copy = DraftId::from_bytes([10; 16]);
    assert!(tx.save_draft(theirs, ana, copy, "{}", at(0))?);
    tx.copy_template_files(ours, id, copy)?;
    assert!(tx.draft(theirs, ana, copy)?.unwrap().files.is_empty());
    tx.copy_template_files(theirs, id, copy)?;
    assert_eq!(tx.draft(theirs, ana, copy)?.unwrap().files.len(), 1);
    assert!(tx.delete_draft(theirs, ana, copy, at(1))?);
    let kept = tx.folio_templates(theirs)?;
    assert_eq!((kept[0].name.as_str(), kept[0].files.len()), ("Arriendo", 1));
    assert_eq!(
        tx.delete_folio_template(theirs, id, at(1))?.as_deref(),
        Some("Arriendo")
    );
    assert!(tx.folio_templates(theirs)?.is_empty());
    Ok(())
}
