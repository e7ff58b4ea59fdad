//! Webhooks as an administrator looks after them.

use domain::Role::Administrator;
use domain::{CompanyId, WantedKinds, WebhookKind};
use std::time::Duration;
use store::{SettledWebhook, WebhookOutcome};
use testkit::{PanelBrowser, Receiver, Reply, TestApp, until};

/// The address of the first webhook's page.
async fn first(person: &PanelBrowser<'_>) -> String {
    let list = person.get("/panel/webhooks").await.text();
    let (_, rest) = list.split_once("href=\"/panel/webhooks/").unwrap();
    let (id, _) = rest.split_once('"').unwrap();
    format!("/panel/webhooks/{id}")
}

/// The fields of the form of a new address, with every kind of message.
fn new_address(address: &str) -> Vec<(&str, &str)> {
    let kinds = WebhookKind::ALL.into_iter().map(|kind| ("kind", kind.word()));
    kinds.chain([("address", address), ("label", "ERP")]).collect()
}

/// What the audit log has of the person, newest first, besides the sign-in.
async fn acts_of(app: &TestApp, company: CompanyId, email: &str) -> Vec<String> {
    let acts = app
        .app()
        .store
        .read(move |tx| tx.acts_before(company, &store::ActFilter::default(), None, 20))
        .await;
    let own = acts
        .unwrap()
        .into_iter()
        .filter(|act| act.who == email && act.what != "signed_in");
    own.map(|act| format!("{} {}", act.what, act.detail)).collect()
}

/// The page, once it says that.
async fn saying(person: &PanelBrowser<'_>, page: &str, words: &str) -> String {
    until(words, async || {
        let text = person.get(page).await.text();
        text.contains(words).then_some(text)
    })
    .await
}

#[tokio::test]
async fn an_address_is_added_tried_and_removed() {
    let app = TestApp::builder().with_webhooks().start().await;
    let receiver = Receiver::start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in("luisa@example.com", Administrator).await;
    assert!(
        luisa
            .get("/panel/webhooks")
            .await
            .text()
            .contains("Aún no hay ninguna")
    );

    let address = receiver.url();
    let added = luisa.post("/panel/webhooks", &new_address(&address)).await;
    assert_eq!(added.status, 200, "{}", added.text());
    assert!(added.text().contains("whsec_"));
    let page = first(&luisa).await;
    assert!(!luisa.get(&page).await.text().contains("whsec_"), "shown once");

    receiver.will([Reply::Status(500)]);
    let tried = luisa.post(&format!("{page}/test"), &[]).await;
    assert_eq!(tried.status, 303);
    assert_eq!(
        tried.header("location"),
        Some(format!("{page}?done=test").as_str())
    );
    let text = saying(&luisa, &page, "500 <span").await;
    assert!(
        text.contains("Con fallas") && text.contains("webhook.test"),
        "{text}"
    );
    let (_, rest) = text.split_once("/panel/webhooks/deliveries/").unwrap();
    let (delivery, _) = rest.split_once('"').unwrap();
    let again = luisa
        .post(&format!("/panel/webhooks/deliveries/{delivery}/resend"), &[])
        .await;
    assert_eq!(again.status, 303);
    let text = saying(&luisa, &page, "204 <span").await;
    assert!(text.contains("Recibido") && text.contains("Activa"), "{text}");

    assert_eq!(luisa.post(&format!("{page}/disable"), &[]).await.status, 303);
    assert!(luisa.get(&page).await.text().contains("Desactivada"));
    assert_eq!(luisa.post(&format!("{page}/enable"), &[]).await.status, 303);
    let asked = luisa.post(&format!("{page}/secret"), &[]).await;
    assert!(
        asked.status == 200 && !asked.text().contains("whsec_"),
        "it asks first"
    );
    let renewed = luisa.post(&format!("{page}/secret"), &[("sure", "yes")]).await;
    assert!(renewed.text().contains("whsec_"));
    let asked = luisa.post(&format!("{page}/remove"), &[]).await;
    assert!(asked.text().contains("No se puede deshacer"));
    assert_eq!(luisa.get(&page).await.status, 200);
    let removed = luisa.post(&format!("{page}/remove"), &[("sure", "yes")]).await;
    assert_eq!(removed.header("location"), Some("/panel/webhooks?done=removed"));
    assert_eq!(luisa.get(&page).await.status, 404);

    assert_eq!(
        acts_of(&app, company.id, "luisa@example.com").await,
        [
            format!("webhook_removed {address}"),
            format!("webhook_changed {address} (secret)"),
            format!("webhook_changed {address} (enabled)"),
            format!("webhook_changed {address} (disabled)"),
            format!("webhook_resent {address} ({delivery})"),
            format!("webhook_tested {address}"),
            format!("webhook_added {address}"),
        ]
    );
    let audit = luisa.get("/panel/audit").await.text();
    for words in [
        "(otro secreto)",
        "(activado)",
        "(desactivado)",
        "Probó un webhook",
        "Reenvió un aviso",
    ] {
        assert!(audit.contains(words), "{words}: {audit}");
    }
}

