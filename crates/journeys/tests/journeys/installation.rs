//! An installation with its mailbox, and people who read it.

use journeys::{Browser, Device};
use serde_json::Value;
use testkit::{Builder, Company, FolioFields, TestApp, signers, validate_all};

/// The first signer of the usual folio.
pub(crate) const MARIA: &str = "maria.1001@example.com";

/// The base address of links, as the installation's settings have it.
const SIGN_APP: &str = "https://firmas.example.com";

/// The usual installation, reached from this machine, with messages delivered and pages drawn.
pub(crate) async fn installation() -> TestApp {
    builder().start().await
}

/// The same, to be changed.
pub(crate) fn builder() -> Builder {
    let builder = TestApp::builder().delivering().at_home();
    builder.drawing_with(env!("CARGO_BIN_EXE_render_worker"))
}

/// A browser on a phone.
pub(crate) async fn phone() -> Browser {
    Browser::on(Device::PHONE).await
}

/// The usual folio with a contract of several pages.
pub(crate) fn contract() -> FolioFields {
    testkit::folio().documents([("Contrato de arrendamiento.pdf", testkit::pdf::lease(3))])
}

/// An address as a browser on this machine reaches it.
pub(crate) fn here(app: &TestApp, address: &str) -> String {
    address.replacen(SIGN_APP, &format!("http://{}", app.address()), 1)
}

/// The link in the last message to that address.
pub(crate) async fn link(app: &TestApp, recipient: &str) -> String {
    let mail = app.mail_to(recipient, SIGN_APP).await;
    let start = mail.text.find(SIGN_APP).unwrap();
    let link = mail.text[start..].split_whitespace().next().unwrap();
    here(app, link)
}

/// A contract for María alone, and a phone that has opened her link.
pub(crate) async fn opened_by_maria(app: &TestApp, company: &Company<'_>) -> (String, Browser) {
    opened_by_maria_on(Device::PHONE, app, company).await
}

/// The same on that device.
pub(crate) async fn opened_by_maria_on(
    device: Device,
    app: &TestApp,
    company: &Company<'_>,
) -> (String, Browser) {
    let folio = company.created(contract().signers(&signers(1))).await;
    let browser = Browser::on(device).await;
    browser.open(&link(app, MARIA).await).await;
    (folio, browser)
}

/// The code in the last message to that address or number.
pub(crate) async fn code(app: &TestApp, recipient: &str) -> String {
    let digits = |text: &str| {
        let mut words = text.split(|c: char| !c.is_ascii_digit());
        words.find(|word| word.len() == 6).map(str::to_owned)
    };
    let what = format!("a code to {recipient}");
    testkit::until(&what, async || {
        let mails = app.mailbox().await;
        // Links have digits, too.
        let mut codes = mails.into_iter().filter(|mail| !mail.text.contains(SIGN_APP));
        digits(&codes.find(|mail| mail.recipient == recipient)?.text)
    })
    .await
}

/// The code in the last message, once it is another than this.
pub(crate) async fn code_after(app: &TestApp, recipient: &str, last: &str) -> String {
    testkit::until("another code", async || {
        let code = code(app, recipient).await;
        (code != last).then_some(code)
    })
    .await
}

/// Shows that a corrected contact is one's own, by the code that is sent there; the code that did.
pub(crate) async fn prove(app: &TestApp, browser: &Browser, recipient: &str) -> String {
    browser.sees("Confirme que es usted").await;
    browser.press(".go").await;
    browser.sees("Código de 6 dígitos").await;
    let code = code(app, recipient).await;
    browser.write("#code", &code).await;
    code
}

/// Reads, accepts and asks for the code.
pub(crate) async fn accept(browser: &Browser) {
    browser.press("label[for=consent]").await;
    browser.press(".go").await;
    browser.sees("Escriba").await;
}

/// The whole act with the code sent to that address.
pub(crate) async fn sign(app: &TestApp, browser: &Browser, recipient: &str) {
    accept(browser).await;
    browser.write("#code", &code(app, recipient).await).await;
    browser.sees("Listo, usted firmó").await;
}

/// Insists that independent judges find the folio's document sound, signed so often, and begun with what was sent.
pub(crate) async fn validated(
    app: &TestApp,
    company: &Company<'_>,
    folio: &str,
    sent: &[u8],
    signatures: usize,
) {
    all_validated(app, company, &[folio], sent, signatures).await;
}

/// The same of many folios.
pub(crate) async fn all_validated(
    app: &TestApp,
    company: &Company<'_>,
    folios: &[impl AsRef<str>],
    sent: &[u8],
    signatures: usize,
) {
    let mut files = Vec::new();
    for folio in folios {
        let read = company.read(folio.as_ref()).await;
        let document = read.at("/data/documents/0/documentId");
        let file = company.download(&document).await.body;
        assert!(file.starts_with(sent), "the upload is a prefix");
        files.push(file);
    }
    let root = app.app().notary.root().as_der().to_vec();
    let judgements = tokio::task::spawn_blocking(move || validate_all(&files, &root));
    for judged in judgements.await.unwrap() {
        assert_eq!(judged.pyhanko, vec!["valid"; signatures]);
        assert_eq!(judged.pdfsig, signatures);
    }
}

/// The folio's state, by name.
pub(crate) async fn state(company: &Company<'_>, folio: &str) -> String {
    company.read(folio).await.at("/data/folioData/stateName")
}

/// The states of the folio's signers, by name.
pub(crate) async fn signer_states(company: &Company<'_>, folio: &str) -> Vec<String> {
    let read = company.read(folio).await.json();
    let signers = read["data"]["signers"].as_array().unwrap().clone();
    let name = |signer: Value| signer["folioStateName"].as_str().unwrap().to_owned();
    signers.into_iter().map(name).collect()
}
