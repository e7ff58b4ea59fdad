//! Every route with every role, and with what belongs to another company. A new route needs a line: the test fails
//! without it.

use app::operator::integrity::check_integrity;
use domain::Role;
use domain::Role::{Administrator, Reader, Supervisor};
use domain::{FolioState, SignerIndex};
use testkit::{Cell, Company, Form, PASSWORD, PanelBrowser, TestApp, TestResponse, encoded, folio};

/// A route, the least role that it needs (`None` if it needs no session), and the status for another company's
/// identifier.
type Line = (&'static str, &'static str, Option<Role>, u16);

const TABLE: &[Line] = &[
    ("get", "/panel", Some(Reader), 0),
    ("get", "/panel/sign-in", None, 0),
    ("post", "/panel/sign-in", None, 0),
    ("get", "/panel/sign-in/code", None, 0),
    ("post", "/panel/sign-in/code", None, 0),
    // No provider has such an identifier.
    ("get", "/panel/sign-in/with/{provider}", None, 404),
    ("get", "/panel/sign-in/with/{provider}/callback", None, 404),
    ("post", "/panel/sign-out", Some(Reader), 0),
    ("post", "/panel/language", None, 0),
    ("post", "/panel/account/language", Some(Reader), 0),
    ("get", "/panel/forgotten", None, 0),
    ("post", "/panel/forgotten", None, 0),
    // Without a link there is nothing.
    ("get", "/panel/reset", None, 404),
    ("post", "/panel/reset", None, 404),
    ("get", "/panel/folios", Some(Reader), 0),
    ("get", "/panel/folios.csv", Some(Reader), 0),
    ("get", "/panel/folios.json", Some(Reader), 0),
    ("post", "/panel/folios/acts", Some(Supervisor), 0),
    ("post", "/panel/folios/searches", Some(Reader), 0),
    // A search that another user keeps is like one that is gone.
    (
        "post",
        "/panel/folios/searches/{search}/remove",
        Some(Reader),
        303,
    ),
    ("get", "/panel/folios/new", Some(Supervisor), 0),
    ("post", "/panel/folios/new", Some(Supervisor), 0),
    // A draft that another user has is like one that is gone.
    (
        "post",
        "/panel/folios/drafts/{draft}/discard",
        Some(Supervisor),
        303,
    ),
    ("get", "/panel/folios/{folio}", Some(Reader), 404),
    ("post", "/panel/folios/{folio}/messages", Some(Supervisor), 404),
    (
        "post",
        "/panel/folios/{folio}/signers/{signer}/free",
        Some(Supervisor),
        404,
    ),
    (
        "post",
        "/panel/folios/{folio}/signers/{signer}/link",
        Some(Supervisor),
        404,
    ),
    ("get", "/panel/folios/{folio}/resend", Some(Supervisor), 404),
    ("post", "/panel/folios/{folio}/resend", Some(Supervisor), 404),
    ("get", "/panel/folios/{folio}/cancel", Some(Supervisor), 404),
    ("post", "/panel/folios/{folio}/cancel", Some(Supervisor), 404),
    ("get", "/panel/folios/{finished}/drop", Some(Administrator), 404),
    ("post", "/panel/folios/{finished}/drop", Some(Administrator), 404),
    ("get", "/panel/folios/{finished}/erase", Some(Administrator), 404),
    ("post", "/panel/folios/{finished}/erase", Some(Administrator), 404),
    ("get", "/panel/folios/{folio}/hold", Some(Administrator), 404),
    ("post", "/panel/folios/{folio}/hold", Some(Administrator), 404),
    ("get", "/panel/folios/{folio}/evidence.json", Some(Reader), 404),
    ("get", "/panel/folios/{folio}/evidence.pdf", Some(Reader), 404),
    (
        "get",
        "/panel/folios/{folio}/documents/{document}",
        Some(Reader),
        404,
    ),
    (
        "get",
        "/panel/folios/{folio}/documents/{document}/view",
        Some(Reader),
        404,
    ),
    (
        "get",
        "/panel/folios/{folio}/documents/{document}/pages/{file}",
        Some(Reader),
        404,
    ),
    ("get", "/panel/templates", Some(Supervisor), 0),
    ("post", "/panel/templates", Some(Supervisor), 0),
    ("get", "/panel/templates/new", Some(Supervisor), 0),
    ("get", "/panel/templates/{template}", Some(Supervisor), 404),
    ("post", "/panel/templates/{template}/use", Some(Supervisor), 404),
    (
        "post",
        "/panel/templates/{template}/rename",
        Some(Supervisor),
        404,
    ),
    ("get", "/panel/templates/{template}/delete", Some(Supervisor), 404),
    (
        "post",
        "/panel/templates/{template}/delete",
        Some(Supervisor),
        404,
    ),
    (
        "get",
        "/panel/templates/{template}/people.csv",
        Some(Supervisor),
        404,
    ),
    ("get", "/panel/templates/{template}/import", Some(Supervisor), 404),
    (
        "post",
        "/panel/templates/{template}/import",
        Some(Supervisor),
        404,
    ),
    (
        "post",
        "/panel/templates/{template}/import/make",
        Some(Supervisor),
        404,
    ),
    ("get", "/panel/approvals", Some(Supervisor), 0),
    ("post", "/panel/approvals", Some(Supervisor), 0),
    ("get", "/panel/overview", Some(Reader), 0),
    ("get", "/panel/overview.csv", Some(Reader), 0),
    ("get", "/panel/account", Some(Reader), 0),
    ("post", "/panel/account/password", Some(Reader), 0),
    ("get", "/panel/account/second-factor", Some(Reader), 0),
    ("post", "/panel/account/second-factor", Some(Reader), 0),
    ("post", "/panel/account/second-factor/remove", Some(Reader), 0),
    ("post", "/panel/account/recovery", Some(Reader), 0),
    ("post", "/panel/account/sessions", Some(Reader), 0),
    ("get", "/panel/keys", Some(Administrator), 0),
    ("post", "/panel/keys", Some(Administrator), 0),
    ("get", "/panel/keys/requests", Some(Administrator), 0),
    ("get", "/panel/keys/{key}/rotate", Some(Administrator), 404),
    ("post", "/panel/keys/{key}/rotate", Some(Administrator), 404),
    ("post", "/panel/keys/{key}/revoke", Some(Administrator), 404),
    ("get", "/panel/company", Some(Administrator), 0),
    ("post", "/panel/company", Some(Administrator), 0),
    ("post", "/panel/company/logo", Some(Administrator), 0),
    ("post", "/panel/company/logo/remove", Some(Administrator), 0),
    ("get", "/panel/company/sign-in", Some(Administrator), 0),
    ("post", "/panel/company/sign-in", Some(Administrator), 0),
    ("get", "/panel/company/sign-in/try", Some(Administrator), 0),
    ("post", "/panel/company/sign-in/on", Some(Administrator), 0),
    ("post", "/panel/company/sign-in/off", Some(Administrator), 0),
    ("post", "/panel/company/sign-in/remove", Some(Administrator), 0),
    ("get", "/panel/people", Some(Administrator), 0),
    ("post", "/panel/people/export", Some(Administrator), 0),
    ("post", "/panel/people/correct", Some(Administrator), 0),
    ("get", "/panel/audit", Some(Administrator), 0),
    ("get", "/panel/audit.csv", Some(Administrator), 0),
    ("get", "/panel/users", Some(Administrator), 0),
    ("post", "/panel/users", Some(Administrator), 0),
    (
        "post",
        "/panel/users/invitations/{invitation}/resend",
        Some(Administrator),
        404,
    ),
    (
        "post",
        "/panel/users/invitations/{invitation}/withdraw",
        Some(Administrator),
        404,
    ),
    ("get", "/panel/users/{user}", Some(Administrator), 404),
    ("post", "/panel/users/{user}/role", Some(Administrator), 404),
    ("post", "/panel/users/{user}/invite", Some(Administrator), 404),
    ("post", "/panel/users/{user}/disable", Some(Administrator), 404),
    ("post", "/panel/users/{user}/enable", Some(Administrator), 404),
    (
        "post",
        "/panel/users/{user}/second-factor",
        Some(Administrator),
        404,
    ),
    ("post", "/panel/users/{user}/identity", Some(Administrator), 404),
    ("get", "/panel/webhooks", Some(Administrator), 0),
    ("post", "/panel/webhooks", Some(Administrator), 0),
    ("get", "/panel/webhooks/{webhook}", Some(Administrator), 404),
    ("post", "/panel/webhooks/{webhook}/test", Some(Administrator), 404),
    (
        "post",
        "/panel/webhooks/{webhook}/secret",
        Some(Administrator),
        404,
    ),
    (
        "post",
        "/panel/webhooks/{webhook}/disable",
        Some(Administrator),
        404,
    ),
    (
        "post",
        "/panel/webhooks/{webhook}/enable",
        Some(Administrator),
        404,
    ),
    (
        "post",
        "/panel/webhooks/{webhook}/kinds",
        Some(Administrator),
        404,
    ),
    (
        "post",
        "/panel/webhooks/{webhook}/replay",
        Some(Administrator),
        404,
    ),
    (
        "post",
        "/panel/webhooks/{webhook}/remove",
        Some(Administrator),
        404,
    ),
    (
        "get",
        "/panel/webhooks/deliveries/{delivery}",
        Some(Administrator),
        404,
    ),
    (
        "post",
        "/panel/webhooks/deliveries/{delivery}/resend",
        Some(Administrator),
        404,
    ),
    // The session of a user of another company is like an ended one.
    ("post", "/panel/account/sessions/{session}/end", Some(Reader), 303),
];

