//! However many folios an act touches, the database is asked as often; and however many there are, it finds those by
//! their keys.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at anything unexpected"
)]

use app::folios::list::{ListOrder, ListSubset, Listing};
use app::{Caller, Who};
use domain::{CompanyId, DeliveryId, FolioId, FolioState, SignerIndex, WebhookId};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Mutex;
use std::time::Duration;
use store::{DeliveryRow, ErasureDays, Queue, ReminderDays, Replay};
use testkit::{Company, TestApp, folio, pdf, signer, signers, until};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

const DAY: Duration = Duration::from_hours(24);

/// Walks that are short however many folios there are, as they begin, and why.
const BOUNDED_WALKS: [(&str, &str); 7] = [
    (
        "SCAN outbox USING INDEX outbox_due:",
        "of all companies, for the metrics: the index has only messages that wait",
    ),
    (
        "SCAN outbox USING COVERING INDEX outbox_dead:",
        "for the metrics, too: only messages that were given up",
    ),
    (
        "SCAN webhook_deliveries USING COVERING INDEX webhook_deliveries_due:",
        "for the metrics, too: only webhook events that wait",
    ),
    (
        "SCAN webhook_deliveries USING INDEX webhook_deliveries_due:",
        "the same, with a column that the index lacks",
    ),
    (
        "SCAN webhook_deliveries USING COVERING INDEX webhook_deliveries_waiting:",
        "the same",
    ),
    (
        "SCAN increment_moves:",
        "for the metrics, too: a row is gone when its folio was moved",
    ),
    (
        "SCAN s: SELECT s.seq, s.name, s.query, u.email FROM saved_searches s",
        "for an erasure: a panel user has few of them",
    ),
];

/// The statements so far, in their first words.
static STATEMENTS: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// All their texts.
static TEXTS: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

struct Statements;

impl<S: Subscriber> Layer<S> for Statements {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        event.record(&mut Sql);
    }
}

struct Sql;

