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
