//! A person with the database and without the master key: what the rows show, and what a changed row brings about.

use crate::test_folio::{MOBILE, email, test_folio};
use app::operator::integrity::check_integrity;
use app::shared::secrets::{ACCOUNT_EMAIL_PURPOSE, OUTBOX_SECRETS_USAGE};
use app::{ApiKey, MasterKey, Sealer, SystemRandom};
use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use domain::{Role, SignerIndex};
use sha2::{Digest, Sha256};
use testkit::{PASSWORD, PanelBrowser, START, TestApp, folio, master_key, pdf, signers, until};

const THIEF: &str = "ladron@example.com";
/// Where the panel sends a browser without a session that asks for its people.
const SIGN_IN: &str = "/panel/sign-in?next=%2Fpanel%2Fusers";
const DAMAGED: &str = "El historial de este folio está dañado";

/// The faults that the check of the whole installation finds.
async fn faults(app: &TestApp) -> Vec<String> {
    let inner = app.app();
    let found = check_integrity(app.database(), &inner.store, &inner.blobs, None).await;
    found.unwrap().messages
}

/// What a request with this text as the panel's session gets.
async fn panel_with(app: &TestApp, token: &str, path: &str) -> testkit::TestResponse {
    let browser = PanelBrowser::new(app, "nobody@example.com");
    let request = browser.request(reqwest::Method::GET, path);
    let cookie = format!("__Host-firmeza_panel={token}");
    browser.send(request.header("cookie", cookie)).await
}

#[tokio::test]
async fn contacts_names_numbers_and_histories_are_read_in_the_rows() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let here = test_folio(&acme, &app, folio()).await;
    here.sign(0).await;
    for (value, column) in [
        (email(0).as_str(), "signers.email"),
        (&MOBILE["+57".len()..], "signers.mobile"),
        ("María Pérez 1001", "signers.name"),
        ("1001", "signers.document_number"),
        (&email(0), "events.personal"),
        ("María Pérez 1001", "events.personal"),
        ("203.0.113.7", "events.personal"),
        (&email(0), "outbox.recipient"),
    ] {
        let found = app.columns_with(value).await;
        assert!(found.iter().any(|known| known == column), "{value}: {found:?}");
    }
}

#[tokio::test]
async fn the_rows_have_what_signatures_appended_and_not_the_documents() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let words = "Lo que solo las partes leen";
    let fields = folio().documents([("contrato.pdf", pdf::saying(words))]);
    test_folio(&acme, &app, fields).await.sign(0).await;
    assert_eq!(app.columns_with(words).await, [""; 0]);
    assert_eq!(app.columns_with("/ByteRange").await, ["increments.bytes"]);
}

#[tokio::test]
async fn no_secret_that_lets_a_person_in_is_in_any_table() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let luisa = acme.signed_in("luisa@example.com", Role::Administrator).await;
    let key = acme.header().strip_prefix("Bearer ").unwrap().to_owned();
    let session = luisa.cookie("firmeza_panel").unwrap();
    let mut secrets = acme.signer_secrets().await;
    let (_, code) = secrets.pop().unwrap();
    luisa
        .post_bare("/panel/forgotten", &[("email", "luisa@example.com")])
        .await;
    let sealed = until("the email with the password link", async || {
        app.column("account_emails", "secret").await.pop()
    })
    .await;
    let emails = Sealer::new(&master_key(), OUTBOX_SECRETS_USAGE);
    let link = String::from_utf8(emails.open(ACCOUNT_EMAIL_PURPOSE, &sealed.value).unwrap()).unwrap();
    let address = "https://example.com/avisos".parse().unwrap();
    let added = app
        .app()
        .add_webhook(acme.id, address, String::new(), domain::WantedKinds::All)
        .await;
    let (_, webhook) = added.unwrap().unwrap();
    secrets.extend([
        ("an API key", key.clone()),
        ("a panel session", session.clone()),
        ("a password", PASSWORD.to_owned()),
        ("a password link", link),
        ("a webhook's secret", webhook.reveal().to_owned()),
        ("the master key", "5a".repeat(32)),
    ]);
    for (what, secret) in secrets {
        assert!(secret.len() > 16, "{what} is long enough to be found by its text");
        assert_eq!(app.columns_with(&secret).await, [""; 0], "{what}");
        if let Ok(bytes) = BASE64URL_NOPAD.decode(secret.as_bytes()) {
            assert_eq!(app.columns_with(bytes).await, [""; 0], "{what}, decoded");
        }
    }
    // Six digits may be part of any number.
    let cells = app.cells().await;
    assert!(cells.iter().all(|cell| cell.value != code.as_bytes()));
    // The rows of the key and of the session are among those that were searched.
    for (secret, column) in [(key, "api_keys.hash"), (session, "panel_sessions.digest")] {
        let found = app.columns_with(Sha256::digest(secret.as_bytes())).await;
        assert_eq!(found, [column]);
    }
}

