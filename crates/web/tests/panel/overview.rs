//! The overview: the projector's daily statistics, as charts and as tables.

use domain::Role::{Administrator, Reader};
use domain::{Code, FolioState, SignerIndex};
use reqwest::Method;
use testkit::{TestApp, folio};

#[tokio::test]
async fn what_was_counted_is_drawn_and_tabled() {
    let app = TestApp::start().await;
    let (acme, other) = (app.company("Acme").await, app.company("Other").await);
    let person = acme.signed_in("lectora@acme.example", Reader).await;
    let bare = person.get("/panel/overview").await.text();
    assert!(bare.contains("Todavía no hay cifras"));
    acme.use_approval().await;
    let pending = acme.created(folio()).await;
    app.send_code(&pending, SignerIndex(0)).await;
    let right = app.code_for("maria.1001@example.com").await;
    let wrong = ["000000", "000001"].map(|digits| Code::typed(digits).unwrap());
    let wrong = wrong.into_iter().find(|code| code.as_str() != right.as_str());
    app.give_code(&pending, SignerIndex(0), wrong.unwrap()).await;
    acme.created_in(FolioState::Approved, folio()).await;
    acme.created_in(FolioState::Cancelled, folio()).await;
    acme.created_in(FolioState::Signed, folio()).await;
    for _ in 0..5 {
        other.created(folio()).await;
    }
    while app.app().project_changes().await.unwrap() > 0 {}
    let page = person.get("/panel/overview").await.text();
    for (name, summary) in [
        ("Creados", "4 en total, máximo 4"),
        ("Firmados", "2 en total"),
        ("Aprobados", "1 en total"),
    ] {
        assert!(
            page.contains(&format!("aria-label=\"{name}. {summary}")),
            "{name}: {page}"
        );
    }
    let drawn = page.matches("role=\"img\"").count();
    assert_eq!(
        drawn, 6,
        "created, signed, times, cancelled, approved, refused codes"
    );
    assert!(page.contains("La mitad se firmó en menos de 1 hora."));
    assert!(page.contains("<th scope=\"row\">Menos de 1 hora</th><td class=\"number\">2</td>"));
    assert!(page.contains("No hubo ninguno."));
    assert!(page.len() < 100_000, "{}", page.len());
}

#[tokio::test]
async fn a_period_is_chosen_and_its_days_are_exported() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("lectora@acme.example", Reader).await;
    for _ in 0..3 {
        acme.created(folio()).await;
    }
    while app.app().project_changes().await.unwrap() > 0 {}
    for (days, unit) in [
        ("7", "Día"),
        ("90", "Semana desde"),
        ("365", "Mes"),
        ("odd", "Día"),
    ] {
        let page = person.get(&format!("/panel/overview?days={days}")).await.text();
        assert!(page.contains("Creados. 3 en total, máximo 3"), "{days}: {page}");
        assert!(page.contains(&format!("<th scope=\"col\">{unit}</th>")), "{days}");
        assert!(page.len() < 100_000, "{days}: {}", page.len());
    }
    let file = person.get("/panel/overview.csv?days=7").await;
    assert_eq!(file.header("content-type"), Some("text/csv; charset=utf-8"));
    let text = file.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 8, "{text}");
    assert!(lines[0].contains("\"Día\",\"Creados\""), "{text}");
    assert!(lines[7].contains(",\"3\",\"0\""), "{text}");
}

#[tokio::test]
async fn administrators_see_a_proxy_that_is_not_trusted() {
    let words = "un proxy (127.0.0.1) que no está en FIRMEZA_TRUSTED_PROXIES";
    for (trusted, told) in [("10.0.0.1", true), ("127.0.0.1", false)] {
        let app = TestApp::builder().trusted_proxies(trusted).start().await;
        let acme = app.company("Acme").await;
        let admin = acme.signed_in("luisa@acme.example", Administrator).await;
        let reader = acme.signed_in("lectora@acme.example", Reader).await;
        let before = admin.get("/panel/overview").await.text();
        assert!(!before.contains(words), "{before}");
        let passed_on = acme
            .request(Method::GET, "/health")
            .header("x-forwarded-for", "9.9.9.9");
        assert_eq!(acme.send(passed_on).await.status, 200);
        let page = admin.get("/panel/overview").await.text();
        assert_eq!(page.contains(words), told, "{trusted}: {page}");
        assert!(!reader.get("/panel/overview").await.text().contains(words));
    }
}
