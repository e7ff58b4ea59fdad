//! A folio's whole life from the panel: made, sent again, signed, approved; found, cancelled, judged with others.

use crate::sign_in::{enter, go_to};
use app::signing::sign::Signed;
use domain::Role::{Administrator, Reader, Supervisor};
use domain::{Code, FolioState, SignerIndex};
use journeys::{Browser, Device};
use std::path::PathBuf;
use testkit::{Company, TestApp, folio, signers};

/// The base address of links, as the installation's settings have it.
const SIGN_APP: &str = "https://firmas.example.com";

async fn installation() -> TestApp {
    let builder = TestApp::builder().delivering().at_home();
    builder
        .drawing_with(env!("CARGO_BIN_EXE_render_worker"))
        .start()
        .await
}

/// A contract as a file of the person's own.
fn contract(folder: &tempfile::TempDir) -> PathBuf {
    let file = folder.path().join("Contrato de arriendo.pdf");
    std::fs::write(&file, testkit::pdf::lease(2)).unwrap();
    file
}

/// Projects the logged changes now.
async fn settled(app: &TestApp) {
    while app.app().project_changes().await.unwrap() > 0 {}
}

/// The code of the last message to that address, once it is another than this.
async fn code_after(app: &TestApp, recipient: &str, last: &str) -> String {
    testkit::until("a code", async || {
        let mails = app.mailbox().await;
        // Links have digits, too.
        let mut codes = mails.into_iter().filter(|mail| !mail.text.contains(SIGN_APP));
        let newest = codes.find(|mail| mail.recipient == recipient)?;
        let mut words = newest.text.split(|c: char| !c.is_ascii_digit());
        let code = words.find(|word| word.len() == 6)?;
        (code != last).then(|| code.to_owned())
    })
    .await
}

/// The signer, whose contact was corrected, opens the link of the last message, proves the contact with the code of the
/// next, and signs with another.
async fn signs(app: &TestApp, browser: &Browser, recipient: &str) {
    let mail = app.mail_to(recipient, SIGN_APP).await;
    let start = mail.text.find(SIGN_APP).unwrap();
    let link = mail.text[start..].split_whitespace().next().unwrap();
    let here = format!("http://{}", app.address());
    browser.open(&link.replacen(SIGN_APP, &here, 1)).await;
    browser.sees("Confirme que es usted").await;
    browser.press(".go").await;
    browser.sees("Código de 6 dígitos").await;
    let first = code_after(app, recipient, "").await;
    browser.write("#code", &first).await;
    browser.sees("Su aceptación").await;
    browser.press("label[for=consent]").await;
    browser.press(".go").await;
    browser.sees("Escriba el código").await;
    let second = code_after(app, recipient, &first).await;
    browser.write("#code", &second).await;
    browser.sees("Listo, usted firmó").await;
}

async fn made_corrected_signed_and_approved(device: Device) {
    let app = installation().await;
    let company = app.company("Acme").await;
    company.use_approval().await;
    company.panel_user("luisa@example.com", Supervisor).await;
    let folder = tempfile::tempdir().unwrap();
    let browser = Browser::on(device).await;
    let album = format!("folios/{}", device.label());
    enter(&app, &browser, "luisa@example.com", "/panel/folios").await;
    browser.sees("Todavía no hay folios").await;
    browser.picture(&album, "1-none").await;

    browser.press("main .go").await;
    browser.sees("Nuevo folio").await;
    for (field, words) in [
        ("#name", "Contrato de arriendo, apto 501"),
        ("#message", "Por favor revise y firme."),
        ("#name0", "Andrés Peña"),
        ("#number0", "1020304050"),
        ("#email0", "equivocado@example.com"),
        ("#mobile0", "3001234567"),
    ] {
        browser.write(field, words).await;
    }
    // One that is left empty is none.
    browser.press("#add").await;
    browser.sees("Firmante 2").await;
    browser.attach("#documents", &contract(&folder)).await;
    browser.is_accessible("a form for a new folio").await;
    browser.picture(&album, "2-new").await;
    browser.press("form.new .go").await;
    browser.sees("Se creó el folio").await;
    browser.sees("Pendiente").await;
    browser.is_accessible("a new folio").await;
    browser.picture(&album, "3-created").await;

    browser.press("a[href$='/resend']").await;
    browser.sees("Reenviar a los firmantes").await;
    browser
        .run("document.getElementById('email0').value = ''", &[])
        .await;
    browser.write("#email0", "andres@example.com").await;
    browser.picture(&album, "4-resend").await;
    browser.press("main .go").await;
    browser.sees("Los mensajes van en camino").await;
    browser.sees("Antes: equivocado@example.com").await;

    let page = browser.address().await;
    signs(&app, &browser, "andres@example.com").await;
    browser.open(&page).await;
    browser.sees("Todos firmaron").await;
    browser.is_accessible("a signed folio").await;
    // Each step of the signer fits in its line.
    browser
        .until(
            "const steps = [...document.querySelectorAll('.steps li')]; \
             return steps.length > 4 && steps.every(step => step.scrollWidth <= step.clientWidth)",
        )
        .await;
    browser.picture(&album, "5-signed").await;
    browser.press("button[value=approve]").await;
    browser.sees("No se puede deshacer").await;
    browser.is_accessible("the question before a verdict").await;
    browser.press("main form .go").await;
    browser.sees("Se aprobó el folio.").await;
    browser.sees("Se aprobó el folio").await;
    browser.picture(&album, "6-approved").await;

    settled(&app).await;
    go_to(&browser, "/panel/overview").await;
    browser.sees("1 en total, máximo 1").await;
    browser.press("a[href='/panel/overview?days=365']").await;
    browser.until("return location.search === '?days=365'").await;
    browser.is_accessible("an overview of a year").await;
    browser.picture(&album, "7-overview").await;
}

