//! People on their way in.

use journeys::Browser;
use testkit::{PASSWORD, TestApp};

/// Signs in, and opens a page of the panel.
pub(crate) async fn enter(app: &TestApp, browser: &Browser, email: &str, path: &str) {
    browser.open(&format!("http://{}{path}", app.address())).await;
    browser.write("#email", email).await;
    browser.write("#password", PASSWORD).await;
    browser.press(".go").await;
}