#[tokio::test]
async fn what_is_stored_of_a_secret_does_not_stand_for_it() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    acme.signer_secrets().await;
    let luisa = acme.signed_in("luisa@example.com", Role::Administrator).await;
    luisa
        .post_bare("/panel/forgotten", &[("email", "luisa@example.com")])
        .await;
    let here = test_folio(&acme, &app, folio()).await;
    let id = here.folio.to_string();
    here.send(0).await.unwrap();
    let browser = PanelBrowser::new(&app, "luisa@example.com");
    let opened = async |path: String, cookie: String| {
        let request = browser.request(reqwest::Method::GET, &path);
        browser.send(request.header("cookie", cookie)).await
    };
    for (table, column) in [
        ("api_keys", "hash"),
        ("panel_sessions", "digest"),
        ("panel_sessions", "id"),
        ("password_links", "digest"),
        ("users", "password"),
        ("signer_sessions", "id"),
        ("codes", "digest"),
        ("outbox", "secret"),
    ] {
        let stored = app.column(table, column).await.pop();
        let stored = stored.unwrap_or_else(|| panic!("{table}.{column} has a value"));
        let (hex, base64) = (
            HEXLOWER.encode(&stored.value),
            BASE64URL_NOPAD.encode(&stored.value),
        );
        for text in [hex, base64] {
            let what = format!("{table}.{column} as {text}");
            let key = acme.saying(Some(&format!("Bearer {text}")));
            assert_eq!(key.read(&id).await.status, 403, "{what}");
            let panel = opened("/panel/users".to_owned(), format!("__Host-firmeza_panel={text}")).await;
            assert_eq!(panel.header("location"), Some(SIGN_IN), "{what}");
            let cookie = format!("__Host-firmeza_{}_0={text}", &id[..12]);
            assert_eq!(
                opened(format!("/sign/{id}-0"), cookie).await.status,
                403,
                "{what}"
            );
            for path in ["/sign?s=", "/sign?f=", "/sign/bulk?msv=", "/panel/reset?t="] {
                let answer = opened(format!("{path}{text}"), String::new()).await;
                assert_eq!(answer.status, 404, "{what} at {path}");
            }
        }
    }
    let hash = app.column("users", "password").await.pop().unwrap();
    assert_ne!(browser.try_password(&hash.text()).await.status, 303);
    // Sealed values do not open without the master key.
    let (master, stranger) = (master_key(), MasterKey::from_hex(&"6b".repeat(32)).unwrap());
    let sealed = app.column("outbox", "secret").await.pop().unwrap();
    let opened_by = |master| Sealer::new(master, OUTBOX_SECRETS_USAGE).open("code", &sealed.value);
    assert!(opened_by(&master).is_some() && opened_by(&stranger).is_none());
}