/// No page weighs as many bytes.
const HEAVIEST: usize = 100_000;

/// The value of a placeholder in a path: the identifier of a new object of the company.
async fn thing(company: &Company<'_>, place: &str, so_far: &str) -> String {
    match place {
        "folio" => company.created(folio()).await,
        "finished" => company.created_in(FolioState::Cancelled, folio()).await,
        "signer" => "0".to_owned(),
        "document" => {
            let folio = so_far.split('/').nth(3).unwrap_or_default();
            company.document_of(folio).await
        }
        "file" => "1.txt".to_owned(),
        "search" => "1".to_owned(),
        "template" => template(company).await,
        "draft" => "0123456789abcdef0123456789abcdef".to_owned(),
        "session" => {
            let email = format!("{}@example.com", unique());
            let person = company.signed_in(&email, Reader).await;
            let user = company
                .app()
                .app()
                .store
                .read(move |tx| tx.user_with_email(&email))
                .await;
            let page = person.get("/panel/account").await;
            assert_eq!(page.status, 200);
            let seq = user.unwrap().unwrap().seq;
            let long_ago = domain::Timestamp::from_micros(0);
            let sessions = company
                .app()
                .app()
                .store
                .read(move |tx| tx.panel_sessions_of(seq, long_ago, long_ago));
            sessions.await.unwrap()[0].id.to_string()
        }
        "key" => company.new_key(None).await.id.to_string(),
        "user" => {
            let email = format!("{}@example.com", unique());
            company.panel_user(&email, Reader).await;
            let user = company
                .app()
                .app()
                .store
                .read(move |tx| tx.user_with_email(&email));
            user.await.unwrap().unwrap().id.to_string()
        }
        "invitation" => invitation(company).await,
        "webhook" => webhook(company).await.to_string(),
        "delivery" => {
            let (app, id) = (company.app().app(), webhook(company).await);
            app.try_webhook(company.id, id).await.unwrap();
            let (_, log) = app.webhook_log(company.id, id, None, 1, 1).await.unwrap();
            log.deliveries[0].id.to_string()
        }
        other => panic!("the matrix knows no {other}"),
    }
}

