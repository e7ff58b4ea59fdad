//! What opens a signer's pages and what does not, and how far a link, a session or a code goes.

use crate::browser::{Page, encoded, open, request, send};
use crate::{MARIA, WHY, led};
use app::{Links, SigningParty};
use data_encoding::HEXLOWER;
use domain::{FolioId, SignerIndex};
use reqwest::Method;
use std::time::Duration;
use testkit::{Cell, Company, FolioAct, TestApp, folio, master_key, signer, signers};

/// Every address of a signer's pages that needs the session, with its method.
const ROUTES: [(&str, &str); 16] = [
    ("get", ""),
    ("post", "/code"),
    ("post", "/sign"),
    ("post", "/reject"),
    ("post", "/proof-code"),
    ("post", "/proof"),
    ("post", "/alive"),
    ("post", "/sign-out"),
    ("get", "/resume"),
    ("get", "/evidence.json"),
    ("get", "/evidence.pdf"),
    ("get", "/search"),
    ("get", "/shown"),
    ("get", "/documents/{document}"),
    ("get", "/documents/{document}/view"),
    ("get", "/documents/{document}/pages/1.txt"),
];

/// A request to one of the addresses, with everything that a right form has besides the session.
fn ask(
    app: &TestApp,
    route: (&str, &str),
    signer_path: &str,
    document: &str,
    fields: &str,
) -> reqwest::RequestBuilder {
    let (method, rest) = route;
    let path = format!("{signer_path}{}", rest.replace("{document}", document));
    match method {
        "get" => request(app, Method::GET, &path),
        _ => request(app, Method::POST, &path)
            .header("content-type", "application/x-www-form-urlencoded")
            .header("sec-fetch-site", "same-origin")
            .body(fields.to_owned()),
    }
}

#[tokio::test]
async fn nothing_but_the_signers_session_opens_a_page_or_takes_a_form() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let id = company.created(folio()).await;
    let document = company.document_of(&id).await;
    let luisa = company
        .signed_in("luisa@example.com", domain::Role::Administrator)
        .await;
    let page = open(&app, &app.app().links.signer(id.parse().unwrap(), SignerIndex(0))).await;
    let signer_path = format!("/sign/{id}-0");
    let csrf = page.hidden("csrf");
    let accepted = [("csrf", csrf.as_str()), ("consent", "2.es")];
    let sent = send(page.post(&format!("{signer_path}/code"), &accepted)).await;
    assert_eq!(sent.status, 303, "{}", sent.text());
    let code = app.code_for(MARIA).await;
    let fields = encoded(&[
        ("csrf", csrf.as_str()),
        ("consent", "2.es"),
        ("code", code.as_str()),
        ("reason", WHY),
        ("step", "code"),
        ("confirm", "1"),
    ]);
    let mut held = company.signer_secrets().await;
    held.push(("an API key", company.header().to_owned()));
    held.push(("a panel session", luisa.cookie("firmeza_panel").unwrap()));
    held.push(("the folio's identifier", id.clone()));
    let (name, _) = page.cookie.as_deref().unwrap().split_once('=').unwrap();
    let before = app.census().await;
    for route in ROUTES {
        let nobody = send(ask(&app, route, &signer_path, &document, &fields)).await;
        assert_eq!(nobody.status, 403, "{route:?} without a cookie");
        for (what, value) in &held {
            let cookies = format!("{name}={value}; __Host-firmeza_panel={value}");
            let request = ask(&app, route, &signer_path, &document, &fields).header("cookie", cookies);
            let request = request.header("x-api-key", format!("Bearer {value}"));
            assert_eq!(send(request).await.status, 403, "{route:?} with {what}");
        }
    }
    assert_eq!(app.census().await, before);
    // The same form in the session signs.
    let typed = [accepted[0], accepted[1], ("code", code.as_str())];
    let signed = send(page.post(&format!("{signer_path}/sign"), &typed)).await;
    assert_eq!(signed.status, 303, "{}", signed.text());
}

