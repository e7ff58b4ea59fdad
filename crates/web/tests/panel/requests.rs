//! The log of API requests, as administrators read it.

use domain::{Permission, Permissions, Role};
use std::time::Duration;
use testkit::{Company, PanelBrowser, TestApp, folio};

const DENIED: &str = "Acceso denegado. No tiene los permisos necesarios para acceder a este recurso.";

/// The rows of a page of the log.
async fn rows(admin: &PanelBrowser<'_>, query: &str) -> Vec<String> {
    let page = admin.get(&format!("/panel/keys/requests{query}")).await;
    assert_eq!(page.status, 200, "{query}");
    let text = page.text();
    let body = text.split("<tbody>").nth(1).unwrap_or_default();
    let body = body.split("</tbody>").next().unwrap();
    body.split("<tr>").skip(1).map(str::to_owned).collect()
}

fn assert_row(row: &str, parts: &[&str]) {
    for part in parts {
        assert!(row.contains(part), "{part} is not in {row}");
    }
}

/// An instance writes the log when it stops, at the latest.
async fn logged<'a, T>(app: &TestApp, acme: &Company<'a>, act: impl AsyncFnOnce(Company<'_>) -> T) -> T {
    let other = app.another_instance().await;
    act(acme.at(&other)).await
}

#[tokio::test]
async fn a_request_is_logged_with_its_response_and_without_its_content() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let admin = acme.signed_in("admin@example.com", Role::Administrator).await;
    assert!(rows(&admin, "").await.is_empty());
    let id = logged(&app, &acme, async |acme| {
        let id = acme.created(folio()).await;
        let asked = acme.request(reqwest::Method::GET, &format!("consult?folioId={id}"));
        acme.send(asked.header("x-request-id", "mi-solicitud-7"))
            .await
            .ok();
        id
    })
    .await;
    let rows = rows(&admin, "").await;
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert_row(
        &rows[0],
        &[
            "Consultar un folio",
            "GET consult",
            ">200<",
            "<code>mi-solicitud-7</code>",
            " ms<",
            "127.0.0.1",
            "tests (firmeza_",
            "2 de marzo de 2026",
        ],
    );
    assert_row(
        &rows[1],
        &["Crear un folio", "POST sign", ">200<", "x-request-id"],
    );
    for content in [id.as_str(), "Contrato", "example.com", "1001"] {
        assert!(!rows.concat().contains(content), "{content}");
    }
}

#[tokio::test]
async fn a_refused_request_is_logged_with_the_message_that_the_client_got() {
    let app = TestApp::builder().rate_limits(6, 100).start().await;
    let acme = app.company("Acme").await;
    let admin = acme.signed_in("admin@example.com", Role::Administrator).await;
    let reader = acme
        .with_permissions(Permissions::new([Permission::Read]).unwrap())
        .await;
    let revoked = acme.showing(&acme.new_key(None).await);
    revoked.revoke().await;
    let other = app.another_instance().await;
    let mut told = Vec::new();
    {
        let (acme, reader, revoked) = (acme.at(&other), reader.at(&other), revoked.at(&other));
        for answer in [
            acme.create(folio().without("folioName")).await,
            acme.create(folio().documents([("contrato.pdf", b"no PDF".to_vec())]))
                .await,
            acme.read("x").await,
            acme.read(&"0".repeat(32)).await,
            acme.start_bulk(["x"], &testkit::signer("1001")).await,
            acme.resend(&"0".repeat(32), &[]).await,
            acme.read("x").await,
            reader.create(folio()).await,
            revoked.read("x").await,
        ] {
            told.push((answer.status, answer.message()));
        }
        // No key, a malformed one and an unknown one belong to no company.
        acme.saying(None).read("x").await.refused(401, "");
        acme.saying(Some("Bearer x")).read("x").await.refused(403, DENIED);
        let unknown = app::ApiKey::random(&mut app::SystemRandom);
        let unknown = format!("Bearer {}", unknown.reveal());
        acme.saying(Some(&unknown)).read("x").await.refused(403, DENIED);
    }
    drop(other);
    let statuses: Vec<u16> = told.iter().map(|(status, _)| *status).collect();
    assert_eq!(
        statuses,
        [400, 409, 400, 404, 400, 400, 429, 403, 403],
        "{told:?}"
    );
    let logged = app
        .app()
        .api_requests(acme.id, store::ApiRequestFilter::default())
        .await
        .unwrap();
    assert_eq!(logged.len(), told.len(), "{logged:?}");
    let rows = rows(&admin, "").await;
    for ((status, message), (request, row)) in told.iter().rev().zip(logged.iter().zip(&rows)) {
        assert_eq!(u32::from(*status), request.status);
        assert!(
            !message.is_empty() && request.message.starts_with(message.as_str()),
            "{request:?}"
        );
        let shown = message.replace('\'', "&#39;").replace('"', "&#34;");
        assert_row(row, &[&format!(">{status}<"), &shown]);
    }
    // The fields, where the message does not name them.
    assert!(
        logged
            .iter()
            .any(|one| one.operation == "start_bulk" && one.message.contains(" · ")),
        "{logged:?}"
    );
}

