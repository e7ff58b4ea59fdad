//! The company's look, from the panel to the signer's page.

use crate::sign_in::enter;
use domain::Role::Administrator;
use domain::SignerIndex;
use journeys::{Browser, Device};
use testkit::{TestApp, folio, signers};

/// A chequered flag, small enough to be written here.
const LOGO: &str = "89504e470d0a1a0a0000000d494844520000003000000018080000000099962100000000224944415478da637800\
    060660400c9b61446a205e29843d32358ca6a5d1b444250d0006fa641f53fda99e0000000049454e44ae426082";

/// The previews are next to the fields that change them, and hold what they show, however long it is.
async fn previews_are_seen_while_one_edits(browser: &Browser, album: &str) {
    browser
        .write(
            "#name",
            "INMOBILIARIA Y CONSTRUCTORA DE LOS ANDES COLOMBIANOS S.A.S.",
        )
        .await;
    let wide = "return document.documentElement.scrollWidth - innerWidth";
    assert_eq!(browser.run(wide, &[]).await, 0);
    let outside = "return [...document.querySelectorAll('.previews text')].filter(text => { \
        const { x, width } = text.getBBox(); return x < 0 || x + width > 300; }).map(text => text.textContent)";
    assert_eq!(browser.run(outside, &[]).await, serde_json::json!([]));
    let small = "return [...document.querySelectorAll('.previews svg')].map(one => one.getBoundingClientRect().width).filter(width => width < 260)";
    assert_eq!(browser.run(small, &[]).await, serde_json::json!([]));
    let next =
        "return document.getElementById('look').closest('section').nextElementSibling.matches('.previews')";
    assert_eq!(browser.run(next, &[]).await, true);
    browser.is_accessible("a company's look while it is edited").await;
    browser.picture(album, "0-editing").await;
    browser.write("#name", "Ñandú Legal").await;
    let in_language = "const field = document.getElementById('language'); field.value = arguments[0];
        field.dispatchEvent(new Event('input', { bubbles: true }));
        return [...document.querySelectorAll('.previews [data-preview=words]')].map(text => text.textContent)";
    let portuguese = browser.run(in_language, &["pt".into()]).await;
    assert_eq!(
        portuguese,
        serde_json::json!([
            "Continuar",
            "Precisa de ajuda? Fale com:",
            "Ler e assinar",
            "Dúvidas? Fale com:",
            "Folha de assinaturas",
            "Enviado por",
            "Data e hora",
            "Base legal"
        ])
    );
    assert_eq!(browser.run(outside, &[]).await, serde_json::json!([]));
    browser.run(in_language, &["es".into()]).await;
}

/// What is typed and chosen is in the previews, and is gone from them with the choice.
async fn contact_law_and_logo_are_seen_before_they_are_sent(browser: &Browser, album: &str) {
    browser
        .write(
            "#contact_email",
            "ayuda.y.preguntas@una-empresa-larga.example.com",
        )
        .await;
    browser.write("#legal_basis", "Lei 14.063").await;
    let shown =
        "return [...document.querySelectorAll('.previews [data-line], .previews [data-preview=legal_basis]')]
        .map(text => text.textContent)";
    let contact = "ayuda.y.preguntas@una-empresa…";
    let expected = serde_json::json!([contact, "", "", contact, "", "", "Lei 14.063"]);
    assert_eq!(browser.run(shown, &[]).await, expected);
    let outside = "return [...document.querySelectorAll('.previews text')].filter(text => { \
        const { x, width } = text.getBBox(); return x < 0 || x + width > 300; }).map(text => text.textContent)";
    assert_eq!(browser.run(outside, &[]).await, serde_json::json!([]));
    let choose = "const bytes = Uint8Array.from(arguments[0].match(/../g), pair => parseInt(pair, 16));
        const files = new DataTransfer();
        if (bytes.length > 1) files.items.add(new File([bytes], 'logo.png', { type: 'image/png' }));
        const field = document.getElementById('logo'); field.files = files.files;
        field.dispatchEvent(new Event('change', { bubbles: true }))";
    browser.run(choose, &[LOGO.into()]).await;
    // The picture is decoded: the policy of the page lets it be shown.
    browser
        .until("const one = document.querySelector('.previews image'); return one && one.getAttribute('href').startsWith('data:image/png')")
        .await;
    let decoded = "const one = new Image(); one.src = document.querySelector('.previews image').getAttribute('href'); \
        return one.decode().then(() => one.naturalWidth)";
    assert_eq!(browser.run(decoded, &[]).await, 48);
    browser.picture(album, "0-chosen").await;
    browser.run(choose, &["00".into()]).await;
    browser
        .until("return !document.querySelector('.previews image')")
        .await;
    browser.write("#contact_email", "").await;
    browser.write("#legal_basis", "").await;
}