#[tokio::test]
async fn an_idle_session_goes_on_in_a_new_one_without_its_proof() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let id = company.created(folio()).await;
    company.act(&id, FolioAct::Sign(SignerIndex(0))).await;
    let link = app.app().links.signer(id.parse().unwrap(), SignerIndex(0));
    let page = open(&app, &link).await;
    let (signer_path, csrf) = (format!("/sign/{id}-0"), page.hidden("csrf"));
    let (resume, evidence) = (
        format!("{signer_path}/resume"),
        format!("{signer_path}/evidence.json"),
    );
    send(page.post(&format!("{signer_path}/proof-code"), &[("csrf", &csrf)])).await;
    let code = app.code_for(MARIA).await;
    let typed = [("csrf", csrf.as_str()), ("code", code.as_str())];
    assert_eq!(
        send(page.post(&format!("{signer_path}/proof"), &typed))
            .await
            .status,
        303
    );
    assert_eq!(send(page.get(&evidence)).await.status, 200);

    app.advance(Duration::from_mins(15));
    let over = send(page.get(&signer_path)).await;
    assert_eq!(over.status, 403);
    assert!(over.text().contains(&resume), "{}", over.text());
    let next = led(&page, &send(page.get(&resume)).await).await;
    assert!(
        next.answer.text().contains("Usted ya firmó"),
        "{}",
        next.answer.text()
    );
    assert_ne!(next.cookie, page.cookie);
    assert_eq!(
        send(next.get(&evidence)).await.status,
        303,
        "a code is asked for again"
    );

    // What was signed out, or is too old, is not resumed.
    let own = next.hidden("csrf");
    assert_eq!(
        send(next.post(&format!("{signer_path}/sign-out"), &[("csrf", &own)]))
            .await
            .status,
        200
    );
    let page = open(&app, &link).await;
    app.advance(Duration::from_hours(4));
    let over = send(page.get(&signer_path)).await;
    assert!(over.status == 403 && !over.text().contains(&resume));
    assert_eq!(send(page.get(&resume)).await.status, 403);
}

#[tokio::test]
async fn a_page_that_is_read_keeps_its_session() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let id = company.created(folio()).await;
    let page = open(&app, &app.app().links.signer(id.parse().unwrap(), SignerIndex(0))).await;
    let (signer_path, csrf) = (format!("/sign/{id}-0"), page.hidden("csrf"));
    let before = app.census().await;
    app.advance(Duration::from_mins(14));
    let alive = send(page.post(&format!("{signer_path}/alive"), &[("csrf", &csrf)])).await;
    assert_eq!((alive.status, alive.text().as_ref()), (200, "900"));
    assert!(alive.header("set-cookie").is_some());
    assert_eq!(app.census().await, before, "it is no visit");
    let forged = send(page.post(&format!("{signer_path}/alive"), &[("csrf", "x")])).await;
    assert_eq!(forged.status, 303);
}

/// What only the company's people and systems may change.
async fn company_data(app: &TestApp) -> Vec<Cell> {
    let mut cells = app.cells().await;
    cells.retain(|cell| match cell.table {
        "companies" | "users" | "invitations" | "webhook_endpoints" => true,
        "api_keys" => cell.column != "last_used_at",
        "folios" => ["id", "state", "name", "observation"].contains(&cell.column.as_str()),
        "documents" => ["id", "name", "sha256"].contains(&cell.column.as_str()),
        "signers" => ["name", "email", "mobile", "document_number", "state"].contains(&cell.column.as_str()),
        _ => false,
    });
    // PostgreSQL gives rows in another order after an update.
    cells.sort();
    cells
}

