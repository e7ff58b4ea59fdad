//! API keys, as administrators look after them.

use domain::Role;
use std::time::Duration;
use testkit::{Company, PanelBrowser, TestApp, TestResponse};

/// The key that a page shows, this once.
fn shown(answer: &TestResponse) -> String {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let text = answer.text();
    let key = text
        .split("id=\"key\">")
        .nth(1)
        .unwrap()
        .split('<')
        .next()
        .unwrap();
    let line = "/api/integrations/sign&#39;";
    assert!(
        text.contains("curl -s &#39;http") && text.contains(line),
        "{text}"
    );
    key.to_owned()
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
    let start = row.find("/panel/keys/").unwrap() + "/panel/keys/".len();
    row[start..start + 32].to_owned()
}

#[tokio::test]
async fn a_key_is_made_shown_once_and_revoked_for_good() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    for (label, expires) in [("", ""), ("nómina", "2020-01-01"), ("nómina", "mañana")] {
        let wrong = admin
            .post("/panel/keys", &[("label", label), ("expires", expires)])
            .await;
        assert_eq!(wrong.status, 422, "{label} {expires}");
    }
    let made = admin
        .post(
            "/panel/keys",
            &[("label", "Nómina <b>"), ("expires", "2026-03-02")],
        )
        .await;
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
async fn a_key_ends_with_its_last_day_in_the_companys_zone() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let made = admin
        .post("/panel/keys", &[("label", "nómina"), ("expires", "2026-03-02")])
        .await;
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
    let old = shown(
        &admin
            .post("/panel/keys", &[("label", "Portal"), ("expires", "")])
            .await,
    );
    let rotate = format!("/panel/keys/{}/rotate", id(&row(&admin, "Portal").await));
    assert!(
        admin
            .get(&rotate)
            .await
            .text()
            .contains("La anterior sirve todavía")
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
    let today = [("label", "Portal"), ("expires", "2026-03-02")];
    let made = admin.post("/panel/keys", &today).await;
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
async fn the_audit_is_paged() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    for number in 0..51 {
        let label = format!("llave {number}.");
        shown(
            &admin
                .post("/panel/keys", &[("label", &label), ("expires", "")])
                .await,
        );
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
