//! No company sees or changes another's things.

use crate::db::{Db, company, read, run, write};
use crate::keys::new_key;
use crate::sample::{Distinct, at, cancel, folios, return_url, signer, stored, whole_history};
use domain::{
    Bulk, BulkId, Channel, CompanyId, DocumentNumber, FolioId, FolioState, KeyId, NewBulk, ReturnKind,
    SignerIndex,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use store::{
    CodeMessage, DailyStat, DocumentLookup, Error, FolioFilter, FolioRow, FolioSubset, HourlyFolioRange,
    KeyClaim, KeyHash, Reminded, ReminderDays, ReminderPlan, Stat, Store, StoredResponse, UserRow,
};

/// Every query that takes a company, as the two tests below walk them, and those of `panel_tenants` and `webhooks`.
const WALKED: &[&str] = &[
    "acts_before",
    "api_requests",
    "add_folio_template",
    "add_import",
    "add_webhook",
    "apply",
    "attempts_at",
    "bulk",
    "claim_idempotency_key",
    "company_settings",
    "copy_draft_files",
    "correct_draft",
    "copy_template_files",
    "delete_draft",
    "delete_drafts_beyond",
    "delete_drafts_of_company",
    "delete_folio_template",
    "delete_saved_search",
    "delete_searches_of_company",
    "deliveries_to",
    "delivery_details",
    "disable_webhook",
    "document_versions",
    "draft",
    "drafts",
    "drafts_of_company",
    "expiring_folios",
    "find_document",
    "find_document_of_any_folio",
    "enable_webhook",
    "end_key",
    "erasable_folios",
    "erase_folios",
    "daily_stats",
    "finish_draft",
    "finish_import",
    "folio_ids_of_bulk",
    "folio_template",
    "folio_templates",
    "folios",
    "folios_by_name",
    "folios_by_state",
    "folios_of_bulk",
    "folios_among_with_words",
    "folios_in_subset",
    "folios_with_term",
    "folios_with_word",
    "foreign_folios",
    "has_messages_to_retry",
    "history",
    "history_from",
    "import",
    "identity_provider",
    "invitations_of",
    "lock_identity_provider",
    "lock_invitation_of",
    "lock_user_with_identity",
    "remove_identity_provider",
    "is_foreign_bulk",
    "keep_all_from_erasure",
    "key",
    "keys_of",
    "last_act_of",
    "listed_folios",
    "lock_administrators",
    "lock_bulk",
    "lock_folios",
    "lock_folios_to_erase",
    "lock_invitation",
    "undelivered_codes",
    "mark_returned",
    "message_log",
    "messages_of",
    "newest_folios",
    "newest_with_words",
    "note_erasure_turn",
    "next_reminder",
    "record_act",
    "reindex_number",
    "reminder_days",
    "replan_reminders",
    "folio_rows_between",
    "remove_webhook",
    "rename_company",
    "rename_folio_template",
    "replay_deliveries",
    "resend_delivery",
    "retry_messages_of",
    "rotate_webhook",
    "queue_test_delivery",
    "save_draft",
    "save_search",
    "saved_searches",
    "searches_of_company",
    "set_approval",
    "set_company_settings",
    "set_embedding",
    "set_folio_creator",
    "set_logo",
    "settle_reminders",
    "signer_contacts",
    "set_webhook_kinds",
    "store_response",
    "state_counts",
    "term_counts",
    "user",
    "users_of",
    "uses_approval",
    "webhook",
    "webhooks",
    "words_in_use",
    "words_with_term",
];

#[test]
fn every_query_that_takes_a_company_is_walked() {
    let mut found = BTreeSet::new();
    let queries = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/queries");
    for file in source_files(&queries) {
        let text = fs::read_to_string(file).unwrap();
        for function in text.split("    pub fn ").skip(1) {
            let (signature, _) = function.split_once("->").unwrap();
            let (name, parameters) = signature.split_once('(').unwrap();
            if parameters.contains("company: CompanyId") {
                found.insert(name.to_owned());
            }
        }
    }
    assert_eq!(found, WALKED.iter().map(|name| (*name).to_owned()).collect());
}

fn source_files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                source_files(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

struct Two {
    ours: CompanyId,
    theirs: CompanyId,
    folio: FolioId,
    bulk: BulkId,
}

/// Two companies; every identifier in the queries is the other company's.
async fn two(store: &Store) -> Two {
    let (ours, theirs) = (company(store, "Ours").await, company(store, "Theirs").await);
    folios(store, ours, 1).await;
    let folio = folios(store, theirs, 1).await[0];
    let new = NewBulk {
        folios: vec![folio],
        signer: signer(0),
        return_url: return_url(),
    };
    let bulk = Bulk::start(new, theirs, at(0), &mut Distinct);
    let id = bulk.id;
    write(store, move |tx| {
        let seq = tx.lock_folios(theirs, &[folio])?[0].seq;
        tx.insert_bulk(&bulk, &[(seq, SignerIndex(0), Vec::new())])?;
        let (key, secret) = (KeyId::from_bytes([4; 16]), KeyHash { hash: [4; 32] });
        tx.add_key(&new_key(key, theirs, &secret))?;
        tx.claim_idempotency_key(theirs, "key", &[1; 32], at(0), at(-1))?;
        let answer = StoredResponse {
            status: 200,
            body: "theirs".into(),
        };
        tx.store_response(theirs, "key", &answer)
    })
    .await
    .unwrap();
    Two {
        ours,
        theirs,
        folio,
        bulk: id,
    }
}

/// Runs a statement behind the store's back, and out of the way of the test's own runtime.
fn behind(db: &Db, sql: &str) {
    std::thread::scope(|scope| {
        scope.spawn(|| db.raw(sql));
    });
}

#[expect(clippy::too_many_lines, reason = "every query that takes a company is asked")]
pub(crate) fn nothing_of_another_company_is_seen(db: &Db) {
    let store = db.open();
    run(async {
        let Two {
            ours,
            theirs,
            folio,
            bulk,
        } = two(&store).await;
        let known = stored(&store, theirs, folio).await;
        let document = known.folio.documents[0].id;
        write(&store, move |tx| {
            let bulk_seq = tx.bulk(theirs, bulk)?.unwrap().seq;
            assert!(tx.folios(ours, &[folio])?.is_empty());
            assert!(tx.lock_folios(ours, &[folio])?.is_empty());
            assert!(tx.folios_of_bulk(ours, bulk_seq)?.is_empty());
            assert!(tx.folio_ids_of_bulk(ours, bulk_seq)?.is_empty());
            assert!(tx.bulk(ours, bulk)?.is_none() && tx.lock_bulk(ours, bulk)?.is_none());
            assert!(tx.history(ours, folio)?.is_empty());
            assert!(tx.history_from(ours, folio, 0, 9)?.is_empty());
            assert!(tx.messages_of(ours, folio)?.is_empty());
            assert!(tx.message_log(ours, folio, 9)?.is_empty());
            assert!(tx.document_versions(ours, folio)?.is_empty());
            assert!(tx.keys_of(ours)?.is_empty());
            let (word, day) = ("theirs".to_owned(), 20_270_101);
            tx.index_words(&[(theirs, word.clone(), known.seq)])?;
            let stat = DailyStat {
                stat: Stat::CodeRefused,
                day,
                value: 1,
            };
            tx.add_daily_stats(&[(theirs, stat)])?;
            let span = HourlyFolioRange {
                company: theirs,
                hour: day,
                oldest: known.seq,
                newest: known.seq,
            };
            tx.record_hourly_ranges(&[span])?;
            assert_eq!(tx.newest_folios(ours, &FolioFilter::default(), 9)?.len(), 1);
            assert!(tx.listed_folios(ours, &[known.seq])?.is_empty());
            let ending = (at(-1), at(1_000_000));
            assert!(tx.expiring_folios(ours, ending, Some(known.seq), 9)?.is_empty());
            assert_eq!(tx.folios_by_name(ours, None, None, 9)?.len(), 1);
            assert_eq!(tx.folios_by_state(ours, None, 9)?.len(), 1);
            let subset = FolioSubset::Expiring(ending.0, ending.1);
            assert!(tx.folios_in_subset(ours, subset, &[known.seq])?.is_empty());
            assert!(tx.signer_contacts(ours, &[known.seq])?.is_empty());
            assert_eq!(tx.signer_contacts(theirs, &[known.seq])?.len(), 2);
            assert!(tx.folios_with_term(ours, &word, FolioRow::MAX, 9)?.is_empty());
            assert!(tx.folios_with_word(ours, &word, FolioRow::MAX, 9)?.is_empty());
            assert!(tx.words_with_term(ours, &word, 9)?.is_empty());
            let words = [word.clone()];
            assert!(tx.newest_with_words(ours, &words, FolioRow::MAX, 9)?.is_empty());
            assert!(tx.folios_among_with_words(ours, &words, &[known.seq])?.is_empty());
            assert_eq!(tx.term_counts(ours, &words, 9)?, [0]);
            assert!(tx.words_in_use(ours, &words)?.is_empty());
            assert!(tx.daily_stats(ours, 0, 99_999_999)?.is_empty());
            assert_eq!(tx.folio_rows_between(ours, 0, 99_999_999)?, (None, None));
            assert_eq!(tx.state_counts(ours)?[&FolioState::Pending], 1);
            assert!(matches!(
                tx.find_document(ours, document)?,
                DocumentLookup::Foreign
            ));

            // These queries reveal that it exists: their callers must distinguish foreign from unknown.
            let nobodys = FolioId::from_bytes([0xee; 16]);
            assert_eq!(tx.foreign_folios(ours, &[folio, nobodys])?, [folio]);
            assert!(tx.foreign_folios(theirs, &[folio, nobodys])?.is_empty());
            assert!(tx.is_foreign_bulk(ours, bulk)? && !tx.is_foreign_bulk(theirs, bulk)?);
            assert!(!tx.is_foreign_bulk(ours, BulkId::from_bytes([0xee; 16]))?);

            // Nor is anything of it changed.
            let message = tx.messages_of(theirs, folio)?[0].seq;
            assert!(!tx.mark_returned(ours, message, ReturnKind::Bounced)?);
            let number = known.folio.signers[0].document_number.clone();
            tx.reindex_number(ours, known.seq, &number, &DocumentNumber::stored("5".to_owned()))?;
            assert!(tx.folios_with_word(theirs, "5", FolioRow::MAX, 9)?.is_empty());

            // The owner sees all of it.
            assert!(tx.mark_returned(theirs, message, ReturnKind::Bounced)?);
            assert_eq!(tx.folios(theirs, &[folio])?.len(), 1);
            assert_eq!(tx.folios_of_bulk(theirs, bulk_seq)?.len(), 1);
            assert_eq!(tx.folio_ids_of_bulk(theirs, bulk_seq)?, [(folio, SignerIndex(0))]);
            assert!(tx.lock_bulk(theirs, bulk)?.is_some());
            assert_eq!(tx.history(theirs, folio)?.len(), 1);
            assert_eq!(tx.history_from(theirs, folio, 0, 9)?.len(), 1);
            assert_eq!(tx.messages_of(theirs, folio)?.len(), 2);
            assert_eq!(tx.message_log(theirs, folio, 9)?.len(), 2);
            assert_eq!(
                tx.document_versions(theirs, folio)?.len(),
                known.folio.documents.len()
            );
            assert_eq!(tx.keys_of(theirs)?.len(), 1);
            assert_eq!(tx.listed_folios(theirs, &[known.seq])?.len(), 1);
            assert_eq!(tx.folios_with_term(theirs, &word, FolioRow::MAX, 9)?, [known.seq]);
            assert_eq!(tx.folios_with_word(theirs, &word, FolioRow::MAX, 9)?.len(), 1);
            assert_eq!(tx.words_with_term(theirs, &word, 9)?, words);
            assert_eq!(
                tx.newest_with_words(theirs, &words, FolioRow::MAX, 9)?,
                [known.seq]
            );
            assert_eq!(
                tx.folios_among_with_words(theirs, &words, &[known.seq])?,
                [known.seq]
            );
            assert_eq!(tx.term_counts(theirs, &words, 9)?, [1]);
            assert_eq!(tx.words_in_use(theirs, &words)?.len(), 1);
            assert_eq!(tx.daily_stats(theirs, 0, 99_999_999)?.len(), 1);
            let own = Some(known.seq);
            assert_eq!(tx.folio_rows_between(theirs, 0, 99_999_999)?, (own, own));
            assert!(matches!(
                tx.find_document(theirs, document)?,
                DocumentLookup::Own(_)
            ));
            Ok(())
        })
        .await
        .unwrap();
    });
}

pub(crate) fn nobody_is_reminded_by_another_companys_schedule(db: &Db) {
    let store = db.open();
    run(async {
        let Two {
            ours, theirs, folio, ..
        } = two(&store).await;
        let known = stored(&store, theirs, folio).await.seq;
        write(&store, move |tx| {
            let mut settings = tx.company_settings(theirs)?.unwrap();
            settings.reminders.first = Some(3);
            tx.set_company_settings(theirs, &settings)?;
            let (days, _) = tx.reminder_days(ours)?.unwrap();
            assert_eq!(days, ReminderDays::default());
            assert_eq!(tx.reminder_days(theirs)?.unwrap().0.first, Some(3));
            tx.replan_reminders(ours, at(0))?;
            while tx.replan_some_reminders(at(1), at(9), 1)? > 0 {}
            assert_eq!(tx.next_reminder(theirs, known)?, None);
            tx.replan_reminders(theirs, at(0))?;
            while tx.replan_some_reminders(at(2), at(9), 1)? > 0 {}
            assert_eq!(tx.next_reminder(theirs, known)?, Some((at(2), 0)));
            assert_eq!(tx.next_reminder(ours, known)?, None);
            let plan = ReminderPlan {
                folio: known,
                messages: Vec::new(),
                reminded: Reminded::default(),
                next: Some(at(500)),
            };
            tx.settle_reminders(ours, std::slice::from_ref(&plan), at(3))?;
            assert_eq!(tx.next_reminder(theirs, known)?, Some((at(2), 0)));
            tx.settle_reminders(theirs, &[plan], at(3))?;
            assert_eq!(tx.next_reminder(theirs, known)?, Some((at(500), 0)));
            Ok(())
        })
        .await
        .unwrap();
    });
}

pub(crate) fn nothing_of_another_company_is_erased(db: &Db) {
    let store = db.open();
    run(async {
        let Two {
            ours, theirs, folio, ..
        } = two(&store).await;
        let known = stored(&store, theirs, folio).await;
        let document = known.folio.documents[0].id;
        write(&store, move |tx| {
            assert!(tx.lock_folios_to_erase(ours, &[folio])?.is_empty());
            assert_eq!(tx.lock_folios_to_erase(theirs, &[folio])?.len(), 1);
            assert!(tx.find_document_of_any_folio(ours, document)?.is_none());
            assert!(tx.find_document_of_any_folio(theirs, document)?.is_some());
            let old = tx.erasable_folios(ours, FolioState::Pending, at(1_000_000), 9)?;
            assert!(old.len() == 1 && !old.contains(&folio), "{old:?}");
            let old = tx.erasable_folios(theirs, FolioState::Pending, at(1_000_000), 9)?;
            assert_eq!(old, [folio]);
            Ok(())
        })
        .await
        .unwrap();
        let erased = write(&store, move |tx| {
            let change = cancel(&known.folio).unwrap();
            tx.erase_folios(ours, at(20), &[(&known, change)])
        })
        .await;
        assert!(matches!(erased, Err(Error::Stale)), "{erased:?}");
    });
}

pub(crate) fn nothing_of_another_company_is_changed(db: &Db) {
    let store = db.open();
    run(async {
        let Two {
            ours, theirs, folio, ..
        } = two(&store).await;
        let known = stored(&store, theirs, folio).await;
        let seq = known.seq;
        let meddled = write(&store, move |tx| {
            let change = cancel(&known.folio).unwrap();
            tx.apply(ours, at(20), &[(&known, change)])
        })
        .await;
        assert!(matches!(meddled, Err(Error::Stale)), "{meddled:?}");
        write(&store, move |tx| {
            tx.queue_code(&CodeMessage {
                company: theirs,
                folio: seq,
                signer: SignerIndex(0),
                others: &[],
                bulk: None,
                session: domain::SignerSessionId::from_bytes([5; 16]),
                channel: Channel::Email,
                recipient: "a@example.com",
                code: domain::CodeId::from_bytes([6; 16]),
                secret: b"sealed",
                at: at(20),
            })
        })
        .await
        .unwrap();
        behind(db, "UPDATE outbox SET state = 'dead'");
        let codes = |company| {
            read(&store, move |tx| {
                tx.undelivered_codes(company, domain::SignerSessionId::from_bytes([5; 16]), &[seq])
            })
        };
        assert!(codes(ours).await.is_empty());
        assert_eq!(codes(theirs).await.len(), 1);
        let marked = |company| {
            read(&store, move |tx| {
                tx.folios_in_subset(company, FolioSubset::Undelivered, &[seq])
            })
        };
        assert!(marked(ours).await.is_empty());
        assert_eq!(marked(theirs).await, [seq]);
        let made = write(&store, move |tx| {
            tx.set_folio_creator(ours, &[folio], "ana@example.com")?;
            tx.folios_in_subset(theirs, FolioSubset::MadeBy(UserRow(1)), &[seq])
        });
        assert!(made.await.unwrap().is_empty());
        let lost = |company| read(&store, move |tx| tx.has_messages_to_retry(company, folio, at(21)));
        assert!(!lost(ours).await && lost(theirs).await);
        let retry = |company| write(&store, move |tx| tx.retry_messages_of(company, folio, at(21)));
        assert_eq!(retry(ours).await.unwrap(), 0);
        assert_eq!(retry(theirs).await.unwrap(), 2);
        write(&store, move |tx| tx.set_approval(theirs, true))
            .await
            .unwrap();
        assert!(!read(&store, move |tx| tx.uses_approval(ours)).await);
        assert!(read(&store, move |tx| tx.uses_approval(theirs)).await);
        let origins = ["https://ours.example.com".to_owned()];
        write(&store, move |tx| tx.set_embedding(ours, &origins))
            .await
            .unwrap();
        let company = read(&store, move |tx| tx.company_of_folio(folio)).await.unwrap();
        assert!(company.embedding_origins.is_empty(), "{company:?}");
        assert_eq!(whole_history(&store, theirs, folio).await, ["created"]);

        let kept = write(&store, move |tx| tx.keep_all_from_erasure(ours, &[folio]));
        assert!(!kept.await.unwrap());
        let claim = |company| {
            write(&store, move |tx| {
                tx.claim_idempotency_key(company, "key", &[1; 32], at(0), at(-1))
            })
        };
        assert_eq!(claim(ours).await.unwrap(), KeyClaim::Fresh);
        let answer = StoredResponse {
            status: 500,
            body: "ours".into(),
        };
        write(&store, move |tx| tx.store_response(ours, "key", &answer))
            .await
            .unwrap();
        let KeyClaim::Replayed(answer) = claim(theirs).await.unwrap() else {
            panic!("their answer is gone")
        };
        assert_eq!(answer.body, "theirs");

        let (key, secret) = (KeyId::from_bytes([6; 16]), KeyHash { hash: [6; 32] });
        write(&store, move |tx| tx.add_key(&new_key(key, ours, &secret)))
            .await
            .unwrap();
        assert_eq!(read(&store, move |tx| tx.keys_of(theirs)).await.len(), 1);
    });
}