/// Lets the waiting deliveries fail that many times.
async fn fail(app: &TestApp, times: usize) {
    let now = app.app().clock.now();
    let heartbeat = app.app().heartbeat.clone();
    let failed = app.app().store.write(move |tx| {
        for _ in 0..times {
            let lease = heartbeat.lease(tx, Duration::from_secs(9))?;
            let taken = tx.take_webhooks(now, &lease, 1, 9, &[])?;
            let attempted = SettledWebhook {
                seq: taken[0].seq,
                attempt: taken[0].attempt,
                endpoint: taken[0].endpoint,
                at: now,
                millis: 7,
                status: Some(500),
                error: None,
                response: None,
                body: Some("{}".to_owned()),
                webhook_outcome: WebhookOutcome::Postponed(now),
                disable: None,
            };
            tx.settle_webhooks(&[attempted])?;
        }
        Ok::<_, store::Error>(())
    });
    failed.await.unwrap();
}

#[tokio::test]
async fn the_log_shows_what_it_says() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in("luisa@example.com", Administrator).await;
    let address = "https://example.com/avisos".parse().unwrap();
    let added = app
        .app()
        .add_webhook(company.id, address, String::new(), WantedKinds::All)
        .await;
    let (id, _) = added.unwrap().unwrap();
    let page = format!("/panel/webhooks/{id}");
    let try_it = async || app.app().try_webhook(company.id, id).await.unwrap();
    let messages = |text: &str| text.matches("webhook.test</code>").count();

    try_it().await;
    fail(&app, 12).await;
    let text = luisa.get(&page).await.text();
    assert!(text.contains("con los diez últimos intentos"), "{text}");
    assert_eq!(text.matches("500 <span").count(), 10);

    for _ in 1..20 {
        try_it().await;
    }
    let text = luisa.get(&page).await.text();
    assert_eq!(messages(&text), 20);
    assert!(!text.contains("?before="), "there is no other page: {text}");
    try_it().await;
    let text = luisa.get(&page).await.text();
    assert_eq!(messages(&text), 20);
    let (_, older) = text.split_once("?before=").unwrap();
    let (older, _) = older.split_once('"').unwrap();
    let text = luisa.get(&format!("{page}?before={older}")).await.text();
    assert_eq!(messages(&text), 1);
    let older = format!("href=\"{page}?before=");
    assert!(!text.contains(&older), "{text}");
}

