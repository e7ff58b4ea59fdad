//! Sessions: how long they last, who sees them, what ends them.

use domain::Role;
use std::time::Duration;
use testkit::{PanelBrowser, TestApp};

const LUISA: &str = "luisa@example.com";

async fn is_in(person: &PanelBrowser<'_>) -> bool {
    person.get("/panel/account").await.status == 200
}

#[tokio::test]
async fn half_an_hour_without_use_ends_a_session() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in(LUISA, Role::Reader).await;
    for _ in 0..4 {
        app.advance(Duration::from_mins(29));
        assert!(is_in(&luisa).await);
    }
    app.advance(Duration::from_mins(30));
    assert!(!is_in(&luisa).await);
}

#[tokio::test]
async fn twelve_hours_end_any_session() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in(LUISA, Role::Reader).await;
    for _ in 0..24 {
        assert!(is_in(&luisa).await);
        app.advance(Duration::from_mins(29));
    }
    assert!(is_in(&luisa).await);
    app.advance(Duration::from_mins(23));
    assert!(is_in(&luisa).await);
    app.advance(Duration::from_mins(1));
    assert!(!is_in(&luisa).await);
}

#[tokio::test]
async fn a_session_ends_when_the_clock_goes_back_and_the_next_one_holds() {
    let two_days = Duration::from_hours(48);
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    app.advance(two_days);
    let ahead = company.signed_in(LUISA, Role::Reader).await;
    assert!(is_in(&ahead).await);
    app.set_back(two_days);
    assert!(
        !is_in(&ahead).await,
        "it would last for two days and twelve hours"
    );
    let here = PanelBrowser::new(&app, LUISA);
    here.sign_in().await;
    assert!(is_in(&here).await);
    // Instances differ a little.
    app.set_back(Duration::from_secs(20));
    assert!(is_in(&here).await);
    // What was begun before the jump, and used then, has no end either.
    app.advance(Duration::from_mins(10));
    assert!(is_in(&here).await);
    app.set_back(Duration::from_mins(10));
    assert!(!is_in(&here).await);
}

#[tokio::test]
async fn a_user_ends_only_their_own_other_sessions() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let here = company.signed_in(LUISA, Role::Reader).await;
    let other = company.signed_in("omar@example.com", Role::Administrator).await;
    let (phone, tablet) = (PanelBrowser::new(&app, LUISA), PanelBrowser::new(&app, LUISA));
    phone.sign_in().await;
    tablet.sign_in().await;
    let page = here.get("/panel/account").await.text();
    let ends: Vec<String> = page
        .split("/panel/account/sessions/")
        .skip(1)
        .map(|rest| rest.split('/').next().unwrap().to_owned())
        .collect();
    assert_eq!(ends.len(), 2, "all but the one at hand can be ended");
    for end in &ends {
        let path = format!("/panel/account/sessions/{end}/end");
        other.post(&path, &[]).await;
    }
    assert!(is_in(&phone).await && is_in(&tablet).await);
    let path = format!("/panel/account/sessions/{}/end", ends[0]);
    assert_eq!(here.post(&path, &[]).await.status, 303);
    assert_ne!(is_in(&phone).await, is_in(&tablet).await);
    assert_eq!(here.post("/panel/account/sessions", &[]).await.status, 303);
    assert!(!is_in(&phone).await && !is_in(&tablet).await);
    assert!(is_in(&here).await && is_in(&other).await);
}

#[tokio::test]
async fn every_instance_knows_a_session_and_its_end() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in(LUISA, Role::Reader).await;
    let second = app.another_instance().await;
    let token = luisa.cookie("firmeza_panel").unwrap();
    let elsewhere = PanelBrowser::new(&second, LUISA);
    let ask = || {
        let request = elsewhere.request(reqwest::Method::GET, "/panel/account");
        request.header("cookie", format!("__Host-firmeza_panel={token}"))
    };
    assert_eq!(elsewhere.send(ask()).await.status, 200);
    app.app().operator().set_user_enabled(LUISA, false).await.unwrap();
    assert_eq!(elsewhere.send(ask()).await.status, 303);
}
