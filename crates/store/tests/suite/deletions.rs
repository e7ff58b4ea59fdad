//! What is kept for a time is deleted afterwards, in transactions of a bounded length.

use crate::db::{Db, company, run, write};
use crate::sample::{at, folios};
use store::{Error, Tx};

type Delete = fn(&mut Tx<'_>) -> Result<u64, Error>;

/// Deletes what is older than a time, at most two rows.
const DELETIONS: [(&str, Delete); 7] = [
    ("panel_sessions", |tx| tx.delete_old_panel_sessions(at(8), 2)),
    ("password_links", |tx| tx.delete_old_password_links(at(8), 2)),
    ("invitations", |tx| tx.delete_old_invitations(at(8), 2)),
    ("sign_in_failures", |tx| tx.delete_old_failures(at(8), 2)),
    ("account_emails", |tx| tx.delete_old_account_emails(at(8), 2)),
    ("resends", |tx| tx.delete_old_resends(at(8), 2)),
    ("orphaned_blobs", |tx| tx.forget_removed(at(10), at(8), 2)),
];

pub(crate) fn old_rows_are_deleted_a_few_at_a_time(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Old").await;
        folios(&store, company, 1).await;
    });
    db.raw(&db.with_bytes(
        "INSERT INTO users (seq, id, company, email, name, role, created_at)
         VALUES (1, <bytes 01010101010101010101010101010101>, 1, 'a@b.co', 'A', 'reader', 0)",
    ));
    // Five old rows of each kind, and one that stays.
    for (number, second) in [1, 2, 3, 4, 5, 9].into_iter().enumerate() {
        let time = at(second).as_micros();
        let id = format!("<bytes {}>", format!("{number:02x}").repeat(16));
        let digest = format!("<bytes {}>", format!("{number:02x}").repeat(32));
        db.raw(&db.with_bytes(&format!(
            "INSERT INTO panel_sessions (digest, id, person, created_at, used_at, agent)
                 VALUES ({digest}, {id}, 1, 0, {time}, '');
             INSERT INTO password_links (digest, person, created_at, expires_at) VALUES ({digest}, 1, 0, {time});
             INSERT INTO invitations (id, company, email, name, role, sent_at, digest, expires_at)
                 VALUES ({id}, 1, 'a{number}@b.co', 'A', 'reader', {time}, {digest}, 0);
             INSERT INTO sign_in_failures (scope, failures, last_at) VALUES ({digest}, 1, {time});
             INSERT INTO account_emails (company, template, recipient, name, state, created_at, due_at)
                 VALUES (1, 'new_password', 'a@b.co', 'A', 'sent', {time}, 0);
             INSERT INTO resends (folio, signer, at) VALUES (1, 0, {time});
             INSERT INTO orphaned_blobs (sha256, orphaned_at, removing, removed_at) VALUES ({digest}, 0, 1, {time})"
        )));
    }
    for (table, delete) in DELETIONS {
        for deleted in [2, 2, 1, 0] {
            assert_eq!(run(write(&store, delete)).unwrap(), deleted, "{table}");
        }
        assert_eq!(db.count(&format!("SELECT 1 FROM {table}")), 1, "{table}");
    }
}
