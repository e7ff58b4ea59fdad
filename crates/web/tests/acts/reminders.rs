//! Signers of pending folios are reminded by their company's schedule: once, whatever instances run, and never without need.

use crate::test_folio::{email, test_folio};
use app::SigningParty;
use domain::{Channel, ReturnKind, SignerIndex, Template};
use jiff::ToSpan;
use std::collections::BTreeMap;
use std::time::Duration;
use store::{OutboxRow, ReminderDays};
use testkit::{Company, TestApp, folio, signer, signers, until};

const DAYS: ReminderDays = ReminderDays {
    first: Some(3),
    every: Some(2),
    max: 2,
    before_expiry: None,
};

/// Sets the clock to that hour of Bogota, so many days after it began.
fn go_to(app: &TestApp, days: i32, hour: i8) {
    let zone = app.app().notary.timezone().clone();
    let start = jiff::Timestamp::from_microsecond(testkit::START.as_micros()).unwrap();
    let date = start.to_zoned(zone.clone()).date() + days.days();
    let at = date.at(hour, 0, 0, 0).to_zoned(zone).unwrap().timestamp();
    let now = app.app().clock.now().as_micros();
    let micros = u64::try_from(at.as_microsecond() - now).unwrap();
    app.advance(Duration::from_micros(micros));
}

/// Plans the new folios, and looks at all that are due. Returns how many reminders were queued.
async fn remind(app: &TestApp) -> usize {
    while app.app().project_changes().await.unwrap() > 0 {}
    let mut queued = 0;
    loop {
        let run = app.app().remind_due().await.unwrap();
        queued += run.queued;
        if run.folios == 0 {
            return queued;
        }
    }
}

/// How many reminders each signer of a folio has.
async fn reminders(company: &Company<'_>, id: &str) -> BTreeMap<usize, usize> {
    let mut count = BTreeMap::new();
    for message in company.messages(id).await {
        if message.template == Template::Reminder {
            *count.entry(message.signer.0).or_default() += 1;
        }
    }
    count
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn each_reminder_is_queued_once_over_two_instances_and_none_after_the_act() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    acme.choose(|settings| settings.reminders = DAYS).await;
    let mut ids = Vec::new();
    for _ in 0..12 {
        ids.push(acme.created(folio().signers(&signers(2))).await);
    }
    assert_eq!(remind(&app).await, 0);
    go_to(&app, 3, 8);
    assert_eq!(remind(&app).await, 0, "it is early");
    go_to(&app, 3, 9);
    let other = app.another_instance().await;
    let (one, another) = tokio::join!(remind(&app), remind(&other));
    assert_eq!(one + another, 24);
    for id in &ids {
        assert_eq!(reminders(&acme, id).await, BTreeMap::from([(0, 1), (1, 1)]));
    }

    let id = &ids[0];
    app.sign_by_email(id, SignerIndex(0), &email(0)).await;
    go_to(&app, 5, 10);
    assert_eq!(remind(&other).await, 23, "one has signed");
    assert_eq!(reminders(&acme, id).await, BTreeMap::from([(0, 1), (1, 2)]));
    go_to(&app, 9, 10);
    assert_eq!(remind(&app).await, 0, "two are all");
}

#[tokio::test]
async fn what_is_over_silent_or_unreachable_reminds_nobody() {
    let app = TestApp::builder()
        .policy(|policy| policy.folio_lifetime = Some(Duration::from_hours(24 * 20)))
        .start()
        .await;
    let acme = app.company("Acme").await;
    let other = app.company("Without a schedule").await;
    let last = ReminderDays {
        before_expiry: Some(1),
        ..DAYS
    };
    acme.choose(move |settings| settings.reminders = last).await;
    let two = || folio().signers(&signers(2));
    let foreign = other.created(two()).await;
    let silent = acme.created(two().with("sendEmail", "false")).await;
    let cancelled = acme.created_in(domain::FolioState::Cancelled, two()).await;
    let returned = acme.created(two()).await;
    let invitation = acme.messages(&returned).await.remove(0);
    bounce(&app, &acme, &invitation).await;
    go_to(&app, 3, 9);
    assert_eq!(
        remind(&app).await,
        1,
        "only the signer whose email did not come back"
    );
    assert_eq!(reminders(&acme, &returned).await, BTreeMap::from([(1, 1)]));
    for id in [&silent, &cancelled] {
        assert_eq!(reminders(&acme, id).await, BTreeMap::new());
    }
    assert_eq!(reminders(&other, &foreign).await, BTreeMap::new());

    go_to(&app, 5, 9);
    assert_eq!(remind(&app).await, 1);
    go_to(&app, 18, 12);
    assert_eq!(remind(&app).await, 0, "two are all but for the last one");
    go_to(&app, 19, 9);
    assert_eq!(remind(&app).await, 1, "the day before it expires");
    go_to(&app, 30, 9);
    assert_eq!(remind(&app).await, 0, "it has expired");
}

