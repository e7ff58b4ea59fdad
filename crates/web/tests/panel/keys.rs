//! API keys, as administrators look after them.

use domain::Role;
use std::time::Duration;
use testkit::{Company, PanelBrowser, TestApp, TestResponse};

/// The permissions, all ticked.
const ALL: [&str; 5] = ["create", "read", "download", "act", "evidence"];
const LINE: &str = "/api/integrations/sign&#39;";

/// The key that a page shows, this once.
fn key_on(answer: &TestResponse) -> String {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let text = answer.text();
    let key = text.split("id=\"key\">").nth(1).unwrap();
    key.split('<').next().unwrap().to_owned()
}

/// The key that a page shows with a line to try it with.
fn shown(answer: &TestResponse) -> String {
    let text = answer.text();
    assert!(
        text.contains("curl -s &#39;http") && text.contains(LINE),
        "{text}"
    );
    key_on(answer)
}

/// Fills in the form of a new key, with these permissions ticked.
async fn make(admin: &PanelBrowser<'_>, label: &str, permissions: &[&str], expires: &str) -> TestResponse {
    let mut fields = vec![("label", label), ("expires", expires)];
    fields.extend(permissions.iter().map(|word| ("permission", *word)));
    admin.post("/panel/keys", &fields).await
}

async fn works(company: &Company<'_>, key: &str) -> bool {
    let asked = company
        .saying(Some(&format!("Bearer {key}")))
        .read(&"0".repeat(32))
        .await;
    asked.status == 404
}

async fn row(admin: &PanelBrowser<'_>, label: &str) -> String {
    let list = admin.get("/panel/keys").await.text();
    let rows: Vec<&str> = list.split("<tr>").collect();
    let row = rows
        .iter()
        .find(|row| row.contains(label))
        .unwrap_or_else(|| panic!("{list}"));
    (*row).to_owned()
}

fn id(row: &str) -> String {
    let start = row.find("?key=").unwrap() + "?key=".len();
    row[start..start + 32].to_owned()
}

#[tokio::test]
async fn a_key_is_made_shown_once_and_revoked_for_good() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    for (label, expires) in [("", ""), ("nómina", "2020-01-01"), ("nómina", "mañana")] {
        let wrong = make(&admin, label, &ALL, expires).await;
        assert_eq!(wrong.status, 422, "{label} {expires}");
    }
    let made = make(&admin, "Nómina <b>", &ALL, "2026-03-02").await;
    let key = shown(&made);
    assert!(works(&company, &key).await);
    let list = admin.get("/panel/keys").await.text();
    assert!(
        !list.contains(&key[8..40]) && list.contains("Nómina &#60;b&#62;"),
        "{list}"
    );
    let id = id(&row(&admin, "Nómina").await);
    let revoke = format!("/panel/keys/{id}/revoke");
    let asked = admin.post(&revoke, &[]).await;
    assert!(asked.text().contains("¿Revocar esta llave?"));
    assert!(works(&company, &key).await);
    assert_eq!(admin.post(&revoke, &[("sure", "yes")]).await.status, 303);
    assert!(!works(&company, &key).await);
    assert!(row(&admin, "Nómina").await.contains("Revocada"));
    assert_eq!(admin.post(&revoke, &[("sure", "yes")]).await.status, 404);
    let audit = admin.get("/panel/audit").await.text();
    assert!(audit.contains("<td>Creó una llave") && audit.contains("<td>Revocó una llave"));
    assert!(!audit.contains(&key[8..40]));
}

#[tokio::test]
async fn a_key_is_recognised_by_its_beginning_its_end_and_its_last_use() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let key = shown(&make(&admin, "Portal", &ALL, "2026-03-04").await);
    let listed = row(&admin, "Portal").await;
    let hint = format!("<code>{}…{}</code>", &key[..12], &key[53..]);
    assert!(listed.contains(&hint), "{listed}");
    assert!(
        listed.contains("Último uso\"><span class=\"soft\">"),
        "never: {listed}"
    );
    assert!(
        !listed.contains(&key[..13]) && !listed.contains(&key[52..]),
        "{listed}"
    );
    let revoke = format!("/panel/keys/{}/revoke", id(&listed));
    assert!(
        admin
            .post(&revoke, &[])
            .await
            .text()
            .contains(&format!("{}…", &key[..12]))
    );
    {
        // An instance writes down what was used when it stops, at the latest.
        let other = app.another_instance().await;
        app.advance(Duration::from_mins(10));
        assert!(works(&company.at(&other), &key).await);
    }
    let listed = row(&admin, "Portal").await;
    for (what, day, time) in [
        ("Creada", "2 de marzo de 2026", "9:30"),
        ("Último uso", "2 de marzo de 2026", "9:40"),
        ("Sirve hasta", "5 de marzo de 2026", "00"),
    ] {
        let cell = listed.split(&format!("data-label=\"{what}\">")).nth(1).unwrap();
        let cell = cell.split("</td>").next().unwrap();
        assert!(cell.contains(day) && cell.contains(time), "{what}: {cell}");
    }
}

#[tokio::test]
async fn a_key_ends_with_its_last_day_in_the_companys_zone() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let made = make(&admin, "nómina", &ALL, "2026-03-02").await;
    let key = shown(&made);
    // From 9:30 to midnight.
    app.advance(Duration::from_mins(14 * 60 + 29));
    assert!(works(&company, &key).await);
    app.advance(Duration::from_mins(1));
    assert!(!works(&company, &key).await);
}

