//! The overview: what the clerk counted, as plots and as tables.

use domain::FolioState;
use domain::Role::Reader;
use testkit::{TestApp, folio};

#[tokio::test]
async fn what_was_counted_is_drawn_and_tabled() {
    let app = TestApp::start().await;
    let (acme, other) = (app.company("Acme").await, app.company("Other").await);
    let person = acme.signed_in("lectora@acme.example", Reader).await;
    let bare = person.get("/panel/overview").await.text();
    assert!(bare.contains("Todavía no hay nada que contar"));
    acme.created(folio()).await;
    acme.created_in(FolioState::Cancelled, folio()).await;
    acme.created_in(FolioState::Signed, folio()).await;
    for _ in 0..5 {
        other.created(folio()).await;
    }
    while app.app().settle_changes().await.unwrap() > 0 {}
    let page = person.get("/panel/overview").await.text();
    assert!(page.contains("Creados: 3 en total, máximo 3"), "{page}");
    assert!(page.contains("Firmados: 1 en total"));
    assert_eq!(page.matches("role=\"img\"").count(), 2);
    assert!(page.contains("<th scope=\"row\">Menos de 1 hora</th><td class=\"number\">1</td>"));
    assert!(page.contains("No hubo ninguno."));
    assert!(page.len() < 100_000, "{}", page.len());
}
