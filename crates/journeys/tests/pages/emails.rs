//! Emails as a phone shows them, by day and by night, with words that are longer than its screen.

use app::{Links, MasterKey};
use data_encoding::BASE64;
use delivery::outbox::compose::Composer;
use delivery::samples;
use domain::{AccountEmailKind, Channel, Language};
use jiff::tz::TimeZone;
use journeys::{Browser, Device};
use reqwest::Url;

/// A word that no line of a phone takes.
fn long(begin: &str) -> String {
    format!("{begin}{}", "abcdefghij".repeat(9))
}

/// The emails to panel users: all in Spanish, and in the others the ones with the most words, with a button and without.
fn to_panel_users(language: Language) -> &'static [AccountEmailKind] {
    match language {
        Language::Spanish => &samples::ACCOUNT_EMAILS,
        _ => &[AccountEmailKind::FirstPassword, AccountEmailKind::AccountExists],
    }
}

/// The emails in a language: the name and the page of each.
fn emails(language: Language) -> Vec<(String, String)> {
    let master = MasterKey::from_hex(&"5a".repeat(32)).unwrap();
    let links = Links::new(&master, &Url::parse("https://firmas.example.com").unwrap());
    let composer = Composer {
        links: &links,
        code: Some("123456"),
        zone: &TimeZone::UTC,
        attachments: &[],
    };
    let to_signers = samples::ALL
        .iter()
        .filter(|(_, channel)| *channel == Channel::Email);
    let mut all: Vec<_> = to_signers
        .map(|(template, channel)| {
            let mut leased = samples::leased(*template, *channel);
            leased.language = language;
            leased.signer_name = long("María");
            leased.folio_name = long("Contrato");
            leased.folio_message = long("https://example.com/");
            leased.observation = Some(long("Motivo"));
            leased.company = long("Inmobiliaria");
            leased.contact.name = long("Servicio");
            leased.contact.email = format!("{}@example.com", "ayuda".repeat(12));
            leased.colour = Some("#7a1f5c".to_owned());
            let email = composer.compose(&leased).unwrap();
            (format!("{template:?}-{}", language.code()), email.html)
        })
        .collect();
    let link = "https://firmas.example.com/panel/reset?t=c2FtcGxl";
    all.extend(to_panel_users(language).iter().map(|kind| {
        let mut leased = samples::account_email(*kind);
        leased.language = language;
        leased.company = long("Inmobiliaria");
        leased.name = long("Luisa");
        let email = delivery::account_emails::compose::compose(&leased, link);
        (format!("{kind:?}-{}", language.code()), email.html)
    }));
    all
}

/// What a mail program shows that drops the style sheet.
fn without_style(html: &str) -> String {
    let (head, rest) = html.split_once("<style>").unwrap();
    let (_, body) = rest.split_once("</style>").unwrap();
    assert!(!body.contains("<style"), "one style sheet");
    format!("{head}{body}")
}

async fn look_at_emails(device: Device, is_styled: bool) {
    let browser = Browser::on(device).await;
    let album = format!(
        "emails/{}{}",
        device.label(),
        if is_styled { "" } else { "-unstyled" }
    );
    for language in Language::ALL {
        for (name, html) in emails(language) {
            let html = if is_styled { html } else { without_style(&html) };
            let page = BASE64.encode(html.as_bytes());
            browser
                .open(&format!("data:text/html;charset=utf-8;base64,{page}"))
                .await;
            let what = format!("{name} in {album}");
            let wide = browser
                .run("return document.documentElement.scrollWidth - innerWidth", &[])
                .await;
            assert!(wide.as_i64() <= Some(0), "{what} is {wide} pixels too wide");
            browser.is_readable(&what).await;
            if language == Language::Spanish {
                browser.picture(&album, &name).await;
            }
        }
    }
}

#[tokio::test]
async fn all_emails_on_a_phone() {
    look_at_emails(Device::PHONE, true).await;
}

#[tokio::test]
async fn all_emails_on_a_phone_without_their_style_sheet() {
    look_at_emails(Device::PHONE, false).await;
}

#[tokio::test]
async fn all_emails_on_a_phone_at_night() {
    look_at_emails(Device::PHONE.dark(), true).await;
}
