//! A list as people work with it: sorted, filtered, paged forward and back, several folios at once, a search kept; and the queue
//! of approvals by keyboard.

use crate::sign_in::enter;
use app::folios::PAGE_SIZE;
use domain::FolioState;
use domain::Role::Supervisor;
use journeys::{Browser, Device};
use serde_json::json;
use testkit::{TestApp, folio, signer, signers};

/// Presses a key, as the keyboard does.
async fn press_key(browser: &Browser, key: &str) {
    for (kind, text) in [("keyDown", key), ("keyUp", "")] {
        let event = json!({ "type": kind, "key": key, "text": text });
        browser.devtools("Input.dispatchKeyEvent", event).await;
    }
}

async fn settled(app: &TestApp) {
    while app.app().project_changes().await.unwrap() > 0 {}
}

async fn first_is(browser: &Browser, name: &str) {
    browser
        .until(&format!(
            "const first = document.querySelector('td.name a'); return first !== null && first.textContent === '{name}'"
        ))
        .await;
}

async fn a_list_is_worked_through(device: Device) {
    let app = TestApp::builder().delivering().at_home().start().await;
    let company = app.company("Acme").await;
    company.panel_user("luisa@example.com", Supervisor).await;
    for number in 0..30 {
        let named = folio()
            .with("folioName", format!("Contrato {:02}", (number * 7) % 30).as_str())
            .signers(&json!([signer(&format!("10{number:02}"))]));
        company.created(named).await;
    }
    settled(&app).await;
    let browser = Browser::on(device).await;
    let album = format!("lists/{}", device.label());
    enter(&app, &browser, "luisa@example.com", "/panel/folios").await;
    browser.sees("1 a 25 de 30").await;
    if device.label().contains("phone") {
        let top = "return document.querySelector('td.name a').getBoundingClientRect().top < innerHeight";
        browser.until(top).await;
        browser
            .run(
                "document.querySelector('tbody tr:last-child').scrollIntoView()",
                &[],
            )
            .await;
        let stays = "return scrollY > 0 && document.querySelector('.top').getBoundingClientRect().top === 0";
        browser.until(stays).await;
        browser.run("scrollTo(0, 0)", &[]).await;
    } else {
        let aligned = "const left = place => document.querySelector(place).getBoundingClientRect().left; \
                       return Math.abs(left('.top .brand') - left('main h1')) < 1";
        browser.until(aligned).await;
    }
    browser.is_accessible("a list of folios").await;
    browser.picture(&album, "1-newest").await;

    // Forward and back, by name.
    browser.press("details.filters summary").await;
    browser.choose("#order", "name").await;
    browser.press(".seek .quiet").await;
    first_is(&browser, "Contrato 00").await;
    browser.is_accessible("a list of folios by name").await;
    browser.picture(&album, "2-by-name").await;
    browser.press("a[rel=next]").await;
    browser.sees("26 a 30 de 30").await;
    first_is(&browser, "Contrato 25").await;
    browser.press("a[rel=prev]").await;
    browser.sees("1 a 25 de 30").await;
    if !device.label().contains("phone") {
        browser.press("thead th:last-child a").await;
        browser.until("return location.search === ''").await;
        browser.press("thead th:last-child a").await;
        first_is(&browser, "Contrato 00").await;
        browser
            .until("return document.querySelector('th:last-child').ariaSort === 'ascending'")
            .await;
    }

    // Two are cancelled at once.
    browser.press("tbody tr:nth-child(1) .pick input").await;
    browser.press("tbody tr:nth-child(2) .pick input").await;
    browser.press("button[value=cancel]").await;
    browser.sees("Nadie podrá firmarlos").await;
    browser
        .is_accessible("the question before several are cancelled")
        .await;
    browser.write("#observation", "El cliente desistió.").await;
    browser.press("main form button").await;
    browser.sees("Se anularon 2 folios.").await;
    settled(&app).await;

    // A search that is kept, and found again.
    browser.write("#q", "contrato 07").await;
    browser.press(".seek .quiet").await;
    first_is(&browser, "Contrato 07").await;
    browser.write("#search-name", "El siete").await;
    browser.press("form.row .quiet").await;
    browser.sees("Se guardó la búsqueda.").await;
    browser.is_accessible("a search that was kept").await;
    browser.picture(&album, "3-kept").await;
    browser.press(".seek .row a").await;
    browser.press("nav a[href*='q=contrato']").await;
    first_is(&browser, "Contrato 07").await;
}

/// Whether the focus is in the row with that place.
fn at(row: usize) -> String {
    format!(
        "const rows = [...document.querySelectorAll('tbody tr')]; return rows[{row}].contains(document.activeElement)"
    )
}

