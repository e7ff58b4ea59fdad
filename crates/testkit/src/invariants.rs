//! What must hold whenever a test ends, whatever the test was about.

use crate::stack::{Stack, open_sqlite};
use domain::event::hash_after;
use postgres::NoTls;
use std::path::Path;
use store::Settings;

/// Folio, number of the event, its text, its hash, and what the folio says of its last event.
type EventRow = (i64, i64, String, Vec<u8>, i64, Vec<u8>);

const EVENTS: &str = "SELECT e.folio, e.number, e.body, e.hash, f.history_length, f.history_hash
                      FROM events e JOIN folios f ON f.seq = e.folio ORDER BY e.folio, e.number";
const UNANSWERED_KEYS: &str = "SELECT COUNT(*) FROM idempotency_keys WHERE status = 0";

/// Nothing is half done: no temporary file of an upload, no idempotency key without a response, no broken history.
pub(crate) fn check(stack: &Stack) {
    assert_eq!(
        temp_file_count(&stack.temp_files()),
        0,
        "temporary files were left behind"
    );
    let (events, unsettled) = match &stack.database {
        Settings::Sqlite(path) => of_sqlite(path),
        Settings::Postgres(url) => of_postgres(url),
    };
    assert_eq!(unsettled, 0, "an idempotency key was claimed and never answered");
    check_histories(&events);
}

/// Temporary files of uploads.
pub(crate) fn temp_file_count(directory: &Path) -> usize {
    let entries = |path: &Path| std::fs::read_dir(path).into_iter().flatten().flatten();
    let documents = |store: std::fs::DirEntry| {
        entries(&store.path())
            .filter(|file| file.file_name() != "lock")
            .count()
    };
    entries(directory).map(documents).sum()
}

fn check_histories(events: &[EventRow]) {
    let (mut folio, mut before, mut count) = (0, [0; 32], 0);
    for (place, (of, number, body, hash, length, last)) in events.iter().enumerate() {
        if *of != folio {
            (folio, before, count) = (*of, [0; 32], 0);
        }
        count += 1;
        before = hash_after(&before, body);
        assert_eq!((*number, hash.as_slice()), (count, before.as_slice()), "{body}");
        if events.get(place + 1).is_none_or(|next| next.0 != folio) {
            assert_eq!(
                (*length, last.as_slice()),
                (count, before.as_slice()),
                "the end of {body}"
            );
        }
    }
}

fn of_sqlite(path: &Path) -> (Vec<EventRow>, i64) {
    let connection = open_sqlite(path);
    let mut statement = connection.prepare(EVENTS).unwrap();
    let rows = statement.query_map([], |row| {
        Ok((
            row.get("folio")?,
            row.get("number")?,
            row.get("body")?,
            row.get("hash")?,
            row.get("history_length")?,
            row.get("history_hash")?,
        ))
    });
    let events = rows.unwrap().map(Result::unwrap).collect();
    let unsettled = connection.query_row(UNANSWERED_KEYS, [], |row| row.get(0));
    (events, unsettled.unwrap())
}

fn of_postgres(url: &str) -> (Vec<EventRow>, i64) {
    let mut client = postgres::Client::connect(url, NoTls).unwrap();
    let rows = client.query(EVENTS, &[]).unwrap();
    let event = |row: &postgres::Row| {
        (
            row.get("folio"),
            row.get("number"),
            row.get("body"),
            row.get("hash"),
            row.get("history_length"),
            row.get("history_hash"),
        )
    };
    let events = rows.iter().map(event).collect();
    (events, client.query_one(UNANSWERED_KEYS, &[]).unwrap().get(0))
}