/// A new invitation.
async fn invitation(company: &Company<'_>) -> String {
    let (id, email) = (
        domain::InvitationId::random(&mut app::SystemRandom),
        format!("{}@example.com", unique()),
    );
    let company_id = company.id;
    let added = company.app().app().store.write(move |tx| {
        let mut digest = [0; 32];
        digest[..16].copy_from_slice(id.as_bytes());
        tx.add_invitation(&store::NewInvitation {
            id,
            company: company_id,
            email: &email,
            name: "Persona invitada",
            role: Reader,
            digest: &digest,
            at: testkit::START,
            expires_at: testkit::START,
        })
    });
    added.await.unwrap();
    id.to_string()
}

/// A new template in place of those that were there.
async fn template(company: &Company<'_>) -> String {
    let id = domain::FolioTemplateId::random(&mut app::SystemRandom);
    let company_id = company.id;
    let template = store::StoredFolioTemplate {
        id,
        name: "Arriendo".to_owned(),
        form: r#"{"signers": [{"role": "Arrendatario"}]}"#.to_owned(),
        saved_at: testkit::START,
        files: Vec::new(),
    };
    let added = company.app().app().store.write(move |tx| {
        for old in tx.folio_templates(company_id)? {
            tx.delete_folio_template(company_id, old.id, testkit::START)?;
        }
        tx.add_folio_template(company_id, &template, 1)
    });
    assert!(added.await.unwrap());
    id.to_string()
}