impl Visit for Sql {
    fn record_str(&mut self, field: &Field, value: &str) {
        // The log of requests is written a moment after the response, and the heartbeat at any time.
        let others = [
            "api_requests",
            "FROM api_keys WHERE lookup IN",
            "INSERT INTO instances",
            "DELETE FROM instances",
            "due_set_at = $1 WHERE",
            "clock_timestamp()",
        ];
        if field.name() == "sql" && !others.iter().any(|other| value.contains(other)) {
            let words: Vec<_> = value.split_whitespace().take(4).collect();
            STATEMENTS.lock().unwrap().push(words.join(" "));
            TEXTS.lock().unwrap().insert(value.to_owned());
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

/// The statements it takes, but for the one that looks up the request's key: on `SQLite` it may still stand.
async fn cost<T>(act: impl Future<Output = T>) -> Vec<String> {
    STATEMENTS.lock().unwrap().clear();
    act.await;
    let mut statements = STATEMENTS.lock().unwrap().clone();
    let all = statements.len();
    statements.retain(|one| one != "SELECT hash, id, company,");
    assert!(all - statements.len() <= 1, "a key is looked up once at the most");
    statements
}

/// The statements a response waits for. What was handed out is recorded afterwards, at once or a moment later.
async fn cost_of_response<T>(act: impl Future<Output = T>) -> Vec<String> {
    let mut statements = cost(act).await;
    let recorded = statements
        .iter()
        .position(|one| one == "SELECT seq, id, history_length,");
    statements.truncate(recorded.unwrap_or(statements.len()));
    statements
}

/// Writing many rows may take a few statements of the same kind, so that few texts serve every number of rows:
/// as many as the number has binary digits, at the most.
fn same_kinds(what: &str, mut few: Vec<String>, mut many: Vec<String>) {
    assert!(many.len() <= 6 * few.len(), "{what}: {many:?}");
    few.dedup();
    many.dedup();
    assert_eq!(many, few, "{what}");
}

async fn folios(acme: &Company<'_>, count: usize) -> Vec<String> {
    let mut ids = Vec::new();
    for _ in 0..count {
        ids.push(acme.created(folio()).await);
    }
    ids
}

/// What is recorded a moment later must not be counted with what comes next.
async fn recorded(acme: &Company<'_>, folio: &str, what: &str, times: usize) {
    let event = format!("\"what\":\"{what}\"");
    until("what was handed out is recorded", async || {
        let history = acme.history(folio).await;
        let found = history.iter().filter(|one| one.body.contains(&event)).count();
        (found == times).then_some(())
    })
    .await;
}

/// Runs the statements of the webhook worker.
async fn run_webhook_statements(app: &TestApp, company: CompanyId) {
    let now = app.app().clock.now();
    let heartbeat = app.app().heartbeat.clone();
    let run = app.app().store.write(move |tx| {
        let webhook = WebhookId::from_bytes([1; 16]);
        let new = store::NewWebhook {
            id: webhook,
            address: "https://example.com/",
            label: "",
            kinds: &domain::WantedKinds::All,
            secret: b"sealed",
            at: now,
        };
        tx.add_webhook(company, &new, 1)?;
        tx.queue_test_delivery(company, webhook, DeliveryId::from_bytes([1; 16]), now)?;
        assert!(tx.has_due_webhooks(now)?);
        let lease = heartbeat.lease(tx, std::time::Duration::ZERO)?;
        assert_eq!(tx.take_webhooks(now, &lease, 16, 8, &[])?.len(), 1);
        for which in [Replay::Dead, Replay::After(now, DeliveryRow::ZERO)] {
            tx.replay_deliveries(company, webhook, which, 16, now)?;
        }
        tx.delivery_details(company, DeliveryId::from_bytes([1; 16]))?;
        tx.delete_old_deliveries(now, now, 16)
    });
    run.await.unwrap();
}

/// Runs the statements of the workers that look for what is due or too old, and those of the metrics.
async fn run_worker_statements(app: &TestApp, acme: &Company<'_>) {
    let inner = app.app();
    acme.choose(|settings| {
        settings.folio_days = Some(1);
        settings.retention_days = Some(30);
        settings.erasure = ErasureDays {
            signed: Some(60),
            rejected: Some(60),
            cancelled: Some(60),
            pending: Some(60),
        };
        settings.reminders = ReminderDays {
            first: Some(1),
            every: Some(1),
            max: 2,
            before_expiry: None,
        };
    })
    .await;
    let id = acme.created(folio().signers(&signers(1))).await;
    app.send_code(&id, SignerIndex(0)).await;
    while inner.project_changes().await.unwrap() > 0 {}

    let kept = folios(acme, 4).await;
    let kept: Vec<FolioId> = kept.iter().map(|id| id.parse().unwrap()).collect();
    let (now, company, heartbeat) = (inner.clock.now(), acme.id, inner.heartbeat.clone());
    let taken = inner.store.write(move |tx| {
        for queue in [
            Queue::Outbox,
            Queue::Webhooks,
            Queue::Extensions,
            Queue::Reminders,
            Queue::IncrementMoves,
        ] {
            tx.oldest_due(queue)?;
        }
        tx.replan_reminders(company, now)?;
        assert!(tx.keep_all_from_erasure(company, &kept)?);
        let lease = heartbeat.lease(tx, Duration::from_mins(3))?;
        assert_eq!(tx.take_codes(now, &lease, 8)?.len(), 1);
        Ok::<_, store::Error>(tx.take_messages(now, &lease, 8, 8)?.len())
    });
    assert!(taken.await.unwrap() > 8, "messages and those behind them");

    app.advance(2 * DAY);
    let mut reminded = inner.remind_due().await.unwrap();
    while reminded.queued == 0 {
        assert!(reminded.folios > 0, "nothing is due");
        reminded = inner.remind_due().await.unwrap();
    }
    assert_eq!(inner.delete_expired_sheets().await.unwrap(), 1);
    while inner.scrub(DAY).await.unwrap().is_some() {}
    assert_eq!(inner.scrub(DAY).await.unwrap(), None, "the next round has begun");
    let now = inner.clock.now();
    let report = inner.store.read(move |tx| tx.operator_report(now));
    assert!(report.await.unwrap().scrub.finished_at.is_some());

    app.advance(100 * DAY);
    assert!(inner.drop_past_retention().await.unwrap() > 0);
    // Dropped, they have changed.
    app.advance(100 * DAY);
    let mut erased = 0;
    loop {
        app.advance(Duration::from_secs(2));
        match inner.erase_past_retention().await.unwrap() {
            0 => break,
            some => erased += some,
        }
    }
    assert!(erased > 70, "folios of every state: {erased}");
}

async fn approving(app: &TestApp, acme: &Company<'_>) {
    acme.use_approval().await;
    let mut signed = Vec::new();
    for _ in 0..20 {
        let id = acme
            .created_in(FolioState::Signed, folio().signers(&signers(1)))
            .await;
        signed.push(id.parse().unwrap());
    }
    let approve = |ids: &[FolioId]| {
        let person = Caller {
            company: acme.id,
            who: Who::User {
                email: "supervisora@example.com".into(),
                session: [0; 32],
            },
            name: "Supervisora".into(),
            address: [198, 51, 100, 4].into(),
        };
        app.app().approve_folios(person, ids.to_vec())
    };
    let one_approved = cost(approve(&signed[..1])).await;
    let many_approved = cost(approve(&signed[1..])).await;
    same_kinds("approving", one_approved, many_approved);
}

// One test in a program of its own: statements are counted over the whole process.
#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one table of requests")]
async fn many_cost_as_many_statements_as_few() {
    let subscriber = tracing_subscriber::registry().with(Statements);
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let ids = folios(&acme, 50).await;
    let (one, many) = (&ids[..1], &ids[..]);

    let read = cost(acme.read_several(one)).await;
    assert!(!read.is_empty(), "statements are counted");
    let documents = "SELECT folio, id, name,".to_owned();
    assert!(read.contains(&documents), "folios are read whole: {read:?}");
    assert_eq!(cost(acme.read_several(many)).await, read, "reading");
    // A request with a body has its key looked at again, once that has come.
    let again = |one: &&String| one.as_str() != "SELECT company FROM api_keys";
    let alone: Vec<String> = read.iter().filter(again).cloned().collect();
    assert_eq!(cost(acme.read(&ids[0])).await, alone, "reading one");

    let (mut few, mut most) = (None, None);
    let one_started = cost(async { few = Some(acme.start_bulk(one, &signer("1001")).await) }).await;
    let many_started = cost(async { most = Some(acme.start_bulk(many, &signer("1001")).await) }).await;
    same_kinds("starting a bulk signature", one_started, many_started);
    let (few, most) = (
        few.unwrap().at("/data/massiveId"),
        most.unwrap().at("/data/massiveId"),
    );
    let read = cost(acme.read_bulk(&few)).await;
    assert!(read.contains(&documents), "whole folios are read: {read:?}");
    assert_eq!(
        cost(acme.read_bulk(&most)).await,
        read,
        "reading a bulk signature"
    );

    let plain = acme.created(folio().signers(&signers(1))).await;
    let long = acme.created(folio().signers(&signers(10))).await;
    for _ in 0..5 {
        acme.download(&acme.document_of(&long).await).await;
    }
    recorded(&acme, &long, "downloaded", 5).await;
    let read = cost_of_response(acme.evidence(&plain)).await;
    recorded(&acme, &plain, "evidence_downloaded", 1).await;
    assert_eq!(cost_of_response(acme.evidence(&long)).await, read, "evidence");
    recorded(&acme, &long, "evidence_downloaded", 1).await;

    let why = "Se cancela por error.";
    let one_cancelled = cost(acme.cancel(one, why)).await;
    let many_cancelled = cost(acme.cancel(&many[1..], why)).await;
    same_kinds("cancelling", one_cancelled, many_cancelled);

    let small = cost(acme.create(folio().signers(&signers(1)))).await;
    let documents = ["a", "b", "c", "d", "e"].map(|name| (name, pdf::saying(name)));
    let large = cost(acme.create(folio().signers(&signers(10)).documents(documents))).await;
    // Besides what it is made of, the change is logged; nothing else that is counted or searched is on its way.
    let logged = small.iter().filter(|one| one.contains("folio_changes")).count();
    assert_eq!(logged, 1, "{small:?}");
    let later = ["daily_stats", "search_index", "webhook"];
    assert!(
        !small
            .iter()
            .any(|one| later.iter().any(|table| one.contains(table))),
        "{small:?}"
    );
    same_kinds("creating", small, large);

    while app.app().project_changes().await.unwrap() > 0 {}
    approving(&app, &acme).await;

    let other = app.company("Other").await;
    let list = |company, typed: &str| {
        let listing = Listing {
            typed: typed.to_owned(),
            ..Listing::default()
        };
        app.app().list_folios(company, listing)
    };
    other.created(folio()).await;
    while app.app().project_changes().await.unwrap() > 0 {}
    for typed in ["", "contrato", "contrato 1001"] {
        let few = cost(list(other.id, typed)).await;
        assert_eq!(cost(list(acme.id, typed)).await, few, "listing {typed:?}");
    }

    for subset in [
        None,
        Some(ListSubset::Dropped),
        Some(ListSubset::Expiring),
        Some(ListSubset::Undelivered),
        Some(ListSubset::MadeBy(store::UserRow(1))),
    ] {
        for (typed, order) in [
            ("", ListOrder::Newest),
            ("", ListOrder::Oldest),
            ("", ListOrder::Name),
            ("", ListOrder::State),
            ("", ListOrder::Ending),
            ("contrato 1001", ListOrder::Newest),
        ] {
            let listing = Listing {
                typed: typed.to_owned(),
                subset,
                order,
                before: Some(store::FolioRow(3)),
                ..Listing::default()
            };
            app.app().list_folios(acme.id, listing).await.unwrap();
        }
    }
    app.app().recent_contacts(acme.id).await.unwrap();
    let queue = Listing {
        state: Some(FolioState::Signed),
        kept: true,
        ..Listing::default()
    };
    app.app().list_folios(acme.id, queue).await.unwrap();
    run_webhook_statements(&app, acme.id).await;
    assert_eq!(app.app().extend_due().await.unwrap(), 0);
    let now = app.app().clock.now();
    let planned = app
        .app()
        .store
        .write(move |tx| tx.plan_increment_moves(&[store::FolioRow(1)], now));
    planned.await.unwrap();
    assert_eq!(app.app().move_increments().await.unwrap(), 1);
    run_worker_statements(&app, &acme).await;
    let texts = TEXTS.lock().unwrap().clone();
    let erased = "WHERE company = $1 AND state = $2 AND created_at < $3";
    let erased = texts.iter().find(|sql| sql.contains(erased));
    let erasing_plan = app.plan(erased.expect("pending folios are erased")).join(", ");
    assert!(
        erasing_plan.is_empty() || erasing_plan.contains("folios_pending"),
        "folios that are too young are read: {erasing_plan}"
    );
    let mut walks = app.walks(texts.iter().filter(|sql| seeks(sql)));
    walks.retain(|walk| {
        let is_bounded = |(bounded, _): &(&str, &str)| walk.starts_with(bounded);
        !BOUNDED_WALKS.iter().any(is_bounded)
    });
    assert_eq!(walks, Vec::<String>::new());
}

/// Whether it looks for rows: neither migrations, several statements at once, nor what adds rows. (Their plans also say
/// how rows that refer to a new one would be found, and no row refers to it yet.)
fn seeks(sql: &str) -> bool {
    let first = sql.split_whitespace().next().unwrap_or_default();
    ["SELECT", "UPDATE", "DELETE", "WITH"].contains(&first) && !sql.contains(';')
}