#[tokio::test]
async fn rows_with_chosen_hashes_are_a_key_and_an_administrator() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let (company, now) = (acme.id.0, START.as_micros());
    let key = ApiKey::random(&mut SystemRandom);
    let (lookup, hash) = (key.lookup().lookup(), HEXLOWER.encode(&key.lookup().hash));
    let token = "elegida_por_quien_escribe_las_filas";
    let digest = HEXLOWER.encode(&Sha256::digest(token));
    let (first, second, third) = ("01".repeat(16), "02".repeat(16), "03".repeat(16));
    let own = acme.saying(Some(&format!("Bearer {}", key.reveal())));
    assert_eq!(own.read(&id).await.status, 403);
    app.tamper(&format!(
        "INSERT INTO api_keys (id, company, label, lookup, hash, hint, created_at)
         VALUES (<bytes {first}>, {company}, 'tests', {lookup}, <bytes {hash}>, 'firmeza_…', {now});
         INSERT INTO users (id, company, email, name, role, created_at)
         VALUES (<bytes {second}>, {company}, '{THIEF}', 'Nadie', 'administrator', {now});
         INSERT INTO panel_sessions (digest, id, person, created_at, used_at, agent)
         SELECT <bytes {digest}>, <bytes {third}>, seq, {now}, {now}, '' FROM users WHERE email = '{THIEF}';"
    ))
    .await;
    let read = own.read(&id).await;
    assert_eq!(read.at("/data/signers/0/email"), email(0));
    own.cancel([&id], "Se cancela por error.").await.ok();
    let state = acme.read(&id).await.at("/data/folioData/stateName");
    assert_eq!(state, "ANULADO");
    let other = panel_with(&app, "otra", "/panel/users").await;
    assert_eq!(other.header("location"), Some(SIGN_IN));
    for path in ["/panel/users", "/panel/keys", "/panel/audit", "/panel/company"] {
        assert_eq!(panel_with(&app, token, path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn a_contact_that_is_changed_in_the_row_receives_the_code_and_signs() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let here = test_folio(&acme, &app, folio().signers(&signers(1))).await;
    let id = here.folio.to_string();
    let set = |email: &str| {
        format!(
            "UPDATE signers SET email = '{email}' WHERE folio = (SELECT seq FROM folios WHERE id = <bytes {id}>)"
        )
    };
    app.tamper(&set(THIEF)).await;
    app.sign_by_email(&id, SignerIndex(0), THIEF).await;
    let state = acme.read(&id).await.at("/data/folioData/stateName");
    assert_eq!(state, "FIRMADO");
    // The row contradicts the history. Put back, it does not, and the evidence names the address that got the code.
    acme.evidence(&id).await.refused(500, DAMAGED);
    assert_eq!(faults(&app).await.len(), 1);
    app.tamper(&set(&email(0))).await;
    let evidence = acme.evidence(&id).await;
    let checked = app::evidence::check(&evidence.body, None, &[], app.app().clock.now());
    assert_eq!(checked.faults, []);
    assert!(evidence.text().contains(THIEF), "{}", evidence.text());
    assert_eq!(faults(&app).await, [""; 0]);
}

#[tokio::test]
async fn a_history_that_is_cut_with_all_that_its_end_changed_looks_whole() {
    const CHANGED: [&str; 5] = ["signers", "documents", "increments", "signing_states", "events"];
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let here = test_folio(&acme, &app, folio()).await;
    let id = here.folio.to_string();
    let before = acme.history(&id).await;
    for table in CHANGED.iter().chain(&["folios", "outbox"]) {
        app.tamper(&format!("CREATE TABLE saved_{table} AS SELECT * FROM {table}"))
            .await;
    }
    here.sign(0).await;
    let signed = acme.history(&id).await;
    assert!(before.len() < signed.len() && signed.starts_with(&before));

    for table in CHANGED {
        app.tamper(&format!(
            "DELETE FROM {table}; INSERT INTO {table} SELECT * FROM saved_{table};"
        ))
        .await;
    }
    let columns = "state, updated_at, observation, history_length, history_hash";
    app.tamper(&format!(
        "DELETE FROM outbox WHERE seq NOT IN (SELECT seq FROM saved_outbox);
         UPDATE folios SET ({columns}) = (SELECT {columns} FROM saved_folios s WHERE s.seq = folios.seq);"
    ))
    .await;
    assert_eq!(acme.history(&id).await, before);
    let read = acme.read(&id).await;
    assert_eq!(read.at("/data/signers/0/folioState"), "2");
    assert_eq!(faults(&app).await, [""; 0]);
    let evidence = acme.evidence(&id).await;
    let checked = app::evidence::check(&evidence.body, None, &[], app.app().clock.now());
    assert_eq!(checked.faults, []);
}
