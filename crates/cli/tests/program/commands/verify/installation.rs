//! `firmeza verify --installation`: an installation's own root, and what it has revoked.

use super::TestFiles;
use crate::support::{
    Client, Ended, HttpResponse, Installation, Order, Request, block_on, document_ids, done, download,
    folio_id, texts, wait_for,
};
use domain::SignerIndex;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use testkit::{TestApp, folio, signers};

/// The text of the newest message to an address that contains some words, once it is in the sandbox's mailbox.
fn mail(installation: &Installation, recipient: &str, words: &str) -> String {
    let sql = format!(
        "SELECT text FROM mailbox WHERE recipient = '{recipient}' AND text LIKE '%{words}%' ORDER BY seq DESC"
    );
    let mut found = Vec::new();
    wait_for(words, || {
        found = texts(&installation.sqlite(), &sql);
        !found.is_empty()
    });
    found.swap_remove(0)
}

/// Has the only signer of a new folio sign it, page by page; the signed document.
fn signed(installation: &Installation, client: &Client) -> Vec<u8> {
    let document = sign(installation, client);
    client.send(download(&document)).body
}

/// The same once the document has its evidence.
pub(crate) fn extended(installation: &Installation, client: &Client) -> Vec<u8> {
    let document = sign(installation, client);
    let mut file = Vec::new();
    wait_for("the evidence in the document", || {
        file = client.send(download(&document)).body;
        file.windows(9).any(|window| window == b"/Type/DSS")
    });
    file
}

/// Has the only signer of a new folio sign it, page by page; the document's identifier.
fn sign(installation: &Installation, client: &Client) -> String {
    let mut order = Order::small();
    order.signers.truncate(1);
    order.signature_type = "1";
    let email = order.signers[0]["email"].as_str().unwrap();
    let created = done(&client.create(&order));
    let folio = folio_id(&created);
    let invitation = mail(installation, email, "/sign?s=");
    let (_, link) = invitation.split_once("/sign?s=").unwrap();
    let token = link.split_whitespace().next().unwrap();
    let page = client.send(Request::get(&format!("/sign?s={token}")));
    assert_eq!(page.status, 200, "{}", page.text());
    let (cookie, _) = page.header("set-cookie").unwrap().split_once(';').unwrap();
    let text = page.text();
    let (_, csrf) = text.split_once("name=\"csrf\" value=\"").unwrap();
    let (csrf, _) = csrf.split_once('"').unwrap();
    let post = |act: &str, field: &str| -> HttpResponse {
        let headers = [
            ("content-type", "application/x-www-form-urlencoded"),
            ("sec-fetch-site", "same-origin"),
            ("cookie", cookie),
        ];
        let form = format!("csrf={csrf}&consent=2.es{field}").into_bytes();
        let target = format!("/sign/{folio}-0/{act}");
        client.send(Request::new("POST", &target, &headers, form))
    };
    let sent = post("code", "");
    assert_eq!(sent.status, 303, "{}", sent.text());
    let message = mail(installation, email, "Escriba este código");
    let is_code = |line: &&str| line.len() == 6 && line.bytes().all(|digit| digit.is_ascii_digit());
    let code = message.lines().map(str::trim).find(is_code).unwrap();
    let signed = post("sign", &format!("&code={code}"));
    assert_eq!(signed.status, 303, "{}", signed.text());
    let detail = done(&client.read(&folio));
    document_ids(&detail["data"]).remove(0)
}

/// A document that another installation's authority has signed.
async fn signed_elsewhere() -> Vec<u8> {
    let app = TestApp::start().await;
    let company = app.company("Otra").await;
    let id = company.created(folio().signers(&signers(1))).await;
    app.sign_by_email(&id, SignerIndex(0), "maria.1001@example.com")
        .await;
    // It then brings its own root along, and is valid by itself.
    app.app().extend_due().await.unwrap();
    company.download(&company.document_of(&id).await).await.body
}

/// What is found of a file; the code must be that of the verdict.
fn verify(installation: &Installation, file: &str) -> Value {
    verify_by(installation, &[file])
}

/// The same with more options.
pub(crate) fn verify_by(installation: &Installation, arguments: &[&str]) -> Value {
    let ended = installation.run(&[&["verify", "--installation", "--json"], arguments].concat());
    let found: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{ended:?}"));
    assert_eq!(ended.success, found["valid"] == true, "{ended:?}");
    found["files"][0].clone()
}

#[test]
fn an_installation_vouches_for_its_own_signatures_until_they_are_revoked() {
    let installation = Installation::new();
    let _server = installation.serve();
    let client = installation.client();
    let put = |name: &str, bytes: &[u8]| fs::write(installation.directory().join(name), bytes).unwrap();
    put("contrato.pdf", &signed(&installation, &client));
    let foreign = block_on(signed_elsewhere());
    put("ajeno.pdf", &foreign);

    let found = verify(&installation, "contrato.pdf");
    assert_eq!(found["verdict"], "valid", "{found:#}");
    let root = client.send(Request::get("/authority/root.crt")).body;
    let root = domain::event::hex(&Sha256::digest(root).into());
    assert_eq!(found["roots"][0]["source"], "given");
    assert_eq!(found["roots"][0]["sha256"], root, "{found:#}");

    let alone = TestFiles::new(&[("ajeno.pdf", &foreign)]).verify_json(&["ajeno.pdf"]);
    assert_eq!(alone["files"][0]["verdict"], "unknown_issuer", "{alone:#}");
    let strange = verify(&installation, "ajeno.pdf");
    assert_eq!(strange["verdict"], "unknown_issuer", "{strange:#}");

    let signature = &found["signatures"][0];
    let certificate = signature["signer"]["certificate_sha256"].as_str().unwrap();
    let at = signature["claimed_at"].as_str().unwrap();
    installation.ok(&["revoke", certificate, "--reason", "key-compromise", "--at", at]);
    let found = verify(&installation, "contrato.pdf");
    assert_eq!(found["verdict"], "invalid", "{found:#}");
    assert_eq!(
        found["signatures"][0]["reasons"][0]["name"], "revoked",
        "{found:#}"
    );
}

/// Ends with an error, not with a verdict.
fn assert_refused(ended: &Ended, words: &str) {
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert_eq!(ended.stdout, "", "{ended:?}");
    assert!(ended.stderr.contains(words), "{ended:?}");
}

#[test]
fn what_is_no_installation_is_named_and_made_into_none() {
    let file = block_on(signed_elsewhere());
    let verify = ["verify", "--installation", "contrato.pdf"];
    // A key of its own, as production has, does not make an authority either.
    for key in ["", &"5a".repeat(32)] {
        let installation = Installation::new().with("FIRMEZA_MASTER_KEY", key);
        fs::write(installation.directory().join("contrato.pdf"), &file).unwrap();
        assert_refused(&installation.run(&verify), "there is no installation here");
        assert!(!installation.data().exists(), "verifying makes nothing");

        fs::create_dir(installation.data()).unwrap();
        fs::write(installation.data().join("notas.txt"), "otra cosa").unwrap();
        assert_refused(&installation.run(&verify), "there is no installation here");
        assert_eq!(fs::read_dir(installation.data()).unwrap().count(), 1);

        installation.ok(&["migrate"]);
        for _ in 0..2 {
            assert_refused(&installation.run(&verify), "the installation was never started");
        }
    }
    let installation = Installation::new();
    drop(installation.serve());
    fs::write(installation.directory().join("contrato.pdf"), &file).unwrap();
    fs::remove_file(installation.data().join("master.key")).unwrap();
    assert_refused(&installation.run(&verify), "there is no master key");
}