/// A new webhook in place of those that were there.
async fn webhook(company: &Company<'_>) -> domain::WebhookId {
    let app = company.app().app();
    for old in app.webhooks(company.id).await.unwrap() {
        app.remove_webhook(company.id, old.id).await.unwrap();
    }
    let address = "https://example.com/avisos".parse().unwrap();
    let added = app
        .add_webhook(company.id, address, String::new(), domain::WantedKinds::All)
        .await;
    added.unwrap().unwrap().0
}

pub(crate) fn unique() -> usize {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The address with new things of the company in it.
async fn filled(company: &Company<'_>, path: &str) -> String {
    let mut filled = String::new();
    for part in path.split('/').skip(1) {
        filled.push('/');
        match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
            Some(place) => filled.push_str(&thing(company, place, &filled.clone()).await),
            None => filled.push_str(part),
        }
    }
    filled
}

async fn ask(person: &PanelBrowser<'_>, method: &str, path: &str) -> TestResponse {
    let answer = match method {
        "get" => person.get(path).await,
        // Forms with files in them.
        _ if path == "/panel/company/logo" => person.upload(path, "logo", b"no picture").await,
        _ if path.starts_with("/panel/templates/") && path.ends_with("/import") => {
            person.upload(path, "people", b"Nombre").await
        }
        _ if path == "/panel/folios/new" => {
            let form = Form::new().text("csrf", person.csrf().await);
            person.post_form(path, form).await
        }
        _ => person.post(path, &[]).await,
    };
    let kind = answer.header("content-type").unwrap_or_default();
    if kind.starts_with("text/html") {
        assert!(answer.body.len() < HEAVIEST, "{path}: {}", answer.body.len());
    }
    answer
}

fn asks_to_sign_in(answer: &TestResponse) -> bool {
    let location = answer.header("location").unwrap_or_default();
    answer.status == 303 && location.starts_with("/panel/sign-in") && !location.contains("done=")
}

