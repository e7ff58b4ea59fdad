//! `PostgreSQL` keeps deleted rows while an older transaction could still see them, be it a backup or a forgotten session. A
//! poll that begins at a known position does not step over them.

use crate::db::{company, history_key, read, run, write};
use crate::sample::{at, folios, lease};
use parts::Postgres;
use std::fs;
use std::path::{Path, PathBuf};
use store::{ChangeRow, DueTimes, Settings, Store};

/// The plans that the server logs, with the pages that were read.
struct Plans {
    log: PathBuf,
}

impl Plans {
    fn of(server: &Postgres, database: &str) -> Self {
        for setting in [
            "session_preload_libraries = 'auto_explain'",
            "auto_explain.log_min_duration = 0",
            "auto_explain.log_analyze = on",
            "auto_explain.log_buffers = on",
        ] {
            let sql = format!("ALTER DATABASE {database} SET {setting}");
            server.query(&sql).unwrap();
        }
        let data = server.query("SHOW data_directory").unwrap();
        let log = Path::new(data.trim()).with_file_name("postgres.log");
        Self { log }
    }

    /// The pages that the last statement with these words read.
    fn pages(&self, words: &str) -> u64 {
        let log = fs::read_to_string(&self.log).unwrap();
        let plan = &log[log.rfind(words).unwrap()..];
        let buffers = plan.split("Buffers: shared ").nth(1).unwrap();
        let counts = buffers.lines().next().unwrap().split(' ');
        let counts = counts.filter_map(|count| count.strip_prefix("hit=").or(count.strip_prefix("read=")));
        counts.map(|count| count.parse::<u64>().unwrap()).sum()
    }
}

/// A server with a folio of a company.
fn busy_database() -> (Postgres, String, Plans, Store) {
    let server = Postgres::start().unwrap();
    let url = server.create_database("snapshots").unwrap();
    let plans = Plans::of(&server, "snapshots");
    let store = Store::open(&Settings::Postgres(url.clone()), Some(history_key())).unwrap();
    run(async {
        let company = company(&store, "Busy").await;
        folios(&store, company, 1).await;
    });
    (server, url, plans, store)
}

/// The same, and a transaction that began before anything else was written.
struct OldSnapshot {
    plans: Plans,
    store: Store,
    filler: postgres::Client,
    _old: postgres::Client,
    _server: Postgres,
}

impl OldSnapshot {
    fn begin() -> Self {
        let (server, url, plans, store) = busy_database();
        let connect = || postgres::Client::connect(&url, postgres::NoTls).unwrap();
        let (mut old, filler) = (connect(), connect());
        old.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1")
            .unwrap();
        Self {
            plans,
            store,
            filler,
            _old: old,
            _server: server,
        }
    }
}

const ROWS: i64 = 3008;

#[test]
fn a_poll_does_not_step_over_what_an_old_snapshot_keeps() {
    let mut old = OldSnapshot::begin();
    let (store, plans) = (&old.store, &old.plans);
    old.filler
        .batch_execute(&format!(
            "INSERT INTO folio_changes (company, folio, kind, history_from, history_to, at)
                 SELECT 1, 1, 'created', 0, 1, 0 FROM generate_series(1, {ROWS})"
        ))
        .unwrap();
    run(async {
        let mut newest = ChangeRow::ZERO;
        loop {
            let taken = write(store, |tx| tx.take_changes(ChangeRow::ZERO, 1024))
                .await
                .unwrap();
            let Some(last) = taken.last() else { break };
            newest = last.seq;
        }

        let poll = async |from: ChangeRow| {
            assert!(!read(store, move |tx| tx.has_changes(from)).await);
            plans.pages("FROM folio_changes WHERE seq >=")
        };
        let (all, few) = (poll(ChangeRow::ZERO).await, poll(newest).await);
        println!("change log: {all} pages, from a position {few}");
        assert!(all > 20 && few < 8, "{all} {few}");
    });
}

/// From the beginning of a queue, and from the time before which nothing in it is due.
fn due_times() -> [DueTimes; 2] {
    let from = at(40);
    [DueTimes::from(at(100)), DueTimes { from, now: at(100) }]
}

#[test]
fn a_poll_of_the_outbox_does_not_step_over_messages_that_were_sent() {
    let mut old = OldSnapshot::begin();
    let (store, plans) = (&old.store, &old.plans);
    let early = at(2).as_micros();
    old.filler
        .batch_execute(&format!(
            "INSERT INTO outbox (company, folio, signer, channel, template, recipient, created_at, due_at)
                 SELECT 1, 1, 0, 'email', CASE WHEN i % 2 = 0 THEN 'code' ELSE 'reminder' END, i || '@b.co', {early}, {early}
                 FROM generate_series(1, {ROWS}) AS i;
             UPDATE outbox SET state = 'sent'"
        ))
        .unwrap();
    run(async {
        let poll = async |due: DueTimes| {
            let taken = write(store, move |tx| {
                let codes = tx.take_codes(due, &lease(100, 200), 8)?;
                Ok((codes, tx.take_messages(due, &lease(100, 200), 8, 8)?))
            });
            assert_eq!(taken.await.unwrap(), (Vec::new(), Vec::new()));
            let codes = plans.pages("WHERE o.template = 'code' AND");
            (codes, plans.pages("RETURNING seq, recipient, template"))
        };
        let [all, few] = due_times();
        let (all, few) = (poll(all).await, poll(few).await);
        println!("outbox, codes and messages: {all:?} pages, from a time {few:?}");
        assert!(all.0 > 20 && few.0 < 8, "{all:?} {few:?}");
        assert!(all.1 > 20 && few.1 < 8, "{all:?} {few:?}");
    });
}