async fn the_look_reaches_the_signer(device: Device) {
    let app = TestApp::builder()
        .at_home()
        .drawing_with(env!("CARGO_BIN_EXE_render_worker"))
        .start()
        .await;
    let company = app.company("Acme").await;
    let admin = company.panel_user("admin@example.com", Administrator).await;
    let browser = Browser::on(device).await;
    let album = format!("company/{}", device.label());
    enter(&app, &browser, "admin@example.com", "/panel/company").await;
    browser.sees("Apariencia").await;
    browser.write("#name", "Ñandú Legal").await;
    browser.press("label[for=own_colour]").await;
    // What others will see changes while one chooses, and a colour that cannot be read is told at once.
    let choose = "const field = document.getElementById('colour'); field.value = arguments[0];
        field.dispatchEvent(new Event('input', { bubbles: true }));
        return document.querySelector('.previews [data-preview=fill]').getAttribute('fill')";
    let light = browser.run(choose, &["#ffe600".into()]).await;
    assert_ne!(light, "#ffe600", "it is shown as it would be saved");
    browser.sees("No se lee bien").await;
    assert_eq!(browser.run(choose, &["#7a1f5c".into()]).await, "#7a1f5c");
    browser.sees("Se lee bien").await;
    let name = browser.text(".previews [data-preview=name]").await;
    assert_eq!(name, "Ñandú Legal");
    previews_are_seen_while_one_edits(&browser, &album).await;
    contact_law_and_logo_are_seen_before_they_are_sent(&browser, &album).await;
    browser
        .run("document.getElementById('colour').value = '#e6007e'", &[])
        .await;
    browser
        .run("document.getElementById('timezone').value = 'Europe/Madrid'", &[])
        .await;
    browser.write("#folio_days", "30").await;
    browser.press("main .go").await;
    browser.sees("Se guardaron los cambios").await;
    browser.sees("Ñandú Legal").await;
    browser.is_accessible("the company").await;
    browser.picture(&album, "1-company").await;
    admin.sign_in().await;
    let logo: Vec<u8> = (0..LOGO.len() / 2)
        .map(|place| u8::from_str_radix(&LOGO[2 * place..2 * place + 2], 16).unwrap())
        .collect();
    let uploaded = admin.upload("/panel/company/logo", "logo", &logo).await;
    assert_eq!(uploaded.status, 303, "{}", uploaded.text());
    browser.reload().await;
    browser
        .until("return document.querySelector('.previews image').getBBox().width > 0")
        .await;
    let outside = "return [...document.querySelectorAll('.previews text')].filter(text => { \
        const { x, width } = text.getBBox(); return x < 0 || x + width > 300; }).map(text => text.textContent)";
    assert_eq!(browser.run(outside, &[]).await, serde_json::json!([]));
    browser.picture(&album, "1-with-logo").await;

    let fields = folio().signers(&signers(1));
    let id = company.created(fields).await;
    let link = app.app().links.signer(id.parse().unwrap(), SignerIndex(0));
    let path = link.as_str().trim_start_matches("https://firmas.example.com");
    browser.open(&format!("http://{}{path}", app.address())).await;
    browser.sees("Ñandú Legal").await;
    browser
        .until("return document.querySelector('.brand img').naturalWidth > 0")
        .await;
    let colour = "return getComputedStyle(document.querySelector('.go')).backgroundColor";
    let shown = browser.run(colour, &[]).await;
    assert_ne!(shown, "rgb(11, 85, 99)", "the company's colour, not ours");
    browser
        .is_accessible("a signer's page in the company's colour")
        .await;
    browser.glance(&album, "2-signer").await;
    browser.becomes(device.dark()).await;
    browser.is_accessible("the same at night").await;
    browser.glance(&album, "3-signer-at-night").await;
}

#[tokio::test]
async fn the_look_reaches_the_signer_on_a_phone() {
    the_look_reaches_the_signer(Device::PHONE).await;
}

#[tokio::test]
async fn the_look_reaches_the_signer_on_a_desktop() {
    the_look_reaches_the_signer(Device::DESKTOP).await;
}

async fn reminders_are_set_and_told(device: Device) {
    let app = TestApp::builder().at_home().start().await;
    let company = app.company("Acme").await;
    company.panel_user("admin@example.com", Administrator).await;
    let id = company.created(folio().signers(&signers(1))).await;
    let browser = Browser::on(device).await;
    let album = format!("reminders/{}", device.label());
    enter(&app, &browser, "admin@example.com", "/panel/company").await;
    browser.sees("Recordatorios").await;
    browser.write("#reminder_every", "2").await;
    browser.press("main .go").await;
    browser.sees("Para repetir, escriba cuándo va el primero.").await;
    browser.is_accessible("a schedule without a beginning").await;
    browser.picture(&album, "1-wrong").await;
    browser.write("#reminder_first", "3").await;
    browser.press("main .go").await;
    browser.sees("Se guardaron los cambios").await;
    browser.is_accessible("a schedule of reminders").await;
    browser.picture(&album, "2-saved").await;
    app.advance(std::time::Duration::from_mins(2));
    while app.app().remind_due().await.unwrap().folios > 0 {}
    let here = browser.address().await;
    browser
        .open(&here.replace("/panel/company?done=saved", &format!("/panel/folios/{id}")))
        .await;
    browser.sees("Próximo recordatorio").await;
    browser.is_accessible("a folio with a reminder to come").await;
    browser.picture(&album, "3-folio").await;
}

#[tokio::test]
async fn reminders_are_set_and_told_on_a_phone() {
    reminders_are_set_and_told(Device::PHONE).await;
}

#[tokio::test]
async fn reminders_are_set_and_told_on_a_desktop() {
    reminders_are_set_and_told(Device::DESKTOP).await;
}