#[test]
fn the_table_has_every_route() {
    let told: Vec<_> = TABLE.iter().map(|(method, path, ..)| (*method, *path)).collect();
    for route in web::panel::ROUTES {
        assert!(told.contains(route), "{route:?} is not in the table");
    }
    assert_eq!(told.len(), web::panel::ROUTES.len(), "a line without a route");
}

#[tokio::test]
async fn every_route_with_every_role() {
    let app = TestApp::start().await;
    let (acme, globex) = (app.company("Acme").await, app.company("Globex").await);
    acme.use_approval().await;
    let mut people = Vec::new();
    for role in Role::ALL {
        people.push((role, acme.signed_in(&format!("{role}@acme.example"), role).await));
    }
    let stranger = globex
        .signed_in("admin@globex.example", Role::Administrator)
        .await;
    let nobody = PanelBrowser::new(&app, "nobody@example.com");
    for (method, path, least, foreign) in TABLE.iter().copied() {
        let what = format!("{method} {path}");
        let Some(least) = least else {
            let answer = ask(&nobody, method, path).await;
            let expected = [200, 303, 422].contains(&answer.status) || answer.status == foreign;
            assert!(expected, "{what}: {}", answer.status);
            continue;
        };
        if method == "post" {
            let (_, administrator) = people.last().unwrap();
            let address = filled(&acme, path).await;
            let answer = match path {
                "/panel/folios/new" => {
                    administrator
                        .post_form(path, Form::new().text("sure", "yes"))
                        .await
                }
                _ => administrator.post_bare(&address, &[("sure", "yes")]).await,
            };
            assert_eq!(answer.status, 403, "{what} without the session's mark");
        }
        let address = filled(&acme, path).await;
        assert!(
            asks_to_sign_in(&ask(&nobody, method, &address).await),
            "{what} without a session"
        );
        for (role, person) in &people {
            let address = filled(&acme, path).await;
            let answer = ask(person, method, &address).await;
            let status = answer.status;
            if *role < least {
                assert_eq!(status, 403, "{what} by {role}");
            } else {
                let done = [200, 303, 422].contains(&status) && !asks_to_sign_in(&answer);
                assert!(done, "{what} by {role}: {status}\n{}", answer.text());
            }
            if person.get("/panel/account").await.status != 200 {
                person.sign_in().await;
            }
        }
        if path.contains('{') {
            let address = filled(&acme, path).await;
            let answer = ask(&stranger, method, &address).await;
            assert_eq!(
                answer.status,
                foreign,
                "{what} by another company: {}",
                answer.text()
            );
        }
    }
}

#[tokio::test]
async fn every_forms_address_leads_to_its_page() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("admin@acme.example", Administrator).await;
    for (method, path) in web::panel::ROUTES.iter().copied() {
        if method == "get" || web::panel::ROUTES.contains(&("get", path)) {
            continue;
        }
        let address = filled(&acme, path).await;
        let answer = person.get(&address).await;
        assert_eq!(answer.status, 303, "{path}");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
        let page = answer.header("location").unwrap();
        assert!(address.starts_with(page), "{path}: {page}");
        let shown = person.get(page).await;
        // A signed-in user is redirected from the sign-in page.
        let expected = if page == "/panel" { 303 } else { 200 };
        assert_eq!(shown.status, expected, "{path}: {page}");
        let other = person.request(reqwest::Method::PUT, &address);
        assert_eq!(person.send(other).await.status, 405, "{path}");
    }
}

/// What the panel's forms change.
async fn panel_data(app: &TestApp) -> Vec<Cell> {
    const TABLES: [&str; 11] = [
        "companies",
        "api_keys",
        "folios",
        "signers",
        "events",
        "users",
        "panel_sessions",
        "invitations",
        "audit",
        "webhook_endpoints",
        "webhook_deliveries",
    ];
    let mut cells = app.cells().await;
    cells.retain(|cell| TABLES.contains(&cell.table) && cell.column != "last_used_at");
    // PostgreSQL gives rows in another order after an update.
    cells.sort();
    cells
}

