//! What the database itself refuses, whatever a program writes.

use crate::db::{Db, company, run};
use crate::sample::folios;

pub(crate) fn a_row_of_one_company_cannot_name_anothers_folio(db: &Db) {
    let store = db.open();
    run(async {
        let ours = company(&store, "Ours").await;
        company(&store, "Other").await;
        folios(&store, ours, 1).await;
    });
    for ties in [
        "INSERT INTO outbox (company, folio, signer, channel, template, recipient, created_at, due_at)
         VALUES (2, 1, 0, 'email', 'reminder', 'a@b.co', 0, 0)",
        "INSERT INTO webhook_deliveries (id, company, endpoint, kind, folio, happened_at, created_at, due_at)
         SELECT id, 2, seq, 'folio.created', 1, 0, 0, 0 FROM folios",
        "INSERT INTO bulk_folios (company, bulk, position, folio, signer) VALUES (2, 1, 0, 1, 0)",
        "INSERT INTO resends (folio, signer, at) VALUES (1, 9, 0)",
    ] {
        assert!(db.is_refused(ties), "{ties}");
    }
}

pub(crate) fn a_row_of_one_company_cannot_name_anothers_person(db: &Db) {
    let store = db.open();
    run(async {
        company(&store, "Ours").await;
        company(&store, "Other").await;
    });
    let user = "INSERT INTO users (id, company, email, name, role, created_at)
                VALUES (<bytes 01010101010101010101010101010101>, 1, 'ana@example.com', 'Ana', 'reader', 0)";
    db.raw(&db.with_bytes(user));
    let draft = |company: u8| {
        db.with_bytes(&format!(
            "INSERT INTO folio_drafts (id, company, person, form, saved_at)
             VALUES (<bytes 02020202020202020202020202020202>, {company}, 1, '', 0)"
        ))
    };
    let search = |company: u8| {
        format!("INSERT INTO saved_searches (company, person, name, query) VALUES ({company}, 1, 'x', 'q=x')")
    };
    assert!(db.is_refused(&draft(2)) && db.is_refused(&search(2)));
    assert!(!db.is_refused(&draft(1)) && !db.is_refused(&search(1)));
}

/// Tables whose rows come and go, in numbers.
const BUSY: [&str; 18] = [
    "outbox",
    "reminders",
    "webhook_deliveries",
    "extensions",
    "increment_moves",
    "increments",
    "signing_states",
    "folio_drafts",
    "draft_documents",
    "folio_changes",
    "signer_sessions",
    "recorded_visits",
    "shown_pages",
    "accepted_documents",
    "resends",
    "webhook_attempts",
    "orphaned_blobs",
    "idempotency_folios",
];

#[test]
fn a_server_cleans_up_busy_tables_before_a_fifth_of_them_is_dead() {
    let db = Db::postgres();
    let store = db.open();
    run(async { company(&store, "Busy").await });
    for table in BUSY {
        let sql = format!(
            "SELECT 1 FROM pg_class WHERE relname = '{table}'
                 AND 'autovacuum_vacuum_scale_factor=0.01' = ANY (reloptions)"
        );
        assert_eq!(db.count(&sql), 1, "{table}");
    }
}

pub(crate) fn a_state_or_length_that_does_not_exist_is_refused(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Checked").await;
        folios(&store, company, 1).await;
    });
    let long = "x".repeat(501);
    for wrong in [
        "UPDATE folios SET state = 'lost'".to_owned(),
        "UPDATE folios SET dropped = 2".to_owned(),
        format!("UPDATE folios SET message = '{long}'"),
        db.with_bytes("UPDATE folios SET history_hash = <bytes 00>"),
        "UPDATE signers SET state = 'x'".to_owned(),
        format!("UPDATE signers SET email = '{long}'"),
        "UPDATE documents SET size = -1".to_owned(),
        "UPDATE documents SET position = 7 WHERE position = -1; UPDATE events SET number = 0".to_owned(),
        "INSERT INTO last_backup (one, finished_at, missing_documents) VALUES (2, 0, 0)".to_owned(),
    ] {
        assert!(db.is_refused(&wrong), "{wrong}");
    }
}