#[tokio::test]
async fn a_signers_forms_change_no_contact_and_administer_nothing() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let fields = [
        ("consent", "2.es"),
        ("email", "ladron@example.com"),
        ("cellPhoneNumber", "3009999999"),
        ("documentNumber", "1001"),
        ("folioId", "x"),
        ("observation", WHY),
        ("reason", WHY),
        ("role", "administrator"),
        ("sure", "yes"),
    ];
    for typed in [false, true] {
        let id = company.created(folio()).await;
        let signer_path = format!("/sign/{id}-0");
        let link = app.app().links.signer(id.parse().unwrap(), SignerIndex(0));
        let page = open(&app, &link).await;
        let party: SigningParty = format!("{id}-0").parse().unwrap();
        if typed {
            app.prove_cookie(party, page.cookie.as_deref().unwrap()).await;
        }
        let csrf = page.hidden("csrf");
        let before = company_data(&app).await;
        for (_, rest) in ROUTES.iter().filter(|(method, _)| *method == "post") {
            let form = [[("csrf", csrf.as_str())].as_slice(), &fields].concat();
            let answer = send(page.post(&format!("{signer_path}{rest}"), &form)).await;
            assert!(answer.status < 500, "{rest}: {}", answer.text());
            assert_ne!(answer.status, 403, "{rest} is taken: {}", answer.text());
            assert_eq!(company_data(&app).await, before, "{rest}, typed: {typed}");
        }
        let read = company.read(&id).await;
        assert_eq!(read.at("/data/signers/0/email"), MARIA);
    }
}

#[tokio::test]
async fn many_networks_guess_a_number_without_a_pause() {
    let app = TestApp::builder().trusted_proxies("127.0.0.0/8").start().await;
    let company = app.company("Acme").await;
    let id: FolioId = company.created(folio()).await.parse().unwrap();
    let page = open(&app, &app.app().links.folio(id).parse().unwrap()).await;
    let token = page.hidden("f");
    let guess = async |number: usize, network: usize| {
        let fields = [
            ("f", token.as_str()),
            ("documentType", "CC"),
            ("documentNumber", &number.to_string()),
        ];
        let address = format!("10.{}.{}.1", network / 256, network % 256);
        let asked = request(&app, Method::POST, "/sign/identify")
            .header("content-type", "application/x-www-form-urlencoded")
            .header("sec-fetch-site", "same-origin")
            .header("x-forwarded-for", address)
            .body(encoded(&fields));
        send(asked).await
    };
    // Four of the five free tries of each network.
    for number in 0..100 {
        let wrong = guess(9000 + number, number / 4).await;
        assert_eq!(wrong.status, 422, "guess {number}: {}", wrong.text());
    }
    let known = guess(1001, 5000).await;
    assert_eq!(known.header("location"), Some(format!("/sign/{id}-0").as_str()));
}

#[tokio::test]
async fn the_reason_of_a_rejection_is_shown_after_a_code() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let id = company.created(folio().signers(&signers(1))).await;
    let link = app.app().links.signer(id.parse().unwrap(), SignerIndex(0));
    let signer_path = format!("/sign/{id}-0");
    let page = open(&app, &link).await;
    let csrf = page.hidden("csrf");
    let reject = format!("{signer_path}/reject");
    let fields = [("csrf", csrf.as_str()), ("reason", WHY)];
    assert_eq!(send(page.post(&reject, &fields)).await.status, 200);
    let code = app.code_for(MARIA).await;
    let typed = [
        fields[0],
        fields[1],
        ("step", "code"),
        ("confirm", "1"),
        ("code", code.as_str()),
    ];
    assert_eq!(send(page.post(&reject, &typed)).await.status, 303);
    app.advance(Duration::from_mins(1));

    let again = open(&app, &link).await;
    let text = again.answer.text();
    assert!(text.contains("rechaz") && !text.contains(WHY), "{text}");
    let party: SigningParty = format!("{id}-0").parse().unwrap();
    app.prove_cookie(party, again.cookie.as_deref().unwrap()).await;
    let shown = send(again.get(&signer_path)).await.text();
    assert!(shown.contains(WHY), "{shown}");
}

/// The folio's document as the session of the page sees it.
async fn document_bytes(company: &Company<'_>, page: &Page<'_>, party: &str, folio: &str) -> Vec<u8> {
    let document = company.document_of(folio).await;
    let file = send(page.get(&format!("/sign/{party}/documents/{document}"))).await;
    assert_eq!(file.status, 200, "{}", file.text());
    file.body
}