#[tokio::test]
async fn nothing_but_a_panel_session_opens_a_route() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let administrator = acme.signed_in("admin@acme.example", Administrator).await;
    let form = encoded(&[("csrf", &administrator.csrf().await), ("sure", "yes")]);
    let mut held = acme.signer_secrets().await;
    held.push(("an API key", acme.header()["Bearer ".len()..].to_owned()));
    let mut routes = Vec::new();
    for (method, path, least, _) in TABLE.iter().copied() {
        if least.is_some() {
            routes.push((method, filled(&acme, path).await));
        }
    }
    let browser = PanelBrowser::new(&app, "admin@acme.example");
    let before = panel_data(&app).await;
    for (method, address) in &routes {
        for (what, value) in &held {
            let request = browser
                .request(method.to_uppercase().parse().unwrap(), address)
                .header("cookie", format!("__Host-firmeza_panel={value}"))
                .header("x-api-key", format!("Bearer {value}"))
                .header("authorization", format!("Bearer {value}"))
                .header("content-type", "application/x-www-form-urlencoded")
                .header("sec-fetch-site", "same-origin")
                .body(form.clone());
            let answer = browser.send(request).await;
            assert!(
                asks_to_sign_in(&answer),
                "{method} {address} with {what}: {}",
                answer.status
            );
        }
    }
    assert_eq!(panel_data(&app).await, before);
    for (what, value) in &held {
        let link = browser.get(&format!("/panel/reset?t={value}")).await;
        assert_eq!(link.status, 404, "{what} as a password link");
        let chosen = [("t", value.as_str()), ("new", PASSWORD)];
        let chosen = browser.post_bare("/panel/reset", &chosen).await;
        assert_eq!(chosen.status, 404, "{what} as a password link");
        let entered = browser.try_password(value).await;
        assert_ne!(entered.status, 303, "{what} as a password");
    }
}

#[tokio::test]
async fn no_route_rewrites_a_history_or_writes_for_a_signer() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    acme.use_approval().await;
    let administrator = acme.signed_in("admin@acme.example", Administrator).await;
    let (open, finished) = (
        acme.created(folio()).await,
        acme.created_in(FolioState::Cancelled, folio()).await,
    );
    app.sign_by_email(&open, SignerIndex(0), "maria.1001@example.com")
        .await;
    let fields = [
        ("sure", "yes"),
        ("folio", open.as_str()),
        ("who", "signer"),
        ("signer", "1"),
        ("signer1", "1"),
        ("what", "signed"),
        ("at", "2020-01-01T00:00:00Z"),
        ("number", "1"),
        ("hash", "00"),
        ("observation", "El cliente desistió."),
    ];
    let mut histories = Vec::new();
    for id in [&open, &finished] {
        histories.push((id, acme.history(id).await));
    }
    for (method, path, least, _) in TABLE.iter().copied() {
        if least.is_none() {
            continue;
        }
        let path = path.replace("{folio}", &open).replace("{finished}", &finished);
        let address = filled(&acme, &path).await;
        match method {
            "get" => administrator.get(&address).await,
            _ => administrator.post(&address, &fields).await,
        };
        for (id, history) in &mut histories {
            let now = acme.history(id).await;
            assert!(now.starts_with(history), "{method} {path}: {now:?}");
            for event in &now[history.len()..] {
                let event = event.full_body();
                assert_eq!(event["who"], "user", "{method} {path}: {event}");
            }
            *history = now;
        }
        if administrator.get("/panel/account").await.status != 200 {
            administrator.sign_in().await;
        }
    }
    let state = acme.read(&open).await.at("/data/folioData/stateName");
    assert_eq!(state, "ANULADO", "the forms were taken");
    let inner = app.app();
    let found = check_integrity(app.database(), &inner.store, &inner.blobs, None).await;
    assert_eq!(found.unwrap().messages, [""; 0]);
}