#[tokio::test]
async fn a_wrong_address_is_explained_next_to_its_field() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in("luisa@example.com", Administrator).await;
    for (address, why) in [
        ("", "Escriba una dirección completa"),
        ("http://example.com/", "debe empezar por https://"),
        ("https://a:b@example.com/", "no puede llevar usuario"),
        ("https://169.254.169.254/latest/meta-data", "no es pública"),
        ("https://[::1]/", "no es pública"),
        ("https://2130706433/", "no es pública"),
    ] {
        let answer = luisa.post("/panel/webhooks", &new_address(address)).await;
        assert_eq!(answer.status, 422, "{address}");
        let text = answer.text();
        let (_, error) = text.split_once("id=\"address-error\"").unwrap();
        assert!(error.contains(why), "{address}: {error}");
        assert!(text.contains("aria-invalid=\"true\""));
    }
    for _ in 0..app::webhooks::MAX_WEBHOOKS {
        let added = luisa
            .post("/panel/webhooks", &new_address("https://example.com/a"))
            .await;
        assert_eq!(added.status, 200);
    }
    let one_more = luisa
        .post("/panel/webhooks", &new_address("https://example.com/a"))
        .await;
    assert!(one_more.status == 422 && one_more.text().contains("ya tiene diez"));
}

#[tokio::test]
async fn an_unusual_port_is_refused_at_entry_unless_the_operator_lists_it() {
    let app = TestApp::builder()
        .policy(|policy| {
            policy.webhooks.ports = vec![9443];
            policy.webhooks.networks = "10.1.0.0/16".parse().unwrap();
        })
        .start()
        .await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in("luisa@example.com", Administrator).await;
    for (address, words) in [
        ("https://erp.example.com:22/", "Ese puerto no está permitido"),
        ("https://10.1.2.3:5432/", "Ese puerto no está permitido"),
        ("https://10.2.2.3/", "Esa dirección no es pública"),
    ] {
        let refused = luisa.post("/panel/webhooks", &new_address(address)).await;
        assert_eq!(refused.status, 422, "{address}");
        assert!(refused.text().contains(words), "{address}: {}", refused.text());
    }
    for address in ["https://erp.example.com:9443/", "https://10.1.2.3/hook"] {
        let added = luisa.post("/panel/webhooks", &new_address(address)).await;
        assert_eq!(added.status, 200, "{address}: {}", added.text());
    }
}

/// Whether the page's box of that kind is ticked.
fn ticked(page: &str, kind: &str) -> bool {
    let (_, rest) = page.split_once(&format!("value=\"{kind}\"")).unwrap();
    rest.starts_with(" checked")
}

#[tokio::test]
async fn an_address_gets_the_kinds_that_are_chosen() {
    let app = TestApp::builder().with_webhooks().start().await;
    let receiver = Receiver::start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in("luisa@example.com", Administrator).await;
    let list = luisa.get("/panel/webhooks").await.text();
    assert!(WebhookKind::ALL.iter().all(|kind| ticked(&list, kind.word())));

    let address = receiver.url();
    let none = luisa.post("/panel/webhooks", &[("address", &address)]).await;
    assert_eq!(none.status, 422);
    let text = none.text();
    assert!(
        text.contains("id=\"kinds-error\"") && text.contains(&address),
        "{text}"
    );
    let cancelled = [
        ("address", address.as_str()),
        ("kind", "folio.cancelled"),
        ("kind", "folio.signed"),
        ("kind", "folio.unheard_of"),
    ];
    assert_eq!(luisa.post("/panel/webhooks", &cancelled).await.status, 200);
    let page = first(&luisa).await;
    let text = luisa.get(&page).await.text();
    assert!(text.contains("Recibe 2 de 11 avisos"), "{text}");
    assert!(ticked(&text, "folio.signed") && !ticked(&text, "folio.created"));

    let folio = company.created(testkit::folio()).await;
    company.cancel([&folio], "Se firmó en papel.").await;
    app.app().project_changes().await.unwrap();
    assert_eq!(luisa.post(&format!("{page}/test"), &[]).await.status, 303);
    let messages = receiver.until(2).await;
    let mut kinds: Vec<_> = messages.iter().map(|one| one.json()["type"].clone()).collect();
    kinds.sort_by_key(ToString::to_string);
    assert_eq!(kinds, ["folio.cancelled", "webhook.test"]);

    let none = luisa.post(&format!("{page}/kinds"), &[]).await;
    assert_eq!(none.status, 422);
    let text = none.text();
    assert!(
        text.contains("<details open>") && text.contains("Elija al menos un aviso"),
        "{text}"
    );
    assert!(luisa.get(&page).await.text().contains("Recibe 2 de 11 avisos"));
    let created = luisa
        .post(&format!("{page}/kinds"), &[("kind", "folio.created")])
        .await;
    let done = format!("{page}?done=kinds");
    assert_eq!(created.header("location"), Some(done.as_str()));
    let text = luisa.get(&done).await.text();
    assert!(text.contains("Recibe 1 de 11 avisos") && text.contains("Se guardaron los avisos"));
    let all = WebhookKind::ALL.map(|kind| ("kind", kind.word()));
    assert_eq!(luisa.post(&format!("{page}/kinds"), &all).await.status, 303);
    assert!(luisa.get(&page).await.text().contains("Recibe todos los avisos"));

    assert_eq!(
        acts_of(&app, company.id, "luisa@example.com").await,
        [
            format!("webhook_changed {address} (kinds: all)"),
            format!("webhook_changed {address} (kinds: folio.created)"),
            format!("webhook_tested {address}"),
            format!("webhook_added {address} (kinds: folio.signed, folio.cancelled)"),
        ]
    );
    let audit = luisa.get("/panel/audit").await.text();
    for words in [
        "(avisos: todos)",
        "(avisos: Folio creado)",
        "(avisos: Firmado por todos, Folio anulado)",
    ] {
        assert!(audit.contains(words), "{words}: {audit}");
    }
}

