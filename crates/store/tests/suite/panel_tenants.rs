//! What the panel looks after is each company's own: people, keys, settings, what was done.

use crate::api_requests::request;
use crate::db::{Db, company, run, write};
use crate::keys::new_key;
use crate::sample::at;
use domain::{DraftId, FolioId, KeyId, Role, UserId};
use store::{ActFilter, ApiRequestFilter, AuditEntry, AuditRow, KeyHash, NewUser};

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
            assert!(tx.save_draft(theirs, ana, draft, "{}", at(0))?);
            assert!(!tx.save_draft(ours, ana, draft, "ours", at(1))?);
            assert!(tx.draft(ours, ana, draft)?.is_none() && tx.drafts(ours, ana)?.is_empty());
            assert!(!tx.delete_draft(ours, ana, draft, at(1))?);
            tx.delete_drafts_beyond(ours, ana, 0, at(1))?;
            tx.finish_draft(ours, ana, draft, FolioId::from_bytes([7; 16]), at(1))?;
            let kept = tx.draft(theirs, ana, draft)?.unwrap();
            assert_eq!((kept.form.as_str(), kept.folio), ("{}", None));
            assert_eq!(tx.drafts(theirs, ana)?.len(), 1);
            assert!(tx.save_search(theirs, ana, "Suya", "q=ana", 1)?);
            assert!(tx.saved_searches(ours, ana)?.is_empty());
            let search = tx.saved_searches(theirs, ana)?.remove(0);
            tx.delete_saved_search(ours, ana, search.row)?;
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