/// Has a message come back.
async fn bounce(app: &TestApp, company: &Company<'_>, message: &OutboxRow) {
    let (company, seq) = (company.id, message.seq);
    let noted = app
        .app()
        .store
        .write(move |tx| tx.mark_returned(company, seq, ReturnKind::Bounced));
    let noted: Result<bool, store::Error> = noted.await;
    assert!(noted.unwrap());
}

#[tokio::test]
async fn a_notice_of_a_bulk_signature_that_came_back_stops_the_reminders_of_all_its_folios() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    acme.choose(|settings| settings.reminders = DAYS).await;
    let one = || folio().signers(&signers(1));
    let ids = [acme.created(one()).await, acme.created(one()).await];
    let mut person = signer("1001");
    person["email"] = "nueva@example.com".into();
    assert_eq!(acme.start_bulk(&ids, &person).await.status, 200);
    let is_notice =
        |message: &OutboxRow| message.template == Template::OtherContact && message.channel == Channel::Email;
    let mut notices = Vec::new();
    for id in &ids {
        let messages = acme.messages(id).await;
        notices.extend(messages.into_iter().filter(is_notice));
    }
    assert_eq!(notices.len(), 2, "it is about both: {notices:?}");
    assert_eq!(notices[0].seq, notices[1].seq, "one message");
    bounce(&app, &acme, &notices[0]).await;
    go_to(&app, 3, 9);
    assert_eq!(remind(&app).await, 0);
}

#[tokio::test]
async fn a_code_of_a_bulk_signature_that_came_back_stops_the_reminders_of_all_its_folios() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    acme.choose(|settings| settings.reminders = DAYS).await;
    let one = || folio().signers(&signers(1));
    let (first, second, apart) = (
        acme.created(one()).await,
        acme.created(one()).await,
        acme.created(one()).await,
    );
    let started = acme.start_bulk([&first, &second], &signer("1001")).await;
    let bulk = SigningParty::Bulk(started.at("/data/massiveId").parse().unwrap());
    app.ask_for_codes(bulk).await.unwrap();
    let messages = acme.messages(&second).await;
    let is_code =
        |message: &&OutboxRow| message.template == Template::Code && message.channel == Channel::Email;
    let code = messages.iter().find(is_code).unwrap();
    assert_eq!(code.recipient, email(0));
    bounce(&app, &acme, code).await;
    go_to(&app, 3, 9);
    assert_eq!(remind(&app).await, 1, "only the folio apart");
    assert_eq!(reminders(&acme, &apart).await, BTreeMap::from([(0, 1)]));
    for id in [&first, &second] {
        assert_eq!(reminders(&acme, id).await, BTreeMap::new());
    }
}

#[tokio::test]
async fn what_is_planned_of_a_folio_ends_with_it() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    acme.choose(|settings| settings.reminders = DAYS).await;
    let one = || folio().signers(&signers(1));
    let (signed, cancelled) = (acme.created(one()).await, acme.created(one()).await);
    acme.created(one()).await;
    assert_eq!(remind(&app).await, 0);
    assert_eq!(app.rows_of("reminders").await.len(), 3);
    app.sign_by_email(&signed, SignerIndex(0), &email(0)).await;
    acme.cancel([cancelled.as_str()], "Se cancela por error.")
        .await
        .ok();
    while app.app().project_changes().await.unwrap() > 0 {}
    assert_eq!(
        app.rows_of("reminders").await.len(),
        1,
        "that of the pending one, long before it is looked at"
    );
}

#[tokio::test]
async fn an_outage_at_night_ends_in_one_reminder_in_the_morning() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    acme.choose(|settings| settings.reminders = DAYS).await;
    let id = acme.created(folio().signers(&signers(1))).await;
    while app.app().project_changes().await.unwrap() > 0 {}
    go_to(&app, 8, 23);
    assert_eq!(remind(&app).await, 0);
    go_to(&app, 9, 9);
    assert_eq!(remind(&app).await, 1);
    assert_eq!(remind(&app).await, 0);
    go_to(&app, 11, 9);
    assert_eq!(remind(&app).await, 1);
    assert_eq!(reminders(&acme, &id).await, BTreeMap::from([(0, 2)]));
}