async fn the_keyboard_turns_the_pages_of_the_queue(device: Device) {
    let app = TestApp::builder().at_home().start().await;
    let company = app.company("Acme").await;
    company.use_approval().await;
    company.panel_user("luisa@example.com", Supervisor).await;
    for _ in 0..=PAGE_SIZE {
        let one = folio().signers(&signers(1));
        company.created_in(FolioState::Signed, one).await;
    }
    let browser = Browser::on(device).await;
    enter(&app, &browser, "luisa@example.com", "/panel/approvals").await;
    browser.sees("1 a 25").await;
    browser.until(&at(0)).await;
    let last = PAGE_SIZE - 1;
    let focus = format!("document.querySelectorAll('.pick input')[{last}].focus()");
    browser.run(&focus, &[]).await;
    press_key(&browser, "j").await;
    browser.sees("26 a 26").await;
    browser.until(&at(0)).await;
    browser.is_accessible("the last page of the queue").await;
    let album = format!("approving/{}", device.label());
    browser.picture(&album, "4-last-page").await;
    press_key(&browser, "k").await;
    browser.sees("1 a 25").await;
    browser.until(&at(last)).await;
}

#[tokio::test]
async fn the_keyboard_turns_the_pages_of_the_queue_on_a_phone() {
    the_keyboard_turns_the_pages_of_the_queue(Device::PHONE).await;
}

#[tokio::test]
async fn the_keyboard_turns_the_pages_of_the_queue_on_a_desktop() {
    the_keyboard_turns_the_pages_of_the_queue(Device::DESKTOP).await;
}

async fn the_queue_is_judged_by_keyboard(device: Device) {
    let app = TestApp::builder()
        .delivering()
        .at_home()
        .drawing_with(env!("CARGO_BIN_EXE_render_worker"))
        .start()
        .await;
    let company = app.company("Acme").await;
    company.use_approval().await;
    company.panel_user("luisa@example.com", Supervisor).await;
    for name in ["Contrato uno", "Contrato dos", "Contrato tres"] {
        let named = folio().with("folioName", name).signers(&signers(1));
        company.created_in(FolioState::Signed, named).await;
    }
    let browser = Browser::on(device).await;
    let album = format!("approving/{}", device.label());
    enter(&app, &browser, "luisa@example.com", "/panel/approvals").await;
    browser.until(&at(0)).await;
    let told_of_keys = browser.visible_text().await.contains("J y K para bajar y subir");
    assert_eq!(told_of_keys, device == Device::DESKTOP);
    browser.picture(&album, "3-keys").await;
    press_key(&browser, "j").await;
    browser.until(&at(1)).await;
    press_key(&browser, "k").await;
    browser.until(&at(0)).await;
    // The signed document before the verdict.
    press_key(&browser, "o").await;
    browser.sees("Todos firmaron este folio").await;
    browser
        .until("const page = document.querySelector('details.paper[open] img'); if (page) page.scrollIntoView(); return page !== null && page.complete && page.naturalWidth > 0")
        .await;
    // The verdict by the same keys there.
    browser
        .until("return document.activeElement.value === 'approve'")
        .await;
    press_key(&browser, "r").await;
    browser.sees("No se puede deshacer").await;
    assert!(browser.has("#observation").await);
    browser.back().await;
    browser.sees("Todos firmaron este folio").await;
    browser.back().await;
    browser.until(&at(0)).await;
    press_key(&browser, "x").await;
    press_key(&browser, "j").await;
    press_key(&browser, "x").await;
    browser
        .until("return document.querySelectorAll('.pick input:checked').length === 2")
        .await;
    press_key(&browser, "a").await;
    browser.sees("No se puede deshacer").await;
    browser.press("main form .go").await;
    browser.sees("2 folios aprobados.").await;
    browser.until(&at(0)).await;
    // Without any chosen, the one in focus.
    press_key(&browser, "r").await;
    browser
        .write("#observation", "Falta la firma del codeudor.")
        .await;
    browser.press("main form button").await;
    browser.sees("Rechazado por la empresa").await;
}

#[tokio::test]
async fn a_list_is_worked_through_on_a_phone() {
    a_list_is_worked_through(Device::PHONE).await;
}

#[tokio::test]
async fn a_list_is_worked_through_on_a_desktop() {
    a_list_is_worked_through(Device::DESKTOP).await;
}

#[tokio::test]
async fn the_queue_is_judged_by_keyboard_on_a_phone() {
    the_queue_is_judged_by_keyboard(Device::PHONE).await;
}

#[tokio::test]
async fn the_queue_is_judged_by_keyboard_on_a_desktop() {
    the_queue_is_judged_by_keyboard(Device::DESKTOP).await;
}
