//! A template from its making to a folio of it, and to many folios of a file.

use crate::sign_in::enter;
use domain::Role::Supervisor;
use journeys::{Browser, Device};
use testkit::TestApp;

const HEADINGS: &str = "Nombre del folio;Arrendatario: nombre;Arrendatario: número de documento;Arrendatario: correo;\
                        Arrendatario: celular";

async fn used_for_one_and_for_many(device: Device) {
    let app = TestApp::builder().delivering().at_home().start().await;
    let company = app.company("Acme").await;
    company.panel_user("luisa@example.com", Supervisor).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Arriendo.pdf");
    std::fs::write(&file, testkit::pdf::lease(1)).unwrap();
    let browser = Browser::on(device).await;
    let album = format!("templates/{}", device.label());
    enter(&app, &browser, "luisa@example.com", "/panel/templates").await;
    browser.sees("Todavía no hay plantillas").await;
    browser.press(".empty a").await;
    browser.sees("Nuevo folio").await;
    browser.write("#name", "Contrato de arriendo").await;
    browser.write("#message", "Por favor revise y firme.").await;
    browser.attach("#documents", &file).await;
    browser.sees("Borrador guardado").await;
    browser.press("button[value=template]").await;
    browser.sees("De las personas no guarda nada").await;
    browser.is_accessible("a form for a new template").await;
    browser
        .run("document.getElementById('role0').value = ''", &[])
        .await;
    browser.write("#role0", "Arrendatario").await;
    browser.picture(&album, "1-save").await;
    browser.press("main form .go").await;
    browser.sees("Se guardó la plantilla.").await;
    browser.is_accessible("a template").await;
    browser.picture(&album, "2-template").await;

    browser.press("form[action$='/use'] button").await;
    browser.sees("Arriendo.pdf").await;
    browser.sees("Arrendatario").await;
    for (field, words) in [
        ("#name0", "Ana Ruiz"),
        ("#number0", "1020304050"),
        ("#email0", "ana@example.com"),
        ("#mobile0", "3001234567"),
    ] {
        browser.write(field, words).await;
    }
    browser.picture(&album, "3-use").await;
    browser.press("form.new .row .go").await;
    browser.sees("Se creó el folio").await;

    // A file with an error, and without.
    let people = folder.path().join("personas.csv");
    let right = "Apto 501;Luis Gil;1001;luis@example.com;3001234567\r\nApto 502;Íñigo Núñez;1002;inigo@example.com;3007654321\r\n";
    let wrong = right.replace("inigo@example.com", "inigo");
    std::fs::write(&people, format!("{HEADINGS}\r\n{wrong}")).unwrap();
    browser
        .open(&format!("http://{}/panel/templates", app.address()))
        .await;
    browser.press("a[href$='/import']").await;
    browser.sees("Cada fila del archivo es un folio").await;
    browser.is_accessible("a form for a file of people").await;
    browser.picture(&album, "4-import").await;
    browser.attach("#people", &people).await;
    browser.press("main form .go").await;
    browser.sees("El archivo tiene errores").await;
    browser.sees("Escriba un correo completo").await;
    browser.is_accessible("the errors of a file").await;
    browser.picture(&album, "5-errors").await;
    std::fs::write(&people, format!("{HEADINGS}\r\n{right}")).unwrap();
    browser.attach("#people", &people).await;
    browser.press("main form .go").await;
    browser.sees("Todo está bien").await;
    browser.sees("Íñigo Núñez").await;
    browser.is_accessible("the question before folios are made").await;
    browser.picture(&album, "6-confirm").await;
    browser.press("main form .go").await;
    browser.sees("Se crearon 2 folios del archivo.").await;
    browser.sees("Apto 502").await;
    browser.picture(&album, "7-made").await;
    // The form sent again makes none.
    browser.back().await;
    browser.reload().await;
    browser.sees("1 a 3").await;
}

#[tokio::test]
async fn a_template_is_used_for_one_and_for_many_on_a_phone() {
    used_for_one_and_for_many(Device::PHONE).await;
}

#[tokio::test]
async fn a_template_is_used_for_one_and_for_many_on_a_desktop() {
    used_for_one_and_for_many(Device::DESKTOP).await;
}
