//! The projector counts the changes that acts log, by days of the company's zone, and makes folios searchable.

use crate::test_folio::test_folio;
use app::folios::list::Listing;
use domain::FolioState;
use serde_json::json;
use testkit::{Company, FolioFields, TestApp, correction, folio, signer, signers};

fn named(name: &str, number: &str) -> FolioFields {
    folio().with("folioName", name).signers(&json!([signer(number)]))
}

fn only(id: &str) -> Vec<String> {
    vec![id.to_owned()]
}

async fn settle(app: &TestApp) {
    while app.app().project_changes().await.unwrap() > 0 {}
}

async fn found(company: &Company<'_>, app: &TestApp, typed: &str) -> Vec<String> {
    let listing = Listing {
        typed: typed.to_owned(),
        ..Listing::default()
    };
    let page = app.app().list_folios(company.id, listing).await.unwrap();
    page.folios.iter().map(|folio| folio.id.to_string()).collect()
}

#[tokio::test]
async fn folios_are_found_by_name_signer_and_number() {
    let app = TestApp::start().await;
    let (acme, other) = (app.company("Acme").await, app.company("Other").await);
    let first = acme.created(named("Contrato de Ñandú", "900.123-4")).await;
    let second = acme.created(named("Otrosí", "77")).await;
    let theirs = other.created(named("Contrato ajeno", "1001")).await;
    assert!(found(&acme, &app, "contrato").await.is_empty());
    settle(&app).await;
    assert_eq!(found(&acme, &app, "ñandu").await, only(&first));
    assert_eq!(found(&acme, &app, "OTROSI").await, only(&second));
    assert_eq!(found(&acme, &app, "9001234").await, only(&first));
    assert_eq!(found(&acme, &app, "contr 900.123").await, only(&first));
    assert!(found(&acme, &app, "contrato 77").await.is_empty());
    assert!(found(&acme, &app, "ajeno").await.is_empty());
    assert_eq!(found(&other, &app, "ajeno").await, [theirs]);
    assert_eq!(found(&acme, &app, "").await, [second, first]);
}

#[tokio::test]
async fn a_corrected_address_is_found_and_the_old_one_no_longer() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio().signers(&signers(1))).await;
    settle(&app).await;
    let corrections = [correction("1001", "nuevo.correo@example.org", "3001234567")];
    assert_eq!(acme.resend(&id, &corrections).await.status, 200);
    settle(&app).await;
    assert_eq!(found(&acme, &app, "nuevo.correo@example.org").await, [id]);
    assert!(found(&acme, &app, "1001@example.com").await.is_empty());
}

#[tokio::test]
async fn counts_are_live_and_statistics_follow() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let test_folio = test_folio(&acme, &app, folio().signers(&signers(1))).await;
    acme.created_in(FolioState::Cancelled, folio()).await;
    let count = async |state| {
        let page = app.app().list_folios(acme.id, Listing::default()).await.unwrap();
        page.counts[&state]
    };
    assert_eq!(count(FolioState::Pending).await, 1);
    assert_eq!(count(FolioState::Cancelled).await, 1);
    settle(&app).await;
    test_folio.sign(0).await;
    assert_eq!(count(FolioState::Pending).await, 0);
    assert_eq!(count(FolioState::Signed).await, 1);
    settle(&app).await;
    assert_eq!(count(FolioState::Signed).await, 1);
    let overview = app.app().overview(acme.id, 2).await.unwrap();
    let today = |stat| overview.daily(stat)[1];
    assert_eq!(today(store::Stat::Entered(FolioState::Pending)), 2);
    assert_eq!(today(store::Stat::Entered(FolioState::Signed)), 1);
    assert_eq!(today(store::Stat::SignedWithin(1)), 1);
    assert_eq!(overview.sum(store::Stat::CodeRefused), 0);
}

#[tokio::test]
async fn days_bound_the_list_and_pages_follow_each_other() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        for _ in 0..10 {
            ids.push(acme.created(folio()).await);
        }
        app.advance(std::time::Duration::from_hours(48));
    }
    settle(&app).await;
    ids.reverse();
    let listed = async |listing: Listing| {
        let page = app.app().list_folios(acme.id, listing).await.unwrap();
        let ids: Vec<String> = page.folios.iter().map(|folio| folio.id.to_string()).collect();
        (ids, page.next)
    };
    let (first, next) = listed(Listing::default()).await;
    assert_eq!(first, ids[..25]);
    let (second, end) = listed(Listing {
        before: next,
        ..Listing::default()
    })
    .await;
    assert_eq!((second.as_slice(), end), (&ids[25..], None));

    let page = app.app().list_folios(acme.id, Listing::default()).await.unwrap();
    let oldest = page.folios[24].created_at;
    let at = jiff::Timestamp::from_microsecond(oldest.as_micros()).unwrap();
    let day = at.to_zoned(page.zone.clone()).date();
    let on = |typed: &str| Listing {
        from: Some(day),
        to: Some(day),
        typed: typed.to_owned(),
        ..Listing::default()
    };
    assert_eq!(listed(on("")).await.0, ids[20..]);
    assert_eq!(listed(on("contrato")).await.0, ids[20..]);
    let later = Listing {
        from: Some(day.tomorrow().unwrap()),
        state: Some(FolioState::Pending),
        ..Listing::default()
    };
    assert_eq!(listed(later).await.0, ids[..20]);
}