#[tokio::test]
async fn a_deliverys_page_shows_what_was_sent_and_each_response() {
    let app = TestApp::builder().with_webhooks().start().await;
    let receiver = Receiver::start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in("luisa@example.com", Administrator).await;
    let address = app.app().policy.webhooks.address(&receiver.url()).unwrap();
    let added = app
        .app()
        .add_webhook(company.id, address, String::new(), WantedKinds::All)
        .await;
    let page = format!("/panel/webhooks/{}", added.unwrap().unwrap().0);
    receiver.will([Reply::Body(500, b"<b>no\0\x1b[2J</b>")]);
    let folio = company.created(testkit::folio()).await;
    app.app().project_changes().await.unwrap();
    let text = saying(&luisa, &page, "500 <span").await;
    let (_, rest) = text.split_once("href=\"/panel/webhooks/deliveries/").unwrap();
    let (id, _) = rest.split_once('"').unwrap();
    let delivery = format!("/panel/webhooks/deliveries/{id}");
    let message = receiver.received().remove(0);
    assert_eq!(message.header("webhook-id"), format!("msg_{id}"));

    let text = luisa.get(&delivery).await.text();
    for shown in [
        &format!("msg_{id}"),
        "folio.created",
        &format!("href=\"/panel/folios/{folio}\""),
        &format!("href=\"{page}\""),
        "Respondió 500",
        "&#60;b&#62;no\u{fffd}\\u{1b}[2J&#60;/b&#62;",
        // The body, a line for each value.
        "{\n  &#34;type&#34;: &#34;folio.created&#34;,\n",
        "maria.1001@example.com",
        "Próximo intento:",
    ] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    let again = luisa
        .post(&format!("{delivery}/resend"), &[("from", "delivery")])
        .await;
    let done = format!("{delivery}?done=resent");
    assert_eq!(again.header("location"), Some(done.as_str()));
    let text = saying(&luisa, &done, "Respondió 204").await;
    assert!(
        text.contains("va de nuevo en camino") && text.contains("Respondió 500"),
        "{text}"
    );
    assert!(!text.contains("Próximo intento:"), "{text}");

    assert_eq!(luisa.get("/panel/webhooks/deliveries/7").await.status, 404);
    luisa.post(&format!("{page}/remove"), &[("sure", "yes")]).await;
    assert_eq!(luisa.get(&delivery).await.status, 404);
}

