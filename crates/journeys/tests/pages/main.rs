//! Every page of the signers and of the panel, with made-up data: accessible on every screen, and a screenshot of each.

#![allow(clippy::unwrap_used, reason = "a test may stop at anything unexpected")]

mod server;

use journeys::{Browser, Device};
use server::Samples;

async fn look_at_all(device: Device, languages: &[&str]) {
    let samples = Samples::serve().await;
    let browser = Browser::on(device).await;
    for name in samples.names() {
        if !languages.iter().any(|language| name.ends_with(language)) {
            continue;
        }
        browser.open(&samples.address(&name)).await;
        let what = format!("{name} on {}", device.label());
        let wide = browser
            .run("return document.documentElement.scrollWidth - innerWidth", &[])
            .await;
        assert!(wide.as_i64() <= Some(0), "{what} is {wide} pixels too wide");
        browser.is_accessible(&what).await;
        browser.picture(&format!("pages/{}", device.label()), &name).await;
    }
}

#[tokio::test]
async fn all_pages_on_a_phone() {
    look_at_all(Device::PHONE, &[".es", ".en"]).await;
}

#[tokio::test]
async fn all_pages_on_a_phone_at_night() {
    look_at_all(Device::PHONE.dark(), &[".es"]).await;
}

#[tokio::test]
async fn all_pages_on_the_smallest_phone() {
    look_at_all(Device::SMALL, &[".es"]).await;
}

#[tokio::test]
async fn all_pages_on_a_desktop() {
    look_at_all(Device::DESKTOP, &[".es"]).await;
}

#[tokio::test]
async fn all_pages_on_a_desktop_at_night() {
    look_at_all(Device::DESKTOP.dark(), &[".es"]).await;
}
