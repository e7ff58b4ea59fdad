//! People on their way in.

use journeys::Browser;
use testkit::{PASSWORD, TestApp};

/// Shows the navigation, which a phone shows on demand.
async fn unfold(browser: &Browser) {
    let folded = "return getComputedStyle(document.querySelector('.menu')).display !== 'none'";
    if browser.run(folded, &[]).await == true {
        browser.press(".menu > summary").await;
    }
}

/// Presses a line of the navigation.
pub(crate) async fn go_to(browser: &Browser, path: &str) {
    unfold(browser).await;
    browser.press(&format!(".top nav a[href='{path}']")).await;
}

/// Signs out.
pub(crate) async fn leave(browser: &Browser) {
    unfold(browser).await;
    browser.press(".out button").await;
}

/// Signs in, and opens a page of the panel.
pub(crate) async fn enter(app: &TestApp, browser: &Browser, email: &str, path: &str) {
    browser.open(&format!("http://{}{path}", app.address())).await;
    browser.write("#email", email).await;
    browser.write("#password", PASSWORD).await;
    browser.press(".go").await;
}