#[tokio::test]
async fn a_link_made_with_the_master_key_shows_the_documents_and_does_nothing_else() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let id = company.created(folio().signers(&signers(1))).await;
    let sign_app = url::Url::parse("https://firmas.example.com").unwrap();
    let links = Links::new(&master_key(), &sign_app);
    let page = open(&app, &links.signer(id.parse().unwrap(), SignerIndex(0))).await;
    let bytes = document_bytes(&company, &page, &format!("{id}-0"), &id).await;
    assert!(bytes.starts_with(b"%PDF"));
    let (signer_path, csrf) = (format!("/sign/{id}-0"), page.hidden("csrf"));
    let typed = [
        ("csrf", csrf.as_str()),
        ("consent", "2.es"),
        ("reason", WHY),
        ("step", "code"),
        ("confirm", "1"),
        ("code", "123456"),
    ];
    for act in ["sign", "reject", "proof"] {
        let refused = send(page.post(&format!("{signer_path}/{act}"), &typed)).await;
        assert_eq!(refused.status, 422, "{act}: {}", refused.text());
    }
    let state = company.read(&id).await.at("/data/folioData/stateName");
    assert_eq!(state, "PENDIENTE");
    let evidence = send(page.get(&format!("{signer_path}/evidence.json"))).await;
    assert_ne!(evidence.status, 200, "the signer has not acted");
    app.sign_by_email(&id, SignerIndex(0), MARIA).await;
    let page = open(&app, &links.signer(id.parse().unwrap(), SignerIndex(0))).await;
    let evidence = send(page.get(&format!("{signer_path}/evidence.json"))).await;
    let proof = format!("{signer_path}?step=proof");
    assert_eq!(
        evidence.header("location"),
        Some(proof.as_str()),
        "no code was typed"
    );
}

/// The stored response to an idempotent request, as its row shows it.
async fn stored_response(app: &TestApp, member: &str) -> String {
    let bodies = app.column("idempotency_keys", "body").await;
    let mut bodies = bodies
        .iter()
        .map(|cell| serde_json::from_slice::<serde_json::Value>(&cell.value).unwrap());
    let found = bodies.find_map(|body| Some(body.pointer(member)?.as_str()?.to_owned()));
    found.unwrap_or_else(|| panic!("no row has {member}"))
}

#[tokio::test]
async fn the_rows_of_idempotent_requests_have_links_that_open() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let created = company.once("crear").create(folio()).await;
    let id = created.at("/data/folioId");
    company
        .once("masiva")
        .start_bulk([&id], &signer("1001"))
        .await
        .ok();
    // From here on, only what the rows say.
    let document = app.column("documents", "id").await.pop().unwrap();
    let document = HEXLOWER.encode(&document.value);
    let bulk = stored_response(&app, "/data/massiveId").await;
    let url = stored_response(&app, "/data/signProcessMassiveUrl").await;
    let page = open(&app, &url.parse().unwrap()).await;
    let file = send(page.get(&format!("/sign/b{bulk}/documents/{document}"))).await;
    assert!(
        file.status == 200 && file.body.starts_with(b"%PDF"),
        "{}",
        file.text()
    );

    let url = stored_response(&app, "/data/signProcessUrl").await;
    let number = app.column("signers", "document_number").await.remove(0).text();
    let page = open(&app, &url.parse().unwrap()).await;
    let token = page.hidden("f");
    let fields = [
        ("f", token.as_str()),
        ("documentType", "CC"),
        ("documentNumber", &number),
    ];
    let known = send(page.post("/sign/identify", &fields)).await;
    assert_eq!(known.status, 303, "{}", known.text());
    let signer_path = known.header("location").unwrap().to_owned();
    let page = led(&page, &known).await;
    let file = send(page.get(&format!("{signer_path}/documents/{document}"))).await;
    assert!(
        file.status == 200 && file.body.starts_with(b"%PDF"),
        "{}",
        file.text()
    );
}