#[tokio::test]
async fn a_key_is_replaced_with_an_overlap() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let old = shown(&make(&admin, "Portal", &ALL, "").await);
    let rotate = format!("/panel/keys/{}/rotate", id(&row(&admin, "Portal").await));
    assert!(
        admin
            .get(&rotate)
            .await
            .text()
            .contains("La anterior sigue sirviendo durante")
    );
    let new = shown(&admin.post(&rotate, &[("hours", "1")]).await);
    assert_ne!(new, old);
    assert!(works(&company, &new).await && works(&company, &old).await);
    app.advance(Duration::from_hours(1));
    admin.sign_in().await;
    assert!(works(&company, &new).await && !works(&company, &old).await);
    assert!(
        admin
            .get("/panel/audit")
            .await
            .text()
            .contains("Reemplazó una llave")
    );
}

#[tokio::test]
async fn a_key_in_the_place_of_another_has_an_end_of_its_own() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let made = make(&admin, "Portal", &ALL, "2026-03-02").await;
    assert!(made.text().contains("Sirve hasta"), "{}", made.text());
    let old = shown(&made);
    let rotate = format!("/panel/keys/{}/rotate", id(&row(&admin, "Portal").await));
    for expires in ["2020-01-01", "mañana"] {
        let wrong = admin
            .post(&rotate, &[("hours", "72"), ("expires", expires)])
            .await;
        assert_eq!(wrong.status, 422, "{expires}");
        assert!(wrong.text().contains("id=\"expires-error\""), "{expires}");
        assert!(wrong.text().contains("value=\"72\" selected"), "{expires}");
    }
    let replaced = admin.post(&rotate, &[("hours", "1"), ("expires", "")]).await;
    assert!(!replaced.text().contains("Sirve hasta"), "{}", replaced.text());
    let lasting = shown(&replaced);
    // The old one has an hour left by now, and is replaced once more.
    let again = [("hours", "1"), ("expires", "2026-03-04")];
    let passing = admin.post(&rotate, &again).await;
    assert!(passing.text().contains("Sirve hasta"), "{}", passing.text());
    let passing = shown(&passing);
    app.advance(Duration::from_hours(24));
    assert!(!works(&company, &old).await);
    assert!(works(&company, &lasting).await && works(&company, &passing).await);
    app.advance(Duration::from_hours(48));
    assert!(works(&company, &lasting).await && !works(&company, &passing).await);
}

#[tokio::test]
async fn a_key_has_the_ticked_permissions_and_so_has_the_one_in_its_place() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let page = admin.get("/panel/keys").await.text();
    for word in ALL {
        let ticked = format!("value=\"{word}\" aria-describedby=\"permission-{word}-lead\" checked");
        assert!(page.contains(&ticked), "{word}");
    }
    for none in [&[][..], &["everything"]] {
        let wrong = make(&admin, "Consulta", none, "").await;
        assert_eq!(wrong.status, 422, "{none:?}");
        assert!(wrong.text().contains("id=\"permissions-error\""), "{none:?}");
        assert!(!wrong.text().contains(" checked"), "{none:?}");
    }
    let wrong = make(&admin, "", &["read", "evidence"], "").await;
    assert_eq!(
        wrong.text().matches(" checked").count(),
        2,
        "what was ticked stays"
    );

    let made = make(&admin, "Consulta", &["read", "evidence"], "").await;
    assert!(!made.text().contains(LINE), "it may not create: {}", made.text());
    let listed = row(&admin, "Consulta").await;
    assert!(
        listed.contains("Consultar folios, Descargar evidencia"),
        "{listed}"
    );
    let rotate = format!("/panel/keys/{}/rotate", id(&listed));
    let page = admin.get(&rotate).await.text();
    assert!(page.contains("Consultar folios, Descargar evidencia"), "{page}");
    let replaced = admin.post(&rotate, &[("hours", "1")]).await;
    for key in [key_on(&made), key_on(&replaced)] {
        assert!(works(&company, &key).await);
        let system = company.saying(Some(&format!("Bearer {key}")));
        assert_eq!(system.create(testkit::folio()).await.status, 403);
    }
    shown(&make(&admin, "Portal", &ALL, "").await);
    assert!(row(&admin, "Portal").await.contains("Todos los permisos"));

    let acts = app
        .app()
        .acts(company.id, store::ActFilter::default(), None, 3)
        .await
        .unwrap();
    let details: Vec<&str> = acts.iter().map(|act| act.detail.as_str()).collect();
    assert!(
        details[0].starts_with("Portal (")
            && details[0].ends_with("): create, read, download, act, evidence")
    );
    assert!(
        details[1].starts_with("Consulta (") && details[1].ends_with("): read, evidence"),
        "{details:?}"
    );
    assert!(
        details[2].starts_with("Consulta (") && details[2].ends_with("): read, evidence"),
        "{details:?}"
    );
    let audit = admin.get("/panel/audit").await.text();
    assert_eq!(
        audit.matches("): Consultar folios, Descargar evidencia").count(),
        2,
        "{audit}"
    );
}

#[tokio::test]
async fn the_audit_is_paged() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    for number in 0..51 {
        let label = format!("llave {number}.");
        shown(&make(&admin, &label, &ALL, "").await);
    }
    let first = admin.get("/panel/audit").await.text();
    assert!(first.contains("llave 50.") && first.contains("llave 1.") && !first.contains("llave 0."));
    let next = first
        .split("/panel/audit?before=")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let second = admin.get(&format!("/panel/audit?before={next}")).await.text();
    assert!(second.contains("llave 0.") && !second.contains("llave 1."));
}