#[tokio::test]
async fn the_log_is_filtered_by_key_and_outcome_paged_and_its_companys() {
    let app = TestApp::start().await;
    let (acme, globex) = (app.company("Acme").await, app.company("Globex").await);
    let admin = acme.signed_in("admin@example.com", Role::Administrator).await;
    let stranger = globex
        .signed_in("admin@globex.example", Role::Administrator)
        .await;
    let key = acme.new_key(None).await;
    logged(&app, &acme, async |acme| {
        for _ in 0..60 {
            acme.read(&"0".repeat(32)).await.refused(404, "");
        }
        let second = acme.showing(&key);
        second.created(folio()).await;
        second.read("x").await.refused(400, "");
    })
    .await;
    let first = rows(&admin, "").await;
    assert_eq!(first.len(), 50);
    assert_row(&first[0], &[">400<"]);
    assert_row(&first[1], &[">200<"]);
    assert_eq!(rows(&admin, "?page=2").await.len(), 12);
    let by_key = rows(&admin, &format!("?key={}", key.id)).await;
    assert_eq!(by_key.len(), 2);
    let failed = rows(&admin, &format!("?key={}&errors=yes", key.id)).await;
    assert_eq!(failed.len(), 1);
    assert_row(&failed[0], &[">400<"]);
    let errors = admin.get("/panel/keys/requests?errors=yes").await.text();
    assert!(
        errors.contains("href=\"/panel/keys/requests?errors=yes&#38;page=2\""),
        "{errors}"
    );
    assert_eq!(rows(&admin, "?errors=yes&page=2").await.len(), 11);
    assert!(rows(&stranger, "").await.is_empty());
    assert!(rows(&stranger, &format!("?key={}", key.id)).await.is_empty());
    let english = admin.request(reqwest::Method::GET, "/panel/keys/requests");
    let english = admin.send(english.header("accept-language", "en")).await.text();
    assert!(english.contains("Recent requests to the API"), "{english}");
}

#[tokio::test]
async fn requests_are_kept_for_seven_days() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    logged(&app, &acme, async |acme| acme.created(folio()).await).await;
    let count = async || {
        let filter = store::ApiRequestFilter::default();
        app.app().api_requests(acme.id, filter).await.unwrap().len()
    };
    app.advance(Duration::from_hours(24 * 7));
    assert_eq!(app.app().delete_old_api_requests().await.unwrap(), 0);
    assert_eq!(count().await, 1);
    app.advance(Duration::from_secs(1));
    assert_eq!(app.app().delete_old_api_requests().await.unwrap(), 1);
    assert_eq!(count().await, 0);
}