async fn found_cancelled_and_dropped(device: Device) {
    let app = installation().await;
    let company = app.company("Acme").await;
    company.panel_user("jorge@example.com", Administrator).await;
    for name in ["Contrato uno", "Contrato dos", "Otrosí"] {
        company.created(folio().with("folioName", name)).await;
    }
    settled(&app).await;
    let browser = Browser::on(device).await;
    let album = format!("finding/{}", device.label());
    enter(&app, &browser, "jorge@example.com", "/panel/folios").await;
    browser.sees("Contrato dos").await;
    browser.write("#q", "otrosi 1001").await;
    browser.press(".seek button").await;
    browser
        .until("return document.querySelectorAll('td.name').length === 1")
        .await;
    browser.picture(&album, "1-found").await;
    browser.press("td.name a").await;
    browser.sees("Mensaje a los firmantes").await;
    browser.press("a[href$='/cancel']").await;
    browser.write("#observation", "El cliente desistió.").await;
    browser.picture(&album, "2-why").await;
    browser.press("main form button").await;
    browser.sees("Se anuló el folio.").await;
    browser.press("a[href$='/drop']").await;
    browser.sees("No se puede deshacer").await;
    browser.press("main form button").await;
    browser.sees("Se retiró el folio.").await;
    browser.is_accessible("a folio that was dropped").await;
    browser.picture(&album, "3-dropped").await;
    browser.press("main p a[href='/panel/folios']").await;
    browser.sees("Retirado").await;
    browser.write("#q", "nadie").await;
    browser.press(".seek button").await;
    browser.sees("Ningún folio coincide").await;
}

async fn several_judged_at_once(device: Device) {
    let app = installation().await;
    let company: Company<'_> = app.company("Acme").await;
    company.use_approval().await;
    company.panel_user("luisa@example.com", Supervisor).await;
    for name in ["Contrato uno", "Contrato dos", "Contrato tres"] {
        let named = folio().with("folioName", name).signers(&signers(1));
        company.created_in(FolioState::Signed, named).await;
    }
    let browser = Browser::on(device).await.without_javascript().await;
    let album = format!("approving/{}", device.label());
    enter(&app, &browser, "luisa@example.com", "/panel/approvals").await;
    browser.sees("Contrato tres").await;
    browser.press("button[value=approve]").await;
    browser.sees("Marque al menos un folio").await;
    browser.press("tr:nth-child(1) input").await;
    browser.press("tr:nth-child(2) input").await;
    browser.press("button[value=approve]").await;
    browser.sees("No se puede deshacer").await;
    browser.picture(&album, "1-question").await;
    browser.press("main form .go").await;
    browser.sees("2 folios aprobados.").await;
    browser.press("tr:nth-child(1) input").await;
    browser.press("button[value=disapprove]").await;
    browser
        .write("#observation", "Falta la firma del codeudor.")
        .await;
    browser.press("main form button").await;
    browser.sees("Rechazado por la empresa").await;
    browser.sees("Falta la firma del codeudor.").await;
    browser.picture(&album, "2-rejected").await;
}

#[tokio::test]
async fn a_folio_from_its_making_to_its_approval_on_a_phone() {
    made_corrected_signed_and_approved(Device::PHONE).await;
}

#[tokio::test]
async fn a_folio_from_its_making_to_its_approval_on_a_desktop() {
    made_corrected_signed_and_approved(Device::DESKTOP).await;
}

#[tokio::test]
async fn a_folio_found_cancelled_and_dropped_on_a_phone() {
    found_cancelled_and_dropped(Device::PHONE).await;
}

#[tokio::test]
async fn a_folio_found_cancelled_and_dropped_on_a_desktop() {
    found_cancelled_and_dropped(Device::DESKTOP).await;
}

#[tokio::test]
async fn several_folios_judged_on_a_phone() {
    several_judged_at_once(Device::PHONE).await;
}

#[tokio::test]
async fn several_folios_judged_on_a_desktop() {
    several_judged_at_once(Device::DESKTOP).await;
}

#[tokio::test]
async fn a_signed_document_is_shown_with_its_sheet() {
    let app = installation().await;
    let acme = app.company("Acme").await;
    let reader = acme.signed_in("lectora@acme.example", Reader).await;
    let id = acme.created(folio().signers(&signers(1))).await;
    let document = acme.document_of(&id).await;
    let path = format!("/panel/folios/{id}/documents/{document}");
    let sheet = async || reader.get(&format!("{path}/pages/2.txt")).await.text();
    assert!(!sheet().await.contains(&id), "there is no sheet yet");
    app.send_code(&id, SignerIndex(0)).await;
    let code = code_after(&app, "maria.1001@example.com", "").await;
    let signed = app
        .give_code(&id, SignerIndex(0), Code::typed(&code).unwrap())
        .await;
    assert!(matches!(signed, Signed::Done(_)), "{signed:?}");
    let text = sheet().await;
    assert!(text.contains(&id) && text.contains("PRUEBA"), "{text}");
    let image = reader.get(&format!("{path}/pages/2.png?w=720")).await;
    assert_eq!(
        (image.status, image.header("content-type")),
        (200, Some("image/png"))
    );
    let page = reader.get(&format!("/panel/folios/{id}")).await.text();
    assert!(page.contains(&format!("data-copy=\"{id}\"")), "{page}");
    assert!(page.contains("pages/2.png"), "{page}");
}