#[tokio::test]
async fn a_clock_that_went_back_delays_no_reminder() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    acme.choose(|settings| settings.reminders = DAYS).await;
    let year = Duration::from_hours(24 * 365);
    app.advance(year);
    acme.created(folio().signers(&signers(1))).await;
    assert_eq!(remind(&app).await, 0);
    app.set_back(year);
    assert_eq!(remind(&app).await, 0);
    app.app().check_clock_and_instances().await.unwrap();
    assert_eq!(remind(&app).await, 0, "it is planned anew, from today");
    go_to(&app, 3, 9);
    assert_eq!(remind(&app).await, 1);
}

#[tokio::test]
async fn a_schedule_that_is_set_later_counts_for_what_is_pending_and_the_page_says_when() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let admin = acme
        .signed_in("luisa@example.com", domain::Role::Administrator)
        .await;
    let id = acme.created(folio().signers(&signers(1))).await;
    assert_eq!(remind(&app).await, 0);
    let page = admin.get(&format!("/panel/folios/{id}")).await.text();
    assert!(!page.contains("Próximo recordatorio"), "{page}");
    let wrong = [("name", "Acme"), ("reminder_every", "2"), ("reminder_max", "99")];
    let refused = admin.post("/panel/company", &wrong).await;
    assert_eq!(refused.status, 422);
    let refused = refused.text();
    for words in [
        "Para repetir, escriba cuándo va el primero.",
        "Escriba un número entre 1 y 20, o nada.",
    ] {
        assert!(refused.contains(words), "{refused}");
    }
    let fields = [("name", "Acme"), ("reminder_first", "3"), ("reminder_every", "2")];
    let saved = admin.post("/panel/company", &fields).await;
    assert_eq!(
        saved.header("location"),
        Some("/panel/company?done=saved"),
        "{}",
        saved.text()
    );
    assert_eq!(remind(&app).await, 0);
    let page = admin.get(&format!("/panel/folios/{id}")).await.text();
    assert!(!page.contains("Próximo recordatorio"), "not yet: {page}");
    app.advance(Duration::from_mins(2));
    assert_eq!(remind(&app).await, 0);
    let page = admin.get(&format!("/panel/folios/{id}")).await.text();
    assert!(page.contains("Próximo recordatorio"), "{page}");
    go_to(&app, 3, 9);
    assert_eq!(remind(&app).await, 1);
    admin.sign_in().await;
    let page = admin.get(&format!("/panel/folios/{id}")).await.text();
    assert!(page.contains("Enviados hasta ahora: 1"), "{page}");
    let audit = admin.get("/panel/audit").await.text();
    assert!(audit.contains("recordatorios"), "{audit}");

    let off = admin.post("/panel/company", &[("name", "Acme")]).await;
    assert_eq!(off.header("location"), Some("/panel/company?done=saved"));
    app.advance(Duration::from_mins(2));
    assert_eq!(remind(&app).await, 0);
    go_to(&app, 5, 9);
    assert_eq!(remind(&app).await, 0, "it is off");
    admin.sign_in().await;
    let page = admin.get(&format!("/panel/folios/{id}")).await.text();
    assert!(!page.contains("Próximo recordatorio"), "{page}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reminder_is_in_the_signers_language_names_the_end_and_is_in_the_history() {
    let app = TestApp::builder()
        .delivering()
        .policy(|policy| policy.folio_lifetime = Some(Duration::from_hours(24 * 20)))
        .start()
        .await;
    let acme = app.company("Acme").await;
    acme.choose(|settings| {
        settings.reminders = DAYS;
        settings.language = domain::Language::Portuguese;
    })
    .await;
    let pending = test_folio(&acme, &app, folio().signers(&signers(1))).await;
    let id = pending.folio.to_string();
    go_to(&app, 3, 9);
    assert_eq!(remind(&app).await, 1);
    let event = until("the reminder in the history", async || {
        let mut events = acme.events(&id).await;
        events.retain(|event| event["template"] == "reminder");
        events.pop()
    });
    assert_eq!(event.await["what"], "delivered");
    let mail = app.mail_to(&email(0), "22 de março de 2026").await;
    assert!(mail.subject.contains("Lembrete"), "{}", mail.subject);
    let evidence = acme.evidence(&id).await.text();
    let checked = app::evidence::check(evidence.as_bytes(), None, &[], app.app().clock.now());
    assert_eq!(checked.faults, [], "{evidence}");
}
