//! A picture of the signature: drawn with a finger or a mouse, or typed where there is no script.

use crate::installation::{MARIA, accept, code, contract, installation, link, validated};
use domain::PicturePolicy;
use journeys::{Browser, Device};
use serde_json::{Value, json};
use testkit::{Company, pdf, signers};

/// The left, top, width and height of the pad, once it is in view.
const PAD: &str = "const pad = document.querySelector('.pad svg');
    pad.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { left, top, width, height } = pad.getBoundingClientRect();
    return [left, top, width, height]";

/// Draws a wave, as a finger or a mouse does.
async fn draw(browser: &Browser, by_touch: bool) {
    let area = browser.run(PAD, &[]).await;
    let part = |place: usize| area[place].as_f64().unwrap();
    let at = |step: i32| {
        let across = f64::from(step) / 30.0;
        let x = part(0) + part(2) * (0.1 + 0.8 * across);
        let y = part(1) + part(3) * (0.5 + 0.35 * (across * 14.0).sin());
        [x, y]
    };
    for step in 0..=30 {
        let [x, y] = at(step);
        let (command, kind) = match (by_touch, step) {
            (true, 0) => ("Input.dispatchTouchEvent", "touchStart"),
            (true, _) => ("Input.dispatchTouchEvent", "touchMove"),
            (false, 0) => ("Input.dispatchMouseEvent", "mousePressed"),
            (false, _) => ("Input.dispatchMouseEvent", "mouseMoved"),
        };
        let parameters = if by_touch {
            json!({ "type": kind, "touchPoints": [{ "x": x, "y": y }] })
        } else {
            json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 })
        };
        browser.devtools(command, parameters).await;
    }
    let [x, y] = at(30);
    let (command, end) = if by_touch {
        (
            "Input.dispatchTouchEvent",
            json!({ "type": "touchEnd", "touchPoints": [] }),
        )
    } else {
        let released = json!({ "type": "mouseReleased", "x": x, "y": y, "button": "left", "clickCount": 1 });
        ("Input.dispatchMouseEvent", released)
    };
    browser.devtools(command, end).await;
}

async fn picture(company: &Company<'_>, folio: &str) -> Value {
    let history = company.history(folio).await;
    let mut events = history.iter().map(domain::event::ChainedEvent::full_body);
    events.find(|event| event["what"] == "signed").unwrap()["picture"].clone()
}

async fn drawn_on(device: Device, by_touch: bool) {
    let app = installation().await;
    let company = app.company("Inmobiliaria Los Andes").await;
    company
        .choose(|settings| settings.picture = PicturePolicy::Required)
        .await;
    let folio = company.created(contract().signers(&signers(1))).await;
    let browser = Browser::on(device).await;
    browser.open(&link(&app, MARIA).await).await;
    browser.sees("Contrato de arriendo").await;
    accept(&browser).await;
    browser.sees("Su firma en la hoja").await;
    browser.write("#code", &code(&app, MARIA).await).await;
    browser.sees("Dibuje su firma o escriba su nombre.").await;
    browser.is_accessible("a picture that is missing").await;
    browser
        .picture("picture", &format!("{}-1-missing", device.name))
        .await;
    draw(&browser, by_touch).await;
    browser
        .until("return document.querySelector('[name=picture_strokes]').value.split(' ').length > 10")
        .await;
    browser.is_accessible("a picture that was drawn").await;
    browser
        .picture("picture", &format!("{}-2-drawn", device.name))
        .await;
    browser.press(".pad button").await;
    let cleared = "return document.querySelector('[name=picture_strokes]').value === '' \
         && document.activeElement.id === 'picture_name'";
    browser.until(cleared).await;
    draw(&browser, by_touch).await;
    browser.press(".go").await;
    browser.sees("Listo, usted firmó").await;
    let picture = picture(&company, &folio).await;
    assert_eq!(picture["kind"], "drawn");
    validated(&app, &company, &folio, &pdf::lease(3), 2).await;
}

#[tokio::test]
async fn a_signature_is_drawn_with_a_finger() {
    drawn_on(Device::PHONE, true).await;
}

#[tokio::test]
async fn a_signature_is_drawn_with_a_mouse() {
    drawn_on(Device::DESKTOP, false).await;
}

#[tokio::test]
async fn without_a_script_the_name_is_typed() {
    let app = installation().await;
    let company = app.company("Acme").await;
    company
        .choose(|settings| settings.picture = PicturePolicy::Required)
        .await;
    let folio = company.created(contract().signers(&signers(1))).await;
    let browser = Browser::on(Device::PHONE).await.without_javascript().await;
    browser.open(&link(&app, MARIA).await).await;
    browser.sees("Contrato de arriendo").await;
    browser.press("label[for=consent]").await;
    browser.press(".go").await;
    browser.sees("Su firma en la hoja").await;
    browser.glance("picture", "no-script").await;
    browser.write("#picture_name", "María Pérez").await;
    browser.write("#code", &code(&app, MARIA).await).await;
    browser.press(".go").await;
    browser.sees("Listo, usted firmó").await;
    let picture = picture(&company, &folio).await;
    assert_eq!(picture, json!({ "kind": "typed", "picture_text": "María Pérez" }));
    validated(&app, &company, &folio, &pdf::lease(3), 2).await;
}