#[test]
fn a_poll_for_webhooks_does_not_step_over_deliveries_that_were_sent() {
    let mut old = OldSnapshot::begin();
    let (store, plans) = (&old.store, &old.plans);
    let early = at(2).as_micros();
    let deliveries = |prefix: &str, rows: i64| {
        format!(
            "INSERT INTO webhook_deliveries (id, company, endpoint, kind, happened_at, created_at, due_at)
                 SELECT decode(md5('{prefix}' || i), 'hex'), 1, 1, 'folio.signed', {early}, {early}, {early}
                 FROM generate_series(1, {rows}) AS i;"
        )
    };
    old.filler
        .batch_execute(&format!(
            "INSERT INTO webhook_endpoints (id, company, address, label, created_at)
                 VALUES (decode(md5('endpoint'), 'hex'), 1, 'https://example.com/', '', 0);
             {}
             UPDATE webhook_deliveries SET state = 'sent', ended_at = {early}",
            deliveries("sent", ROWS)
        ))
        .unwrap();
    run(async {
        let poll = async |due: DueTimes| {
            assert!(!read(store, move |tx| tx.has_due_webhooks(due)).await);
            plans.pages("SELECT seq FROM webhook_deliveries")
        };
        let [all, few] = due_times();
        let (all, few) = (poll(all).await, poll(few).await);
        println!("webhooks: {all} pages, from a time {few}");
        assert!(all > 20 && few < 8, "{all} {few}");

        // What is looked at when something is due, or seems to be.
        let take = async |due: DueTimes| {
            let taken = write(store, move |tx| {
                tx.take_webhooks(due, &lease(100, 200), 8, 8, &[])
            });
            assert_eq!(taken.await.unwrap(), []);
            plans.pages("SELECT t.seq, t.company, t.leased")
        };
        let [all, few] = due_times();
        let (all, few) = (take(all).await, take(few).await);
        println!("webhooks, endpoints: {all} pages, from a time {few}");
        assert!(all > 20 && few < 8, "{all} {few}");
    });
}

#[test]
fn a_poll_for_extensions_does_not_step_over_those_that_were_made() {
    let mut old = OldSnapshot::begin();
    let (store, plans) = (&old.store, &old.plans);
    let (early, later) = (at(2).as_micros(), at(1_000_000).as_micros());
    old.filler
        .batch_execute(&format!(
            "INSERT INTO extensions (folio, due_at) VALUES (1, {early});
             DO $$ BEGIN
                 FOR i IN 1..{ROWS} LOOP UPDATE extensions SET due_at = {early} + i; END LOOP;
             END $$;
             UPDATE extensions SET due_at = {later}"
        ))
        .unwrap();
    run(async {
        let poll = async |due: DueTimes| {
            let leased = write(store, move |tx| tx.lease_extension(due, &lease(100, 200)));
            assert_eq!(leased.await.unwrap(), None);
            plans.pages("SELECT e.folio FROM extensions e")
        };
        let [all, few] = due_times();
        let (all, few) = (poll(all).await, poll(few).await);
        println!("extensions: {all} pages, from a time {few}");
        assert!(all > 20 && few < 8, "{all} {few}");
    });
}

#[test]
fn a_poll_for_reminders_does_not_step_over_folios_that_were_looked_at() {
    let mut old = OldSnapshot::begin();
    let (store, plans) = (&old.store, &old.plans);
    let (early, later) = (at(2).as_micros(), at(1_000_000).as_micros());
    old.filler
        .batch_execute(&format!(
            "INSERT INTO reminders (folio, company, due_at, due_set_at) VALUES (1, 1, {early}, {early});
             DO $$ BEGIN
                 FOR i IN 1..{ROWS} LOOP UPDATE reminders SET due_at = {early} + i; END LOOP;
             END $$;
             UPDATE reminders SET due_at = {later}"
        ))
        .unwrap();
    run(async {
        let poll = async |due: DueTimes| {
            assert_eq!(read(store, move |tx| tx.due_reminders(due, 50)).await, None);
            plans.pages("SELECT r.company, f.id FROM reminders r")
        };
        let [all, few] = due_times();
        let (all, few) = (poll(all).await, poll(few).await);
        println!("reminders: {all} pages, from a time {few}");
        assert!(all > 20 && few < 8, "{all} {few}");
    });
}