#[tokio::test]
async fn many_messages_are_sent_again() {
    let app = TestApp::builder().with_webhooks().start().await;
    let receiver = Receiver::start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in("luisa@example.com", Administrator).await;
    let address = app.app().policy.webhooks.address(&receiver.url()).unwrap();
    let added = app
        .app()
        .add_webhook(company.id, address.clone(), String::new(), WantedKinds::All)
        .await;
    let (id, _) = added.unwrap().unwrap();
    let page = format!("/panel/webhooks/{id}");
    let log = async || {
        let log = app.app().webhook_log(company.id, id, None, 9, 9).await.unwrap();
        log.1.deliveries
    };
    let replay = async |fields: &[(&str, &str)]| {
        let answer = luisa.post(&format!("{page}/replay"), fields).await;
        (
            answer.status,
            answer.header("location").unwrap_or_default().to_owned(),
        )
    };
    let queued = |count: usize| (303, format!("{page}?done=replayed&queued={count}"));

    // One that arrives, and two that are given up: the receiver is gone, and disabled.
    app.app().try_webhook(company.id, id).await.unwrap();
    saying(&luisa, &page, "204 <span").await;
    for _ in 0..2 {
        receiver.will([Reply::Status(410)]);
        app.app().set_webhook_enabled(company.id, id, true).await.unwrap();
        app.app().try_webhook(company.id, id).await.unwrap();
        saying(&luisa, &page, "Desactivada").await;
    }
    assert_eq!(replay(&[("which", "dead")]).await.0, 404, "it is disabled");
    assert!(!luisa.get(&page).await.text().contains("/replay"));
    app.app().set_webhook_enabled(company.id, id, true).await.unwrap();
    assert!(luisa.get(&page).await.text().contains("/replay"));

    assert_eq!(replay(&[("which", "dead")]).await, queued(2));
    receiver.until(5).await;
    until("they arrived", async || {
        let sent = log().await;
        sent.iter()
            .all(|one| one.state == store::DeliveryState::Sent)
            .then_some(())
    })
    .await;
    let text = luisa.get(&queued(2).1).await.text();
    assert!(text.contains("2 avisos van de nuevo en camino."), "{text}");
    assert_eq!(replay(&[("which", "dead")]).await, queued(0));

    // All since a time; in the company's zone, which is that of the installation.
    let now = app.app().clock.now();
    let typed = |at: domain::Timestamp| {
        let at = jiff::Timestamp::from_microsecond(at.as_micros()).unwrap();
        let zone = jiff::tz::TimeZone::get("America/Bogota").unwrap();
        at.to_zoned(zone).strftime("%Y-%m-%dT%H:%M").to_string()
    };
    let later = typed(now.after(Duration::from_mins(2)));
    assert_eq!(replay(&[("which", "since"), ("since", &later)]).await, queued(0));
    let earlier = typed(now.before(Duration::from_mins(2)));
    assert_eq!(
        replay(&[("which", "since"), ("since", &earlier)]).await,
        queued(3)
    );
    let messages = receiver.until(8).await;
    let mut ids: Vec<_> = messages.iter().map(|one| one.header("webhook-id")).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 3, "each keeps its identifier");

    let wrong = luisa
        .post(
            &format!("{page}/replay"),
            &[("which", "since"), ("since", "ayer")],
        )
        .await;
    assert_eq!(wrong.status, 422);
    let text = wrong.text();
    assert!(
        text.contains("id=\"since-error\"") && text.contains("value=\"ayer\""),
        "{text}"
    );
    let text = luisa
        .get(&format!("{page}?done=replayed&queued=1000&after=5-7"))
        .await
        .text();
    assert!(text.contains("puede haber más") && text.contains("name=\"after\" value=\"5-7\""));
    // What it continues after: all of them are of a later time.
    assert_eq!(replay(&[("after", "5-7")]).await.0, 303);

    let acts = acts_of(&app, company.id, "luisa@example.com").await;
    assert_eq!(
        acts.last().unwrap(),
        &format!("webhook_replayed {address} (dead: 2)")
    );
    assert!(acts[acts.len() - 2].starts_with(&format!("webhook_replayed {address} (since 20")));
    let audit = luisa.get("/panel/audit").await.text();
    assert!(
        audit.contains("(no recibidos: 2)") && audit.contains("(desde 20"),
        "{audit}"
    );
}