#[test]
fn a_poll_for_increments_does_not_step_over_those_that_were_moved() {
    let mut old = OldSnapshot::begin();
    let (store, plans) = (&old.store, &old.plans);
    let early = at(2).as_micros();
    old.filler
        .batch_execute(&format!(
            "DO $$ BEGIN
                 FOR i IN 1..{ROWS} LOOP
                     INSERT INTO increment_moves (folio, planned_at, due_at, due_set_at) VALUES (1, {early}, {early} + i, {early});
                     DELETE FROM increment_moves;
                 END LOOP;
             END $$"
        ))
        .unwrap();
    run(async {
        let poll = async |due: DueTimes| {
            let leased = write(store, move |tx| {
                tx.lease_increment_moves(due, &lease(100, 200), 8)
            });
            assert_eq!(leased.await.unwrap(), []);
            plans.pages("SELECT moves.folio FROM increment_moves moves")
        };
        let [all, few] = due_times();
        let (all, few) = (poll(all).await, poll(few).await);
        println!("increments: {all} pages, from a time {few}");
        assert!(all > 20 && few < 8, "{all} {few}");
    });
}

/// A database that lost some days may leave a hundred thousand orphans.
#[test]
fn a_claim_of_orphans_reads_those_that_it_takes() {
    let mut old = OldSnapshot::begin();
    let (store, plans) = (&old.store, &old.plans);
    let marked = at(0).as_micros();
    old.filler
        .batch_execute(&format!(
            "INSERT INTO orphaned_blobs (sha256, orphaned_at)
                 SELECT sha256(CAST(CAST(i AS TEXT) AS BYTEA)), {marked} + i FROM generate_series(1, 30000) i"
        ))
        .unwrap();
    run(async {
        let claimed = write(store, |tx| tx.claim_for_removal(at(200), at(100), 8));
        assert_eq!(claimed.await.unwrap().len(), 8);
        let pages = plans.pages("UPDATE orphaned_blobs SET removing");
        println!("claim of orphans: {pages} pages");
        assert!(pages < 200, "{pages}");
    });
}

/// Rows of a queue that are done with and kept for months or years.
const FINISHED: i64 = 200_000;

#[test]
fn a_poll_reads_few_pages_however_many_rows_are_finished() {
    let (_server, url, plans, store) = busy_database();
    let mut filler = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    let (early, later) = (at(2).as_micros(), at(1_000_000).as_micros());
    filler
        .batch_execute(&format!(
            "SET session_replication_role = replica; SET auto_explain.log_min_duration = -1;
             UPDATE outbox SET state = 'sent';
             INSERT INTO outbox (company, folio, signer, channel, template, recipient, state, created_at, due_at, sent_at)
                 SELECT 1, i, 0, 'email', CASE WHEN i % 2 = 0 THEN 'code' ELSE 'reminder' END, i || '@b.co', 'sent',
                     {early}, {early}, {early} FROM generate_series(1, {FINISHED}) AS i;
             INSERT INTO webhook_endpoints (id, company, address, label, created_at)
                 VALUES (decode(md5('endpoint'), 'hex'), 1, 'https://example.com/', '', 0);
             INSERT INTO webhook_deliveries (id, company, endpoint, kind, happened_at, state, created_at, due_at, ended_at)
                 SELECT decode(md5(CAST(i AS TEXT)), 'hex'), 1, 1, 'folio.signed', {early}, 'sent', {early}, {early}, {early}
                 FROM generate_series(1, {FINISHED}) AS i;
             INSERT INTO extensions (folio, due_at) SELECT i, {later} FROM generate_series(1, {FINISHED}) AS i;
             INSERT INTO reminders (folio, company, due_at, due_set_at)
                 SELECT i, 1, CASE WHEN i % 2 = 0 THEN {later} END, {early} FROM generate_series(1, {FINISHED}) AS i;
             INSERT INTO account_emails (company, template, recipient, name, state, created_at, due_at)
                 SELECT 1, 'new_password', 'a@b.co', 'A', 'sent', {early}, {early} FROM generate_series(1, {FINISHED});
             ANALYZE"
        ))
        .unwrap();
    run(async {
        let polled = write(&store, |tx| {
            let (due, lease) = (DueTimes::from(at(100)), lease(100, 200));
            assert_eq!(tx.take_codes(due, &lease, 8)?, []);
            assert_eq!(tx.take_messages(due, &lease, 8, 8)?, []);
            assert_eq!(tx.take_account_emails(at(100), &lease, 8)?, []);
            assert!(!tx.has_due_webhooks(due)?);
            assert_eq!(tx.take_webhooks(due, &lease, 8, 8, &[])?, []);
            assert_eq!(tx.lease_extension(due, &lease)?, None);
            assert_eq!(tx.due_reminders(due, 50)?, None);
            Ok(())
        });
        polled.await.unwrap();
    });
    for poll in [
        "WHERE o.template = 'code' AND",
        "RETURNING seq, recipient, template",
        "UPDATE account_emails SET leased_until",
        "SELECT seq FROM webhook_deliveries",
        "SELECT t.seq, t.company, t.leased",
        "SELECT e.folio FROM extensions e",
        "SELECT r.company, f.id FROM reminders r",
    ] {
        let pages = plans.pages(poll);
        println!("{poll}: {pages} pages");
        assert!(pages < 10, "{poll}: {pages}");
    }
}
